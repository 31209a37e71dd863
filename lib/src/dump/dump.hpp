// Common parts of all decoders: names and time of the file, remarks on status words.
#pragma once

#include <string>
#include <string_view>

#include <opdebug/dump.hpp>

namespace opdebug::dump_stage {

/// Sets file, name, path ids and the time in the name; remarks on an unusual spelling. `real_name`: name that replaces
/// the file's own, or empty. A converted output has the name of its dump.
void set_names(Dump& dump, const std::string& file, std::string_view real_name = {});

/// decode_file() after the lookup of the real name.
Result<Dump> decode_named_file(const std::string& path, const Result<std::string>& real_name,
                               const DecodeOptions& options);

/// Copies the remarks on status words to the dump, each with its unit.
void lift_status_remarks(Dump& dump);

}  // namespace opdebug::dump_stage
