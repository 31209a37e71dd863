#include "logs/literal_search.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace opdebug::logs {
namespace {

constexpr std::size_t kGroup = 4;
constexpr std::size_t kLongestStep = 64;

/// 13 bits of the product.
std::size_t entry_of(const char* group) noexcept {
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, group, sizeof bytes);
    return (bytes * 2654435761U) >> 19U;
}

}  // namespace

LiteralSearch::LiteralSearch(std::vector<std::string> literals)
    : literals_(std::move(literals)), is_group_(kTableSize), first_group_(kTableSize) {
    std::vector<std::size_t> searched;
    for (std::size_t index = 0; index < literals_.size(); ++index) {
        const std::size_t size = literals_[index].size();
        (size < kGroup ? short_ : searched).push_back(index);
        if (size >= kGroup) {
            step_ = std::min({step_ == 0 ? kLongestStep : step_, size - kGroup + 1, kLongestStep});
        }
    }
    for (const std::size_t index : searched) {
        for (std::size_t place = 0; place < step_; ++place) {
            groups_.push_back({entry_of(literals_[index].data() + place), index, place});
        }
    }
    std::stable_sort(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) { return a.entry < b.entry; });
    for (std::size_t group = groups_.size(); group-- > 0;) {
        is_group_[groups_[group].entry] = 1;
        first_group_[groups_[group].entry] = group;
    }
}

template <class Found>
bool LiteralSearch::compare(std::string_view text, std::size_t place, std::size_t entry, Found found) const {
    for (std::size_t index = first_group_[entry]; index < groups_.size() && groups_[index].entry == entry; ++index) {
        const Group& group = groups_[index];
        const std::string& literal = literals_[group.literal];
        if (place >= group.place && text.substr(place - group.place).starts_with(literal) &&
            !found(FoundLiteral{group.literal, place - group.place})) {
            return false;
        }
    }
    return true;
}

template <class Found>
void LiteralSearch::search(std::string_view text, Found found) const {
    for (const std::size_t index : short_) {
        const std::size_t place = text.rfind(literals_[index]);
        if (place != std::string_view::npos && !found(FoundLiteral{index, place})) {
            return;
        }
    }
    if (step_ == 0 || text.size() < kGroup) {
        return;
    }
    for (std::size_t place = 0; place <= text.size() - kGroup; place += step_) {
        const std::size_t entry = entry_of(text.data() + place);
        if (is_group_[entry] != 0 && !compare(text, place, entry, found)) {
            return;
        }
    }
}

bool LiteralSearch::finds_any(std::string_view text) const noexcept {
    bool any = false;
    search(text, [&any](const FoundLiteral&) { return !(any = true); });
    return any;
}

std::vector<std::size_t> LiteralSearch::find(std::string_view text) const {
    std::vector<FoundLiteral> places;
    find(text, places);
    std::vector<std::size_t> found;
    for (const FoundLiteral& literal : places) {
        if (found.empty() || found.back() != literal.index) {
            found.push_back(literal.index);
        }
    }
    return found;
}

void LiteralSearch::find(std::string_view text, std::vector<FoundLiteral>& found) const {
    found.clear();
    search(text, [&found](const FoundLiteral& literal) {
        found.push_back(literal);
        return true;
    });
    std::sort(found.begin(), found.end());
}

}  // namespace opdebug::logs
