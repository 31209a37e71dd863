// What is read of an API dump, as short texts that tests compare.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>

namespace opdebug::test {

struct ApiReading {
    Result<ApiFile> file;
    std::vector<ApiEntry> entries;
};

/// Writes the text to a file of that name, possibly with folders, and reads it.
ApiReading read_api_text(std::string_view name, std::string_view text, const ApiReadOptions& options = {});

/// "input 0 float16 [4 8] 1.5 -1.5 3.25": kind, index, type, shape, max, min and norm; "-" for what was not computed.
/// Scalars: "kwargs dim int 3".
std::string shown(const ApiValue& value);

/// The values of an entry, joined by "; ".
std::string shown_values(const ApiEntry& entry);

/// Codes of a file's diagnostics, or of the error, joined by blanks.
std::string codes(const ApiReading& reading);

}  // namespace opdebug::test
