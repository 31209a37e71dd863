// Chains of overflows: which dump shows the first bad value.
#include "report/pages/pages.hpp"

#include <fmt/format.h>

#include <opdebug/dump.hpp>
#include <opdebug/report.hpp>

#include "report/scan/scan_page.hpp"
#include "report/text/answer_words.hpp"
#include "report/text/page.hpp"

namespace opdebug::report {
namespace {

constexpr std::uint64_t kChains = 20;

std::string show_place(const OverflowChain& chain, const Page& page) {
    const std::string text = KnownValues("  ")
                                 .add("step", chain.step)
                                 .add("rank", chain.rank)
                                 .add("device", chain.device_id)
                                 .add(page.word("page.folder_time"), chain.folder_time)
                                 .add(printable(chain.model))
                                 .text();
    return text.empty() ? text : text + "  ";
}

/// The first bad value with the reason of its verdict, how many dumps have which verdict, remarks.
std::string chain_to_text(const OverflowChain& chain, const Page& page) {
    std::string first(page.word("scan_page.no_bad_value"));
    if (const auto& bad = chain.first_bad) {
        const std::string op = show_operator(bad->operator_name, bad->operator_type);
        first = fmt::format("{}  {}", op.empty() ? printable(file_name_of(bad->file)) : op,
                            chain_label(bad->origin, bad->op_dump, page.language()));
        first += bad->origin ? page.word("page.colon") : "";
        first += bad->origin ? printable(bad->origin->because_in(page.language())) : "";
    }
    std::string text = page.lines("  " + show_place(chain, page), first, 6);
    text += fmt::format("      {}\n", page.phrase("scan_page.chain_counts", {{"count", chain.count},
                                                                             {"born_here", chain.born_here},
                                                                             {"inherited", chain.inherited},
                                                                             {"not_visible", chain.not_visible},
                                                                             {"not_measured", chain.not_measured}}));
    for (const ScanRemark& remark : chain.remarks) {
        text += "      " + page.remark(remark);
    }
    return text;
}

}  // namespace

std::string chains_to_text(const OverflowChains& chains, const ReportOptions& options) {
    const Page page{options};
    std::string text;
    std::uint64_t shown = 0, without_values = 0, seen = 0;
    for (const OverflowChain& chain : chains.chains) {
        if (shown == kChains) {
            break;
        }
        ++seen;
        if (chain.not_measured == chain.count) {
            ++without_values;
            continue;
        }
        text += chain_to_text(chain, page);
        ++shown;
    }
    if (without_values != 0) {
        text += fmt::format("  {}\n", page.phrase("scan_page.no_value", {{"count", without_values}}));
    }
    if (seen < chains.count) {
        text += fmt::format("  {}\n", page.phrase("scan_page.chains_left", {{"count", chains.count - seen}}));
    }
    return text;
}

}  // namespace opdebug::report
