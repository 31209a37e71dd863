// Which form a file has, by its first bytes.
#pragma once

#include <optional>
#include <string_view>

#include <opdebug/api_dump.hpp>

namespace opdebug::api_dump {

/// `start`: the first bytes, `is_whole`: these are all. `name`: of the file; it decides where the bytes are too few,
/// for a file that is cut to a few bytes is a cut one, not another one.
std::optional<ApiSource> form_of(std::string_view start, bool is_whole, std::string_view name);

/// Python's pickles begin with this byte (protocol 2 and later), and so does no text.
inline bool is_pickle(std::string_view start) noexcept {
    return !start.empty() && start.front() == '\x80';
}

}  // namespace opdebug::api_dump
