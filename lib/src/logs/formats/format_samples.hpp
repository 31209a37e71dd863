// The samples of a set of log formats: each shows that its own format reads it, and that no other does.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/result.hpp>

#include "logs/formats/format_match.hpp"

namespace opdebug::logs {

/// Formats in the order of their files.
using Formats = std::vector<const CompiledFormat*>;
using FormatsByModule = std::map<std::string, Formats, std::less<>>;

/// The literals of the formats, in their order.
std::vector<std::string> literals_of(const Formats& formats);

/// The first fault of a sample, by the order of `formats`: it is no line of its format, another format reads it too, or
/// so many might that they cannot all be tried. `by_module`: all of `formats` under each of their modules.
std::optional<Error> check_samples(const std::vector<CompiledFormat>& formats, const FormatsByModule& by_module);

}  // namespace opdebug::logs
