#include "report/text/answer_words.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "locate/kernel_name.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

constexpr std::size_t kKernelColumns = 60;

struct Reason {
    std::string_view code;  ///< of a diagnostic of locate()
    LocalizedText reason, next;
};

/// The first that is among the diagnostics counts. The settings are those of the diagnostics' own messages.
const std::vector<Reason>& reasons() {
    static const std::vector<Reason> kReasons = {
        {"no_logs",
         {"no logs were read", "没有读取到日志"},
         {"add the logs of the run: --logs ~/ascend/log", "添加本次运行的日志：--logs ~/ascend/log"}},
        {"logs_unread",
         {"some of the logs could not be read", "部分日志无法读取"},
         {"mend the logs that the messages name, and run again", "处理消息中列出的日志后重新运行"}},
        {"ids_not_set",
         {"the record has no stream id or no task id", "记录中没有 stream 或 task 编号"},
         {"set dump mode \"all\" for the next run: the operator dump names the operator",
          "下次运行将 dump_mode 设为 all，由算子 dump 给出算子名"}},
        {"printed_errors_only",
         {"the log is only a printed error stack", "日志只是打印的错误堆栈"},
         {"add the process logs of the host: --logs ~/ascend/log", "添加主机侧进程日志：--logs ~/ascend/log"}},
        {"no_host_logs",
         {"the logs contain no line of a host process", "日志中没有主机侧进程的内容"},
         {"add the process logs of the host: --logs ~/ascend/log", "添加主机侧进程日志：--logs ~/ascend/log"}},
        {"debug_logs_missing",
         {"only run logs are present", "只有 run 日志"},
         {"add the folder debug next to run: it names operators", "添加与 run 同级的 debug 目录，其中有算子名"}},
        {"logs_without_info",
         {"the logs contain no INFO lines", "日志中没有 INFO 级别的内容"},
         {"set ASCEND_GLOBAL_LOG_LEVEL=1 for the next run", "下次运行设置 ASCEND_GLOBAL_LOG_LEVEL=1"}},
        {"log_begins_later",
         {"the logs start after the overflow", "日志开始于溢出之后"},
         {"add the older logs; set ASCEND_HOST_LOG_FILE_NUM=1000 for the next run",
          "添加更早的日志；下次运行设置 ASCEND_HOST_LOG_FILE_NUM=1000"}},
        {"task_set_up_later",
         {"the logs mention this task only after the overflow", "日志在溢出之后才提到该任务"},
         {"add the older logs; set ASCEND_HOST_LOG_FILE_NUM=1000 for the next run",
          "添加更早的日志；下次运行设置 ASCEND_HOST_LOG_FILE_NUM=1000"}},
        {"log_ended",
         {"the logs end before the overflow", "日志在溢出之前结束"},
         {"add the logs of that time", "添加溢出时刻的日志"}},
        {"stream_closed",
         {"the stream was closed before the overflow", "该 stream 在溢出之前已关闭"},
         {"add all logs of this run, also those of other processes", "添加本次运行的全部日志，包括其他进程的日志"}},
        {"logs_without_ge_info",
         {"the logs contain no INFO lines of GE", "日志中没有 GE 的 INFO 级别的内容"},
         {"set ASCEND_MODULE_LOG_LEVEL=RUNTIME=1:GE=1 for the next run",
          "下次运行设置 ASCEND_MODULE_LOG_LEVEL=RUNTIME=1:GE=1"}},
        {"logs_without_runtime_info",
         {"the logs contain no INFO lines of RUNTIME", "日志中没有 RUNTIME 的 INFO 级别的内容"},
         {"set ASCEND_MODULE_LOG_LEVEL=RUNTIME=1:GE=1 for the next run",
          "下次运行设置 ASCEND_MODULE_LOG_LEVEL=RUNTIME=1:GE=1"}},
        {"kernel_unnamed",
         {"the log shows the task without a kernel name", "日志中有该任务，但没有核函数名"},
         {"set dump mode \"all\" for the next run: the operator dump names the operator",
          "下次运行将 dump_mode 设为 all，由算子 dump 给出算子名"}},
        {"end_of_graph_task",
         {"the task is the end-of-graph task, not an operator", "该任务是图结束任务，不是算子"},
         {"look at the overflow before it: opdebug scan", "查看它之前的溢出：opdebug scan"}},
        {"debug_task",
         {"the task is the overflow-debug task, not an operator", "该任务是溢出检测任务，不是算子"},
         {"set dump mode \"all\" for the next run: the operator dump names the operator",
          "下次运行将 dump_mode 设为 all，由算子 dump 给出算子名"}},
        {"other_task",
         {"the task is no kernel", "该任务不是核函数"},
         {"look at the task before it in the same stream, and check that the logs belong to this run",
          "查看同一 stream 中它之前的任务，并确认日志属于本次运行"}},
        {"time_outside_logs",
         {"the logs are of another time", "日志不是溢出时刻的"},
         {"add the logs of this run", "添加本次运行的日志"}},
        {"task_not_in_logs",
         {"no log line names this task", "没有日志提到该任务"},
         {"check that these are the logs of this run and device, with the older files",
          "确认日志属于本次运行和该 device，并包含更早的文件"}},
    };
    return kReasons;
}

bool has_code(const std::vector<Diagnostic>& diagnostics, std::string_view code) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [code](const Diagnostic& diagnostic) { return diagnostic.code == code; });
}

/// " (stream 21 task 118)"
std::string ids_of(const Dump& dump, bool is_chinese) {
    const Record* const record = located_record(dump);
    const auto stream = record != nullptr ? record->field(Field::stream_id) : std::nullopt;
    const auto task = record != nullptr ? record->field(Field::task_id) : std::nullopt;
    return stream && task ? fmt::format(fmt::runtime(is_chinese ? "（stream {} task {}）" : " (stream {} task {})"),
                                        *stream, *task)
                          : std::string();
}

