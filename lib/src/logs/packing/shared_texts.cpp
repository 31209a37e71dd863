#include "logs/packing/shared_texts.hpp"

#include <cstring>

namespace opdebug::logs {

/// Names of kernels end alike ("_high_performance_10005") and begin alike; what tells them apart lies between.
std::size_t SharedTexts::recent_place_of(std::string_view text) const noexcept {
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;  // of Fibonacci hashing
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    std::uint64_t mixed = text.size();
    if (text.size() >= kWord) {
        std::uint64_t middle = 0, last = 0;
        std::memcpy(&middle, text.data() + (text.size() - kWord) / 2, kWord);
        std::memcpy(&last, text.data() + text.size() - kWord, kWord);
        mixed = (middle * kFactor) ^ (middle >> 32U) ^ last;
    }
    return (mixed * kFactor) >> (64U - recent_bits_);
}

std::optional<std::uint32_t> SharedTexts::number_of(std::string_view text) {
    const std::uint32_t recent = recent_[recent_place_of(text)];
    if (recent < table_.texts().size() && table_.texts()[recent] == text) {
        return recent;
    }
    const std::optional<std::uint32_t> number = look_up(text);
    if (number) {
        recent_[recent_place_of(text)] = *number;
    }
    return number;
}

std::optional<std::uint32_t> SharedTexts::look_up(std::string_view text) {
    if (const std::optional<std::uint32_t> number = table_.find(text)) {
        return number;
    }
    if (memory_.size() == kMost || text.size() > kMostBytes - bytes_) {
        return std::nullopt;
    }
    const std::shared_ptr<char[]> kept = std::make_shared_for_overwrite<char[]>(text.size());
    text.copy(kept.get(), text.size());
    memory_.push_back(kept);
    bytes_ += text.size();
    if (4 * memory_.size() > recent_.size()) {
        recent_ = std::vector<std::uint32_t>(2 * recent_.size());
        ++recent_bits_;
    }
    return table_.place_of({kept.get(), text.size()});
}

}  // namespace opdebug::logs
