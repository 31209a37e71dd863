// CRC-32 of a saved map's parts.
#pragma once

#include <cstdint>

#include <opdebug/bytes.hpp>

namespace opdebug::logs::map_file {

/// CRC-32 as zlib and PNG compute it.
std::uint32_t checksum_of(Bytes bytes) noexcept;

}  // namespace opdebug::logs::map_file
