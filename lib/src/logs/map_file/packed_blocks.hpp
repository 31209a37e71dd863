// Facts of a process → blocks of a saved map, packed: in runs that do not hang on each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "logs/map_file/layout.hpp"
#include "logs/map_file/packed_part.hpp"
#include "logs/map_file/tables.hpp"
#include "logs/packing/packed_facts.hpp"

namespace opdebug::logs::map_file {

/// A part of the file, packed; nothing when it is too large.
struct PackedPart {
    std::string bytes;
    std::uint64_t unpacked_size = 0;
    std::uint32_t checksum = 0;
};

std::optional<PackedPart> pack_part(Packer& packer, const std::string& content, std::uint64_t most);

/// Blocks that follow each other in the file: made apart from others, in a thread of their own.
struct PackedBlocks {
    std::vector<Block> blocks;  ///< without their places in the file
    std::vector<std::optional<PackedPart>> parts;
    AddressPlaces addresses;  ///< with blocks of these
    /// The texts that the facts of the process share, where they were asked for and there are some.
    std::vector<std::optional<PackedPart>> shared_texts;
    std::uint64_t memory = 0;  ///< of the facts, as reading them counts it
};

/// The places of facts in the process's list, in the order of the file.
using FileOrder = std::vector<std::uint32_t>;
FileOrder order_of(const PackedFacts& facts);

/// So many facts that follow each other in the file. No block reaches over two: so the runs of one process can be
/// packed by several threads, and the file has the same bytes by any number of them.
using FactRun = std::span<const std::uint32_t>;
std::vector<FactRun> runs_of(const FileOrder& order);

/// With the first run of a process come the texts that all of its facts share.
enum class SharedTextsToo : bool { no, yes };
PackedBlocks blocks_of(std::size_t process, const PackedFacts& facts, std::span<const FactRun> runs,
                       SharedTextsToo shared_texts_too);

}  // namespace opdebug::logs::map_file
