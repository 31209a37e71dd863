#include "logs/map_file/texts.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace opdebug::logs::map_file {
namespace {

/// Four words at a time that do not wait for each other: std::hash was 2 % of making a map. The texts of one block are
/// too few to make it slow by texts of one hash. So of a long text its ends are enough: lines differ
/// in the time, in their first 64 bytes, and to hash all of each took 1 % of indexing.
std::uint32_t hash_of(std::string_view text) noexcept {
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;  // of Fibonacci hashing
    constexpr std::size_t kWord = sizeof(std::uint64_t), kWords = 4;
    constexpr std::size_t kMostHashed = 128;  ///< bytes
    std::array<std::uint64_t, kWords> parts{text.size(), 1, 2, 3};
    const auto add = [&parts](std::size_t part, const char* bytes, std::size_t size) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes, size);
        parts[part] = (parts[part] ^ word) * kFactor;
        parts[part] ^= parts[part] >> 32U;
    };
    const auto add_words = [&add](const char* bytes) {
        for (std::size_t part = 0; part < kWords; ++part) {
            add(part, bytes + part * kWord, kWord);
        }
    };
    const char* next = text.data();
    std::size_t left = text.size();
    if (left > kMostHashed) {
        constexpr std::size_t kAtEachEnd = kMostHashed / 2;
        for (std::size_t place = 0; place < kAtEachEnd; place += kWords * kWord) {
            add_words(next + place);
            add_words(next + left - kAtEachEnd + place);
        }
        left = 0;
    }
    for (; left >= kWords * kWord; left -= kWords * kWord, next += kWords * kWord) {
        add_words(next);
    }
    for (; left >= kWord; left -= kWord, next += kWord) {
        add(0, next, kWord);
    }
    if (left > 0) {
        add(1, next, left);
    }
    const std::uint64_t sum = (parts[0] ^ parts[1] * 3) + (parts[2] ^ parts[3] * 5);
    return static_cast<std::uint32_t>((sum * kFactor) >> 32U);
}

}  // namespace

std::uint64_t BlockTexts::index_of(std::string_view text) {
    if (2 * (texts_.size() + 1) > slots_.size()) {
        grow();
    }
    const std::uint32_t hash = hash_of(text);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t place = hash & mask;; place = (place + 1) & mask) {
        Slot& slot = slots_[place];
        if (slot.number == 0) {
            texts_.push_back(text);
            bytes_ += text.size() + 2;
            slot = {hash, static_cast<std::uint32_t>(texts_.size())};
        }
        if (slot.hash == hash && texts_[slot.number - 1] == text) {
            return slot.number - 1;
        }
    }
}

void BlockTexts::grow() {
    constexpr std::size_t kFirst = 4096;  // most blocks have fewer than half as many texts
    std::vector<Slot> slots(std::max(kFirst, 2 * slots_.size()));
    const std::size_t mask = slots.size() - 1;
    for (const Slot& slot : slots_) {
        std::size_t place = slot.hash & mask;
        while (slots[place].number != 0) {
            place = (place + 1) & mask;
        }
        slots[place] = slot;
    }
    slots_ = std::move(slots);
}

void BlockTexts::write_to(ByteWriter& out) const {
    out.number(texts_.size());
    for (const std::string_view text : texts_) {
        out.text(text);
    }
}

void BlockTexts::clear() noexcept {
    std::fill(slots_.begin(), slots_.end(), Slot());
    texts_.clear();
    bytes_ = 0;
}

}  // namespace opdebug::logs::map_file
