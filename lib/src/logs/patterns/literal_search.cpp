#include "logs/patterns/literal_search.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <numeric>

#include "bytes/hash_factors.hpp"
#include "logs/text/same_bytes.hpp"

namespace opdebug::logs {
namespace {

constexpr std::size_t kGroup = 6;
constexpr std::size_t kEntriesOfFirst = 16;

template <class Word>
Word word_at(const char* place) noexcept {
    Word word = 0;
    std::memcpy(&word, place, sizeof word);
    return word;
}

/// 16 bits of a product of the six bytes. Two words that overlap: of one word a part would lie behind the group, and
/// perhaps the text.
std::size_t entry_of(const char* group) noexcept {
    const std::uint64_t first = word_at<std::uint32_t>(group);
    const std::uint64_t last = word_at<std::uint32_t>(group + kGroup - sizeof(std::uint32_t));
    return (first << 16U | last << 32U) * bytes::kHashFactor >> 48U;
}

/// The same where eight bytes can be read: those behind the group fall out of the product.
std::size_t entry_of_word(const char* group) noexcept {
    if (std::endian::native != std::endian::little) {
        return entry_of(group);
    }
    return word_at<std::uint64_t>(group) * (bytes::kHashFactor << 16U) >> 48U;
}

/// How often the literals have each group of six bytes.
std::map<std::string_view, std::size_t> count_groups(const std::vector<std::string>& literals) {
    std::map<std::string_view, std::size_t> counts;
    for (const std::string& literal : literals) {
        for (std::size_t place = 0; place + kGroup <= literal.size(); ++place) {
            ++counts[std::string_view(literal).substr(place, kGroup)];
        }
    }
    return counts;
}

/// Where those `count` successive groups begin that the literals have least often.
std::size_t rarest_groups(std::string_view literal, std::size_t count,
                          const std::map<std::string_view, std::size_t>& counts) {
    std::vector<std::size_t> counts_at;  // each is part of several sums
    for (std::size_t place = 0; place + kGroup <= literal.size(); ++place) {
        counts_at.push_back(counts.at(literal.substr(place, kGroup)));
    }
    std::size_t rarest = 0;
    std::size_t least = 0;
    for (auto first = counts_at.begin(); count <= static_cast<std::size_t>(counts_at.end() - first); ++first) {
        const std::size_t sum = std::accumulate(first, first + static_cast<std::ptrdiff_t>(count), std::size_t{0});
        if (first == counts_at.begin() || sum < least) {
            rarest = static_cast<std::size_t>(first - counts_at.begin());
            least = sum;
        }
    }
    return rarest;
}

}  // namespace

LiteralSearch::LiteralSearch(const std::vector<std::string>& literals, std::size_t longest_step)
    : given_count_(literals.size()), is_group_(kTableWords), first_(kTableWords * 64 / kEntriesOfFirst) {
    std::map<std::string_view, std::size_t> known;
    for (std::size_t index = 0; index < literals.size(); ++index) {
        const auto [place, is_new] = known.emplace(literals[index], literals_.size());
        if (is_new) {
            literals_.push_back(literals[index]);
            given_.emplace_back();
        }
        given_[place->second].push_back(index);
    }
    for (std::size_t index = 0; index < literals_.size(); ++index) {
        const std::size_t size = literals_[index].size();
        if (size < kGroup) {
            short_.push_back(index);
        } else {
            step_ = std::min(step_ == 0 ? longest_step : step_, size - kGroup + 1);
        }
    }
    fill_table();
}

void LiteralSearch::fill_table() {
    const std::map<std::string_view, std::size_t> literals_with = count_groups(literals_);
    for (std::size_t index = 0; index < literals_.size(); ++index) {
        const std::string_view literal = literals_[index];
        if (literal.size() >= kGroup) {
            const std::size_t first = rarest_groups(literal, step_, literals_with);
            for (std::size_t place = first; place < first + step_; ++place) {
                const std::uint64_t begin = literal.size() < sizeof begin ? 0 : word_at<std::uint64_t>(literal.data());
                groups_.push_back({begin, static_cast<std::uint32_t>(entry_of(literal.data() + place)),
                                   static_cast<std::uint32_t>(index), place, literal.size()});
            }
        }
    }
    std::stable_sort(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) { return a.entry < b.entry; });
    for (const Group& group : groups_) {
        is_group_[group.entry / 64] |= std::uint64_t{1} << (group.entry % 64);
    }
    std::size_t group = 0;
    for (std::size_t first = 0; first < first_.size(); ++first) {
        while (group < groups_.size() && groups_[group].entry < first * kEntriesOfFirst) {
            ++group;
        }
        first_[first] = static_cast<std::uint32_t>(group);
    }
}

