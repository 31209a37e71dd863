// Chains of overflows: which dump shows the first bad value.
#include "report/pages/scan_text.hpp"

#include <fmt/format.h>

#include <opdebug/dump.hpp>
#include <opdebug/report.hpp>

#include "report/scan/scan_page.hpp"
#include "report/text/labels.hpp"
#include "report/text/numbers_and_times.hpp"

namespace opdebug::report {
namespace {

constexpr std::uint64_t kChains = 20;
constexpr std::size_t kLinks = 5;

struct Words {
    const Labels& labels;
    const ScanLabels& scan;
    Language language;
};

std::string show_place(const OverflowChain& chain, const Labels& labels) {
    std::string text;
    const auto add = [&text](std::string_view name, const auto& value) {
        if (value) {
            text += fmt::format("{} {}  ", name, *value);
        }
    };
    add("step", chain.step);
    add("rank", chain.rank);
    add("device", chain.device_id);
    add(labels.folder_time, chain.folder_time);
    return chain.model.empty() ? text : text + printable(chain.model) + "  ";
}

/// One dump; with the reason where it is the one that the chain points out.
std::string link_line(const ChainLink& link, bool pointed_out, const Words& words) {
    const std::string time = link.timestamp_us ? show_utc(*link.timestamp_us) : std::string(words.scan.unknown_time);
    const std::string op = show_operator(link.operator_name, link.operator_type);
    const std::string_view verdict = chain_label(link.origin, link.op_dump, words.labels);
    const std::string because =
        pointed_out && link.origin
            ? fmt::format("{}{}", words.labels.colon, printable(link.origin->because_in(words.language)))
            : std::string();
    return fmt::format("    {} {}  {}  {}{}\n", pointed_out ? '>' : ' ', time,
                       op.empty() ? printable(file_name_of(link.file)) : op, verdict, because);
}

std::string links_to_text(const OverflowChain& chain, const Words& words) {
    std::string text;
    std::uint64_t shown = 0;
    for (; shown < chain.links.size() && shown < kLinks; ++shown) {
        const ChainLink& link = chain.links[shown];
        text += link_line(link, chain.first_bad && chain.first_bad->position == link.position, words);
    }
    if (chain.first_bad && chain.first_bad->position >= shown) {
        if (chain.first_bad->position > shown) {
            text += "      ...\n";
        }
        text += link_line(*chain.first_bad, true, words);
        ++shown;
    }
    if (!chain.first_bad) {
        text += fmt::format("      {}\n", words.scan.no_bad_value);
    }
    if (shown < chain.count) {
        text += fmt::format("      {}\n", fmt::format(fmt::runtime(words.scan.links_format), chain.count - shown));
    }
    return text;
}

std::string chain_to_text(const OverflowChain& chain, const Words& words) {
    std::string text = fmt::format("  {}{}\n", show_place(chain, words.labels),
                                   fmt::format(fmt::runtime(words.scan.chain_format), chain.count, chain.born_here,
                                               chain.inherited, chain.not_visible, chain.not_measured));
    text += links_to_text(chain, words);
    for (const ScanRemark& remark : chain.remarks) {
        text += fmt::format("      {} [{}] {}\n", severity_label(remark.severity, words.labels), remark.code,
                            printable(remark.message_in(words.language)));
    }
    return text;
}

}  // namespace

std::string chains_to_text(const OverflowChains& chains, Language language) {
    const Words words{labels_in(language), scan_labels_in(language), language};
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
        text += chain_to_text(chain, words);
        ++shown;
    }
    if (without_values != 0) {
        text += fmt::format("  {}\n", fmt::format(fmt::runtime(words.scan.no_value_format), without_values));
    }
    if (seen < chains.count) {
        text += fmt::format("  {}\n", fmt::format(fmt::runtime(words.scan.chains_format), chains.count - seen,
                                                  chains.count - seen == 1 ? "" : "s"));
    }
    return text;
}

}  // namespace opdebug::report
