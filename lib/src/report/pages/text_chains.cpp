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
constexpr std::size_t kLinks = 5;

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

/// One dump; with the reason where it is the one that the chain points out.
std::string link_line(const ChainLink& link, bool pointed_out, const Page& page) {
    const std::string time =
        link.timestamp_us ? show_utc(*link.timestamp_us) : std::string(page.word("scan_page.unknown_time"));
    const std::string op = show_operator(link.operator_name, link.operator_type);
    const std::string_view verdict = chain_label(link.origin, link.op_dump, page.language());
    const std::string because =
        pointed_out && link.origin
            ? fmt::format("{}{}", page.word("page.colon"), printable(link.origin->because_in(page.language())))
            : std::string();
    return fmt::format("    {} {}  {}  {}{}\n", pointed_out ? '>' : ' ', time,
                       op.empty() ? printable(file_name_of(link.file)) : op, verdict, because);
}

std::string links_to_text(const OverflowChain& chain, const Page& page) {
    std::string text;
    std::uint64_t shown = 0;
    for (; shown < chain.links.size() && shown < kLinks; ++shown) {
        const ChainLink& link = chain.links[shown];
        text += link_line(link, chain.first_bad && chain.first_bad->position == link.position, page);
    }
    if (chain.first_bad && chain.first_bad->position >= shown) {
        if (chain.first_bad->position > shown) {
            text += "      ...\n";
        }
        text += link_line(*chain.first_bad, true, page);
        ++shown;
    }
    if (!chain.first_bad) {
        text += fmt::format("      {}\n", page.word("scan_page.no_bad_value"));
    }
    if (shown < chain.count) {
        text += fmt::format("      {}\n", page.phrase("scan_page.links_left", {{"count", chain.count - shown}}));
    }
    return text;
}

std::string chain_to_text(const OverflowChain& chain, const Page& page) {
    std::string text = fmt::format("  {}{}\n", show_place(chain, page),
                                   page.phrase("scan_page.chain_counts", {{"count", chain.count},
                                                                          {"born_here", chain.born_here},
                                                                          {"inherited", chain.inherited},
                                                                          {"not_visible", chain.not_visible},
                                                                          {"not_measured", chain.not_measured}}));
    text += links_to_text(chain, page);
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
