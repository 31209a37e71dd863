// What lines say is known from an earlier line that differs in nothing but its digits: that it states nothing, or
// which pattern reads it, and where its fields are. Nineteen of twenty lines of a job that repeats its steps are such.
// For them neither literals nor patterns are searched, which took three fifths of the instructions of reading a log.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "logs/format_match.hpp"
#include "logs/line.hpp"
#include "logs/pattern_matcher.hpp"

namespace opdebug::logs {

struct ModuleFormats;

/// What stands behind the time of a line, with its digits masked, and what is known of it.
struct LineShape {
    static constexpr std::size_t kLongest = 384;  ///< far less than a line that may be cut has
    static constexpr std::size_t kLongestFunction = 64;

    struct Place {
        std::uint16_t begin, size;
    };

    const ModuleFormats* formats;  ///< of the module
    bool thread_known;             ///< the prefix names the thread: what follows the time is taken apart otherwise
    const CompiledFormat* format;  ///< reads the line; null: none does
    std::uint16_t size;            ///< of the masked text
    std::uint16_t text_begin;      ///< in the rest, as all places here
    Place function;
    std::array<Place, kMostGroups> captures;  ///< of the format, in their order
    std::array<char, kLongestFunction> function_name;
    std::array<char, kLongest> masked;

    /// Whether the line, of whose `rest` this is the shape, was completed as the one that it is known from.
    bool is_of(const LogLine& line, std::string_view rest) const noexcept;
    CapturedTexts texts_of(std::string_view rest) const noexcept;
    /// False where it cannot be kept. For a line with a literal that no pattern matched.
    bool take_nothing(const LogLine& line, std::string_view rest) noexcept;
    /// The same for one that is read. The format's fields are those of `texts`, all of them in `rest`.
    bool take(const CompiledFormat& read_by, const CapturedTexts& texts, const LogLine& line,
              std::string_view rest) noexcept;
};

/// The shapes that lines had so far, as many as stay in the processor's second cache. For one thread at a time.
class LineShapes {
public:
    LineShapes();

    /// Of the rest of a line behind its time, which a line break follows; null where it is not known. `thread_known`:
    /// the prefix names the line's thread, as in MindSpore's own lines.
    const LineShape* find(const ModuleFormats* formats, bool thread_known, std::string_view rest) noexcept;

    /// To be filled with what is known of the rest that was asked for last, and then kept; null where that is not worth
    /// it: most shapes that were seen once are not seen again.
    LineShape* to_learn() noexcept { return learns_ ? &shapes_[place()] : nullptr; }
    void keep() noexcept { tags_[place()] = tag(); }
    /// Its text, with masked digits.
    std::string_view masked() const noexcept { return {masked_.data(), size_}; }

private:
    static constexpr std::size_t kMost = 2048;
    static constexpr std::size_t kSeen = 8192;
    // Of so many lines an eighth must be known; else so many are read without a look.
    static constexpr std::uint32_t kLookedAt = 4096;
    static constexpr std::uint32_t kLeftOut = 65536;

    std::size_t place() const noexcept { return hash_ % kMost; }
    std::uint32_t tag() const noexcept { return static_cast<std::uint32_t>(hash_ >> 32U) | 1U; }
    bool is_left_out() noexcept;
    void begin_to_learn(const ModuleFormats* formats, bool thread_known) noexcept;

    std::unique_ptr<LineShape[]> shapes_;  ///< not cleared: their memory is touched when they are learnt
    std::vector<std::uint32_t> tags_;      ///< of those that are kept; 0: none
    std::vector<std::uint16_t> seen_;      ///< parts of hashes of shapes that were seen
    std::array<char, LineShape::kLongest> masked_;
    std::size_t size_ = 0;
    std::uint64_t hash_ = 0;
    bool learns_ = false;
    std::uint32_t looked_at_ = 0, known_ = 0, left_out_ = 0;
};

}  // namespace opdebug::logs
