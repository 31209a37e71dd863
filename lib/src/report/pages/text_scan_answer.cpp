#include "report/pages/scan_text.hpp"

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
#include "report/text/labels.hpp"
#include "report/text/numbers_and_times.hpp"
#include "report/text/scan_words.hpp"
#include "report/text/shown_remarks.hpp"
#include "report/text/text_table.hpp"
#include "scan/times.hpp"

namespace opdebug::report {
namespace {

constexpr std::size_t kSpreadShown = 4;   ///< all, where there are no more
constexpr std::size_t kSpreadBefore = 2;  ///< before the line for the rest
constexpr std::size_t kOperatorsOfRank = 3;
constexpr std::size_t kCausesOfOperator = 3;  ///< in the table; the groups of -v have all

template <class... Values>
std::string filled(std::string_view format, const Values&... values) {
    return fmt::format(fmt::runtime(format), values...);
}

/// "12 ranks"
std::string number_of(std::uint64_t count, const Counted& formats) {
    return filled(formats.of(count), show_count(count));
}

std::string id_list(const ScanItem& item) {
    std::vector<std::string> parts;
    const auto add = [&parts](std::string_view name, const std::optional<std::uint64_t>& id) {
        if (id) {
            parts.push_back(fmt::format("{} {}", name, *id));
        }
    };
    add("rank", item.path_ids.rank);
    add("device", item.path_ids.device_id);
    add("step", item.path_ids.data_index);
    if (parts.empty() && !item.host.empty()) {
        parts.push_back(fmt::format("host {}", printable(item.host)));
    }
    return fmt::format("{}", fmt::join(parts, "  "));
}

/// "layer_11/…/Exp"
std::string short_operator(const std::string& name) {
    const std::size_t first = name.find('/'), last = name.rfind('/');
    if (first == std::string::npos || std::count(name.begin(), name.end(), '/') < 3) {
        return name;
    }
    return name.substr(0, first) + "/…" + name.substr(last);
}

/// The line with `label` at its begin in colour: colours have no columns.
std::string with_label(const std::string& line, std::string_view label, const std::string& painted) {
    return painted + line.substr(label.size());
}

std::string doubt_line(const ScanPage& page) {
    const std::string doubts = doubts_of_first(page.overview.rivals, page.options.report.language);
    return doubts.empty() ? doubts : wrapped("  ", doubts + " (--uncertain)", 4, page.options.report.columns);
}

std::string local_time_of(const ScanItem& item, const ReportOptions& options, const ScanWords& words) {
    return item.timestamp_us ? show_local_time(*item.timestamp_us, item.utc_offset_minutes, options)
                             : std::string(words.time_unknown);
}

/// "  model llama_train   TIME", in two lines where the page is narrow; without a model only the time.
std::string model_and_time(const ScanItem& item, const std::string& time, const ReportOptions& options) {
    if (item.model.empty()) {
        return fmt::format("  {}\n", time);
    }
    const std::string model = fmt::format("{} {}", labels_in(options.language).path_model, printable(item.model));
    const bool fits = display_columns(model) + display_columns(time) + 5 <= options.columns;
    return fmt::format("  {}{}{}\n", model, fits ? "   " : "\n  ", time);
}

/// The model and the time, and the margin where nothing may be earlier.
std::string time_line(const ScanPage& page, const ScanAnswer& answer, const ScanWords& words) {
    std::string text = local_time_of(*answer.first, page.options.report, words);
    if (const std::string margin = margin_of(answer, page.options.report.language); !margin.empty()) {
        text += std::string(words.comma) + margin;
    }
    return model_and_time(*answer.first, text, page.options.report);
}

std::string cause_lines(const ScanPage& page, const ScanItem& item, const FirstWords& first) {
    const Language language = page.options.report.language;
    std::string text =
        first.failure.empty() ? std::string() : wrapped("  ", first.failure, 4, page.options.report.columns);
    if (first.causes.empty()) {
        std::vector<std::string> names;
        for (const std::string& id : cause_ids(item)) {
            names.push_back(cause_name(id, language));
        }
        return text + fmt::format("  {}\n", fmt::join(names, labels_in(language).comma));
    }
    for (const std::string& cause : first.causes) {
        text += wrapped("  ", cause, 4, page.options.report.columns);
    }
    return text;
}

/// The path as it was given, so that it can be copied.
std::string file_line(const ScanItem& item, const ReportOptions& options) {
    const std::string file = printable(item.file);
    return fmt::format("  {}\n", options.verbose ? file : shorten_path(file, options.columns - 2));
}

/// Numbered where there are several.
std::string steps_text(std::string_view label, const std::vector<std::string>& steps, const ReportOptions& options) {
    std::string text;
    const std::size_t label_columns = display_columns(label);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::string number = steps.size() == 1 ? std::string() : fmt::format("{}. ", i + 1);
        const std::string before = padded(i == 0 ? std::string(label) : std::string(), label_columns);
        text += wrapped(fmt::format("  {}{}", before, number), steps[i], 2 + label_columns + number.size(),
                        options.columns);
    }
    return text;
}

/// What the operator's dump shows, then what to do.
std::string origin_and_next(const ScanPage& page, const ScanItem& item, const FirstWords& first) {
    const ReportOptions& options = page.options.report;
    const Labels& labels = labels_in(options.language);
    const ScanWords& words = scan_words_in(options.language);
    std::string text;
    if (item.origin) {
        const std::string because =
            fmt::format("{}{}", labels.colon, printable(item.origin->because_in(options.language)));
        text += wrapped(fmt::format("  {}", words.origin),
                        std::string(verdict_label(item.origin->verdict, labels)) + because, 4, options.columns);
    }
    return text + steps_text(words.next, next_steps_of(page, item, first, options.language), options);
}

/// Of the table: the type only where there is no name.
std::string operator_of(const OperatorRow& row, const ScanWords& words) {
    const std::string op = show_operator(row.name, row.name.empty() ? row.type : std::string());
    return op.empty() ? std::string(words.unknown_operator) : op;
}

TextRow row_of_operator(const OperatorRow& row, const ScanPage& page, const ScanAnswer& answer) {
    const ScanWords& words = scan_words_in(page.options.report.language);
    std::vector<std::string> causes;
    for (const std::string& id : row.causes) {
        if (causes.size() == kCausesOfOperator && row.causes.size() > kCausesOfOperator + 1) {
            causes.push_back(fmt::format("+{}", row.causes.size() - kCausesOfOperator));
            break;
        }
        causes.push_back(printable(short_cause(id)));
    }
    std::vector<std::string_view> pattern;
    for (const std::string& code : pattern_of(row, page.overview)) {
        pattern.push_back(code == "every_step"           ? words.every_step
                          : code == "recurring"          ? words.recurring
                          : code == "one_off"            ? words.one_off
                          : code == "core_concentration" ? words.one_core
                                                         : words.one_block);
    }
    const auto many = [](const std::set<std::uint64_t>& ids) {
        return ids.empty() ? std::string() : show_count(ids.size());
    };
    return {{show_offset(row.first_us, answer.first->timestamp_us, page.options.report.language), show_count(row.count),
             many(row.ranks), answer.has_ranks ? std::string() : many(row.devices),
             show_numbers({row.steps.begin(), row.steps.end()}), operator_of(row, words),
             fmt::format("{}", fmt::join(causes, ", ")), fmt::format("{}", fmt::join(pattern, ", "))},
            {}};
}

/// The table, with shorter names of operators where it is wider than the page.
TextTable operator_table(std::vector<TextRow> rows, const ScanWords& words, std::size_t page_columns) {
    constexpr std::size_t kOperatorCell = 5, kShortestName = 16;
    std::vector<TextColumn> columns{{std::string(words.time), true},  {std::string(words.dumps), true},
                                    {std::string(words.ranks), true}, {std::string(words.devices), true},
                                    {std::string(words.steps)},       {std::string(words.op)},
                                    {std::string(words.causes)},      {std::string(words.pattern)}};
    const auto name_of = [](TextRow& row) -> std::string& { return row.cells[kOperatorCell]; };
    const auto pad_names = [&] {  // aligns the columns after them, also where a name is long
        std::size_t longest = display_columns(words.op);
        for (TextRow& row : rows) {
            longest = std::max(longest, display_columns(name_of(row)));
        }
        for (TextRow& row : rows) {
            name_of(row) = padded(name_of(row), longest);
        }
        columns[kOperatorCell].heading = padded(std::string(words.op), longest);
        return longest;
    };
    std::vector<std::string> names;
    for (TextRow& row : rows) {
        names.push_back(name_of(row));
    }
    const std::size_t longest = pad_names();
    constexpr std::size_t kAnyWidth = 10'000;
    const TextTable table = text_table(columns, rows, kAnyWidth);
    std::size_t widest = display_columns(table.heading) - 1;  // without the line's end
    for (const std::string& row : table.rows) {
        widest = std::max(widest, display_columns(row) - 1);
    }
    if (widest <= page_columns) {
        return table;
    }
    const std::size_t excess = widest - page_columns;
    const std::size_t most = std::max(kShortestName, longest > excess ? longest - excess : 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        name_of(rows[i]) = shorten_middle(names[i], most);
    }
    pad_names();
    return text_table(columns, rows, page_columns);
}

}  // namespace

