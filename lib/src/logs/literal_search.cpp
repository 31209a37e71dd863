#include "logs/literal_search.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace opdebug::logs {
namespace {

constexpr std::size_t kSequence = 3;
constexpr std::size_t kShortestWindow = kSequence + 1;  // four bytes are read at once
constexpr std::size_t kLongestWindow = 200;             // steps are kept in a byte

/// The place of the three bytes that end at `end`; there must be a byte before them. 20 bits of the product leave 12.
std::size_t place_of(const char* end) noexcept {
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, end - sizeof bytes, sizeof bytes);
    bytes = std::endian::native == std::endian::little ? bytes >> 8U : bytes & 0xFFFFFFU;
    return (bytes * 2654435761U) >> 20U;
}

}  // namespace

LiteralSearch::LiteralSearch(std::vector<std::string> literals) : literals_(std::move(literals)), by_end_(kTableSize) {
    std::vector<std::size_t> searched;
    for (std::size_t index = 0; index < literals_.size(); ++index) {
        const std::size_t size = literals_[index].size();
        (size < kShortestWindow ? short_ : searched).push_back(index);
        if (size >= kShortestWindow) {
            window_ = std::min({window_ == 0 ? kLongestWindow : window_, size, kLongestWindow});
        }
    }
    if (window_ == 0) {
        return;
    }
    steps_.fill(static_cast<std::uint8_t>(window_ - kSequence + 1));
    for (const std::size_t index : searched) {
        const std::string padded = " " + literals_[index];
        for (std::size_t end = kSequence; end <= window_; ++end) {
            const std::size_t place = place_of(padded.data() + 1 + end);
            const auto step = static_cast<std::uint8_t>(window_ - end);
            steps_[place] = std::min(steps_[place], step);
            if (step == 0) {
                by_end_[place].push_back(index);
            }
        }
    }
}

template <class Found>
void LiteralSearch::search(std::string_view text, Found found) const {
    for (const std::size_t index : short_) {
        if (text.find(literals_[index]) != std::string_view::npos && !found(index)) {
            return;
        }
    }
    if (window_ == 0) {
        return;
    }
    for (std::size_t end = window_; end <= text.size();) {
        const std::size_t place = place_of(text.data() + end);
        if (steps_[place] != 0) {
            end += steps_[place];
            continue;
        }
        for (const std::size_t index : by_end_[place]) {
            if (text.substr(end - window_).starts_with(literals_[index]) && !found(index)) {
                return;
            }
        }
        ++end;
    }
}

bool LiteralSearch::finds_any(std::string_view text) const noexcept {
    bool any = false;
    search(text, [&any](std::size_t) { return !(any = true); });
    return any;
}

std::vector<std::size_t> LiteralSearch::find(std::string_view text) const {
    std::vector<std::size_t> found;
    search(text, [&found](std::size_t index) {
        found.push_back(index);
        return true;
    });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

}  // namespace opdebug::logs
