#include "logs/matching/hex_shapes.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

#include "logs/patterns/hex_numbers.hpp"

namespace opdebug::logs {

HexShapes::HexShapes() : shapes_(new Kept[kMost + 1]), places_(kMost), seen_(kSeen) {
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
                if (place != place_) {
                    std::swap(places_[place], places_[place - 1]);
                }
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

/// As in LineShapes, one that was seen once is not seen again, mostly. By a hash of its own: the one that finds a shape
/// is that of all lines that differ in hexadecimal numbers which are not masked, each of which was learnt in vain.
void HexShapes::begin_to_learn(const ModuleFormats* formats, bool thread_known, std::string_view rest,
                               std::string_view masked) noexcept {
    char* const text = masked_.data() + 1;
    std::memcpy(text, masked.data(), masked.size());
    const std::optional<std::size_t> first = mask_hex_numbers(masked, text);
    if (!first) {
        return;
    }
    const std::uint64_t hash = hash_without_digits<Block16>({text, masked.size()});
    std::uint16_t& seen = seen_[(hash >> 32U) % kSeen];
    const auto part = static_cast<std::uint16_t>(hash >> 48U);
    learns_ = seen == part;
    seen = part;
    if (!learns_) {
        return;
    }
    const auto ways = places_.begin() + static_cast<std::ptrdiff_t>(place_);
    const auto empty = std::find_if(ways, ways + kWays, [](const Place& place) { return place.tag == 0; });
    learnt_ = place_ + (empty < ways + kWays ? static_cast<std::size_t>(empty - ways) : kWays - 1);
    Place& place = places_[learnt_];
    place.tag = 0;
    place.number = place.number == 0 ? ++count_ : place.number;
    Kept& shape = shapes_[place.number];
    shape.formats = formats;
    shape.thread_known = thread_known;
    shape.format = nullptr;
    behind_number_ = rest.size() - *first;
    shape.bytes.take(rest.data(), masked, {text, masked.size()});
}

}  // namespace opdebug::logs
