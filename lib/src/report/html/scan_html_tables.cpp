// Summary, first overflow, and the tables of a scan's page.
#include <algorithm>

#include <fmt/format.h>

#include "report/html/html_table.hpp"
#include "report/html/scan_html.hpp"
#include "report/scan/scan_page.hpp"
#include "report/text/labels.hpp"
#include "report/text/numbers_and_times.hpp"

namespace opdebug::report {
namespace {

std::string both_cause_names(std::string_view id) {
    return in_both_languages(cause_name(id, Language::english), cause_name(id, Language::chinese));
}

std::string card(std::string_view style, std::uint64_t count, const char* english, const char* chinese) {
    return fmt::format("<div class=\"card {}\"><dt>{}</dt><dd>{}</dd></div>\n", count == 0 ? "zero" : style,
                       in_both_languages(english, chinese), count);
}

std::string group_row(const ScanGroup& group) {
    const std::string op = show_operator(group.operator_name, group.operator_type);
    return fmt::format("<tr>{}{}{}{}{}{}{}{}{}{}</tr>\n", number_cell(group.count), number_cell(group.bursts),
                       keyed_cell(group.cause, both_cause_names(group.cause), "cause"),
                       fmt::format("<td class=\"name\">{}{}</td>", html(op), remark_list(group.remarks)),
                       text_cell(group.model, "model"), numbers_cell(group.ranks), numbers_cell(group.devices),
                       numbers_cell(group.steps), time_cell(group.first_us), time_cell(group.last_us));
}

std::string origin_cell(const std::optional<Origin>& origin) {
    return origin ? keyed_cell(to_string(origin->verdict), both_verdicts(origin->verdict)) : keyed_cell("", "");
}

std::string causes_cell(const ScanItem& item) {
    std::string keys, names;
    for (const std::string& cause : cause_ids(item)) {
        keys += (keys.empty() ? "" : " ") + cause;
        names += (names.empty() ? "" : "<br>") + both_cause_names(cause);
    }
    if (item.state == DumpState::clean) {
        names = in_both_languages(labels_in(Language::english).clean, labels_in(Language::chinese).clean);
    }
    return keyed_cell(keys, names, "cause");
}

std::string overflow_row(const ScanItem& item, bool tensors) {
    return fmt::format("<tr>{}{}{}{}{}{}{}{}{}</tr>\n", time_cell(item.timestamp_us),
                       number_cell(item.path_ids.data_index), number_cell(item.path_ids.rank),
                       number_cell(item.path_ids.device_id), causes_cell(item),
                       text_cell(show_operator(item.operator_name, item.operator_type), "name"),
                       tensors ? origin_cell(item.origin) : std::string(), text_cell(item.model, "model"),
                       text_cell(item.file, "file"));
}

/// A text for people whose first line says what happened.
std::string with_headline(std::string_view lines) {
    const std::string text = html_lines(lines);
    const std::size_t end = std::min(text.find('\n'), text.size());
    return fmt::format("<strong>{}</strong>{}", text.substr(0, end), text.substr(end));
}

std::string failure_row(std::string_view file, std::string_view code, std::string_view message) {
    return fmt::format("<tr>{}<td><code>{}</code></td>{}</tr>\n", text_cell(file, "file"), html(code),
                       text_cell(message, "message"));
}

}  // namespace

std::string html_summary(const ScanPage& page) {
    const ScanCounts& counts = page.scan.counts;
    std::string text = "<dl class=\"cards\">\n";
    text += card("bad", counts.overflowed, "overflowed", "溢出");
    text += card("good", counts.clean, "clean", "未溢出");
    text += card("failed", counts.failed, "failed", "失败");
    text += card("", counts.dumps, "dumps in all", "dump 总数");
    text += card("", counts.op_dumps, "op dumps", "算子 dump");
    text += card("", counts.other_files, "other files", "其他文件");
    return text + "</dl>\n";
}

std::string html_first(const ScanPage& page) {
    const std::string english = page.first(Language::english), chinese = page.first(Language::chinese);
    if (english.empty()) {
        const bool only_api_dumps = page.scan.counts.dumps == 0 && page.api != nullptr;
        if (page.scan.counts.overflowed > 0 || only_api_dumps) {
            return {};
        }
        const bool failed = page.scan.counts.failed > 0;
        return fmt::format("<p>{}</p>\n",
                           failed ? in_both_languages("No overflow was found in the dumps that could be read.",
                                                      "在可读取的 dump 中未发现溢出。")
                                  : in_both_languages("No overflow was found.", "未发现溢出。"));
    }
    std::string text = fmt::format("<pre class=\"en\" lang=\"en\">{}</pre>\n<pre class=\"zh\" lang=\"zh\">{}</pre>\n",
                                   with_headline(english), with_headline(chinese));
    if (!page.overview.diagnostics.empty()) {
        text += "<h3>" + in_both_languages("Is it the first?", "它确实是首个吗？（说明为英文）") + "</h3>\n" +
                remark_list(page.overview.diagnostics);
    }
    return text;
}

std::string html_groups(const ScanPage& page) {
    const std::vector<ScanGroup>& groups = page.overview.groups;
    std::string rows;
    for (std::size_t i = 0; i < groups.size() && i < kMostRows; ++i) {
        rows += group_row(groups[i]);
    }
    if (rows.empty()) {
        return rows;
    }
    const std::string note =
        in_both_languages(scan_labels_in(Language::english).groups_note, scan_labels_in(Language::chinese).groups_note);
    return "<p>" + note + "</p>\n" +
           table("groups",
                 heading_cells({{"Dumps", "dump 数"},
                                {"Bursts", "突发次数"},
                                {"Cause", "原因"},
                                {"Operator (type)", "算子（类型）"},
                                {"Model", "模型"},
                                {"Ranks", "Rank"},
                                {"Devices", "Device"},
                                {"Steps", "Step"},
                                {"First (UTC)", "首次 (UTC)"},
                                {"Last (UTC)", "末次 (UTC)"}}),
                 rows) +
           left_out(groups.size());
}

std::string html_overflows(const std::vector<const ScanEntry*>& timeline, bool tensors) {
    std::string rows;
    for (std::size_t i = 0; i < timeline.size() && i < kMostRows; ++i) {
        rows += overflow_row(timeline[i]->item, tensors);
    }
    if (rows.empty()) {
        return rows;
    }
    return table("dumps",
                 heading_cells({{"Time (UTC)", "时间 (UTC)"},
                                {"Step", "Step"},
                                {"Rank", "Rank"},
                                {"Device", "Device"},
                                {"Cause", "原因"},
                                {"Operator (type)", "算子（类型）"}}) +
                     (tensors ? heading_cells({{"Origin", "来源"}}) : std::string()) +
                     heading_cells({{"Model", "模型"}, {"File", "文件"}}),
                 rows) +
           left_out(timeline.size());
}

std::string html_failures(const ScanPage& page) {
    const std::vector<ScanEntry> failed = failed_of(page, kMostRows);
    std::string rows;
    for (const ScanEntry& entry : failed) {
        rows += failure_row(entry.item.file, entry.failure_code, entry.failure_message);
    }
    for (std::size_t i = 0; i < page.scan.failures.size() && i + failed.size() < kMostRows; ++i) {
        const Error& error = page.scan.failures[i];
        rows += failure_row(error.file, to_string(error.code), error.message);
    }
    if (rows.empty()) {
        return rows;
    }
    return table("failures", heading_cells({{"File or folder", "文件或目录"}, {"Code", "代码"}, {"Reason", "原因"}}),
                 rows) +
           left_out(page.scan.counts.failed + page.scan.failures.size());
}

std::string html_remarks(const ScanPage& page) {
    return remark_list(page.scan.diagnostics);
}

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
