#include "locate/answer_remarks.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "logs/text/line.hpp"

namespace opdebug::locate_stage {
namespace {

bool same_operator(const OperatorAnswer& a, const OperatorAnswer& b) {
    return std::tie(a.name, a.type, a.kernel) == std::tie(b.name, b.type, b.kernel);
}

/// Whether a log line has a place for its time, and what stands there is none: a placeholder, or no moment that a clock
/// shows (a month 13, the year 0001 or 9999).
bool lacks_time(const Evidence& evidence) {
    const std::optional<logs::LogLine> line =
        evidence.line ? logs::parse_line_prefix(evidence.text) : std::optional<logs::LogLine>();
    return line && !line->short_form && !line->local_time_us;
}

bool is_printed_error(const Evidence& evidence) {
    const std::optional<logs::LogLine> line =
        evidence.line ? logs::parse_line_prefix(evidence.text) : std::optional<logs::LogLine>();
    return line && line->module.empty();
}

}  // namespace

void remark_numbers(const std::vector<MatchAnswer>& answers, const TaskQuery& query,
                    std::vector<Diagnostic>& diagnostics) {
    if (answers.empty() || answers.front().operators.empty()) {
        return;
    }
    if (answers.front().is_unconfirmed()) {
        diagnostics.push_back(
            {Severity::warning, "task_id_unconfirmed",
             fmt::format("the launch line was printed before task id {} was final, and no later line confirms it: the "
                         "answer may be another task's; set ASCEND_MODULE_LOG_LEVEL=RUNTIME=1 for the next run, so "
                         "that the lines that send a task are logged",
                         *query.task_id)});
    }
    const OperatorAnswer& best = answers.front().operators.front();
    const bool is_unclear = std::any_of(answers.begin(), answers.end(), [&](const MatchAnswer& answer) {
        const bool is_serial = answer.match->number == TaskNumber::from_serial_number && !answer.operators.empty();
        return is_serial && (&answer == &answers.front() || !same_operator(answer.operators.front(), best));
    });
    if (is_unclear) {
        diagnostics.push_back(
            {Severity::warning, "task_number_unclear",
             fmt::format("lines of Ascend 950 carry two numbers of a task, its position in the queue and a serial "
                         "number; which of them the record's task id {} is, is not known: {}",
                         *query.task_id,
                         answers.front().match->number == TaskNumber::from_serial_number
                             ? "only a serial number ends in it"
                             : "both were looked up and give different operators")});
    }
}

void remark_unclear_device(const std::vector<MatchAnswer>& answers, const TaskQuery& query,
                           const std::vector<OperatorAnswer>& operators, std::vector<Diagnostic>& diagnostics) {
    const auto unclear = std::find_if(answers.begin(), answers.end(), [](const MatchAnswer& answer) {
        return !answer.match->possible_devices.empty();
    });
    if (operators.size() > 1 && unclear != answers.end()) {
        diagnostics.push_back(
            {Severity::warning, "device_unclear",
             fmt::format("stream {} is open on the devices {} at that time, and lines on task {} tell neither by "
                         "themselves nor by their thread which of them they speak of: each of the operators may be it",
                         *query.stream_id, fmt::join(unclear->match->possible_devices, ", "), *query.task_id)});
    }
}

void remark_damaged_files(const Found& found, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const auto find_in = [&map](const std::vector<Evidence>& evidence) {
        return std::find_if(evidence.begin(), evidence.end(),
                            [&map](const Evidence& line) { return map.damaged_files.count(line.file) != 0; });
    };
    const auto remark = [&diagnostics](const Evidence& line) {
        diagnostics.push_back(
            {Severity::warning, "log_damaged",
             fmt::format("{} is damaged: its lines may be garbled, and the answer with them; copy the "
                         "file again",
                         line.file)});
    };
    for (const OperatorAnswer& answer : found.operators) {
        if (const auto line = find_in(answer.evidence); line != answer.evidence.end()) {
            remark(*line);
            return;
        }
    }
    if (found.model) {
        if (const auto line = find_in(found.model->evidence); line != found.model->evidence.end()) {
            remark(*line);
        }
    }
}

void remark_lines_without_time(const Found& found, std::vector<Diagnostic>& diagnostics) {
    for (const OperatorAnswer& answer : found.operators) {
        const auto line =
            std::find_if(answer.evidence.begin(), answer.evidence.end(), [&answer](const Evidence& evidence) {
                return lacks_time(evidence) || (answer.confidence == Confidence::exact && is_printed_error(evidence));
            });
        if (line != answer.evidence.end()) {
            diagnostics.push_back(
                {Severity::warning, "line_time_unusable",
                 fmt::format("{}:{}: the line has no time that can be used, it is taken to be of the time of the line "
                             "before: whether it was written before the overflow, or in the same run, is not known",
                             line->file, *line->line)});
            return;
        }
    }
}

}  // namespace opdebug::locate_stage
