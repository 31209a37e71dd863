// One log format ready for use: its compiled pattern, and the statement that it reads from a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <opdebug/result.hpp>

#include "logs/facts/line_fact.hpp"
#include "logs/formats/format_file.hpp"
#include "logs/formats/format_pattern.hpp"
#include "logs/formats/wanted.hpp"
#include "logs/text/bounded_text.hpp"
#include "logs/text/line.hpp"

namespace opdebug::logs {

/// A member of the statement and the capture that gives it.
struct CapturedMember {
    std::size_t member = 0;   ///< place in number_members(), or text_members()
    std::size_t capture = 0;  ///< index in FormatDefinition::captures
};

/// A number that all lines of the format state.
struct ConstantMember {
    std::size_t member = 0;  ///< place in number_members()
    std::uint64_t value = 0;
};

struct CompiledFormat {
    FormatDefinition definition;
    std::unique_ptr<FormatPattern> pattern;
    std::vector<CapturedMember> numbers, texts;
    /// The captures of those without which it is no statement; nothing where another line brings some of them.
    std::optional<std::vector<std::size_t>> needed_texts;
    std::optional<std::size_t> of_model;  ///< the capture that only lines on tasks of models have
    std::vector<ConstantMember> constants;
    bool stands_alone = false;  ///< neither takes a line anything from other lines nor leaves anything to them
};

/// False when the group took part but is no number of 64 bits.
bool read_number(std::string_view text, const char* line_end, std::optional<std::uint64_t>& target) noexcept;

/// Whether a pattern is compiled at once, so that it is known to be one, or when a line asks for it.
enum class Compiled { at_once, when_asked };

/// Errors: log_format_invalid when the pattern is no regular expression, where it is compiled at once.
Result<CompiledFormat> compile_format(FormatDefinition definition, Compiled compiled);

/// Whether the line's function is one of the format's, and the line is cut where the format reads cut lines only.
bool is_of_kind(const CompiledFormat& format, const LogLine& line) noexcept;

/// The same, and the literal stands in the text: what is cheap to know.
bool may_match(const CompiledFormat& format, const LogLine& line) noexcept;

/// The code of the diagnostic on a line that may have been cut inside the number that it ends with.
inline constexpr const char* kLineCutInNumber = "log_line_cut";

/// The statement of a line that may match, in `fact`, whose texts are the line's. Nothing when the pattern does not
/// match, an ignore rule holds, a number does not fit 64 bits or the statement lacks what it needs; also when the steps
/// are used up or the line may have been cut inside a number, which `diagnostic` (may be null) then says.
Reading read_fact(const CompiledFormat& format, const LogLine& line, StepsLeft& steps, LineFact& fact,
                  std::optional<Diagnostic>* diagnostic, const Wanted& wanted = Wanted());

}  // namespace opdebug::logs
