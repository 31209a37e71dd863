// Lists of texts in a saved map.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/bytes.hpp>

#include "logs/map_file/layout.hpp"
#include "logs/map_file/memory.hpp"
#include "logs/packing/packed_numbers.hpp"

namespace opdebug::logs::map_file {

/// How many, then each.
void write_texts(std::span<const std::string_view> texts, ByteWriter& out);
/// They live as long as the bytes. `in` fails where they take more memory than is left.
std::vector<std::string_view> read_texts(ByteReader& in, MemoryLeft& memory);

/// The texts that the facts of one process share: a part of the file.
struct SharedTextsPart {
    Packed packed;
    std::uint64_t process = 0;  ///< index
};
/// They stand one behind the other, in the order of the processes.
std::string shared_texts_section(const std::vector<SharedTextsPart>& parts);
bool read_shared_texts(Bytes section, std::uint64_t file_size, std::vector<SharedTextsPart>& parts);

}  // namespace opdebug::logs::map_file
