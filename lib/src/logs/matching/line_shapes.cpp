#include "logs/matching/line_shapes.hpp"

#include <algorithm>
#include <type_traits>

#include "logs/patterns/masked_digits.hpp"
#include "logs/text/digits.hpp"
#include "logs/text/lexer.hpp"

namespace opdebug::logs {
namespace {

LineShape::Place place_in_line(std::string_view part, std::string_view rest) noexcept {
    // A group that took no part is read as one that captured nothing.
    return part.empty() ? LineShape::Place{0, 0}
                        : LineShape::Place{static_cast<std::uint16_t>(part.data() - rest.data()),
                                           static_cast<std::uint16_t>(part.size())};
}

std::string_view part_at(LineShape::Place place, std::string_view rest) noexcept {
    return {rest.data() + place.begin, place.size};
}

/// Whether it holds a number that need not fit 64 bits. One of each so many bytes is looked at first: byte by byte it
/// took as long as all else of learning a shape.
bool has_long_number(std::string_view rest) noexcept {
    constexpr std::size_t kFits = 18;
    for (std::size_t place = kFits; place < rest.size(); place += kFits + 1) {
        std::size_t begin = place + 1;
        std::size_t end = place;
        while (begin > 0 && is_digit(rest[begin - 1])) {
            --begin;
        }
        while (end < rest.size() && is_digit(rest[end])) {
            ++end;
        }
        if (end > begin + kFits) {
            return true;
        }
    }
    return false;
}

/// Whether every line with the same masked digits is taken apart as this one is, and has the same function. A number
/// that does not fit 64 bits is no thread: then the text begins with it, and with that of other lines of the shape it
/// may not.
bool is_taken_apart_by_shape(const LogLine& line, std::string_view rest) noexcept {
    return !line.may_be_cut && !has_long_number(rest) &&
           std::none_of(line.function.begin(), line.function.end(), is_digit);
}

}  // namespace

/// The digits of a function's name tell it from others (LaunchKernelV1, LaunchKernelV2), and formats ask for it.
bool LineShape::is_of(const LogLine& line, std::string_view rest) const noexcept {
    return !line.may_be_cut && line.text.data() == rest.data() + text_begin &&
           line.function == std::string_view(function_name.data(), function.size) &&
           (function.size == 0 || line.function.data() == rest.data() + function.begin);
}

CapturedTexts LineShape::texts_of(std::string_view rest) const noexcept {
    CapturedTexts texts;
    for (std::size_t index = 0; index < format->definition.captures.size(); ++index) {
        texts.set(index, part_at(captures[index], rest));
    }
    return texts;
}

/// No std::optional: GCC writes its halves and reads both at once, for which the processor waits.
std::int64_t LineShape::thread_of(std::string_view rest, const std::optional<std::int64_t>& known) const noexcept {
    constexpr std::int64_t kNone = -1;
    if (thread.size == 0) {
        return known.value_or(kNone);
    }
    std::string_view digits = part_at(thread, rest);
    if (const std::optional<std::uint64_t> number = short_number(digits, rest.data() + rest.size())) {
        return static_cast<std::int64_t>(*number);
    }
    return take_integer(digits).value_or(kNone);
}

bool LineShape::take(const CompiledFormat& read_by, const CapturedTexts& texts, const LogLine& line,
                     std::string_view rest) noexcept {
    if (line.may_be_cut || line.function.size() > kLongestFunction) {
        return false;
    }
    // "-1" is no digits; and a line of the driver may take back the thread that its prefix names.
    const bool has_plain_thread = line.thread.empty() ? line.tid.has_value() == thread_known
                                                      : std::all_of(line.thread.begin(), line.thread.end(), is_digit);
    is_certain = is_taken_apart_by_shape(line, rest) && has_plain_thread;
    thread = place_in_line(line.thread, rest);
    format = &read_by;
    unasked = unasked_shape_of(read_by, texts, rest);
    text_begin = static_cast<std::uint16_t>(line.text.data() - rest.data());
    function = place_in_line(line.function, rest);
    std::copy(line.function.begin(), line.function.end(), function_name.begin());
    for (std::size_t index = 0; index < read_by.definition.captures.size(); ++index) {
        captures[index] = place_in_line(texts[index], rest);
    }
    return true;
}

/// Lines with other digits must be taken apart as this one is, and asked for by the same formats.
bool LineShape::take_nothing(const LogLine& line, std::string_view rest) noexcept {
    return is_taken_apart_by_shape(line, rest);
}

LineShapes::LineShapes() : shapes_(new Kept[kMost + 1]), places_(kMost), seen_(kSeen) {
    static_assert(std::is_trivially_default_constructible_v<Kept>, "their memory would be touched here");
}

/// What lines do not repeat costs a fifth more by looking for it.
void LineShapes::count_unknown() noexcept {
    if (++unknown_ + known_ >= kLookedAt) {
        left_out_ = known_ < kLookedAt / 8 ? kLeftOut : 0;
        unknown_ = 0;
        known_ = 0;
    }
}

void LineShapes::begin_to_learn(const ModuleFormats* formats, bool thread_known, std::string_view rest) noexcept {
    size_ = rest.size();
    const std::uint64_t hash = mask_digits(rest, masked_.data());
    std::uint16_t& seen = seen_[(hash >> 16U) % kSeen];
    const auto part = static_cast<std::uint16_t>(hash >> 48U);
    learns_ = seen == part;
    seen = part;
    if (!learns_) {
        return;
    }
    const std::size_t first = first_place_of(hash_);
    const auto ways = places_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto empty = std::find_if(ways, ways + kWays, [](const Place& place) { return place.tag == 0; });
    learnt_ = first + (empty < ways + kWays ? static_cast<std::size_t>(empty - ways) : kWays - 1);
    Place& place = places_[learnt_];
    place.tag = 0;
    place.number = place.number == 0 ? ++count_ : place.number;
    Kept& shape = shapes_[place.number];
    shape.formats = formats;
    shape.thread_known = thread_known;
    shape.format = nullptr;
    shape.bytes.take(rest.data(), masked());
}

}  // namespace opdebug::logs
