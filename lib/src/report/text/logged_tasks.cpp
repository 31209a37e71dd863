#include "report/text/logged_tasks.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>

#include "report/text/code_texts.hpp"
#include "report/text/numbers_and_times.hpp"

namespace opdebug::report {
namespace {

using nlohmann::ordered_json;
using scan_stage::LoggedTask;
using scan_stage::TaskReport;

template <class T>
ordered_json or_null(const std::optional<T>& value) {
    return value ? ordered_json(*value) : ordered_json();
}

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// The return code of the runtime in the lines: the first number of six digits that is one.
std::optional<CodeText> return_code_of(const LoggedTask& task, const std::vector<CodeText>& codes) {
    for (const Evidence& line : task.evidence) {
        const std::string& text = line.text;
        for (std::size_t begin = 0; begin < text.size(); ++begin) {
            const std::size_t end = static_cast<std::size_t>(
                std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), is_digit) -
                text.begin());
            const auto code =
                end - begin != 6 ? codes.end() : std::find_if(codes.begin(), codes.end(), [&](const CodeText& known) {
                    return known.kind == "return_code" && text.compare(begin, 6, known.code) == 0;
                });
            if (code != codes.end()) {
                return *code;
            }
            begin = std::max(begin, end);
        }
    }
    return std::nullopt;
}

std::string name_of(const OperatorAnswer& answer) {
    const std::string name = answer.name ? *answer.name : answer.kernel.value_or(answer.type.value_or(""));
    return printable(answer.type && answer.type != name ? fmt::format("{} ({})", name, *answer.type) : name);
}

std::string heading_of(const LoggedTask& task, bool chinese) {
    const std::string what = !task.report                           ? (chinese ? "任务" : "TASK")
                             : *task.report == TaskReport::overflow ? (chinese ? "溢出" : "OVERFLOW")
                                                                    : (chinese ? "执行失败" : "FAILED");
    if (!task.location.op) {
        return fmt::format("{}  {}\n", what, chinese ? "算子未知" : "operator unknown");
    }
    const std::size_t others = task.location.op->candidates.empty() ? 0 : task.location.op->candidates.size() - 1;
    return fmt::format("{}  {}   {}{}\n", what, name_of(task.location.op->best),
                       to_string(task.location.op->best.confidence),
                       others == 0 ? "" : (chinese ? "，另有候选：" : ", other candidates: ") + std::to_string(others));
}

std::string numbers_of(const LoggedTask& task, bool chinese) {
    std::string text = " ";
    if (task.ids.time_us) {
        text +=
            " " + show_utc(static_cast<std::uint64_t>(*task.ids.time_us)) + (chinese ? "（日志时间）" : " (log time)");
    }
    if (task.ids.device_id) {
        text += fmt::format("  {} {}", chinese ? "设备" : "device", *task.ids.device_id);
    }
    text += fmt::format("  {} {}  {} {}", chinese ? "流" : "stream", task.ids.stream_id, chinese ? "任务" : "task",
                        task.ids.task_id);
    if (task.location.model && task.location.model->name) {
        text += fmt::format("  {} {}", chinese ? "模型" : "model", printable(*task.location.model->name));
    }
    return text + "\n";
}

/// The beginning of a line of a log; JSON has all of it.
std::string line_of(const Evidence& evidence) {
    constexpr std::size_t kMost = 160;
    const std::string file = std::filesystem::path(evidence.file).filename().string();
    std::string text = printable(evidence.text);
    if (text.size() > kMost) {
        std::size_t end = kMost;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {  // inside a character
            --end;
        }
        text = text.substr(0, end) + "…";
    }
    return fmt::format("  {}:{}  {}\n", printable(file), evidence.line.value_or(0), text);
}

ordered_json json_of(const std::vector<Evidence>& evidence) {
    ordered_json list = ordered_json::array();
    for (const Evidence& one : evidence) {
        list.push_back({{"kind", std::string(to_string(one.kind))},
                        {"file", one.file},
                        {"line", or_null(one.line)},
                        {"text", one.text}});
    }
    return list;
}

