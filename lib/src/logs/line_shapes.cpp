#include "logs/line_shapes.hpp"

#include <algorithm>
#include <cstring>

#include "logs/masked_digits.hpp"
#include "logs/scan.hpp"

namespace opdebug::logs {
namespace {

LineShape::Place place_of(std::string_view part, std::string_view rest) noexcept {
    // A group that took no part is read as one that captured nothing.
    return part.empty() ? LineShape::Place{0, 0}
                        : LineShape::Place{static_cast<std::uint16_t>(part.data() - rest.data()),
                                           static_cast<std::uint16_t>(part.size())};
}

std::string_view part_at(LineShape::Place place, std::string_view rest) noexcept {
    return rest.substr(place.begin, place.size);
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

bool LineShape::take(const CompiledFormat& read_by, const CapturedTexts& texts, const LogLine& line,
                     std::string_view rest) noexcept {
    if (line.may_be_cut || line.function.size() > kLongestFunction) {
        return false;
    }
    format = &read_by;
    text_begin = static_cast<std::uint16_t>(line.text.data() - rest.data());
    function = place_of(line.function, rest);
    std::copy(line.function.begin(), line.function.end(), function_name.begin());
    for (std::size_t index = 0; index < read_by.definition.captures.size(); ++index) {
        captures[index] = place_of(texts[index], rest);
    }
    return true;
}

/// Lines with other digits must be taken apart as this one is, and asked for by the same formats. A number that does
/// not fit 64 bits is no thread: then the text begins with it, and with that of other lines of the shape it may not.
bool LineShape::take_nothing(const LogLine& line, std::string_view rest) noexcept {
    constexpr std::size_t kDigitsOfThread = 18;  // more need not fit 64 bits
    std::size_t digits = 0, longest = 0;
    for (const char byte : rest) {
        digits = is_digit(byte) ? digits + 1 : 0;
        longest = std::max(longest, digits);
    }
    return !line.may_be_cut && longest <= kDigitsOfThread &&
           std::none_of(line.function.begin(), line.function.end(), is_digit);
}

LineShapes::LineShapes() : shapes_(new LineShape[kMost + 1]), places_(kMost), seen_(kSeen) {}

/// What lines do not repeat costs a fifth more by looking for it.
void LineShapes::count_unknown() noexcept {
    if (++unknown_ + known_ >= kLookedAt) {
        left_out_ = known_ < kLookedAt / 8 ? kLeftOut : 0;
        unknown_ = 0;
        known_ = 0;
    }
}

void LineShapes::begin_to_learn(const ModuleFormats* formats, bool thread_known, std::string_view rest) noexcept {
    count_unknown();
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
    learnt_ = first + (empty < ways + kWays ? static_cast<std::size_t>(empty - ways) : hash % kWays);
    Place& place = places_[learnt_];
    place.tag = 0;
    place.number = place.number == 0 ? ++count_ : place.number;
    LineShape& shape = shapes_[place.number];
    shape.formats = formats;
    shape.thread_known = thread_known;
    shape.format = nullptr;
    shape.bytes.take(rest.data(), masked());
}

}  // namespace opdebug::logs
