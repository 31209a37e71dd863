#include "report/text/answer_words.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "remarks/diagnose.hpp"
#include "report/text/page.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

/// The text of a log line after its prefix, which ends with the source file and a thread: "[data_dumper.cc:265]4711 ".
std::string_view message_of(std::string_view line) {
    for (std::size_t end = line.find(']'); end != std::string_view::npos; end = line.find(']', end + 1)) {
        const std::size_t begin = line.rfind('[', end);
        const std::string_view inside = begin == std::string_view::npos ? "" : line.substr(begin, end - begin);
        const std::size_t colon = inside.rfind(':');
        const bool is_source = colon != std::string_view::npos && inside.find(".c") < colon &&
                               inside.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
        if (is_source) {
            const std::size_t message = line.find_first_not_of("0123456789 ", end + 1);
            return message == std::string_view::npos ? line : line.substr(message);
        }
    }
    return line;
}

/// Whether the number is in the text after the key, as in "stream_id=2" or "taskID:[2".
bool has_number(std::string_view text, std::string_view key, std::uint64_t number) {
    constexpr std::string_view kDigits = "0123456789";
    const std::string wanted = fmt::to_string(number);
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
        constexpr std::size_t kLongestKey = 16;  // after its first word: "_id: " and the like
        const std::string_view rest = text.substr(at, kLongestKey + wanted.size());
        const std::size_t begin = std::min(rest.find_first_of(kDigits), rest.size());
        if (text.substr(at + begin, text.find_first_not_of(kDigits, at + begin) - at - begin) == wanted) {
            return true;
        }
    }
    return false;
}

/// The ids of the task that the text states: "stream 21 task 118".
std::string ids_in(std::string_view text, const TaskNumbers& task) {
    if (!task.stream_id || !has_number(text, "tream", *task.stream_id)) {
        return {};
    }
    return task.task_id && (has_number(text, "ask", *task.task_id) || has_number(text, "pos", *task.task_id))
               ? fmt::format("stream {} task {}", *task.stream_id, *task.task_id)
               : fmt::format("stream {}", *task.stream_id);
}

/// The last two parts of a node's name, of which the others are the same in all lines.
std::string short_name(const std::string& name) {
    const std::size_t last = name.rfind('/');
    const std::size_t before = last == std::string::npos || last == 0 ? last : name.rfind('/', last - 1);
    return before == std::string::npos ? name : "…" + name.substr(before);
}

/// What a line states about the answer, in a few words: "SaveDumpTask  stream 21 task 118 → …/softmax/Exp".
std::string statement_of(const Evidence& item, const TaskNumbers& task, const Location& location, const Page& page) {
    constexpr std::size_t kKernelColumns = 30;
    const std::string_view message = message_of(item.text);
    const std::string ids = ids_in(message, task);
    const auto contains = [message](const std::optional<std::string>& name) {
        return name && !name->empty() && message.find(*name) != std::string_view::npos;
    };
    const OperatorAnswer* const best = location.op ? &location.op->best : nullptr;
    std::string target;
    if (best != nullptr && contains(best->name)) {
        target = printable(short_name(*best->name));
    } else if (best != nullptr && contains(best->kernel)) {
        target = fmt::format("{} {}", page.word("page.kernel_word"),
                             shorten_middle(printable(*best->kernel), kKernelColumns));
    } else if (location.model && contains(location.model->name)) {
        target = fmt::format("{} {}", page.word("page.path_model"), printable(*location.model->name));
    }
    if (ids.empty() && target.empty()) {
        return printable(message.substr(std::min(message.find_first_not_of(" \t"), message.size())));
    }
    const std::size_t colon = message.find(':');
    const std::string_view function = message.substr(0, colon == std::string_view::npos ? 0 : colon);
    const bool is_function = !function.empty() && function.find_first_of(" [") == std::string_view::npos;
    return fmt::format("{}{}{}{}{}", is_function ? printable(function) : std::string(), is_function ? "  " : "", ids,
                       ids.empty() || target.empty() ? "" : " → ", target);
}

