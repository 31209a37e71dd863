#include "logs/packing/shared_texts.hpp"

#include <algorithm>

namespace opdebug::logs {

std::optional<std::uint32_t> SharedTexts::number_of(std::string_view text) {
    const Recent& recent = recent_[recent_place_of(text)];
    if (recent.text == text && !text.empty()) {
        return recent.number;
    }
    const std::optional<std::uint32_t> number = look_up(text);
    if (number) {
        recent_[recent_place_of(text)] = {this->text(*number), *number};
    }
    return number;
}

std::optional<std::uint32_t> SharedTexts::look_up(std::string_view text) {
    if (const std::optional<std::uint32_t> number = table_.find(text)) {
        return number;
    }
    if (texts().size() == kMost || text.size() > kMostBytes - bytes_) {
        return std::nullopt;
    }
    const std::uint32_t number = table_.place_of(keep(text));
    if (4 * texts().size() > recent_.size()) {
        recent_ = std::vector<Recent>(2 * recent_.size());
        ++recent_bits_;
    }
    return number;
}

/// Close to each other, for they are read again and again. Behind the last one there is room for another unless a copy
/// has the same piece: it would put its own there.
std::string_view SharedTexts::keep(std::string_view text) {
    constexpr std::size_t kFirst = 128, kLargest = std::size_t{16} << 10U;
    if (memory_.empty() || free_ < text.size() || memory_.back().use_count() != 1) {
        const std::size_t size = std::max(std::clamp(2 * piece_size_, kFirst, kLargest), text.size());
        memory_.push_back(std::make_shared_for_overwrite<char[]>(size));
        piece_size_ = free_ = size;  // last: where memory ended, nothing is free that is not there
    }
    char* const kept = memory_.back().get() + (piece_size_ - free_);
    text.copy(kept, text.size());
    free_ -= text.size();
    bytes_ += text.size();
    return {kept, text.size()};
}

}  // namespace opdebug::logs