std::string first_overflow_text(const ScanPage& page, const ScanAnswer& answer) {
    if (!answer.first) {
        return {};
    }
    const ReportOptions& options = page.options.report;
    const ScanWords& words = scan_words_in(options.language);
    const Labels& labels = labels_in(options.language);
    const ScanItem& item = *answer.first;
    const FirstWords first = page.first(options.language);
    const std::string ids = id_list(item);
    const std::string_view label = first.failure.empty() ? words.first : words.first_failed;
    const std::string title = Style(options).red(label);
    const std::string op = first.record.empty() ? show_operator(item.operator_name, item.operator_type) : first.op;
    std::string text;
    if (op.empty()) {
        text = fmt::format("{}   {}{}\n", title, labels.op_unknown, first.reason);
        std::vector<std::string> steps{first.next, first.failure_next};
        std::erase(steps, std::string());
        text += steps_text(labels.to_do, steps, options);
        text += ids.empty() ? std::string() : fmt::format("  {}\n", ids);
    } else {
        text = with_label(two_sides(fmt::format("{}   {}", label, op), ids, options.columns), label, title);
    }
    text += time_line(page, answer, words) + doubt_line(page) +
            (first.confidence.empty() ? std::string() : wrapped("  ", first.confidence, 4, options.columns)) +
            warnings_text(first.warnings, options) + cause_lines(page, item, first);
    return text + file_line(item, options) + (op.empty() ? std::string() : origin_and_next(page, item, first));
}

