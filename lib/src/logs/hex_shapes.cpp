#include "logs/hex_shapes.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "logs/hex_numbers.hpp"

namespace opdebug::logs {
namespace {

/// The words of a text, each times another factor, so that no product waits for the one before it. The last word may
/// overlap the one before it.
std::uint64_t hash_of(std::string_view text) noexcept {
    constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15U;
    const std::size_t last = text.size() - sizeof(std::uint64_t);
    std::uint64_t factor = kStep;
    std::uint64_t sum = text.size();
    for (std::size_t place = 0;; place = std::min(place + sizeof(std::uint64_t), last)) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + place, sizeof word);
        sum += (word ^ word >> 32U) * factor;
        factor += 2 * kStep;
        if (place == last) {
            break;
        }
    }
    return (sum ^ sum >> 32U) * kStep;
}

}  // namespace

HexShapes::HexShapes() : shapes_(new Kept[kMost + 1]), places_(kMost) {}

const LineShape* HexShapes::find(const ModuleFormats* formats, bool thread_known, std::string_view masked) noexcept {
    learns_ = false;
    if (masked.size() < LineShapes::kShortest) {
        return nullptr;
    }
    std::memcpy(masked_.data(), masked.data(), masked.size());
    const std::optional<std::size_t> first = mask_hex_numbers(masked, masked_.data());
    if (!first) {
        return nullptr;
    }
    text_ = {masked_.data(), masked.size()};
    first_number_ = *first;
    const std::uint64_t hash = hash_of(text_);
    place_ = (hash >> 16U) % (kMost / kWays) * kWays;
    tag_ = static_cast<std::uint32_t>(hash >> 32U) | 1U;
    for (std::size_t place = place_; place < place_ + kWays; ++place) {
        if (places_[place].tag == tag_) {
            const Kept& shape = shapes_[places_[place].number];
            if (shape.size == text_.size() && shape.formats == formats && shape.thread_known == thread_known &&
                std::memcmp(shape.text.data(), text_.data(), text_.size()) == 0) {
                return &shape;
            }
        }
    }
    begin_to_learn(formats, thread_known);
    return nullptr;
}

/// As in LineShapes, one that was seen once is not seen again, mostly.
void HexShapes::begin_to_learn(const ModuleFormats* formats, bool thread_known) noexcept {
    const bool is_first_free = places_[place_].tag == 0;
    learnt_ = place_ + (is_first_free ? 0 : 1);
    const std::size_t other = 2 * place_ + 1 - learnt_;
    learns_ = places_[learnt_].seen == tag_ || places_[other].seen == tag_;
    places_[learnt_].seen = tag_;
    if (!learns_) {
        return;
    }
    Place& place = places_[learnt_];
    place.tag = 0;
    place.number = place.number == 0 ? ++count_ : place.number;
    Kept& shape = shapes_[place.number];
    shape.formats = formats;
    shape.thread_known = thread_known;
    shape.format = nullptr;
    shape.size = text_.size();
    std::copy(text_.begin(), text_.end(), shape.text.begin());
}

}  // namespace opdebug::logs
