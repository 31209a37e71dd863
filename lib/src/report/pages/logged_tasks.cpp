#include "report/pages/pages.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <opdebug/report.hpp>
#include <opdebug/tree.hpp>

#include "report/json/json_parts.hpp"
#include "report/text/answer_words.hpp"
#include "report/text/code_texts.hpp"
#include "report/text/evidence_words.hpp"
#include "report/text/page.hpp"

namespace opdebug::report {
namespace {

using scan_stage::LoggedTask;
using scan_stage::TaskReport;

/// A code as a line states it: "retCode=0x30, [vector core timeout]".
struct StatedCode {
    std::string key, number, words;
    std::string also;                 ///< another code of the task, with words
    std::optional<CodeText> meaning;  ///< as a return code of the runtime
};

/// The keys of codes in lines of the runtime 8.5 to 9.2, and whether all their numbers are return codes. Numbers of six
/// digits always are.
constexpr std::pair<std::string_view, bool> kCodeKeys[] = {
    {"retCode", true},    {"retcode", true},   {"rtCode", true},   {"errorCode", true}, {"error_code", true},
    {"sqSwStatus", true}, {"err_type", false}, {"errType", false}, {"errcode", false},  {"result", false}};
/// A return code only of overflows ("CQE warning").
constexpr std::string_view kKeyOfOverflows = "sqSwStatus";

constexpr std::string_view kKeyOfCores = "errcode";

constexpr std::string_view kWordLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

/// "errcode:(0, 0x8000, 0) errorStr: words. fixp_error0 info: …": three numbers of a core.
StatedCode core_error_in(const std::string& line) {
    constexpr std::string_view kNumbers = "errcode:(", kWords = ") errorStr: ";
    StatedCode stated;
    const std::size_t begin = line.find(kNumbers);
    const std::size_t end = begin == std::string::npos ? begin : line.find(kWords, begin);
    if (end != std::string::npos) {
        stated.key = "errcode";
        stated.number = line.substr(begin + kNumbers.size(), end - begin - kNumbers.size());
        const std::string_view words = std::string_view(line).substr(end + kWords.size());
        stated.words = words.substr(0, std::min(words.find(". "), words.find("[FUNC:")));
    }
    return stated;
}

/// The number after `key`, and the words in brackets after the number. Empty: none, or the number is 0.
StatedCode code_in(const std::string& line, std::string_view key) {
    StatedCode stated;
    for (std::size_t at = line.find(key); at != std::string::npos; at = line.find(key, at + 1)) {
        std::string_view rest = std::string_view(line).substr(at + key.size());
        if (at != 0 && kWordLetters.find(line[at - 1]) != std::string_view::npos) {
            continue;
        }
        rest.remove_prefix(std::min(rest.find_first_not_of("=:[ "), rest.size()));
        const std::size_t end = std::min(rest.find_first_not_of("0123456789abcdefABCDEFxX"), rest.size());
        const bool is_number = end != 0 && rest.front() >= '0' && rest.front() <= '9';
        if (!is_number || rest.substr(0, end).find_first_not_of("0xX") == std::string_view::npos) {
            continue;
        }
        stated.key = key;
        stated.number = rest.substr(0, end);
        rest.remove_prefix(end);
        rest.remove_prefix(std::min(rest.find_first_not_of(", "), rest.size()));
        const std::size_t close = rest.find_first_of("])");
        const bool has_words = !rest.empty() && (rest.front() == '[' || rest.front() == '(') &&
                               close != std::string_view::npos && rest.substr(1, 5) != "FUNC:";
        stated.words = has_words ? rest.substr(1, close - 1) : std::string_view();
        return stated;
    }
    return stated;
}

std::string shown(const StatedCode& code) {
    return fmt::format("{} {}{}{}", code.key, code.number, code.words.empty() ? "" : ": ", printable(code.words));
}

/// The lines that report the task, then those that name its operator.
std::vector<Evidence> evidence_of(const LoggedTask& task) {
    std::vector<Evidence> lines = task.evidence;
    if (task.location.op) {
        const std::vector<Evidence>& more = task.location.op->best.evidence;
        lines.insert(lines.end(), more.begin(), more.end());
    }
    return lines;
}

/// The code of the task's lines: a return code of the runtime if one is there, else a code of any other kind, with
/// words if possible.
std::optional<StatedCode> code_of(const LoggedTask& task, const std::vector<CodeText>& codes) {
    const std::vector<Evidence> lines = evidence_of(task);
    const bool is_overflow = task.report == TaskReport::overflow;
    std::optional<StatedCode> explained, other;
    for (const auto& [key, is_return_code] : kCodeKeys) {
        if (is_overflow ? !is_return_code : key == kKeyOfOverflows) {
            continue;
        }
        for (const Evidence& line : lines) {
            StatedCode stated = code_in(line.text, key);
            stated = stated.number.empty() && key == kKeyOfCores ? core_error_in(line.text) : stated;
            const bool has_six_digits =
                stated.number.size() == 6 && stated.number.find_first_not_of("0123456789") == std::string::npos;
            const CodeText* const meaning =
                is_return_code || has_six_digits ? find_return_code(codes, stated.number) : nullptr;
            if (meaning != nullptr) {
                stated.meaning = *meaning;
                explained = explained ? explained : stated;
            } else if (!stated.number.empty() && (!other || (other->words.empty() && !stated.words.empty()))) {
                other = stated;
            }
        }
    }
    if (explained && other && !other->words.empty()) {
        explained->also = shown(*other);
    }
    return explained ? explained : other;
}

struct LogPage : Page {
    const std::vector<CodeText> codes = code_texts(options.language);
};

std::string_view kind_of(const LoggedTask& task, const LogPage& page) {
    return page.word(!task.report                           ? "logs_page.task"
                     : *task.report == TaskReport::overflow ? "page.overflow"
                                                            : "logs_page.failed");
}

std::string show_log_time(std::int64_t time_us) {
    return show_utc(static_cast<std::uint64_t>(time_us)).substr(0, std::string_view("2026-10-12 09:41:27.318").size());
}

/// Device, model, stream, task and time, as far as they are known.
std::string location_line(const LoggedTask& task, const LogPage& page) {
    std::string text = " ";
    text += task.ids.device_id ? fmt::format(" device {}  ", *task.ids.device_id) : "";
    if (task.location.model && task.location.model->name) {
        text += fmt::format(" {} {}  ", page.word("page.path_model"), printable(*task.location.model->name));
    }
    text += fmt::format(" stream {}   task {}", task.ids.stream_id, task.ids.task_id);
    if (task.ids.time_us) {
        text += fmt::format("   {} {}", show_log_time(*task.ids.time_us), page.word("logs_page.local_time"));
    }
    return text + "\n";
}

std::string head_of(const LoggedTask& task, const LogPage& page) {
    const std::string op = task.location.op ? operator_text(task.location.op->best) : std::string();
    if (op.empty()) {
        UnknownOperator unknown = why_unknown({}, task.location, page.options.language);
        constexpr std::string_view kOptionOfDumps = "--logs ";  // logs are the paths here
        if (const std::size_t place = unknown.next.find(kOptionOfDumps); place != std::string::npos) {
            unknown.next.erase(place, kOptionOfDumps.size());
        }
        return fmt::format("{}  {}{}\n  {}{}\n", kind_of(task, page), page.word("page.op_unknown"), unknown.reason,
                           page.word("page.to_do"), unknown.next);
    }
    std::string text = two_sides(fmt::format("{}  {}", kind_of(task, page), op),
                                 confidence_text(task.location, page.options.language), page.options.columns);
    for (std::size_t i = 1; i < task.location.op->candidates.size(); ++i) {  // the first is the best
        text += fmt::format("{}{}\n", page.word("page.or_else"), operator_text(task.location.op->candidates[i]));
    }
    return text;
}

/// Cause and next step, by the return code.
std::string code_lines(const StatedCode& code, const LogPage& page) {
    if (!code.meaning) {
        return fmt::format("\n{}{}\n", page.word("page.why"), shown(code));
    }
    const std::string stated = fmt::format("{} {}", code.key, code.number);
    const CodeText& meaning = *code.meaning;
    const std::string margin(6, ' ');
    std::string text = fmt::format("\n{}{}{}{}{}\n", page.word("page.why"), meaning.code,
                                   meaning.code == code.number ? std::string() : fmt::format(" ({})", stated),
                                   meaning.name.empty() ? "" : "  ", meaning.name) +
                       page.lines(margin, meaning.text, margin.size()) +
                       (code.also.empty() ? std::string() : margin + code.also + "\n");
    if (!meaning.advice.empty()) {
        text += fmt::format("\n{}\n", page.word("page.next")) + page.lines("  ", meaning.advice, 2);
    }
    return text;
}

std::string proof_of(const LoggedTask& task, const LogPage& page) {
    const TaskNumbers numbers{task.ids.stream_id, task.ids.task_id};
    std::vector<Evidence> evidence = evidence_of(task);
    std::stable_sort(evidence.begin(), evidence.end(), [](const Evidence& a, const Evidence& b) {
        return a.file == b.file && a.line && b.line && *a.line < *b.line;
    });
    return fmt::format("\n{}\n{}", page.word(page.options.verbose ? "page.proof" : "page.proof_short"),
                       evidence_lines(evidence_rows(evidence, numbers, task.location, page.options), page.options));
}

std::string block_of(const LoggedTask& task, const LogPage& page) {
    std::string text = head_of(task, page) + location_line(task, page);
    const std::optional<StatedCode> code = code_of(task, page.codes);
    text += code ? code_lines(*code, page) : std::string();
    const bool is_explained = code && (code->meaning || !code->words.empty());
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
            text +=
                page.lines("  ", fmt::format("[{}] {}", one.code, printable(one.message_in(page.options.language))), 4);
        }
    }
    return text;
}

