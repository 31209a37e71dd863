// Why a task failed, by the codes and words of its log lines.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/regex.hpp>

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

/// Up to the end of the sentence.
std::string sentence_at(std::string_view words) {
    return std::string(words.substr(0, std::min({words.find(". "), words.find(".["), words.find("[FUNC:")})));
}

/// How lines state a fault without a return code: the pattern has groups for the number and the words.
struct FaultPattern {
    const char* key;
    boost::regex pattern;
};
using FaultPatterns = std::vector<FaultPattern>;

/// A fault of the hardware: "[event_id:0x80e01801] words".
FaultPatterns hardware_faults() {
    return {{"RAS event_id", boost::regex(R"(\[event_id:(?<number>[^\]]+)\].?(?<words>.*))")}};
}

/// "errcode:(0, 0x8000, 0) errorStr: words. fixp_error0 info: …": up to three numbers of a core. Or "error code = 0x10,
/// …", whose words may follow later; without words 0 is no error.
FaultPatterns core_errors() {
    return {{"errcode", boost::regex(R"(errcode:\((?<number>.+?)\) errorStr: (?<words>.*))")},
            {"errcode", boost::regex(R"(, error code = (?!0,(?!.*errorStr: )))"
                                     R"((?<number>[^,]+),(?:.*?errorStr: (?<words>.*))?)")}};
}

/// "rtX execute failed, reason=[words]", "(PID:9, Device:1, RankID:-1) ERR00100 words", "there is a sdma error, …"
FaultPatterns other_reasons() {
    return {{"reason", boost::regex(R"( failed, reason=\[?(?<words>[^\]]+))")},
            {"reason", boost::regex(R"(, RankID:.*?(?<words>ERR.*))")},
            {"reason", boost::regex(R"( there is a (?<words>[^,]+),)")},
            {"reason", boost::regex(R"(, the error is (?<words>[^,]+),)")}};
}

/// What the first pattern that fits finds; empty: none does.
StatedCode fault_in(const std::string& line, const FaultPatterns& patterns) {
    boost::smatch match;
    for (const FaultPattern& one : patterns) {
        if (boost::regex_search(line, match, one.pattern)) {
            return {one.key, match["number"], sentence_at(match["words"].str()), {}};
        }
    }
    return {};
}

/// The number after `key`, and the words in brackets after the number. Empty: none, or the number is 0.
StatedCode code_in(const std::string& line, std::string_view key) {
    if (line.find(key) == std::string::npos) {
        return {};
    }
    const boost::regex pattern(
        fmt::format(R"((?<!\w){}[=:\[ ]*(?=\d)(?![0xX]+(?![\dA-Fa-fxX]))(?<number>[\dA-Fa-fxX]+))"
                    R"((?:[, ]*[\[(](?!FUNC:)(?<words>[^\])]*)[\])])?)",
                    key));
    boost::smatch match;
    const bool is_stated = boost::regex_search(line, match, pattern);
    return is_stated ? StatedCode{std::string(key), match["number"], match["words"], {}} : StatedCode();
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
    static const FaultPatterns kHardware = hardware_faults(), kCore = core_errors(), kOther = other_reasons();
    const auto add_fault = [&](const FaultPatterns& patterns) {
        add_reason(
            lines, [&patterns](const std::string& line) { return fault_in(line, patterns); }, reasons);
    };
    add_fault(kHardware);
    add_fault(kCore);
    std::stable_partition(others.begin(), others.end(), [](const StatedCode& other) { return !other.words.empty(); });
    if (!others.empty() && (reasons.empty() || !others.front().words.empty())) {
        reasons.push_back(others.front());
    }
    if (reasons.empty()) {
        add_fault(kOther);
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