std::string lines_text(std::size_t lines, std::size_t op_dumps, bool is_chinese) {
    std::string text = op_dumps == 0 ? "" : is_chinese ? "算子 dump" : "operator dump";
    if (lines != 0) {
        text += text.empty() ? "" : is_chinese ? "和 " : " and ";
        text +=
            is_chinese ? fmt::format("{} 行日志", lines) : fmt::format("{} log line{}", lines, lines == 1 ? "" : "s");
    }
    if (lines + op_dumps > 1) {
        text += is_chinese ? "一致" : lines + op_dumps > 1 ? " agree" : "";
    }
    return text;
}

/// For causes of a catalogue without short texts.
std::string first_sentence(const std::string& text, Language language) {
    const std::string_view end = language == Language::chinese ? "。" : ". ";
    const std::size_t place = text.find(end);
    return place == std::string::npos ? text : text.substr(0, place + (end == ". " ? 1 : end.size()));
}

}  // namespace

std::string operator_text(const OperatorAnswer& answer) {
    const bool has_kernel = answer.kernel && !locate_stage::is_hash(*answer.kernel);
    if (!answer.name && !has_kernel) {
        return {};
    }
    const std::string name =
        answer.name ? printable(*answer.name) : shorten_middle(printable(*answer.kernel), kKernelColumns);
    return answer.type ? fmt::format("{} ({})", name, printable(*answer.type)) : name;
}

std::string confidence_text(const LocatedOperator& located, Language language) {
    const bool is_chinese = language == Language::chinese;
    if (located.candidates.size() > 1) {
        return fmt::format(fmt::runtime(is_chinese ? "{} 个候选，同等可信" : "{} candidates, equally good"),
                           located.candidates.size());
    }
    const std::vector<Evidence>& evidence = located.best.evidence;
    const auto op_dumps = static_cast<std::size_t>(std::count_if(
        evidence.begin(), evidence.end(), [](const Evidence& item) { return item.kind == EvidenceKind::op_dump; }));
    const std::string lines = lines_text(evidence.size() - op_dumps, op_dumps, is_chinese);
    const std::string_view how = located.best.confidence == Confidence::exact ? (is_chinese ? "精确匹配" : "exact")
                                 : located.best.confidence == Confidence::kernel
                                     ? (is_chinese ? "仅核函数名" : "kernel name only")
                                     : (is_chinese ? "仅类型或弱匹配" : "type only or weak match");
    return lines.empty() ? std::string(how) : fmt::format("{}{}{}", how, is_chinese ? "：" : ": ", lines);
}

UnknownOperator why_unknown(const Dump& dump, const Location& location, Language language) {
    const bool is_chinese = language == Language::chinese;
    if (location.op) {  // a hash instead of a kernel's name
        const std::optional<std::string>& type = location.op->best.type;
        const std::string reason =
            type ? fmt::format(fmt::runtime(is_chinese ? "只知道类型 {}" : "only its type is known, {}"),
                               printable(*type))
                 : std::string(is_chinese ? "日志中的核函数名只是哈希值" : "the logs show only a hash of its kernel");
        return {{},
                reason + ids_of(dump, is_chinese),
                is_chinese ? "下次运行将 dump_mode 设为 all，由算子 dump 给出算子名"
                           : "set dump mode \"all\" for the next run: the operator dump names the operator"};
    }
    for (const Reason& reason : reasons()) {
        // A document has one list of diagnostics: read from it, they are the dump's.
        if (has_code(location.diagnostics, reason.code) || has_code(dump.diagnostics, reason.code)) {
            return {reason.code, reason.reason.in(language) + ids_of(dump, is_chinese), reason.next.in(language)};
        }
    }
    return {{},
            (is_chinese ? "没有可用的依据" : "no evidence names it") + ids_of(dump, is_chinese),
            is_chinese ? "使用 -v 查看详细说明" : "add -v to see all remarks"};
}

std::string meaning_of(const CauseDefinition& cause, Language language) {
    return cause.brief.en.empty() ? first_sentence(cause.text.in(language), language) : cause.brief.in(language);
}

std::string next_of(const CauseDefinition& cause, Language language) {
    return cause.next.en.empty() ? first_sentence(cause.advice.in(language), language) : cause.next.in(language);
}

std::vector<UnitStatus> overflowed_units(const Dump& dump) {
    std::vector<UnitStatus> units;
    for (const DecodedPayload& payload : dump.payloads) {
        for (const Record& record : payload.records) {
            if (!record.overflow) {
                continue;
            }
            auto unit = std::find_if(units.begin(), units.end(), [&record](const UnitStatus& other) {
                return other.record->unit == record.unit && other.record->status.words == record.status.words;
            });
            if (unit == units.end()) {
                unit = units.insert(unit, UnitStatus{&record, 0, {}});
            }
            ++unit->count;
            if (const auto core = record.field(Field::core_id)) {
                unit->cores.insert(std::lower_bound(unit->cores.begin(), unit->cores.end(), *core), *core);
            }
        }
    }
    for (UnitStatus& unit : units) {
        unit.cores.erase(std::unique(unit.cores.begin(), unit.cores.end()), unit.cores.end());
    }
    return units;
}

std::string hex_words(const std::vector<std::uint64_t>& words) {
    std::string text;
    for (const std::uint64_t word : words) {
        text += fmt::format("{}{:#x}", text.empty() ? "" : ", ", word);
    }
    return text;
}

}  // namespace opdebug::report
