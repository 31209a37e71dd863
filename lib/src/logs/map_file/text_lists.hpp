// Lists of texts in a saved map.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "logs/map_file/memory.hpp"
#include "logs/packing/packed_numbers.hpp"

namespace opdebug::logs::map_file {

/// How many, then each.
void write_texts(std::span<const std::string_view> texts, ByteWriter& out);
/// They live as long as the bytes. `in` fails where they take more memory than is left.
std::vector<std::string_view> read_texts(ByteReader& in, MemoryLeft& memory);

}  // namespace opdebug::logs::map_file
