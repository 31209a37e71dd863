// Zstandard frames in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/result.hpp>

namespace opdebug::logs {

/// One frame, with the size of the content in its header and a checksum at its end. Throws std::bad_alloc.
std::string compress_frame(std::string_view content);

/// The content of one frame; nothing where the frame is damaged or its content has another size. Throws std::bad_alloc.
std::optional<std::string> decompress_frame(Bytes frame, std::uint64_t content_size);

}  // namespace opdebug::logs
