// Facts in little memory, while they are many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "logs/fact_view.hpp"

namespace opdebug::logs {

/// What a fact is about.
struct FactSubject {
    FactKind kind = {};
    std::optional<std::uint64_t> stream_id, task_id;
};

/// A list of facts, each one piece of bytes with what it has: a launch takes 0.6 KB with its two lines, of which all
/// but 0.1 KB is text. As a StoredFact it took 1.5 KB in five pieces of memory. Texts of facts that were read stay
/// where they are as long as the list, or until the fact is replaced.
class PackedFacts {
public:
    std::size_t size() const noexcept { return records_.size(); }
    FactView operator[](std::size_t place) const noexcept;
    /// The same as the fact itself says, without reading all of it.
    FactSubject subject(std::size_t place) const noexcept;
    std::int64_t time_us(std::size_t place) const noexcept;
    void add(const FactView& fact);
    /// The fact's texts may be those of the one that it replaces.
    void replace(std::size_t place, const FactView& fact);
    /// Takes all of the other's.
    void append(PackedFacts&& further);

    /// Where a fact belongs: in time order, then in the order of the files, then as it was added. Only this is sorted.
    void sort_by_time();
    /// Those at places where `leaves` holds.
    void leave_out(const std::vector<bool>& leaves);

    /// Has the processor fetch a fact that is read soon.
    [[gnu::always_inline]] void fetch(std::size_t place) const noexcept {
        constexpr std::size_t kCacheLine = 64, kLines = 10;  // most facts have 600 bytes
        for (std::size_t line = 0; line < kLines; ++line) {
            __builtin_prefetch(records_[place] + line * kCacheLine);
        }
    }

private:
    char* memory_for(std::size_t size);

    std::vector<std::unique_ptr<char[]>> pieces_;  ///< of memory
    std::vector<char*> records_;                   ///< in the pieces
    std::size_t piece_size_ = 0;                   ///< of the last one
    char* next_ = nullptr;                         ///< what is free of the last one
    std::size_t left_ = 0;
};

}  // namespace opdebug::logs