/// "+12.300 s  FAILED  GatherV2   device 0   stream 2   task 6   plog-7.log:12"
std::string row_of(const LoggedTask& task, std::int64_t first_us, const LogPage& page) {
    constexpr std::size_t kShortestName = 16, kFileColumns = 20;
    const std::string known = task.location.op ? operator_text(task.location.op->best) : std::string();
    const std::string op = known.empty() ? std::string(page.word("logs_page.operator_unknown")) : known;
    const auto unsigned_us = [](std::int64_t time_us) { return static_cast<std::uint64_t>(time_us); };
    const std::string after =
        task.ids.time_us ? show_offset(unsigned_us(*task.ids.time_us), unsigned_us(first_us), page.options.language)
                         : std::string(page.word("logs_page.no_time"));
    const std::string head = fmt::format("  {:>12}  {}  ", after, kind_of(task, page));
    std::string end = task.ids.device_id ? fmt::format("   device {}", *task.ids.device_id) : std::string();
    end += fmt::format("   stream {}   task {}", task.ids.stream_id, task.ids.task_id);
    if (!task.evidence.empty()) {
        const Evidence& line = task.evidence.front();
        end += fmt::format("   {}:{}", shorten_middle(printable(file_name_of(line.file)), kFileColumns),
                           line.line.value_or(1));
    }
    const std::size_t used = display_columns(head) + display_columns(end);
    const std::size_t room = page.options.columns > used ? page.options.columns - used : 0;
    return fmt::format("{}{}{}\n", head, shorten_middle(op, std::max(kShortestName, room)), end);
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
    const std::size_t rows = std::min(later.size(), kMostRows);
    for (std::size_t i = 0; i < rows; ++i) {
        text += row_of(*later[i], tasks.front().ids.time_us.value_or(0), page);
    }
    return fitted(text + page.more(later.size() - rows), options.columns);
}

