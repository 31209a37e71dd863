// Why a task failed, by the codes and words of its log lines.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <opdebug/locate.hpp>

#include "report/text/code_texts.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

/// The keys of codes in lines of the runtime 8.5 to 9.3, and whether all their numbers are return codes. Numbers of six
/// digits always are.
constexpr std::pair<std::string_view, bool> kCodeKeys[] = {
    {"retCode", true},    {"retcode", true},   {"rtCode", true},   {"errorCode", true}, {"error_code", true},
    {"sqSwStatus", true}, {"err_type", false}, {"errcode", false}, {"result", false}};
/// Keys of other programs: only numbers of six digits are codes.
constexpr std::string_view kPrintedKeys[] = {"error code is", "error code", "error", "ret", "failed", "failure"};
/// A return code only of overflows ("CQE warning").
constexpr std::string_view kKeyOfOverflows = "sqSwStatus";
/// It states only that the task failed: no reason where another one is known.
constexpr std::string_view kWeakestKey = "errType";

constexpr std::string_view kWordLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

/// Up to the end of the sentence.
std::string sentence_at(std::string_view words) {
    return std::string(words.substr(0, std::min({words.find(". "), words.find(".["), words.find("[FUNC:")})));
}

/// The text between two marks; empty where they are not there.
std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
    const std::size_t place = text.find(begin);
    const std::size_t last = place == std::string_view::npos ? place : text.find(end, place + begin.size());
    return last == std::string_view::npos ? std::string_view()
                                          : text.substr(place + begin.size(), last - place - begin.size());
}

/// "errcode:(0, 0x8000, 0) errorStr: words. fixp_error0 info: …": up to three numbers of a core. Or "error code = 0x10,
/// …", whose words may follow later.
StatedCode core_error_in(const std::string& line) {
    constexpr std::string_view kWords = "errorStr: ";
    StatedCode stated;
    std::string_view number = between(line, "errcode:(", ") errorStr: ");
    number = number.empty() ? between(line, ", error code = ", ",") : number;
    const std::size_t words = line.find(kWords);
    if (!number.empty() && (number != "0" || words != std::string::npos)) {
        stated.key = "errcode";
        stated.number = number;
        stated.words =
            words == std::string::npos ? "" : sentence_at(std::string_view(line).substr(words + kWords.size()));
    }
    return stated;
}

/// "[event_id:0x80e01801] words": a fault of the hardware.
StatedCode hardware_event_in(const std::string& line) {
    StatedCode stated;
    stated.number = between(line, "[event_id:", "]");
    if (!stated.number.empty()) {
        stated.key = "RAS event_id";
        stated.words = sentence_at(std::string_view(line).substr(line.find(stated.number) + stated.number.size() + 2));
    }
    return stated;
}

