// Which of many literals stand in a text, without looking at each of its bytes (Wu and Manber, 1994).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace opdebug::logs {

/// The first bytes of each literal, as many as the shortest has, are the window. A table says for each sequence of
/// three bytes how far the window may be moved on without passing over a literal: most lines of a log are seen in steps
/// of several bytes and no literal is compared at all. Literals of fewer than four bytes are searched for one by one.
class LiteralSearch {
public:
    explicit LiteralSearch(std::vector<std::string> literals);

    /// Whether any of the literals stands in the text.
    bool finds_any(std::string_view text) const noexcept;

    /// The indexes of the literals that stand in the text, each once, in order.
    std::vector<std::size_t> find(std::string_view text) const;

private:
    static constexpr std::size_t kTableSize = 4096;

    /// Calls `found(index)` for each place of a literal, until it returns false.
    template <class Found>
    void search(std::string_view text, Found found) const;

    std::vector<std::string> literals_;
    std::vector<std::size_t> short_;                ///< of fewer than four bytes
    std::size_t window_ = 0;                        ///< 0: there are none but short ones
    std::array<std::uint8_t, kTableSize> steps_{};  ///< by the hash of the window's last three bytes
    std::vector<std::vector<std::size_t>> by_end_;  ///< literals whose window ends with three bytes of that hash
};

}  // namespace opdebug::logs
