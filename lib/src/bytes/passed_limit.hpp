// The message about an exceeded limit, with the same words for all limits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/result.hpp>

namespace opdebug::bytes {

/// "file_bytes".
std::string_view limit_name(std::uint64_t Limits::*limit) noexcept;

/// The end of the message, after what was found: the limit's name and value, and how to raise it.
std::string passed_limit(const Limits& limits, std::uint64_t Limits::*limit);

/// The error. `found` begins its message: "the header has 20000000 bytes".
Error limit_error(ErrorCode code, const std::string& found, const Limits& limits, std::uint64_t Limits::*limit,
                  std::optional<std::uint64_t> offset = std::nullopt);

}  // namespace opdebug::bytes
