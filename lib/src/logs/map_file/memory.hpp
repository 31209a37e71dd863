// How much memory the content of a saved map may take.
#pragma once

#include <cstdint>
#include <string_view>

#include "logs/packing/line_text.hpp"

namespace opdebug::logs::map_file {

/// Packed bytes can claim to be anything, and many facts can share one long text: some kilobytes could ask for the
/// machine's memory. What is taken grows with the file instead. Maps of real logs take some 100 times their size. Lines
/// that differ in nothing but a regular time are packed to less than a byte each: such a map is filled up with zeros.
class MemoryLeft {
public:
    explicit MemoryLeft(std::uint64_t file_size) noexcept
        : left_(file_size > kHugeFile ? UINT64_MAX : kOfSmallFiles + kTimesTheirSize * file_size) {}

    /// False when that is more than is left, from then on.
    bool take(std::uint64_t bytes) noexcept {
        passed_ = passed_ || bytes > left_;
        left_ -= passed_ ? 0 : bytes;
        return !passed_;
    }
    bool passed() const noexcept { return passed_; }

    /// The least size of a file that may take so many bytes.
    static std::uint64_t least_file_size(std::uint64_t bytes) noexcept {
        return bytes <= kOfSmallFiles ? 0 : (bytes - kOfSmallFiles - 1) / kTimesTheirSize + 1;
    }

private:
    static constexpr std::uint64_t kOfSmallFiles = std::uint64_t{16} << 20U;
    static constexpr std::uint64_t kTimesTheirSize = 1024;
    static constexpr std::uint64_t kHugeFile = UINT64_MAX / kTimesTheirSize / 2;
    std::uint64_t left_;
    bool passed_ = false;
};

/// What is counted for the lists of a block beside its facts, no less than they take while it is read: those that are
/// not made at once in their size grow to twice of it.
struct ListMemory {
    static constexpr std::uint64_t kOfText = 16, kOfForm = 128, kOfPart = 32, kOfRowKind = 128;
};

/// What is counted for a fact, no less than it takes: the same when it is saved as when it is read.
class FactMemory {
public:
    /// A fact without its texts, twice: lists of facts grow to twice their size. A number of its own, so that the same
    /// logs give the same bytes whatever the compiler makes of a fact.
    static constexpr std::uint64_t kOfFact = 2560;

    FactMemory(std::string_view format_id, const KnownValues& known) noexcept
        : known_(known), bytes_(kOfFact + format_id.size()) {
        for (std::size_t i = 0; i < known.texts.size(); ++i) {
            bytes_ += known.texts[i].size();
        }
    }
    void add(const LineText& line) noexcept { bytes_ += most_bytes(line, known_); }
    std::uint64_t bytes() const noexcept { return bytes_; }

private:
    const KnownValues& known_;
    std::uint64_t bytes_;
};

}  // namespace opdebug::logs::map_file
