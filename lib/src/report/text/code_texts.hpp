// The meaning of each code that results and logs contain, from lib/data.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/locate.hpp>
#include <opdebug/report.hpp>

namespace opdebug::report {

/// One meaning of a code. Some codes have several, for example as a diagnostic and as an error.
struct CodeText {
    std::string code;  ///< "ai_core.float_overflow", "no_logs", "507015"
    std::string kind;  ///< cause, diagnostic, error, finding, confidence, tie, verdict, training, difference, pattern,
                       ///< return_code, log_code
    std::string name;  ///< a shorter or official name; may be empty
    std::string text;
    std::string advice;  ///< what to do or to set; may be empty
    std::string source;  ///< may be empty
    /// Of a return code: what the device's task scheduler reports for it, "0x30" in "retCode=0x30" (ts_err_code.h and
    /// the runtime's table of them).
    std::vector<std::string> device_codes{};
};

/// Codes of one module, for those that no source describes: "EI" and four digits.
struct CodeFamily {
    std::string prefix;
    std::size_t digits = 0;  ///< after the prefix; hexadecimal ones after "0x"
    CodeText meaning;        ///< without a code
};

/// All of them: causes, then the entries of lib/data/explain, then findings of doctor.
std::vector<CodeText> code_texts(Language language);

/// The meaning of a code of that kind. Null: none.
const CodeText* find_code(const std::vector<CodeText>& codes, std::string_view kind, std::string_view code);

/// The return code that a number of a log means: "507011", "0x7bc83" or, as a code of the device, "0x91". Null: none.
const CodeText* find_return_code(const std::vector<CodeText>& codes, std::string_view number);

/// The families of lib/data/explain. Their texts state that the code itself is not documented.
std::vector<CodeFamily> code_families(Language language);

/// The code with the meaning of its family: "EI0042", "507099", "0x7bd7f". Empty: no family.
std::optional<CodeText> find_family(const std::vector<CodeFamily>& families, std::string_view code);

/// A code as a line states it: "retCode=0x30, [vector core timeout]".
struct StatedCode {
    std::string key, number, words;
    std::optional<CodeText> meaning;  ///< as a return code of the runtime
};

/// What the lines of a task state about its failure, the strongest reason first.
using Reasons = std::vector<StatedCode>;
/// A return code of the runtime, a fault of the hardware, an error of a core, then codes of any other kind. Of an
/// overflow only a return code.
Reasons reasons_in(const std::vector<Evidence>& lines, bool is_overflow, const std::vector<CodeText>& codes);
/// Adds errors that are a code or words: "EI0013", "HcclAllReduce, error code is 4", "NPU out of memory". A code with a
/// meaning comes before reasons without one.
void add_errors(std::vector<std::string> errors, const std::vector<CodeText>& codes, Reasons& reasons);
/// "errcode 0x10, 0, 0: illegal instruction"
std::string shown_reason(const StatedCode& code);

/// "CODE  (kind)", name, text, advice and source.
std::string code_to_text(const CodeText& code, const ReportOptions& options);

}  // namespace opdebug::report
