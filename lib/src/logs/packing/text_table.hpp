// Texts, each once, with their places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace opdebug::logs {

/// Names of kernels and nodes, most of them: a table of places in one piece of memory, which is used again when it was
/// cleared. With a map that allocates for each text a third of the time of a block of a saved map went into memory.
class TextTable {
public:
    /// `places`: of the first table, a power of two and more than 16; one with twice as many follows when half of them
    /// are taken. A few texts need none: a log may have 100,000 processes with a fact each.
    explicit TextTable(std::size_t places) : first_places_(places) {}

    std::optional<std::uint32_t> find(std::string_view text) const noexcept;
    /// The place of the text among the others; it is added where it is not there. It is not copied: it must outlive its
    /// use.
    std::uint32_t place_of(std::string_view text);
    /// In the order in which they were added.
    const std::vector<std::string_view>& texts() const noexcept { return texts_; }
    void clear() noexcept;

private:
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t number = 0;  ///< 0: free; else one more than the place
    };
    /// That of the text, or the free one where it would be. There must be one.
    std::size_t slot_of(std::string_view text, std::uint32_t hash) const noexcept;
    void grow();

    static constexpr std::size_t kFew = 8;

    std::size_t first_places_;
    std::vector<Slot> slots_;
    std::vector<std::string_view> texts_;
};

}  // namespace opdebug::logs