std::string logged_tasks_to_json(const std::vector<LoggedTask>& tasks, const std::vector<std::string>& inputs,
                                 const std::vector<Diagnostic>& diagnostics, Language language) {
    const std::vector<CodeText> codes = code_texts(language);
    JsonWriter json{ReportOptions()};
    json.begin_object();
    json.member("schema", "opdebug.log_report/1");
    json.member("inputs", inputs);
    json.begin_array("tasks");
    for (const LoggedTask& task : tasks) {
        const auto code = code_of(task, codes);
        const auto& time_us = task.ids.time_us;
        json.begin_object();
        json.member("time", time_us ? std::optional(show_utc(static_cast<std::uint64_t>(*time_us))) : std::nullopt);
        json.member("device_id", task.ids.device_id);
        json.member("stream_id", task.ids.stream_id);
        json.member("task_id", task.ids.task_id);
        json.text_member("kind", !task.report ? "" : *task.report == TaskReport::overflow ? "overflow" : "failed");
        json.member("return_code",
                    code && code->meaning ? std::optional(std::stoul(code->meaning->code)) : std::nullopt);
        json.member("operator", task.location.op);
        json.member("model", task.location.model);
        json.member("evidence", task.evidence);
        json.member("diagnostics", task.location.diagnostics);
        json.end_object();
    }
    json.end_array();
    json.member("diagnostics", diagnostics);
    json.end_object();
    return json.take();
}

}  // namespace opdebug::report
