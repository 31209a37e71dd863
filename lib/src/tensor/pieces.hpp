// The bytes of a tensor in pieces of fixed size, from a file or from memory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <opdebug/bytes.hpp>
#include <opdebug/result.hpp>

#include "bytes/file.hpp"

namespace opdebug::tensor_stage {

/// Small enough to stay in a processor's cache between reading and counting. A multiple of kElementsPerBlock elements
/// of any size, so also of 3 bytes, which hold four elements of 6 bits.
constexpr std::size_t kPieceBytes = 768U << 10U;

/// Takes the next piece; false: stop, nothing more is wanted.
using PieceSink = std::function<bool(Bytes)>;

class PieceReader {
public:
    /// Memory that outlives the reader: pieces are views of it.
    explicit PieceReader(Bytes memory) : memory_(memory), size_(memory.size()) {}
    /// A file that outlives the reader: one buffer of kPieceBytes is used for all pieces.
    explicit PieceReader(const bytes::FileReader& file) : file_(&file), size_(file.size()) {}

    std::uint64_t size() const noexcept { return size_; }

    /// Gives `count` bytes from `offset` on to `sink`, all pieces but the last of kPieceBytes, and fewer bytes where a
    /// file has become shorter. Error: read_failed.
    std::optional<Error> read(std::uint64_t offset, std::uint64_t count, const PieceSink& sink);

private:
    Result<Bytes> piece(std::uint64_t offset, std::size_t count);

    Bytes memory_;
    const bytes::FileReader* file_ = nullptr;
    std::vector<std::uint8_t> buffer_;
    std::uint64_t size_;
};

}  // namespace opdebug::tensor_stage