/// Only what paths state is our text.
std::string text_of_path(const Evidence& item, Language language) {
    const bool is_ours = item.kind == EvidenceKind::op_dump && language == Language::chinese;
    std::string text = is_ours ? remarks::in_chinese(item.text) : std::string();
    return text.empty() ? item.text : text;
}

EvidenceRow row_of(const Evidence& item, const TaskNumbers& task, const Location& location,
                   const ReportOptions& options) {
    if (options.verbose) {
        const std::string line = item.line ? fmt::format(":{}", *item.line) : std::string();
        return {fmt::format("{} {}{}", to_string(item.kind), printable(item.file), line),
                {},
                printable_shortened(text_of_path(item, options.language), options.language)};
    }
    const Page page{options};
    return {printable(item.file), item.line ? page.phrase("page.line", {{"line", *item.line}}) : std::string(),
            item.kind == EvidenceKind::op_dump ? std::string(page.word("page.op_dump"))
                                               : statement_of(item, task, location, page)};
}

/// The rows of each file below its path, in the order of the first ones.
std::string lines_by_file(const std::vector<EvidenceRow>& rows, const ReportOptions& options) {
    constexpr std::size_t kFileIndent = 2, kLineIndent = 4, kGap = 3;
    std::size_t columns = 0;
    std::vector<std::string_view> files;
    for (const EvidenceRow& row : rows) {
        columns = std::max(columns, row.line.empty() ? 0 : display_columns(row.line) + kGap);
        if (std::find(files.begin(), files.end(), row.file) == files.end()) {
            files.push_back(row.file);
        }
    }
    std::string text;
    for (const std::string_view file : files) {
        text += fmt::format("  {}\n", shorten_path(std::string(file), options.columns - kFileIndent));
        for (const EvidenceRow& row : rows) {
            text += row.file != file ? std::string()
                                     : fmt::format("    {}{}\n", padded(row.line, columns),
                                                   shorten_end(row.statement, options.columns - columns - kLineIndent));
        }
    }
    return text;
}

}  // namespace

std::vector<EvidenceRow> evidence_rows(const std::vector<Evidence>& evidence, const TaskNumbers& task,
                                       const Location& location, const ReportOptions& options) {
    std::vector<EvidenceRow> rows;
    for (auto item = evidence.begin(); item != evidence.end(); ++item) {
        const bool is_new = std::none_of(evidence.begin(), item, [&item](const Evidence& other) {
            return other.file == item->file && other.line == item->line && other.text == item->text;
        });
        if (is_new) {
            rows.push_back(row_of(*item, task, location, options));
        }
    }
    return rows;
}

std::vector<EvidenceRow> evidence_rows(const Dump& dump, const Location& location, const ReportOptions& options) {
    const Record* const record = located_record(dump);
    const TaskNumbers task =
        record == nullptr ? TaskNumbers() : TaskNumbers{record->field(Field::stream_id), record->field(Field::task_id)};
    std::vector<Evidence> evidence;
    const auto add = [&](const std::vector<Evidence>& items) {
        std::copy_if(items.begin(), items.end(), std::back_inserter(evidence),
                     [&](const Evidence& item) { return options.verbose || item.file != dump.file; });
    };
    if (location.op) {
        add(location.op->best.evidence);
    }
    if (location.model) {
        add(location.model->evidence);
    }
    return evidence_rows(evidence, task, location, options);
}

std::string evidence_lines(const std::vector<EvidenceRow>& rows, const ReportOptions& options) {
    constexpr std::size_t kShortEvidence = 5;
    if (options.verbose) {
        std::string text;
        for (const EvidenceRow& row : rows) {
            text += fmt::format("  {}\n      {}\n", row.file, row.statement);
        }
        return text;
    }
    const std::size_t shown = std::min(rows.size(), kShortEvidence);
    const std::string text = lines_by_file({rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(shown)}, options);
    return text + Page{options}.more(rows.size() - shown);
}

}  // namespace opdebug::report
