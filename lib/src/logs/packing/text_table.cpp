#include "logs/packing/text_table.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "bytes/hash_factors.hpp"

namespace opdebug::logs {
namespace {

/// Four words at a time that do not wait for each other: std::hash was 2 % of making a map.
std::uint32_t hash_of(std::string_view text) noexcept {
    constexpr std::size_t kWord = sizeof(std::uint64_t), kWords = 4;
    std::array<std::uint64_t, kWords> parts{text.size(), 1, 2, 3};
    const auto add = [&parts](std::size_t part, const char* bytes, std::size_t size) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes, size);
        parts[part] = (parts[part] ^ word) * bytes::kHashFactor;
        parts[part] ^= parts[part] >> 32U;
    };
    const char* next = text.data();
    std::size_t left = text.size();
    for (; left >= kWords * kWord; left -= kWords * kWord, next += kWords * kWord) {
        for (std::size_t part = 0; part < kWords; ++part) {
            add(part, next + part * kWord, kWord);
        }
    }
    for (; left >= kWord; left -= kWord, next += kWord) {
        add(0, next, kWord);
    }
    if (left > 0) {
        add(1, next, left);
    }
    const std::uint64_t sum = (parts[0] ^ parts[1] * 3) + (parts[2] ^ parts[3] * 5);
    return static_cast<std::uint32_t>((sum * bytes::kHashFactor) >> 32U);
}

}  // namespace

std::size_t TextTable::slot_of(std::string_view text, std::uint32_t hash) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = hash & mask;
    while (slots_[place].number != 0 && (slots_[place].hash != hash || texts_[slots_[place].number - 1] != text)) {
        place = (place + 1) & mask;
    }
    return place;
}

std::optional<std::uint32_t> TextTable::find(std::string_view text) const noexcept {
    if (slots_.empty()) {
        const auto known = std::find(texts_.begin(), texts_.end(), text);
        return known != texts_.end() ? std::optional(static_cast<std::uint32_t>(known - texts_.begin())) : std::nullopt;
    }
    const Slot& slot = slots_[slot_of(text, hash_of(text))];
    return slot.number != 0 ? std::optional(slot.number - 1) : std::nullopt;
}

std::uint32_t TextTable::place_of(std::string_view text) {
    if (slots_.empty() && texts_.size() < kFew) {
        const std::optional<std::uint32_t> known = find(text);
        if (!known) {
            texts_.push_back(text);
        }
        return known.value_or(static_cast<std::uint32_t>(texts_.size() - 1));
    }
    if (2 * (texts_.size() + 1) > slots_.size()) {
        grow();
    }
    const std::uint32_t hash = hash_of(text);
    Slot& slot = slots_[slot_of(text, hash)];
    if (slot.number == 0) {
        texts_.push_back(text);
        slot = {hash, static_cast<std::uint32_t>(texts_.size())};
    }
    return slot.number - 1;
}

void TextTable::grow() {
    slots_ = std::vector<Slot>(std::max(first_places_, 2 * slots_.size()));
    for (std::uint32_t place = 0; place < texts_.size(); ++place) {
        const std::uint32_t hash = hash_of(texts_[place]);
        slots_[slot_of(texts_[place], hash)] = {hash, place + 1};
    }
}

void TextTable::clear() noexcept {
    std::fill(slots_.begin(), slots_.end(), Slot());
    texts_.clear();
}

}  // namespace opdebug::logs
