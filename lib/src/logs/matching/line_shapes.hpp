// What lines say is known from an earlier line that differs in nothing but its digits: that it states nothing, or
// which pattern reads it, and where its fields are. Nineteen of twenty lines of a job that repeats its steps are such.
// For them neither literals nor patterns are searched, which took three fifths of the instructions of reading a log.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "logs/formats/format_match.hpp"
#include "logs/matching/shape_bytes.hpp"
#include "logs/matching/unasked_shape.hpp"
#include "logs/patterns/pattern_matcher.hpp"
#include "logs/text/line.hpp"

namespace opdebug::logs {

struct ModuleFormats;

/// What is known of lines that are the same behind their time but for what is masked there.
struct LineShape {
    static constexpr std::size_t kLongest = ShapeBytes::kLongest;  ///< far less than a line that may be cut has
    static constexpr std::size_t kLongestFunction = 64;

    struct Place {
        std::uint16_t begin, size;
    };

    // What every line with a known shape is asked comes last: in one line of the cache, before the shape's bytes.
    std::array<Place, kMostGroups> captures;  ///< of the format, in their order
    std::array<char, kLongestFunction> function_name;
    UnaskedShape unasked;
    Place function;
    Place thread;              ///< where the shape is certain: the number of the thread, if it stands in the rest
    std::uint16_t text_begin;  ///< in the rest, as all places here
    /// Every line of this shape is taken apart as the one that it is known from: is_of() need not be asked.
    bool is_certain;
    bool thread_known;             ///< the prefix names the thread: what follows the time is taken apart otherwise
    const ModuleFormats* formats;  ///< of the module
    const CompiledFormat* format;  ///< reads the line; null: none does

    /// Whether the line, of whose `rest` this is the shape, was completed as the one that it is known from.
    bool is_of(const LogLine& line, std::string_view rest) const noexcept;
    CapturedTexts texts_of(std::string_view rest) const noexcept;
    /// Of a line with a certain shape, of whose rest this is one. `known`: what the prefix says, which is so where the
    /// rest names none. -1 where neither names one.
    std::int64_t thread_of(std::string_view rest, const std::optional<std::int64_t>& known) const noexcept;
    /// False where it cannot be kept. For a line with a literal that no pattern matched.
    bool take_nothing(const LogLine& line, std::string_view rest) noexcept;
    /// The same for one that is read. The format's fields are those of `texts`, all of them in `rest`.
    bool take(const CompiledFormat& read_by, const CapturedTexts& texts, const LogLine& line,
              std::string_view rest) noexcept;
};

/// The shapes that lines had so far; those that lines have again and again lie together. For one thread at a time.
class LineShapes {
public:
    static constexpr std::size_t kShortest = sizeof(Block32::Bytes);
    static constexpr std::size_t kReadBehind = kStraightBytes;  ///< so many bytes behind a rest must be readable

    LineShapes();

    static bool may_have_shape(std::string_view rest) noexcept {
        return rest.size() >= kShortest && rest.size() <= LineShape::kLongest;
    }

    /// 0 for a rest that has no shape.
    template <class Block>
    [[gnu::always_inline]] static inline std::uint64_t hash_of(std::string_view rest) noexcept {
        return may_have_shape(rest) ? hash_without_digits<Block>(rest) : 0;
    }

    /// Of the rest of a line behind its time, which a line break follows; null where it is not known. `thread_known`:
    /// the prefix names the line's thread, as in MindSpore's own lines.
    template <class Block>
    [[gnu::always_inline]] inline const LineShape* find(const ModuleFormats* formats, bool thread_known,
                                                        std::string_view rest, std::uint64_t hash) noexcept {
        learns_ = false;
        is_unknown_ = false;
        if (!may_have_shape(rest) || left_out_ != 0) {
            count_left_out();
            return nullptr;
        }
        hash_ = hash;
        const std::uint32_t tag = tag_of(hash);
        const std::size_t first = first_place_of(hash);
        for (std::size_t place = first; place < first + kWays; ++place) {
            if (places_[place].tag == tag) {
                const Kept& shape = shapes_[places_[place].number];
                if (shape.bytes.size() == rest.size() && shape.formats == formats &&
                    shape.thread_known == thread_known && shape.bytes.are_of<Block>(rest.data())) {
                    ++known_;
                    if (place != first) {
                        std::swap(places_[place], places_[place - 1]);
                    }
                    return &shape;
                }
            }
        }
        is_unknown_ = true;
        count_unknown();
        return nullptr;
    }

    /// Whether the rest that was asked for last was looked for in vain.
    bool is_unknown() const noexcept { return is_unknown_; }
    /// Of that rest, with what it was asked for, where it is not known in another way.
    void begin_to_learn(const ModuleFormats* formats, bool thread_known, std::string_view rest) noexcept;
    /// To be filled with what is known of that rest, and then kept; null where that is not worth
    /// it: most shapes that were seen once are not seen again.
    LineShape* to_learn() noexcept { return learns_ ? &shapes_[places_[learnt_].number] : nullptr; }
    void keep() noexcept { places_[learnt_].tag = tag_of(hash_); }
    /// The rest that begin_to_learn() was called for last, with masked digits.
    std::string_view masked() const noexcept { return {masked_.data(), size_}; }
    /// That rest is known in another way: it is worth while to look.
    void count_known() noexcept { ++known_; }

private:
    static constexpr std::size_t kGroupBits = 9;
    /// Places for shapes of one hash. Each time that a line has a shape it goes one place to the front, and a new one
    /// takes the last place: so those of many lines are found at once, which the processor expects, and are not lost
    /// for those of a few. The place by chance, and no order, took a twelfth of the time of reading a log.
    static constexpr std::size_t kWays = 4;
    static constexpr std::size_t kMost = (std::size_t{1} << kGroupBits) * kWays;
    static constexpr std::size_t kSeen = 8192;
    // Of so many lines an eighth must be known; else so many are read without a look.
    static constexpr std::uint32_t kLookedAt = 4096;
    static constexpr std::uint32_t kLeftOut = 65536;

    struct Kept : LineShape {
        ShapeBytes bytes;
    };
    struct Place {
        std::uint32_t tag = 0;     ///< of the shape's hash; 0: none is kept
        std::uint32_t number = 0;  ///< of the shape, from 1, so that those in use lie together
    };

    // The upper bits: bytes at some places of a text change no others.
    static std::size_t first_place_of(std::uint64_t hash) noexcept { return (hash >> (64U - kGroupBits)) * kWays; }
    static std::uint32_t tag_of(std::uint64_t hash) noexcept {
        return static_cast<std::uint32_t>(hash >> (32U - kGroupBits)) | 1U;
    }
    void count_left_out() noexcept { left_out_ -= left_out_ != 0 ? 1 : 0; }
    void count_unknown() noexcept;

    std::unique_ptr<Kept[]> shapes_;  ///< not cleared: their memory is touched when they are learnt
    std::vector<Place> places_;
    std::vector<std::uint16_t> seen_;  ///< parts of hashes of shapes that were seen
    std::array<char, LineShape::kLongest> masked_{};
    std::size_t size_ = 0;
    std::uint64_t hash_ = 0;  ///< of the rest that was asked for last
    std::size_t learnt_ = 0;  ///< the place of what is learnt
    std::uint16_t count_ = 0;
    bool is_unknown_ = false;
    bool learns_ = false;
    std::uint32_t unknown_ = 0, known_ = 0, left_out_ = 0;
};

}  // namespace opdebug::logs
