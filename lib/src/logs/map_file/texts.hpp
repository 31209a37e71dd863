// The texts of a block, each once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "logs/packing/packed_numbers.hpp"

namespace opdebug::logs::map_file {

/// Names of kernels and nodes, most of them, and lines to which others are compared: a table of places in one piece of
/// memory, which is used again for the next block. With a map that allocates for each text a third of the time of a
/// block went into memory.
class BlockTexts {
public:
    /// The place of the text among those of the block. It is not copied: it must outlive its use.
    std::uint64_t index_of(std::string_view text);
    /// About how many bytes they take in the block.
    std::size_t size() const noexcept { return bytes_; }
    void write_to(ByteWriter& out) const;
    /// For the next block.
    void clear() noexcept;

private:
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t number = 0;  ///< 0: free; else one more than the place
    };
    void grow();

    std::vector<Slot> slots_;  ///< a power of two, half of them are free at least
    std::vector<std::string_view> texts_;
    std::size_t bytes_ = 0;
};

}  // namespace opdebug::logs::map_file