std::string watched_overflow_text(const WatchedOverflow& overflow, const ReportOptions& options) {
    const ScanItem& item = overflow.item;
    const ScanWords& words = scan_words_in(options.language);
    const std::string op = show_operator(item.operator_name, item.operator_type);
    const std::string named = op.empty() ? std::string(words.unknown_operator) : op;
    const std::string time = local_time_of(item, options, words);
    if (!overflow.first_of_rank) {
        std::string text;
        for (const ScanGroup& group : overflow.new_groups) {
            text += two_sides(fmt::format("{}   {}", words.new_group, group_to_line(group, options.language)),
                              fmt::format("{}  {}", id_list(item), time), options.columns);
        }
        return fitted(text, options.columns);
    }
    const std::string_view label = item.path_ids.rank ? words.first_of_rank : words.first;
    std::vector<std::string> causes;
    for (const std::string& id : cause_ids(item)) {
        causes.push_back(cause_name(id, options.language));
    }
    const std::string ids = id_list(item);
    const std::string head = with_label(two_sides(fmt::format("{}   {}", label, named), ids, options.columns), label,
                                        Style(options).red(label));
    return fitted(head + model_and_time(item, time, options) +
                      fmt::format("  {}\n", fmt::join(causes, labels_in(options.language).comma)) +
                      file_line(item, options),
                  options.columns);
}

