// Compressed files and archives, detected by their first bytes.
#pragma once

#include <optional>
#include <string_view>

namespace opdebug::bytes {

bool is_gzip(std::string_view start) noexcept;

/// Whether it is a Zstandard frame, including skippable frames.
bool is_zstd(std::string_view start) noexcept;

/// "a tar archive": an archive that opdebug does not extract. `start`: 262 bytes are enough.
std::optional<std::string_view> archive_name(std::string_view start) noexcept;

/// "a gzip file": any compressed file or archive. Empty for other files. `start`: see above.
std::optional<std::string_view> packing_name(std::string_view start) noexcept;

}  // namespace opdebug::bytes
