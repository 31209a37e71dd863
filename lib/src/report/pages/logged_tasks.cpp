#include "report/pages/pages.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <opdebug/report.hpp>
#include <opdebug/tree.hpp>

#include "report/json/json_parts.hpp"
#include "report/text/answer_words.hpp"
#include "report/text/code_texts.hpp"
#include "report/text/joined_lists.hpp"
#include "report/text/page.hpp"

namespace opdebug::report {
namespace {

using scan_stage::LoggedTask;
using scan_stage::TaskReport;

/// The lines that report the task, then those that name its operator.
std::vector<Evidence> evidence_of(const LoggedTask& task) {
    std::vector<Evidence> lines = task.evidence;
    if (task.location.op) {
        const std::vector<Evidence>& more = task.location.op->best.evidence;
        lines.insert(lines.end(), more.begin(), more.end());
    }
    return lines;
}

Reasons reasons_of(const LoggedTask& task, const std::vector<CodeText>& codes) {
    Reasons reasons = reasons_in(evidence_of(task), task.report == TaskReport::overflow, codes);
    add_errors(task.errors, codes, reasons);
    return reasons;
}

struct LogPage : Page {
    const std::vector<CodeText> codes = code_texts(options.language);
};

/// Empty where the reason has none, or one of HCCL ("hccl.4") or of a message ("EI0013").
std::optional<std::uint64_t> return_code_of(const Reasons& reasons) {
    const bool has_meaning = !reasons.empty() && reasons.front().meaning;
    const std::string code = has_meaning ? reasons.front().meaning->code : std::string();
    return code.empty() || code.find_first_not_of("0123456789") != std::string::npos
               ? std::nullopt
               : std::optional<std::uint64_t>(std::stoul(code));
}

std::string_view kind_of(const LoggedTask& task, const LogPage& page) {
    return page.word(!task.report                           ? "logs_page.task"
                     : *task.report == TaskReport::overflow ? "page.overflow"
                                                            : "logs_page.failed");
}

/// Some printed errors have whole seconds only.
std::string show_log_time(std::int64_t time_us) {
    const std::string_view form = time_us % 1'000'000 == 0 ? "2026-10-12 09:41:27" : "2026-10-12 09:41:27.318";
    return show_utc(static_cast<std::uint64_t>(time_us)).substr(0, form.size());
}

/// Device, model, stream, task and time, as far as they are known.
std::string location_line(const LoggedTask& task, const LogPage& page) {
    const bool has_model = task.location.model && task.location.model->name;
    const std::string time =
        task.ids.time_us ? fmt::format("{} {}", show_log_time(*task.ids.time_us), page.word("logs_page.local_time"))
                         : std::string();
    const std::string text = KnownValues("   ")
                                 .add("device", task.ids.device_id)
                                 .add(page.word("page.path_model"),
                                      has_model ? std::optional(printable(*task.location.model->name)) : std::nullopt)
                                 .add(page.word("logs_page.process"), task.ids.process_id)
                                 .add("stream", task.ids.stream_id)
                                 .add("task", task.ids.task_id)
                                 .add(time)
                                 .text();
    return text.empty() ? text : fmt::format("  {}\n", text);
}

/// Of a failure that names no task, and of a task that is no operator: the reason and the next step.
UnknownOperator why_no_operator(const LoggedTask& task, const LogPage& page) {
    const auto look_at = [&](const std::string& suspects) {
        return page.phrase("logs_page.look_at", {{"locations", suspects}});
    };
    const std::string suspects = joined(task.suspects, ", ", printable);
    if (!task.ids.task_id) {
        return {{},
                std::string(page.word("logs_page.no_task")),
                !suspects.empty()     ? look_at(suspects)
                : task.ids.process_id ? page.phrase("logs_page.read_process", {{"pid", *task.ids.process_id}})
                                      : std::string(page.word("logs_page.add_logs"))};
    }
    if (scan_stage::is_wait(task)) {
        return {{},
                page.phrase("logs_page.waits", {{"task", printable(task.type)}}),
                suspects.empty() ? std::string(page.word("logs_page.look_at_ranks")) : look_at(suspects)};
    }
    UnknownOperator unknown = why_unknown({}, task.location, page.language());
    if (task.type.find("copy") != std::string::npos) {
        unknown.next = page.word("logs_page.check_copy");
    }
    if (!task.type.empty()) {
        unknown.reason = page.phrase("logs_page.no_operator", {{"task", printable(task.type)}});
    } else {
        unknown.reason = std::string(page.word("page.op_unknown")) + unknown.reason;
    }
    constexpr std::string_view kOptionOfDumps = "--logs ";  // logs are the paths here
    if (const std::size_t place = unknown.next.find(kOptionOfDumps); place != std::string::npos) {
        unknown.next.erase(place, kOptionOfDumps.size());
    }
    return unknown;
}

std::string head_of(const LoggedTask& task, const LogPage& page) {
    const std::string op = task.location.op ? operator_text(task.location.op->best) : std::string();
    if (op.empty()) {
        const UnknownOperator unknown = why_no_operator(task, page);
        return fmt::format("{}  {}\n  {}{}\n", kind_of(task, page), unknown.reason, page.word("page.to_do"),
                           unknown.next);
    }
    std::string text = two_sides(fmt::format("{}  {}", kind_of(task, page), op),
                                 confidence_text(task.location, page.language()), page.options.columns);
    for (std::size_t i = 1; i < task.location.op->candidates.size(); ++i) {  // the first is the best
        text += fmt::format("{}{}\n", page.word("page.or_else"), operator_text(task.location.op->candidates[i]));
    }
    return text;
}

/// Cause and next step, by the return code.
std::string reason_lines(const Reasons& reasons, const LogPage& page) {
    const StatedCode& code = reasons.front();
    const std::string margin(6, ' ');
    std::string text;
    if (code.meaning) {
        const CodeText& meaning = *code.meaning;
        text = fmt::format("\n{}{}{}{}{}\n", page.word("page.why"), meaning.code,
                           meaning.code == code.number ? std::string() : fmt::format(" ({} {})", code.key, code.number),
                           meaning.name.empty() ? "" : "  ", meaning.name) +
               page.lines(margin, meaning.text, margin.size());
    } else {
        text = fmt::format("\n{}{}\n", page.word("page.why"), shown_reason(code));
    }
    for (std::size_t i = 1; i < reasons.size(); ++i) {
        text += fmt::format("{}{}\n", margin, shown_reason(reasons[i]));
    }
    if (code.meaning && !code.meaning->advice.empty()) {
        text += fmt::format("\n{}\n", page.word("page.next")) + page.lines("  ", code.meaning->advice, 2);
    }
    return text;
}

std::string proof_of(const LoggedTask& task, const LogPage& page) {
    const TaskNumbers numbers{task.ids.stream_id, task.ids.task_id};
    std::vector<Evidence> evidence = evidence_of(task);
    std::stable_sort(evidence.begin(), evidence.end(), [](const Evidence& a, const Evidence& b) {
        return a.file == b.file && a.line && b.line && *a.line < *b.line;
    });
    return fmt::format("\n{}\n{}", page.word(page.options.verbose ? "page.evidence" : "page.evidence_short"),
                       evidence_lines(evidence_rows(evidence, numbers, task.location, page.options), page.options));
}

std::string block_of(const LoggedTask& task, const LogPage& page) {
    std::string text = head_of(task, page) + location_line(task, page);
    const Reasons reasons = reasons_of(task, page.codes);
    text += reasons.empty() ? std::string() : reason_lines(reasons, page);
    const bool is_explained = !task.ids.task_id || scan_stage::is_wait(task) ||
                              (!reasons.empty() && (reasons.front().meaning || !reasons.front().words.empty()));
    const bool has_more_lines = !task.evidence.empty() && task.evidence.front().line.value_or(1) > 1;
    if (task.report == TaskReport::failed && !is_explained && has_more_lines) {
        const Evidence& line = task.evidence.front();
        text +=
            fmt::format("\n{}\n", page.word("page.next")) +
            page.lines("  ",
                       page.phrase("logs_page.read_lines", {{"file", printable(line.file)}, {"line", *line.line}}), 2);
    }
    text += proof_of(task, page);
    for (const Diagnostic& one : task.location.diagnostics) {
        if (page.options.verbose) {
            text += page.lines("  ", fmt::format("[{}] {}", one.code, printable(one.message_in(page.language()))), 4);
        }
    }
    return text;
}

/// "+12.300 s  FAILED  GatherV2   device 0   stream 2   task 6   plog-7.log:12"
TextRow row_of(const LoggedTask& task, std::int64_t first_us, const LogPage& page) {
    const std::string known = task.location.op ? operator_text(task.location.op->best) : std::string();
    const std::string op = !known.empty()       ? known
                           : !task.type.empty() ? printable(task.type)
                           : !task.ids.task_id  ? std::string(page.word("logs_page.no_task"))
                                                : std::string(page.word("logs_page.operator_unknown"));
    const auto unsigned_us = [](std::int64_t time_us) { return static_cast<std::uint64_t>(time_us); };
    const std::string ids = KnownValues("   ")
                                .add("device", task.ids.device_id)
                                .add("stream", task.ids.stream_id)
                                .add("task", task.ids.task_id)
                                .text();
    const std::string line = task.evidence.empty()
                                 ? std::string()
                                 : fmt::format("{}:{}", printable(file_name_of(task.evidence.front().file)),
                                               task.evidence.front().line.value_or(1));
    return {{task.ids.time_us ? show_offset(unsigned_us(*task.ids.time_us), unsigned_us(first_us), page.language())
                              : std::string(page.word("logs_page.no_time")),
             std::string(kind_of(task, page)), op, ids, line},
            {}};
}

}  // namespace

std::string logged_tasks_to_text(const std::vector<LoggedTask>& tasks, const ReportOptions& options) {
    constexpr std::size_t kMostRows = 10;
    const LogPage page{{options}};
    std::string text;
    std::size_t shown = 0;
    for (const LoggedTask& task : tasks) {
        if (shown != 0 && !options.verbose) {
            break;
        }
        text += (text.empty() ? "" : "\n") + block_of(task, page);
        ++shown;
    }
    if (shown == tasks.size()) {
        return fitted(text, options.columns);
    }
    text += fmt::format("\n{}\n", page.word("logs_page.later"));
    std::vector<const LoggedTask*> later;
    for (std::size_t i = shown; i < tasks.size(); ++i) {
        later.push_back(&tasks[i]);
    }
    std::stable_partition(later.begin(), later.end(),
                          [](const LoggedTask* task) { return task->report == TaskReport::failed; });
    const auto row = [&](const LoggedTask* task) { return row_of(*task, tasks.front().ids.time_us.value_or(0), page); };
    text += text_table({{"", true}, {""}, {"", false, shorten_middle}, {""}, {"", false, shorten_middle}},
                       mapped(later, row, kMostRows), options.columns)
                .rows;
    return fitted(text + page.more(later.size() - std::min(later.size(), kMostRows)), options.columns);
}

std::string logged_tasks_to_json(const std::vector<LoggedTask>& tasks, const std::vector<std::string>& inputs,
                                 const std::vector<Diagnostic>& diagnostics, Language language) {
    const std::vector<CodeText> codes = code_texts(language);
    return JsonWriter::document("opdebug.log_report/1", ReportOptions(), [&](JsonWriter& json) {
        json.member("inputs", inputs);
        json.objects("tasks", tasks, [&](const LoggedTask& task) {
            const Reasons reasons = reasons_of(task, codes);
            const auto& time_us = task.ids.time_us;
            json.member("time", time_us ? std::optional(show_utc(static_cast<std::uint64_t>(*time_us))) : std::nullopt);
            json.member("device_id", task.ids.device_id);
            json.member("stream_id", task.ids.stream_id);
            json.member("task_id", task.ids.task_id);
            json.text_member("kind", !task.report ? "" : *task.report == TaskReport::overflow ? "overflow" : "failed");
            json.member("return_code", return_code_of(reasons));
            json.member("process_id", task.ids.process_id);
            json.text_member("task_type", task.type);
            json.member("waited_for", task.suspects);
            json.member("errors", task.errors);
            json.member("operator", task.location.op);
            json.member("model", task.location.model);
            json.member("evidence", task.evidence);
            json.member("diagnostics", task.location.diagnostics);
        });
        json.member("diagnostics", diagnostics);
    });
}

}  // namespace opdebug::report