/// Lines on tasks hold parts of many literals: eight bytes at once tell most of them apart.
bool LiteralSearch::stands_at(const Group& group, const char* place) const noexcept {
    return (group.size < sizeof group.begin || word_at<std::uint64_t>(place) == group.begin) &&
           same_bytes(place, literals_[group.literal].data(), group.size);
}

template <class Found>
void LiteralSearch::compare(std::string_view text, std::size_t place, std::size_t entry, Found found) const {
    const Group* group = groups_.data() + first_[entry / kEntriesOfFirst];
    for (const Group* const end = groups_.data() + groups_.size(); group != end && group->entry <= entry; ++group) {
        if (group->entry == entry && place >= group->place && text.size() - (place - group->place) >= group->size &&
            stands_at(*group, text.data() + (place - group->place))) {
            found(group->literal, place - group->place);
        }
    }
}

/// By itself, for what is done with the places that are found would take the processor's registers.
std::size_t LiteralSearch::next_group(std::string_view text, std::size_t place) const noexcept {
    const std::size_t step = step_;
    const auto is_group_at = [this, begin = text.data()](std::size_t at) {
        return is_group(entry_of_word(begin + at));
    };
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    for (; place + 3 * step + kWord <= text.size(); place += 4 * step) {
        // Most of them are no groups of a literal, and the processor looks them up together.
        if (is_group_at(place)) {
            return place;
        }
        if (is_group_at(place + step)) {
            return place + step;
        }
        if (is_group_at(place + 2 * step)) {
            return place + 2 * step;
        }
        if (is_group_at(place + 3 * step)) {
            return place + 3 * step;
        }
    }
    for (; place + kWord <= text.size(); place += step) {
        if (is_group_at(place)) {
            return place;
        }
    }
    for (; place + kGroup <= text.size(); place += step) {
        if (is_group(entry_of(text.data() + place))) {
            return place;
        }
    }
    return std::string_view::npos;
}

template <class Found>
void LiteralSearch::search_from(std::size_t place, std::string_view text, Found found) const {
    for (; place != std::string_view::npos; place = next_group(text, place + step_)) {
        compare(text, place, entry_of(text.data() + place), found);
    }
}

template <class Found>
void LiteralSearch::search(std::string_view text, Found found) const {
    for (const std::size_t index : short_) {
        const std::size_t place = text.rfind(literals_[index]);
        if (place != std::string_view::npos) {
            found(index, place);
        }
    }
    if (step_ != 0) {
        search_from(next_group(text, 0), text, found);
    }
}

std::vector<std::size_t> LiteralSearch::find(std::string_view text) const {
    FoundLiterals places;
    find(text, places);
    std::vector<std::size_t> found;
    places.for_each([&found](std::size_t index, std::size_t) {
        found.push_back(index);
        return true;
    });
    return found;
}

/// The places of a literal are met from the left to the right. Most lines end before anything is written.
bool LiteralSearch::find(std::string_view text, FoundLiterals& found) const {
    found.clear();
    std::size_t first = 0;
    if (short_.empty()) {
        first = step_ == 0 ? std::string_view::npos : next_group(text, 0);
        if (first == std::string_view::npos) {
            return false;
        }
    }
    found.begin(given_count_);
    const auto add = [this, &found](std::size_t literal, std::size_t place) {
        for (const std::size_t index : given_[literal]) {
            found.add(index, place);
        }
    };
    short_.empty() ? search_from(first, text, add) : search(text, add);
    return !found.empty();
}

}  // namespace opdebug::logs