ordered_json json_of(const OperatorAnswer& answer) {
    return {{"name", or_null(answer.name)},
            {"type", or_null(answer.type)},
            {"kernel", or_null(answer.kernel)},
            {"confidence", std::string(to_string(answer.confidence))},
            {"evidence", json_of(answer.evidence)}};
}

ordered_json operator_of(const LoggedTask& task) {
    if (!task.location.op) {
        return {};
    }
    ordered_json document = json_of(task.location.op->best);
    document["candidates"] = ordered_json::array();
    for (const OperatorAnswer& candidate : task.location.op->candidates) {
        document["candidates"].push_back(json_of(candidate));
    }
    return document;
}

ordered_json model_of(const LoggedTask& task) {
    if (!task.location.model) {
        return {};
    }
    const LocatedModel& model = *task.location.model;
    return {{"name", or_null(model.name)},
            {"runtime_id", or_null(model.runtime_id)},
            {"ge_id", or_null(model.ge_id)},
            {"graph_id", or_null(model.graph_id)},
            {"evidence", json_of(model.evidence)}};
}

ordered_json json_of(const std::vector<Diagnostic>& diagnostics) {
    ordered_json list = ordered_json::array();
    for (const Diagnostic& one : diagnostics) {
        list.push_back(
            {{"severity", std::string(to_string(one.severity))}, {"code", one.code}, {"message", one.message}});
    }
    return list;
}

}  // namespace

std::string logged_tasks_to_text(const std::vector<LoggedTask>& tasks, Language language) {
    const std::vector<CodeText> codes = code_texts(language);
    const bool chinese = language == Language::chinese;
    std::string text;
    for (const LoggedTask& task : tasks) {
        text += (text.empty() ? "" : "\n") + heading_of(task, chinese) + numbers_of(task, chinese);
        if (const auto code = return_code_of(task, codes)) {
            text += fmt::format("  {} {}{}{}\n", code->code, code->name, code->name.empty() ? "" : ": ", code->text);
        }
        const auto& evidence = task.location.op ? task.location.op->best.evidence : std::vector<Evidence>();
        for (const std::vector<Evidence>* lines : {&task.evidence, &evidence}) {
            for (const Evidence& line : *lines) {
                text += line_of(line);
            }
        }
        for (const Diagnostic& one : task.location.diagnostics) {
            text += one.severity == Severity::info ? "" : "  " + printable(one.message) + "\n";
        }
    }
    return text;
}

std::string logged_tasks_to_json(const std::vector<LoggedTask>& tasks, const std::vector<std::string>& inputs,
                                 const std::vector<Diagnostic>& diagnostics, Language language) {
    const std::vector<CodeText> codes = code_texts(language);
    ordered_json document{{"schema", "opdebug.log_report/1"}, {"inputs", inputs}, {"tasks", ordered_json::array()}};
    for (const LoggedTask& task : tasks) {
        const auto code = return_code_of(task, codes);
        document["tasks"].push_back(
            {{"time", task.ids.time_us ? ordered_json(show_utc(static_cast<std::uint64_t>(*task.ids.time_us)))
                                       : ordered_json()},
             {"device_id", or_null(task.ids.device_id)},
             {"stream_id", task.ids.stream_id},
             {"task_id", task.ids.task_id},
             {"kind", !task.report                           ? ordered_json()
                      : *task.report == TaskReport::overflow ? "overflow"
                                                             : "failed"},
             {"return_code", code ? ordered_json(std::stoul(code->code)) : ordered_json()},
             {"operator", operator_of(task)},
             {"model", model_of(task)},
             {"evidence", json_of(task.evidence)},
             {"diagnostics", json_of(task.location.diagnostics)}});
    }
    document["diagnostics"] = json_of(diagnostics);
    return document.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace opdebug::report
