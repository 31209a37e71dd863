#include "report/html/scan_html_chains.hpp"

#include <fmt/format.h>

#include "report/html/html_table.hpp"
#include "report/html/html_text.hpp"
#include "report/scan/scan_page.hpp"
#include "report/text/labels.hpp"
#include "report/text/labels_scan.hpp"
#include "report/text/text_time.hpp"

namespace opdebug::report {
namespace {

std::string both(std::string_view Labels::*word) {
    return in_both_languages(labels_in(Language::english).*word, labels_in(Language::chinese).*word);
}

std::string both(std::string_view ScanLabels::*word) {
    return in_both_languages(scan_labels_in(Language::english).*word, scan_labels_in(Language::chinese).*word);
}

std::string verdict_of(const ChainLink& link) {
    return in_both_languages(chain_label(link.origin, link.op_dump, labels_in(Language::english)),
                             chain_label(link.origin, link.op_dump, labels_in(Language::chinese)));
}

/// The operator; where nobody knows it, the dump.
std::string name_of(const ChainLink& link) {
    const std::string op = show_operator(link.operator_name, link.operator_type);
    return op.empty() ? html(file_name_of(link.file)) : html(op);
}

std::string list_item(const ChainLink& link) {
    const std::string time = link.timestamp_us ? html(show_utc(*link.timestamp_us)) : both(&ScanLabels::unknown_time);
    return fmt::format("<li>{} {}: {}</li>\n", time, name_of(link), verdict_of(link));
}

/// The first dumps of the chain, folded up: a chain of one dump is told already.
std::string folded_links(const OverflowChain& chain) {
    if (chain.count < 2) {
        return {};
    }
    std::string items;
    for (const ChainLink& link : chain.links) {
        items += list_item(link);
    }
    const std::uint64_t more = chain.count - chain.links.size();
    if (more != 0) {
        items += fmt::format("<li>{}</li>\n",
                             in_both_languages(fmt::format("{} more", more), fmt::format("另有 {} 个", more)));
    }
    return fmt::format("<details><summary>{}</summary>\n<ol>\n{}</ol>\n</details>\n",
                       in_both_languages("the dumps in order", "按顺序列出 dump"), items);
}

std::string first_bad_cell(const OverflowChain& chain) {
    std::string text;
    if (chain.first_bad) {
        text = fmt::format("{}<br><strong>{}</strong>: {}", name_of(*chain.first_bad), verdict_of(*chain.first_bad),
                           html(chain.first_bad->origin ? chain.first_bad->origin->because : std::string()));
    } else {
        text = both(chain.not_measured == chain.count ? &Labels::not_measured : &Labels::not_visible);
    }
    return fmt::format("<td class=\"name\">{}{}{}</td>", text, remark_list(chain.remarks), folded_links(chain));
}

std::string chain_row(const OverflowChain& chain) {
    return fmt::format("<tr>{}{}{}{}{}{}{}{}{}{}{}</tr>\n", time_cell(chain.first_us), number_cell(chain.step),
                       number_cell(chain.rank), number_cell(chain.device_id), text_cell(chain.model, "model"),
                       first_bad_cell(chain), number_cell(chain.count), number_cell(chain.born_here),
                       number_cell(chain.inherited), number_cell(chain.not_visible), number_cell(chain.not_measured));
}

}  // namespace

std::string html_chains(const OverflowChains& chains) {
    std::string rows;
    for (const OverflowChain& chain : chains.chains) {
        rows += chain_row(chain);
    }
    if (rows.empty()) {
        return rows;
    }
    return table("chains",
                 heading_cells({{"First (UTC)", "首次 (UTC)"},
                                {"Step", "Step"},
                                {"Rank", "Rank"},
                                {"Device", "Device"},
                                {"Model", "模型"},
                                {"First bad value", "首个异常值"},
                                {"Dumps", "dump 数"},
                                {"Born here", "在此产生"},
                                {"Inherited", "由输入带入"},
                                {"Not visible", "不可见"},
                                {"Not measured", "未测量"}}),
                 rows) +
           left_out(chains.count, chains.chains.size());
}

}  // namespace opdebug::report
