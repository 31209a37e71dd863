#include "logs/hex_shapes.hpp"

#include <cstring>
#include <optional>
#include <type_traits>

#include "logs/hex_numbers.hpp"

namespace opdebug::logs {

HexShapes::HexShapes() : shapes_(new Kept[kMost + 1]), places_(kMost) {
    static_assert(std::is_trivially_default_constructible_v<Kept>, "their memory would be touched here");
}

template <class Block>
inline const LineShape* HexShapes::find_by(const ModuleFormats* formats, bool thread_known,
                                           std::string_view rest) noexcept {
    const std::uint64_t hash = hash_without_hex_digits<Block>(rest);
    place_ = (hash >> (64U - kGroupBits)) * kWays;
    tag_ = static_cast<std::uint32_t>(hash >> (32U - kGroupBits)) | 1U;
    for (std::size_t place = place_; place < place_ + kWays; ++place) {
        if (places_[place].tag == tag_) {
            const Kept& shape = shapes_[places_[place].number];
            if (shape.bytes.size() == rest.size() && shape.formats == formats && shape.thread_known == thread_known &&
                shape.bytes.are_of<Block>(rest.data())) {
                return &shape;
            }
        }
    }
    return nullptr;
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] const LineShape* HexShapes::find_with_avx2(const ModuleFormats* formats, bool thread_known,
                                                                   std::string_view rest) noexcept {
    return find_by<Block32>(formats, thread_known, rest);
}
#endif

const LineShape* HexShapes::find(const ModuleFormats* formats, bool thread_known, std::string_view rest) noexcept {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        return find_with_avx2(formats, thread_known, rest);
    }
#endif
    return find_by<Block16>(formats, thread_known, rest);
}

/// As in LineShapes, one that was seen once is not seen again, mostly.
void HexShapes::begin_to_learn(const ModuleFormats* formats, bool thread_known, std::string_view rest,
                               std::string_view masked) noexcept {
    std::memcpy(masked_.data(), masked.data(), masked.size());
    const std::optional<std::size_t> first = mask_hex_numbers(masked, masked_.data());
    if (!first) {
        return;
    }
    const bool is_first_free = places_[place_].tag == 0;
    learnt_ = place_ + (is_first_free ? 0 : 1);
    const std::size_t other = 2 * place_ + 1 - learnt_;
    const bool is_seen = places_[learnt_].seen == tag_ || places_[other].seen == tag_;
    places_[learnt_].seen = tag_;
    if (!is_seen) {
        return;
    }
    Place& place = places_[learnt_];
    place.tag = 0;
    place.number = place.number == 0 ? ++count_ : place.number;
    Kept& shape = shapes_[place.number];
    shape.formats = formats;
    shape.thread_known = thread_known;
    shape.format = nullptr;
    behind_number_ = rest.size() - *first;
    shape.bytes.take(rest.data(), masked, {masked_.data(), masked.size()});
    learns_ = true;
}

}  // namespace opdebug::logs
