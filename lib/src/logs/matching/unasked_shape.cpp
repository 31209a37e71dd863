#include "logs/matching/unasked_shape.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "logs/facts/launch_lines.hpp"
#include "logs/facts/numbered_node.hpp"
#include "logs/formats/format_match.hpp"
#include "logs/text/digits.hpp"
#include "logs/text/lexer.hpp"

namespace opdebug::logs {
namespace {

bool are_digits(std::string_view text) noexcept {
    return std::all_of(text.begin(), text.end(), is_digit);
}

bool is_hex_digit(char c) noexcept {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Whether every line of the shape has nothing there, or a number that fits 64 bits. A byte of a word in front of it
/// could belong to a number whose digits are hexadecimal in other lines of the shape (hex_numbers.hpp).
bool is_always_number(std::string_view text, std::string_view rest) noexcept {
    constexpr std::size_t kMostDigits = 18, kMostHexDigits = 16;
    if (text.empty()) {
        return true;
    }
    if (text.starts_with("0x")) {
        const std::string_view digits = text.substr(2);
        return !digits.empty() && digits.size() <= kMostHexDigits &&
               std::all_of(digits.begin(), digits.end(), is_hex_digit);
    }
    return text.size() <= kMostDigits && are_digits(text) && (text.data() == rest.data() || !is_word(text.data()[-1]));
}

std::string_view text_of(std::uint8_t capture, const CapturedTexts& texts) noexcept {
    return capture == IdOfFormat::kNone ? std::string_view() : texts[capture];
}

/// False where it has more digits than that, or other bytes.
bool find_id(const IdOfFormat& format, const CapturedTexts& texts, std::string_view rest, std::size_t most_digits,
             UnaskedShape::Id& id) noexcept {
    const std::string_view text = text_of(format.capture, texts);
    id.constant = format.constant;
    id.digits = static_cast<std::uint8_t>(text.size());
    id.end = text.empty() ? std::uint16_t{0} : static_cast<std::uint16_t>(text.data() + text.size() - rest.data());
    return text.size() <= most_digits && are_digits(text);
}

UnaskedShape::Place place_of(std::string_view text, std::string_view rest) noexcept {
    return text.empty() ? UnaskedShape::Place{0, 0}
                        : UnaskedShape::Place{static_cast<std::uint16_t>(text.data() - rest.data()),
                                              static_cast<std::uint16_t>(text.size())};
}

/// Whether lines of the shape have the numbers and texts that their statement needs.
bool has_all_that_is_needed(const CompiledFormat& format, const CapturedTexts& texts, std::string_view rest) noexcept {
    return std::all_of(format.numbers.begin(), format.numbers.end(),
                       [&](const CapturedMember& number) { return is_always_number(texts[number.capture], rest); }) &&
           std::none_of(format.needed_texts->begin(), format.needed_texts->end(),
                        [&texts](std::size_t capture) { return texts[capture].empty(); });
}

/// `none` where the line does not say; kNoNumber where it says it in other bytes, or as a larger number.
[[gnu::always_inline]] inline std::uint32_t id_in(std::string_view rest, UnaskedShape::Id id,
                                                  std::uint32_t none) noexcept {
    if (id.digits == 0) {
        return id.constant == IdOfFormat::kNone ? none : id.constant;
    }
    const std::uint32_t number = number_that_ends_at(rest.data() + id.end, id.digits);
    return number < none ? number : kNoNumber;
}

bool names_wanted_address(const UnaskedShape& shape, std::string_view rest, const Wanted& wanted) noexcept {
    return std::any_of(shape.addresses.begin(), shape.addresses.end(), [&](const UnaskedShape::Place& place) {
        std::optional<std::uint64_t> address;
        return place.size != 0 &&
               (!read_number({rest.data() + place.begin, place.size}, rest.data() + rest.size(), address) ||
                wanted.wants_address(address));
    });
}

}  // namespace

UnaskedShape unasked_shape_of(const CompiledFormat& format, const CapturedTexts& texts,
                              std::string_view rest) noexcept {
    constexpr std::size_t kDigitsOfId = 8, kDigitsOfSmallId = 4;
    const UnaskedFormat& unasked = format.unasked;
    UnaskedShape shape{};
    if (std::endian::native != std::endian::little || unasked.use == UnaskedUse::read || !unasked.has_plain_ids ||
        !find_id(unasked.stream_id, texts, rest, kDigitsOfId, shape.stream_id) || shape.stream_id.digits == 0 ||
        !find_id(unasked.task_id, texts, rest, kDigitsOfId, shape.task_id) || shape.task_id.digits == 0 ||
        !find_id(unasked.device_id, texts, rest, kDigitsOfSmallId, shape.device_id) ||
        !find_id(unasked.task_type, texts, rest, kDigitsOfSmallId, shape.task_type) ||
        !has_all_that_is_needed(format, texts, rest)) {
        return {};
    }
    shape.use = unasked.use;
    shape.kind = format.definition.states;
    if (shape.kind == FactKind::operator_of_task) {
        shape.node = place_of(texts[format.needed_texts->front()], rest);
    }
    if (is_kernel_launch(shape.kind)) {
        shape.addresses = {{place_of(text_of(unasked.address1.capture, texts), rest),
                            place_of(text_of(unasked.address2.capture, texts), rest)}};
    }
    return shape;
}

/// That a line is on none of the tasks that were asked for, two numbers tell mostly. What is read stays in registers
/// until it goes into the list: small members that were put together to a struct and read as one took a half of the
/// time.
UnaskedUse read_unasked(const UnaskedShape& shape, std::string_view rest, const Wanted& wanted,
                        UnaskedIds& ids) noexcept {
    const std::uint32_t stream = id_in(rest, shape.stream_id, kNoNumber);
    const std::uint32_t task = id_in(rest, shape.task_id, kNoNumber);
    if (stream == kNoNumber || task == kNoNumber || wanted.wants_task({stream, task}) ||
        (shape.node.size != 0 && begins_with_number({rest.data() + shape.node.begin, shape.node.size})) ||
        (wanted.wants_addresses() && names_wanted_address(shape, rest, wanted))) {
        return UnaskedUse::read;
    }
    if (shape.use == UnaskedUse::noted) {
        return UnaskedUse::noted;
    }
    const std::uint32_t device = id_in(rest, shape.device_id, UnaskedIds::kNoDevice);
    const std::uint32_t type = id_in(rest, shape.task_type, UnaskedIds::kNoType);
    if (device == kNoNumber || type == kNoNumber) {
        return UnaskedUse::read;
    }
    ids.stream_id = stream;
    ids.task_id = task;
    ids.device_id = static_cast<std::uint16_t>(device);
    ids.task_type = static_cast<std::uint8_t>(type);
    ids.kind = shape.kind;
    return use_of_line(shape.use, shape.kind, ids.task_type);
}

}  // namespace opdebug::logs