std::string spread_text(const ScanPage& page, const ScanAnswer& answer) {
    const ReportOptions& options = page.options.report;
    const ScanWords& words = scan_words_in(options.language);
    if (answer.spread.empty() || (answer.ranks < 2 && !page.options.lists.ranks)) {
        return {};
    }
    const auto& step = answer.first->path_ids.data_index;
    const std::string title(page.options.lists.ranks ? std::string(words.ranks_list)
                            : step                   ? filled(words.spread_format, *step)
                                                     : std::string(words.spread));
    const std::size_t all = answer.spread.size();
    const std::size_t shown = page.options.lists.ranks || all <= kSpreadShown ? all : kSpreadBefore;
    const Counted& places = answer.has_ranks ? words.ranks_of : words.devices_of;
    const std::string counted = shown == all ? std::string() : filled(words.all_format, number_of(all, places));
    std::string text = with_label(two_sides(title, counted, options.columns), title, Style(options).bold(title));
    text.erase(text.find_last_not_of(" \n") + 1);
    text += "\n";
    std::size_t columns = 0;
    std::vector<std::string> offsets;
    for (std::size_t i = 0; i < shown; ++i) {
        offsets.push_back(show_offset(answer.spread[i].first_us, answer.first->timestamp_us, options.language));
        columns = std::max(columns, display_columns(offsets.back()));
    }
    for (std::size_t i = 0; i < shown; ++i) {
        const RankSpread& spread = answer.spread[i];
        const std::size_t named = std::min(spread.operators.size(), kOperatorsOfRank);
        std::vector<std::string> operators;
        for (std::size_t k = 0; k < named; ++k) {
            const std::string& op = spread.operators[k];
            operators.push_back(op.empty()   ? std::string(words.unknown_operator)
                                : named == 1 ? printable(op)
                                             : printable(short_operator(op)));
        }
        const std::size_t more = spread.operators.size() - named;
        text +=
            shorten_end(
                fmt::format(
                    "  {:>{}}  {} {:<4} {}{}{}", offsets[i], columns, answer.has_ranks ? "rank" : "device",
                    answer.has_ranks ? *spread.rank : *spread.device,
                    page.options.lists.ranks && spread.step ? fmt::format("step {}  ", *spread.step) : std::string(),
                    fmt::join(operators, " → "), more == 0 ? std::string() : filled(words.more_operators_format, more)),
                options.columns) +
            "\n";
    }
    if (shown < all) {
        text += fmt::format(
            "  {}{}\n", padded("…", columns + 2),
            filled(words.rest_format, number_of(all - shown, places),
                   show_offset(answer.spread.back().first_us, answer.first->timestamp_us, options.language)));
    }
    return text;
}

std::string operators_text(const ScanPage& page, const ScanAnswer& answer) {
    const ReportOptions& options = page.options.report;
    const ScanWords& words = scan_words_in(options.language);
    if (answer.operators.empty()) {
        return answer.first ? fmt::format("{}\n", words.none_chosen) : std::string();
    }
    const std::size_t shown = std::min(page.options.top, answer.operators.size());
    std::vector<TextRow> rows;
    rows.reserve(shown);
    for (std::size_t i = 0; i < shown; ++i) {
        rows.push_back(row_of_operator(answer.operators[i], page, answer));
    }
    const TextTable table = operator_table(std::move(rows), words, options.columns);
    const std::string counted =
        shown == answer.operators.size() ? std::string() : filled(words.shown_format, shown, answer.operators.size());
    std::string text = with_label(two_sides(words.operators, counted, options.columns), words.operators,
                                  Style(options).bold(words.operators));
    text.erase(text.find_last_not_of(" \n") + 1);
    return fmt::format("{}\n{}{}", text, Style(options).dim(table.heading.substr(0, table.heading.size() - 1)) + "\n",
                       fmt::join(table.rows, ""));
}

std::string counts_text(const ScanPage& page, const ScanAnswer& answer) {
    const ReportOptions& options = page.options.report;
    const ScanWords& words = scan_words_in(options.language);
    const ScanCounts& counts = page.scan.counts;
    std::vector<std::string> parts{filled(words.overflowed_format, show_count(counts.overflowed))};
    if (counts.clean != 0) {
        parts.push_back(filled(words.clean_format, show_count(counts.clean)));
    }
    if (counts.failed != 0) {
        const std::vector<CodeText> codes = code_texts(options.language);
        const auto name_of = [&codes](const std::string& code) {
            const auto known = std::find_if(codes.begin(), codes.end(), [&code](const CodeText& one) {
                return one.kind == "error" && one.code == code && !one.name.empty();
            });
            return known != codes.end() ? known->name : printable(code);
        };
        std::vector<std::string> reasons;
        for (const auto& [code, count] : answer.failures) {
            std::string reason = code.ends_with("_truncated") ? std::string(words.truncated) : name_of(code);
            if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
                reasons.push_back(std::move(reason));
            }
        }
        parts.push_back(
            filled(words.failed_format, show_count(counts.failed), fmt::format("{}", fmt::join(reasons, words.comma))));
    }
    std::string text =
        wrapped(fmt::format("{}{}", number_of(counts.dumps, words.dumps_of), labels_in(options.language).colon),
                fmt::format("{}", fmt::join(parts, words.comma)), 2, options.columns);
    const std::uint64_t warnings = page.scan.damage.clean_with_warning;
    return warnings == 0 ? text : text + wrapped("", number_of(warnings, words.warnings_format), 2, options.columns);
}

}  // namespace opdebug::report
