// The format of an API dump, and reading a dump of known format.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/api_dump.hpp>

namespace opdebug::api_dump {

/// As read_api_dump(), but takes the file for what it was found to be: it is opened once.
Result<ApiFile> read_as(ApiSource source, const std::string& path, const ApiReadOptions& options,
                        const std::function<void(ApiEntry&&)>& use);

/// As api_source_of(), but the name of the file decides nothing.
Result<std::optional<ApiSource>> source_by_content(const std::string& path);

/// Python's pickles begin with this byte (protocol 2 and later), and so does no text.
inline bool is_pickle(std::string_view start) noexcept {
    return !start.empty() && start.front() == '\x80';
}

}  // namespace opdebug::api_dump
