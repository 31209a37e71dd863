// What msprobe failed to collect, by the log that it writes beside a dump.json.
#pragma once

#include <optional>
#include <string>

#include <opdebug/result.hpp>

namespace opdebug::api_dump {

/// A warning with the first record of dump_error_info.log in the folder of `dump`. Nothing where there is no such file,
/// or none that can be read, or no record in it.
std::optional<Diagnostic> collection_failures(const std::string& dump);

}  // namespace opdebug::api_dump
