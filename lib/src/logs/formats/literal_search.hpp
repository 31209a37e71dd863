// Which of many literals a text contains, without reading each of its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace opdebug::logs {

/// A literal that a text contains: its index, and its last position there.
struct FoundLiteral {
    std::size_t index = 0;
    std::size_t place = 0;
};
/// Each once, in the order of the literals.
using FoundLiterals = std::vector<FoundLiteral>;

/// Looks up six bytes of the text in a table, then six bytes one step later, and so on. The table holds as many
/// successive groups of six bytes of each literal as a step has bytes. So each occurrence of a literal is found once.
/// The step is as long as the shortest literal allows; literals of fewer than six bytes are searched for one by one. Of
/// a long literal, the table holds groups that few other literals have.
class LiteralSearch {
public:
    explicit LiteralSearch(const std::vector<std::string>& literals);

    /// The literals that the text contains, in `found`, whose memory is used again. False where there are none.
    bool find(std::string_view text, FoundLiterals& found) const;

private:
    /// The hash of six bytes has 16 bits, so that few groups of a text have that of another by chance; and the table
    /// has a bit for each, so that it stays in the processor's nearest cache.
    static constexpr std::size_t kTableWords = 65536 / 64;

    /// Six bytes of a literal, at this position in it.
    struct Group {
        std::uint32_t entry = 0;
        std::uint32_t literal = 0;
        std::size_t place = 0;
    };

    void fill_table();
    void compare(std::string_view text, std::size_t place, FoundLiterals& found) const;
    /// The next position, in steps from `place` on, whose six bytes a literal may have; npos where there is none.
    std::size_t next_group(std::string_view text, std::size_t place) const noexcept;
    bool is_group(std::size_t entry) const noexcept { return (is_group_[entry / 64] >> (entry % 64) & 1U) != 0; }

    std::vector<std::string> literals_;
    std::vector<std::size_t> short_;       ///< those of fewer than six bytes
    std::size_t step_ = 0;                 ///< 0: there are none but short ones
    std::vector<std::uint64_t> is_group_;  ///< a bit for each entry, the hash of six bytes: whether a literal has such
    std::vector<Group> groups_;            ///< in the order of the entries
};

}  // namespace opdebug::logs
