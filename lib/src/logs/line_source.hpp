// The lines of a file, in a buffer of bounded size.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <opdebug/result.hpp>

namespace opdebug::logs {

/// Calls `use` for each line (without its break) with its number from 1; returns how many there were. A line longer
/// than the buffer is given in its first part only. Errors: those of opening and reading a file.
Result<std::uint64_t> for_each_line(const std::string& path,
                                    const std::function<void(std::string_view, std::uint64_t)>& use);

}  // namespace opdebug::logs
