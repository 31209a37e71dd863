#include "report/pages/pages.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/report.hpp>

#include "report/text/answer_words.hpp"
#include "report/text/code_texts.hpp"
#include "report/text/page.hpp"
#include "scan/times.hpp"

namespace opdebug::report {
namespace {

constexpr std::size_t kSpreadShown = 4;   ///< all, where there are no more
constexpr std::size_t kSpreadBefore = 2;  ///< before the line for the rest
constexpr std::size_t kOperatorsOfRank = 3;
constexpr std::size_t kCausesOfOperator = 3;  ///< in the table; the groups of -v have all

/// "12 ranks"
LocalizedText number_of(std::uint64_t count, std::string_view id) {
    return remarks::phrase(id, {{"count", show_count(count)}});
}

std::string id_list(const ScanItem& item) {
    KnownValues ids("  ");
    ids.add("rank", item.path_ids.rank).add("device", item.path_ids.device_id).add("step", item.path_ids.data_index);
    if (!item.host.empty()) {
        ids.add("host", std::optional(printable(item.host)));
    }
    return ids.text();
}

/// "layer_11/…/Exp"
std::string short_operator(const std::string& name) {
    const std::size_t first = name.find('/'), last = name.rfind('/');
    if (first == std::string::npos || std::count(name.begin(), name.end(), '/') < 3) {
        return name;
    }
    return name.substr(0, first) + "/…" + name.substr(last);
}

/// What all parts of the answer need.
struct AnswerPage : Page {
    const ScanContents& scan;
    const ScanAnswer& answer;
};

std::string doubt_line(const AnswerPage& page) {
    const std::string doubts = doubts_of_first(page.scan.overview.rivals, page.language());
    return doubts.empty() ? doubts : page.lines("  ", doubts + " (--uncertain)", 4);
}

std::string local_time_of(const ScanItem& item, const Page& page) {
    return item.timestamp_us ? page.local_time(*item.timestamp_us, item.utc_offset_minutes)
                             : std::string(page.word("scan_page.unknown_time"));
}

/// "  model llama_train   TIME", in two lines where the page is narrow.
std::string model_and_time(const ScanItem& item, const std::string& time, const Page& page) {
    const std::string model = item.model.empty()
                                  ? std::string()
                                  : fmt::format("{} {}   ", page.word("page.path_model"), printable(item.model));
    return page.lines("  ", model + time, 2);
}

/// The model and the time, and the margin where nothing may be earlier.
std::string time_line(const AnswerPage& page) {
    std::string text = local_time_of(*page.answer.first, page);
    if (const std::string margin = margin_of(page.answer, page.language()); !margin.empty()) {
        text += fmt::format("{}{}", page.word("page.comma"), margin);
    }
    return model_and_time(*page.answer.first, text, page);
}

std::string cause_names(const ScanItem& item, const Page& page) {
    return fmt::format("  {}\n", joined(cause_ids(item), page.word("page.comma"),
                                        [&page](const std::string& id) { return cause_name(id, page.language()); }));
}

std::string cause_lines(const ScanItem& item, const FirstWords& first, const Page& page) {
    std::string text = first.failure.empty() ? std::string() : page.lines("  ", first.failure, 4);
    for (const std::string& cause : first.causes) {
        text += page.lines("  ", cause, 4);
    }
    return first.causes.empty() ? text + cause_names(item, page) : text;
}

/// The path as it was given, so that it can be copied.
std::string file_line(const ScanItem& item, const Page& page) {
    return fmt::format("  {}\n", page.path(item.file, page.options.columns - 2));
}

/// Numbered where there are several.
std::string steps_text(std::string_view label, const std::vector<std::string>& steps, const Page& page) {
    std::string text;
    const std::size_t label_columns = display_columns(label);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::string number = steps.size() == 1 ? std::string() : fmt::format("{}. ", i + 1);
        const std::string before = padded(i == 0 ? std::string(label) : std::string(), label_columns);
        text += page.lines(fmt::format("  {}{}", before, number), steps[i], 2 + label_columns + number.size());
    }
    return text;
}

/// What the operator's dump shows, then what to do.
std::string origin_and_next(const ScanItem& item, const FirstWords& first, const AnswerPage& page) {
    std::string text;
    if (item.origin) {
        text += page.lines(fmt::format("  {}", page.word("scan_page.origin")),
                           fmt::format("{}{}{}", verdict_label(item.origin->verdict, page.language()),
                                       page.word("page.colon"), printable(item.origin->because_in(page.language()))),
                           4);
    }
    return text + steps_text(page.word("scan_page.next"), next_steps_of(page.scan, item, first, page.language()), page);
}

/// Of the table: the type only where there is no name.
std::string operator_of(const OperatorRow& row, const Page& page) {
    const std::string op = show_operator(row.name, row.name.empty() ? row.type : std::string());
    return op.empty() ? std::string(page.word("scan_page.unknown_operator")) : op;
}

TextRow row_of_operator(const OperatorRow& row, const AnswerPage& page) {
    std::vector<std::string> causes;
    for (const std::string& id : row.causes) {
        if (causes.size() == kCausesOfOperator && row.causes.size() > kCausesOfOperator + 1) {
            causes.push_back(fmt::format("+{}", row.causes.size() - kCausesOfOperator));
            break;
        }
        causes.push_back(printable(short_cause(id)));
    }
    const std::string pattern = joined(pattern_of(row, page.scan.overview), ", ",
                                       [&page](const std::string& code) { return page.word("pattern." + code); });
    const auto many = [](const auto& ids) { return ids.empty() ? std::string() : show_count(ids.size()); };
    return {{show_offset(row.first_us, page.answer.first->timestamp_us, page.language()), show_count(row.count),
             many(row.ranks), page.answer.has_ranks ? std::string() : many(row.devices),
             show_numbers({row.steps.begin(), row.steps.end()}), operator_of(row, page),
             fmt::format("{}", fmt::join(causes, ", ")), pattern},
            {}};
}

TextTable operator_table(std::vector<TextRow> rows, const Page& page) {
    return text_table({{page.word("scan_page.time"), true},
                       {page.word("scan_page.dumps"), true},
                       {page.word("scan_page.ranks"), true},
                       {page.word("scan_page.devices"), true},
                       {page.word("scan_page.steps")},
                       {page.word("scan_page.operator"), false, shorten_middle},
                       {page.word("scan_page.causes")},
                       {page.word("scan_page.pattern")}},
                      std::move(rows), page.options.columns);
}

}  // namespace

