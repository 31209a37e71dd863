// One log format ready for use: its compiled pattern, and the statement that it reads from a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/result.hpp>

#include "logs/facts/fact.hpp"
#include "logs/formats/format_file.hpp"
#include "logs/formats/format_pattern.hpp"
#include "logs/formats/wanted.hpp"
#include "logs/lines/line.hpp"

namespace opdebug::logs {

/// A member of the statement, and the index of the capture that gives it in FormatDefinition::captures.
template <class Value>
using CapturedMember = std::pair<Value Fact::*, std::size_t>;
using Number = std::optional<std::uint64_t>;

struct CompiledFormat {
    FormatDefinition definition;
    std::unique_ptr<FormatPattern> pattern;
    std::vector<CapturedMember<Number>> numbers;
    std::vector<CapturedMember<std::string>> texts;
    std::optional<std::size_t> of_model;  ///< the capture that only lines on tasks of models have
    std::vector<std::pair<Number Fact::*, std::uint64_t>> constants;  ///< numbers that all lines state
    bool stands_alone = false;  ///< its lines use nothing of other lines and leave nothing to them
};

/// Ready for use; the pattern, which is one (check_definition()), is compiled when a line requests it.
CompiledFormat compile_format(FormatDefinition definition);

/// Whether the line's function is one of the format's, and the line is cut where the format reads cut lines only.
bool is_of_kind(const CompiledFormat& format, const LogLine& line) noexcept;

/// The same, and the text contains the literal: a cheap check.
bool may_match(const CompiledFormat& format, const LogLine& line) noexcept;

/// The code of the diagnostic on a line that may have been cut inside the number that it ends with.
inline constexpr const char* kLineCutInNumber = "log_line_cut";

/// The statement of a line that may match, in `fact`. Nothing when the pattern does not match, an ignore rule holds, a
/// number does not fit 64 bits or the statement lacks what it needs. Also nothing when the steps are used up or the
/// line may have been cut inside a number; then `diagnostic` (may be null) reports it.
Reading read_fact(const CompiledFormat& format, const LogLine& line, StepsLeft& steps, Fact& fact,
                  std::optional<Diagnostic>* diagnostic, const Wanted& wanted = Wanted());

/// Formats in the order of their files.
using Formats = std::vector<const CompiledFormat*>;
using FormatsByModule = std::map<std::string, Formats, std::less<>>;

/// The literals of the formats, in their order.
std::vector<std::string> literals_of(const Formats& formats);

/// The first fault of a sample, by the order of `formats`: it is no line of its format, another format reads it too, or
/// so many might that they cannot all be tried. `by_module`: all of `formats` under each of their modules.
std::optional<Error> check_samples(const std::vector<CompiledFormat>& formats, const FormatsByModule& by_module);

}  // namespace opdebug::logs