/// "rtX execute failed, reason=[words]", "(PID:9, Device:1, RankID:-1) ERR00100 words", "there is a sdma error, …"
StatedCode reason_in(const std::string& line) {
    constexpr std::string_view kReason = " failed, reason=";
    StatedCode stated;
    std::string_view words;
    if (const std::size_t place = line.find(kReason); place != std::string::npos) {
        words = std::string_view(line).substr(place + kReason.size());
        words.remove_prefix(words.starts_with('[') ? 1 : 0);
        words = words.substr(0, words.find(']'));
    } else if (const std::size_t rank = line.find(", RankID:"); rank != std::string::npos) {
        words = std::string_view(line).substr(std::min(line.find("ERR", rank), line.size()));
    } else {
        words = between(line, " there is a ", ",");
        words = words.empty() ? between(line, ", the error is ", ",") : words;
    }
    stated.key = words.empty() ? "" : "reason";
    stated.words = sentence_at(words);
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

bool is_six_digits(std::string_view number) {
    return number.size() == 6 && number.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Whether the number is a return code with a meaning; the first one is added.
bool add_explained(StatedCode stated, bool is_return_code, const std::vector<CodeText>& codes, Reasons& reasons) {
    const CodeText* const meaning =
        is_return_code || is_six_digits(stated.number) ? find_return_code(codes, stated.number) : nullptr;
    if (meaning != nullptr && reasons.empty()) {
        stated.meaning = *meaning;
        reasons.push_back(std::move(stated));
    }
    return meaning != nullptr;
}

/// The first of the task's lines that states such a code, the one with most words: a line may be broken.
template <class Read>
void add_reason(const std::vector<Evidence>& lines, const Read& read, Reasons& reasons) {
    std::optional<StatedCode> best;
    for (const Evidence& line : lines) {
        const StatedCode stated = read(line.text);
        if (!stated.key.empty() && (!best || best->words.size() < stated.words.size())) {
            best = stated;
        }
    }
    if (best) {
        reasons.push_back(*std::move(best));
    }
}

}  // namespace

Reasons reasons_in(const std::vector<Evidence>& lines, bool is_overflow, const std::vector<CodeText>& codes) {
    Reasons reasons, others;
    for (const auto& [key, is_return_code] : kCodeKeys) {
        if (is_overflow ? !is_return_code : key == kKeyOfOverflows) {
            continue;
        }
        for (const Evidence& line : lines) {
            StatedCode stated = code_in(line.text, key);
            if (!add_explained(stated, is_return_code, codes, reasons) && !stated.number.empty()) {
                others.push_back(std::move(stated));
            }
        }
    }
    if (is_overflow) {
        return reasons;
    }
    for (const std::string_view key : kPrintedKeys) {
        for (const Evidence& line : lines) {
            add_explained(code_in(line.text, key), false, codes, reasons);
        }
    }
    add_reason(lines, hardware_event_in, reasons);
    add_reason(lines, core_error_in, reasons);
    std::stable_partition(others.begin(), others.end(), [](const StatedCode& other) { return !other.words.empty(); });
    if (!others.empty() && (reasons.empty() || !others.front().words.empty())) {
        reasons.push_back(others.front());
    }
    if (reasons.empty()) {
        add_reason(lines, reason_in, reasons);
    }
    if (reasons.empty()) {
        add_reason(
            lines, [](const std::string& line) { return code_in(line, kWeakestKey); }, reasons);
    }
    for (StatedCode& reason : reasons) {
        const auto known = std::find_if(codes.begin(), codes.end(), [&reason](const CodeText& code) {
            return code.kind == "log_code" && code.code == reason.number && reason.key == "errcode";
        });
        reason.words = reason.words.empty() && known != codes.end() ? known->text : reason.words;
    }
    return reasons;
}

void add_errors(std::vector<std::string> errors, const std::vector<CodeText>& codes, Reasons& reasons) {
    constexpr std::string_view kResult = ", error code is ";  // of a function of HCCL, less exact than a code
    std::stable_partition(errors.begin(), errors.end(),
                          [&](const std::string& error) { return error.find(kResult) == std::string::npos; });
    for (const std::string& error : errors) {
        const std::size_t result = error.find(kResult);
        const CodeText* meaning = find_code(codes, "log_code", error);
        meaning = meaning != nullptr ? meaning : find_code(codes, "return_code", error);
        if (result != std::string::npos) {
            meaning = find_code(codes, "return_code", "hccl." + error.substr(result + kResult.size()));
        }
        const auto is_known = [meaning](const StatedCode& reason) {
            return meaning != nullptr && reason.meaning && reason.meaning->code == meaning->code;
        };
        if (std::any_of(reasons.begin(), reasons.end(), is_known)) {
            continue;
        }
        StatedCode stated;
        const bool is_first = reasons.empty() || (!reasons.front().meaning && reasons.front().number.empty());
        if (meaning != nullptr && is_first) {
            stated.number = meaning->code;
            stated.meaning = *meaning;
            reasons.insert(reasons.begin(), std::move(stated));
        } else {
            stated.words = meaning == nullptr ? error : fmt::format("{}: {}", meaning->code, meaning->text);
            reasons.push_back(std::move(stated));
        }
    }
}

std::string shown_reason(const StatedCode& code) {
    const std::string words = printable(code.words);
    return code.number.empty() ? words
                               : fmt::format("{} {}{}{}", code.key, code.number, words.empty() ? "" : ": ", words);
}

}  // namespace opdebug::report