std::string first_overflow_text(const ScanContents& scan, const ScanAnswer& answer) {
    if (!answer.first) {
        return {};
    }
    const AnswerPage page{{scan.options.report}, scan, answer};
    const ScanItem& item = *answer.first;
    const FirstWords first = first_words_of(scan, page.language());
    const std::string ids = id_list(item);
    const std::string_view label = page.word(first.failure.empty() ? "scan_page.first" : "scan_page.first_failed");
    const std::string op = first.record.empty() ? show_operator(item.operator_name, item.operator_type) : first.op;
    std::string text;
    if (op.empty()) {
        text = fmt::format("{}   {}{}\n", page.red(label), page.word("page.op_unknown"), first.reason);
        std::vector<std::string> steps{first.next, first.failure_next};
        std::erase(steps, std::string());
        text += steps_text(page.word("page.to_do"), steps, page);
        text += ids.empty() ? std::string() : fmt::format("  {}\n", ids);
    } else {
        text = page.with_label(label, page.red(label), "   " + op, ids);
    }
    text += time_line(page) + doubt_line(page) +
            (first.confidence.empty() ? std::string() : page.lines("  ", first.confidence, 4)) +
            warnings_text(first.warnings, page.options) + cause_lines(item, first, page);
    return text + file_line(item, page) + (op.empty() ? std::string() : origin_and_next(item, first, page));
}

std::string watched_overflow_text(const WatchedOverflow& overflow, const ReportOptions& options) {
    const Page page{options};
    const ScanItem& item = overflow.item;
    const std::string op = show_operator(item.operator_name, item.operator_type);
    const std::string named = op.empty() ? std::string(page.word("scan_page.unknown_operator")) : op;
    const std::string time = local_time_of(item, page);
    std::string text;
    if (overflow.first_of_rank) {
        const std::string_view label = page.word(item.path_ids.rank ? "scan_page.first_of_rank" : "scan_page.first");
        text = page.with_label(label, page.red(label), "   " + named, id_list(item)) +
               model_and_time(item, time, page) + cause_names(item, page) + file_line(item, page);
    } else {
        for (const ScanGroup& group : overflow.new_groups) {
            text += two_sides(
                fmt::format("{}   {}", page.word("scan_page.new_group"), group_to_line(group, options.language)),
                fmt::format("{}  {}", id_list(item), time), options.columns);
        }
    }
    return fitted(text, options.columns);
}

namespace {

/// A heading with a remark at the end of its line.
std::string list_heading(const std::string& title, const std::string& counted, const Page& page) {
    std::string text = page.with_label(title, page.bold(title), "", counted);
    text.erase(text.find_last_not_of(" \n") + 1);
    return text + "\n";
}

/// "layer_1/…/Exp → layer_2/…/Add → 4 more"
std::string chain_of(const RankSpread& spread, const AnswerPage& page) {
    const std::size_t named = std::min(spread.operators.size(), kOperatorsOfRank);
    const auto shown = [&](const std::string& op) {
        return op.empty()   ? std::string(page.word("scan_page.unknown_operator"))
               : named == 1 ? printable(op)
                            : printable(short_operator(op));
    };
    const std::size_t more = spread.operators.size() - named;
    return joined(mapped(spread.operators, shown, named), " → ", [](const std::string& op) { return op; }) +
           (more == 0 ? std::string() : page.phrase("scan_page.more_operators", {{"count", more}}));
}

TextRow row_of_spread(const RankSpread& spread, const AnswerPage& page) {
    const bool has_ranks = page.answer.has_ranks, shows_steps = page.scan.options.lists.ranks && spread.step;
    return {{show_offset(spread.first_us, page.answer.first->timestamp_us, page.language()),
             spread.host.empty() ? std::string() : fmt::format("host {}", printable(spread.host)),
             has_ranks ? fmt::format("rank {}", *spread.rank) : fmt::format("device {}", *spread.device),
             shows_steps ? fmt::format("step {}", *spread.step) : std::string(), chain_of(spread, page)},
            {}};
}

}  // namespace

