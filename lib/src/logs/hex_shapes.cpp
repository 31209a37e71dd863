#include "logs/hex_shapes.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "logs/hex_numbers.hpp"
#include "logs/shape_bytes.hpp"

namespace opdebug::logs {

HexShapes::HexShapes() : shapes_(new Kept[kMost + 1]), places_(kMost) {}

const LineShape* HexShapes::find(const ModuleFormats* formats, bool thread_known, std::string_view masked) noexcept {
    learns_ = false;
    if (masked.size() < LineShapes::kShortest) {
        return nullptr;
    }
    char* const text = masked_.data() + 1;
    std::memcpy(text, masked.data(), masked.size());
    const std::optional<std::size_t> first = mask_hex_numbers(masked, text);
    if (!first) {
        return nullptr;
    }
    text_ = {text, masked.size()};
    first_number_ = *first;
    const std::uint64_t hash = hash_without_digits<Block16>(text_);
    place_ = (hash >> (64U - kGroupBits)) * kWays;
    tag_ = static_cast<std::uint32_t>(hash >> (32U - kGroupBits)) | 1U;
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
