// What lines say whose digits make them no known shape (line_shapes.hpp), from an earlier line that differs in its
// digits and its long hexadecimal numbers (hex_numbers.hpp). Four fifths of what is left are such lines, launches with
// a hash in the kernel's name or its address: patterns and literals took 3,000 to 5,000 instructions for each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "logs/matching/hex_shape_bytes.hpp"
#include "logs/matching/line_shapes.hpp"

namespace opdebug::logs {

/// For one thread at a time.
class HexShapes {
public:
    HexShapes();

    /// Of the rest of a line that may have a shape (LineShapes), with as many bytes behind it that are readable; null
    /// where it is not known.
    const LineShape* find(const ModuleFormats* formats, bool thread_known, std::string_view rest) noexcept;
    /// Of the rest that was looked for in vain, with what it was looked for. `masked`: its digits are.
    void begin_to_learn(const ModuleFormats* formats, bool thread_known, std::string_view rest,
                        std::string_view masked) noexcept;
    void learn_nothing() noexcept { learns_ = false; }

    /// To be filled with what is known of the rest that is learnt, whose text is `size` bytes at its end, and then
    /// kept; null where that is not worth it, or a number is not in the text.
    LineShape* to_learn(std::size_t size) noexcept {
        return learns_ && size >= behind_number_ ? &shapes_[places_[learnt_].number] : nullptr;
    }
    void keep() noexcept { places_[learnt_].tag = tag_; }

private:
    static constexpr std::size_t kGroupBits = 8;
    /// Places for shapes of one hash, in the order of LineShapes. All that differ in short hexadecimal numbers alone
    /// are of one: with two places, eight of ten such shapes were learnt again and again.
    static constexpr std::size_t kWays = 8;
    static constexpr std::size_t kMost = (std::size_t{1} << kGroupBits) * kWays;
    static constexpr std::size_t kSeen = 4096;

    struct Kept : LineShape {
        HexShapeBytes bytes;
    };
    struct Place {
        std::uint32_t tag = 0;     ///< of the shape's hash; 0: none is kept
        std::uint32_t number = 0;  ///< of the shape, from 1, so that those in use lie together
    };

    template <class Block>
    [[gnu::always_inline]] inline const LineShape* find_by(const ModuleFormats* formats, bool thread_known,
                                                           std::string_view rest) noexcept;
#if defined(__x86_64__)
    const LineShape* find_with_avx2(const ModuleFormats* formats, bool thread_known, std::string_view rest) noexcept;
#endif

    std::unique_ptr<Kept[]> shapes_;  ///< not cleared: their memory is touched when they are learnt
    std::vector<Place> places_;
    std::vector<std::uint16_t> seen_;                     ///< parts of hashes of masked texts that were seen
    std::array<char, 1 + LineShape::kLongest> masked_{};  ///< behind a byte that is always the same
    std::size_t behind_number_ = 0;  ///< how many bytes of what is learnt are behind the begin of its first number
    std::size_t place_ = 0;          ///< the first one of the rest that was asked for last
    std::uint32_t tag_ = 0;
    std::size_t learnt_ = 0;  ///< the place of what is learnt
    std::uint32_t count_ = 0;
    bool learns_ = false;
};

}  // namespace opdebug::logs