std::string spread_text(const ScanContents& scan, const ScanAnswer& answer) {
    const AnswerPage page{{scan.options.report}, scan, answer};
    const bool shows_all = scan.options.lists.ranks;
    if (answer.spread.empty() || (answer.ranks < 2 && !shows_all)) {
        return {};
    }
    const auto& step = answer.first->path_ids.data_index;
    const std::string title = shows_all ? std::string(page.word("scan_page.ranks_list"))
                              : step    ? page.phrase("scan_page.spread_in_step", {{"step", *step}})
                                        : std::string(page.word("scan_page.spread"));
    const std::size_t all = answer.spread.size();
    const std::size_t shown = shows_all || all <= kSpreadShown ? all : kSpreadBefore;
    const std::string_view places = answer.has_ranks ? "scan_page.ranks_of" : "scan_page.devices_of";
    std::string text = list_heading(
        title, shown == all ? std::string() : page.phrase("scan_page.all", {{"places", number_of(all, places)}}), page);
    const auto row = [&page](const RankSpread& spread) { return row_of_spread(spread, page); };
    std::vector<TextRow> rows = mapped(answer.spread, row, shown);
    if (shown < all) {
        const std::string last = row(answer.spread.back()).cells.front();
        rows.push_back({{"…", "", "", "",
                         page.phrase("scan_page.rest", {{"places", number_of(all - shown, places)}, {"time", last}})},
                        {}});
    }
    return text +
           text_table({{"", true}, {""}, {""}, {""}, {"", false, shorten_end}}, std::move(rows), page.options.columns)
               .rows;
}

std::string operators_text(const ScanContents& scan, const ScanAnswer& answer) {
    const AnswerPage page{{scan.options.report}, scan, answer};
    const std::size_t count = answer.operators.size(), shown = std::min(scan.options.top, count);
    if (count == 0) {
        return answer.first ? fmt::format("{}\n", page.word("scan_page.none_chosen")) : std::string();
    }
    const auto row = [&page](const OperatorRow& one) { return row_of_operator(one, page); };
    const TextTable table = operator_table(mapped(answer.operators, row, shown), page);
    const std::string counted =
        shown == count ? std::string() : page.phrase("scan_page.shown", {{"shown", shown}, {"count", count}});
    return list_heading(std::string(page.word("scan_page.operators")), counted, page) +
           page.dim(table.heading.substr(0, table.heading.size() - 1)) + "\n" + table.rows;
}

namespace {

/// Why dumps are unreadable, each reason once.
std::string reasons_of_failures(const ScanAnswer& answer, const Page& page) {
    const std::vector<CodeText> codes = code_texts(page.language());
    std::vector<std::string> reasons;
    for (const auto& [code, count] : answer.failures) {
        const CodeText* const known = find_code(codes, "error", code);
        const std::string reason = code.ends_with("_truncated") ? std::string(page.word("scan_page.truncated"))
                                   : known != nullptr && !known->name.empty() ? known->name
                                                                              : printable(code);
        if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
            reasons.push_back(reason);
        }
    }
    return fmt::format("{}", fmt::join(reasons, page.word("page.comma")));
}

}  // namespace

std::string counts_text(const ScanContents& scan, const ScanAnswer& answer) {
    const Page page{scan.options.report};
    const ScanCounts& counts = scan.scan.counts;
    std::vector<std::string> parts{page.phrase("scan_page.overflowed", {{"count", show_count(counts.overflowed)}})};
    if (counts.clean != 0) {
        parts.push_back(page.phrase("scan_page.clean", {{"count", show_count(counts.clean)}}));
    }
    if (counts.failed != 0) {
        parts.push_back(page.phrase("scan_page.failed", {{"count", show_count(counts.failed)},
                                                         {"reasons", reasons_of_failures(answer, page)}}));
    }
    const std::string dumps = number_of(counts.dumps, "scan_page.dumps_of").in(page.language());
    std::string text = page.lines(fmt::format("{}{}", dumps, page.word("page.colon")),
                                  fmt::format("{}", fmt::join(parts, page.word("page.comma"))), 2);
    const std::uint64_t warnings = scan.scan.damage.clean_with_warning;
    return warnings == 0 ? text
                         : text + page.lines("", number_of(warnings, "scan_page.warnings").in(page.language()), 2);
}

}  // namespace opdebug::report
