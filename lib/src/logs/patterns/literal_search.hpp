// Which of many literals stand in a text, without looking at each of its bytes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace opdebug::logs {

/// The literals that stand in a text, and the last place of each. A mark for each instead of a list that is sorted:
/// lines on tasks hold several.
class FoundLiterals {
public:
    bool empty() const noexcept {
        return std::all_of(marks_.begin(), marks_.begin() + used_, [](std::uint64_t marks) { return marks == 0; });
    }

    /// Calls `use(index, place)` in the order of the literals, until it returns false.
    template <class Use>
    void for_each(Use use) const {
        for (std::size_t word = 0; word < static_cast<std::size_t>(used_); ++word) {
            for (std::uint64_t left = marks_[word]; left != 0; left &= left - 1) {
                const std::size_t index = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
                if (!use(index, last_places_[index])) {
                    return;
                }
            }
        }
    }

private:
    friend class LiteralSearch;
    void clear() noexcept { used_ = 0; }
    void begin(std::size_t literals) {
        if (last_places_.size() < literals) {
            marks_.resize((literals + 63) / 64);
            last_places_.resize(literals);
        }
        used_ = static_cast<std::ptrdiff_t>((literals + 63) / 64);
        std::fill(marks_.begin(), marks_.begin() + used_, 0);
    }
    void add(std::size_t index, std::size_t place) noexcept {
        marks_[index / 64] |= std::uint64_t{1} << (index % 64);
        last_places_[index] = place;
    }

    std::ptrdiff_t used_ = 0;  ///< of the marks; the others are of another text
    std::vector<std::uint64_t> marks_;
    std::vector<std::size_t> last_places_;
};

/// Six bytes of the text are looked up in a table, then six bytes some steps on, and so forth. The table holds so many
/// successive groups of six bytes of each literal as a step has bytes: so each place of each literal is met once. The
/// steps are as long as the shortest literal allows; those of fewer than six bytes are searched for one by one. Groups
/// of four bytes allow longer steps, but half of all lines had one ("_id=", " of "); of six, three of ten have.
///
/// Steps of one length do not wait for each other, as those of Wu and Manber do, whose length the table tells. The
/// search takes three quarters of their instructions, on launch lines two fifths. Of a long literal
/// those groups are taken that few other literals have: on launch lines a sixth of the comparisons is left.
class LiteralSearch {
public:
    /// `longest_step`: 1 looks at each byte of a text, but for one group of each literal, the rarest: quicker where
    /// thousands of literals are alike in most of their groups.
    explicit LiteralSearch(const std::vector<std::string>& literals, std::size_t longest_step = 64);

    /// The indexes of the literals that stand in the text, each once, in order.
    std::vector<std::size_t> find(std::string_view text) const;

    /// The same with their places, in `found`, whose memory is used again. False where there are none.
    bool find(std::string_view text, FoundLiterals& found) const;

private:
    /// The hash of six bytes has 16 bits, so that few groups of a text have that of another by chance; and the table
    /// has a bit for each, so that it stays in the processor's nearest cache.
    static constexpr std::size_t kTableWords = 65536 / 64;

    /// Six bytes of a literal, at this place in it.
    struct Group {
        std::uint64_t begin = 0;  ///< the literal's first bytes, where it has eight
        std::uint32_t entry = 0;
        std::uint32_t literal = 0;
        std::size_t place = 0;
        std::size_t size = 0;  ///< of the literal
    };

    void fill_table();
    /// Calls `found(literal, place)` for the places of literals, of a short one for the last only.
    template <class Found>
    void search(std::string_view text, Found found) const;
    /// The same from `place` on, the first whose six bytes a literal may have.
    template <class Found>
    void search_from(std::size_t place, std::string_view text, Found found) const;
    /// The same for what the table says of six bytes of the text.
    template <class Found>
    void compare(std::string_view text, std::size_t place, std::size_t entry, Found found) const;
    bool stands_at(const Group& group, const char* place) const noexcept;
    /// The next of the places, in steps from `place` on, whose six bytes a literal may have; npos where there is none.
    std::size_t next_group(std::string_view text, std::size_t place) const noexcept;
    /// The bit of the entry, and others above it.
    std::uint64_t word_of(std::size_t entry) const noexcept { return is_group_[entry / 64] >> (entry % 64); }
    bool is_group(std::size_t entry) const noexcept { return (word_of(entry) & 1U) != 0; }

    std::vector<std::string> literals_;            ///< each once
    std::vector<std::vector<std::size_t>> given_;  ///< of each: its indexes among those that were given
    std::size_t given_count_ = 0;                  ///< how many were given
    std::vector<std::size_t> short_;               ///< those of fewer than six bytes
    std::size_t step_ = 0;                         ///< 0: there are none but short ones
    std::vector<std::uint64_t> is_group_;  ///< a bit for each entry, the hash of six bytes: whether a literal has such
    std::vector<Group> groups_;            ///< in the order of the entries
    std::vector<std::uint32_t> first_;     ///< for each 16 entries: the first group with one of them or a later one
};

}  // namespace opdebug::logs
