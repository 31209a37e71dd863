// Packed files and archives, by their first bytes.
#pragma once

#include <optional>
#include <string_view>

namespace opdebug::bytes {

bool is_gzip(std::string_view start) noexcept;

/// A frame of Zstandard, or one that its readers skip.
bool is_zstd(std::string_view start) noexcept;

/// "a tar archive": what nothing here unpacks. `start`: 262 bytes are enough.
std::optional<std::string_view> archive_name(std::string_view start) noexcept;

/// "a gzip file": of whatever kind; nothing for others. `start`: as above.
std::optional<std::string_view> packing_name(std::string_view start) noexcept;

}  // namespace opdebug::bytes
