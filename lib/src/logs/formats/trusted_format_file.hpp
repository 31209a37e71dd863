// A JSON file of log formats that is known to be right, as the built-in ones are: the tests read them strictly.
//
// Of the 44 million instructions that loading the built-in formats took, 18 million were for documents in memory with
// every fault told in its place (format_file.hpp). Nobody asks for that of a file that has none.
#pragma once

#include <optional>
#include <vector>

#include <opdebug/named_text.hpp>

#include "logs/formats/format_file.hpp"

namespace opdebug::logs {

/// What read_format_file() makes of the file, where it has no fault; `program` is left out. Nothing where a fault is
/// seen, but not every one is.
std::optional<std::vector<FormatDefinition>> read_trusted_format_file(const NamedText& file);

}  // namespace opdebug::logs
