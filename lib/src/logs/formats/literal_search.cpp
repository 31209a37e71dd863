#include "logs/formats/literal_search.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "bytes/hash_factors.hpp"

namespace opdebug::logs {
namespace {

constexpr std::size_t kGroup = 6;
constexpr std::size_t kLongestStep = 64;  // as many groups of a literal are in the table

template <class Word>
Word word_at(const char* place) noexcept {
    Word word = 0;
    std::memcpy(&word, place, sizeof word);
    return word;
}

/// 16 bits of a product of the six bytes. Two words that overlap: of one word a part would lie after the group, and
/// possibly the text.
std::size_t entry_of(const char* group) noexcept {
    const std::uint64_t first = word_at<std::uint32_t>(group);
    const std::uint64_t last = word_at<std::uint32_t>(group + kGroup - sizeof(std::uint32_t));
    return (first << 16U | last << 32U) * bytes::kHashFactor >> 48U;
}

/// The same where eight bytes can be read: those after the group fall out of the product.
std::size_t entry_of_word(const char* group) noexcept {
    if (std::endian::native != std::endian::little) {
        return entry_of(group);
    }
    return word_at<std::uint64_t>(group) * (bytes::kHashFactor << 16U) >> 48U;
}

/// Where those `count` successive groups begin that the literals have least often. `literals_with`: how often, by
/// entry.
std::size_t rarest_groups(std::string_view literal, std::size_t count, const std::vector<std::size_t>& literals_with) {
    std::size_t rarest = 0;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (std::size_t first = 0; first + count + kGroup - 1 <= literal.size(); ++first) {
        std::size_t sum = 0;
        for (std::size_t place = first; place < first + count; ++place) {
            sum += literals_with[entry_of(literal.data() + place)];
        }
        if (sum < least) {
            rarest = first;
            least = sum;
        }
    }
    return rarest;
}

}  // namespace

LiteralSearch::LiteralSearch(const std::vector<std::string>& literals) : literals_(literals), is_group_(kTableWords) {
    for (std::size_t index = 0; index < literals_.size(); ++index) {
        const std::size_t size = literals_[index].size();
        if (size < kGroup) {
            short_.push_back(index);
        } else {
            step_ = std::min(step_ == 0 ? kLongestStep : step_, size - kGroup + 1);
        }
    }
    fill_table();
}

void LiteralSearch::fill_table() {
    std::vector<std::size_t> literals_with(64 * kTableWords);
    for (const std::string& literal : literals_) {
        for (std::size_t place = 0; place + kGroup <= literal.size(); ++place) {
            ++literals_with[entry_of(literal.data() + place)];
        }
    }
    for (std::size_t index = 0; index < literals_.size(); ++index) {
        const std::string_view literal = literals_[index];
        if (literal.size() >= kGroup) {
            const std::size_t first = rarest_groups(literal, step_, literals_with);
            for (std::size_t place = first; place < first + step_; ++place) {
                groups_.push_back({static_cast<std::uint32_t>(entry_of(literal.data() + place)),
                                   static_cast<std::uint32_t>(index), place});
            }
        }
    }
    std::stable_sort(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) { return a.entry < b.entry; });
    for (const Group& group : groups_) {
        is_group_[group.entry / 64] |= std::uint64_t{1} << (group.entry % 64);
    }
}

/// Adds the literals that have the six bytes at this position of the text.
void LiteralSearch::compare(std::string_view text, std::size_t place, FoundLiterals& found) const {
    const std::size_t entry = entry_of(text.data() + place);
    auto group = std::lower_bound(groups_.begin(), groups_.end(), entry,
                                  [](const Group& a, std::size_t value) { return a.entry < value; });
    for (; group != groups_.end() && group->entry == entry; ++group) {
        if (place >= group->place && text.substr(place - group->place).starts_with(literals_[group->literal])) {
            found.push_back({group->literal, place - group->place});
        }
    }
}

/// A function of its own: code for the positions found would use up the processor's registers.
std::size_t LiteralSearch::next_group(std::string_view text, std::size_t place) const noexcept {
    for (; place + sizeof(std::uint64_t) <= text.size(); place += step_) {
        if (is_group(entry_of_word(text.data() + place))) {
            return place;
        }
    }
    for (; place + kGroup <= text.size(); place += step_) {
        if (is_group(entry_of(text.data() + place))) {
            return place;
        }
    }
    return std::string_view::npos;
}

bool LiteralSearch::find(std::string_view text, FoundLiterals& found) const {
    found.clear();
    for (const std::size_t index : short_) {
        const std::size_t place = text.rfind(literals_[index]);
        if (place != std::string_view::npos) {
            found.push_back({index, place});
        }
    }
    if (step_ != 0) {
        for (std::size_t place = next_group(text, 0); place != std::string_view::npos;
             place = next_group(text, place + step_)) {
            compare(text, place, found);
        }
    }
    if (found.size() > 1) {  // of a literal that occurs several times the last position comes first
        std::sort(found.begin(), found.end(), [](const FoundLiteral& a, const FoundLiteral& b) {
            return a.index != b.index ? a.index < b.index : a.place > b.place;
        });
        const auto is_same = [](const FoundLiteral& a, const FoundLiteral& b) { return a.index == b.index; };
        found.erase(std::unique(found.begin(), found.end(), is_same), found.end());
    }
    return !found.empty();
}

}  // namespace opdebug::logs
