// One entry of a file of log formats.
#pragma once

#include <optional>
#include <vector>

#include <opdebug/result.hpp>

#include "json/cursor.hpp"
#include "logs/formats/format_file.hpp"

namespace opdebug::logs {

/// Reads the entry that comes next and adds its definitions to `formats`. `format`: file and, until its id is read, a
/// name for messages. The first fault is the error; nothing may be read then.
std::optional<Error> read_format_entry(json_stage::JsonCursor& cursor, FormatDefinition format,
                                       std::vector<FormatDefinition>& formats);

/// The first fault of the pattern, the captures and the rules of one definition.
std::optional<Error> check_definition(const FormatDefinition& format);

}  // namespace opdebug::logs
