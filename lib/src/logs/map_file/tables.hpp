// The sections of a saved map beside its blocks: small tables, packed as a whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/bytes.hpp>

#include "logs/facts/task_map.hpp"
#include "logs/map_file/layout.hpp"
#include "logs/map_file/memory.hpp"
#include "logs/packing/packed_numbers.hpp"

namespace opdebug::logs::map_file {

/// The counters of the contents, by name.
std::string general_section(const TaskMap::Contents& contents);
bool read_general(Bytes section, TaskMap::Contents& contents);

// `file_size` of a saved map bounds how many entries it may hold: packed, none takes less than a byte. Else some bytes
// that unpack to millions would ask for gigabytes.

std::string files_section(const std::vector<std::string>& files);
bool read_files(Bytes section, std::uint64_t file_size, std::vector<std::string>& files);

/// What is counted for an own log of a process, no less than it takes when it is read and held against others. A
/// number of its own, so that the same logs give the same bytes whatever the compiler makes of it.
constexpr std::uint64_t kMemoryOfOwnLog = 256;

/// Processes without their facts. `files`: how many the map has.
std::string processes_section(const std::vector<Process>& processes);
bool read_processes(Bytes section, std::uint64_t file_size, std::size_t files, MemoryLeft& memory,
                    std::vector<Process>& processes);

// Parts of the file that stand one behind the other: of each its sizes and checksum.

void write_packed(const Packed& packed, ByteWriter& out);
/// False when the part is not in the file. `offset`: its place, then that of the next one.
bool read_packed(ByteReader& in, std::uint64_t file_size, std::uint64_t& offset, Packed& packed);

/// Blocks stand one behind the other.
std::string blocks_section(const std::vector<Block>& blocks);
bool read_blocks(Bytes section, std::uint64_t file_size, std::vector<Block>& blocks);

/// The texts that the facts of one process share: a part of the file.
struct SharedTextsPart {
    Packed packed;
    std::uint64_t process = 0;  ///< index
};
/// They stand one behind the other, in the order of the processes.
std::string shared_texts_section(const std::vector<SharedTextsPart>& parts);
bool read_shared_texts(Bytes section, std::uint64_t file_size, std::vector<SharedTextsPart>& parts);

/// Addresses of kernel code with the indexes of the blocks that name them.
using AddressPlaces = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
/// In rising order, each once.
void sort_addresses(AddressPlaces& places);
/// In any order; where some behind each other rise already, as those of each process, there is less to do.
std::string addresses_section(AddressPlaces places);
/// Which of the `blocks` blocks name one of the addresses (sorted). Nothing when an address names a block that is not
/// there, or not in rising order.
std::optional<std::vector<bool>> find_addresses(Bytes section, const std::vector<std::uint64_t>& addresses,
                                                std::size_t blocks);

}  // namespace opdebug::logs::map_file
