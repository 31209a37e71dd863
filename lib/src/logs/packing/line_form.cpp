#include "logs/packing/line_form.hpp"

#include <charconv>
#include <cstring>
#include <utility>

#include "logs/packing/count_of_bits.hpp"
#include "logs/packing/form_parts.hpp"
#include "logs/packing/number_bytes.hpp"
#include "logs/text/three_digits.hpp"

namespace opdebug::logs {
namespace {

std::size_t place_of(std::uint64_t mask, unsigned member) noexcept {
    const std::uint64_t below = mask & ((std::uint64_t{1} << member) - 1);
    const auto high = static_cast<unsigned>(below >> 32U);  // a later version may have so many members
    return count_of_bits(static_cast<unsigned>(below)) + (high != 0 ? count_of_bits(high) : 0);
}

/// Most pieces between two parts are short: 16 bytes at once, where so many may be read, took a third of the
/// instructions of calls that copy just so many.
char* copy(std::string_view line, std::size_t begin, std::size_t size, char* text) noexcept {
    if (size <= LineForm::kWrittenBehind && begin + LineForm::kWrittenBehind <= line.size()) {
        std::memcpy(text, line.data() + begin, LineForm::kWrittenBehind);
    } else if (size > 0) {
        std::memcpy(text, line.data() + begin, size);
    }
    return text + size;
}

/// Most are short: of each digit by itself it took a third more instructions to fill in a form.
char* write_decimal(std::uint64_t number, char* text) noexcept {
    if (number >= kThousand) {
        return std::to_chars(text, text + kMostDigits, number).ptr;
    }
    const ThreeDigits& digits = three_digits(static_cast<unsigned>(number));
    const std::size_t zeros = number >= 100 ? 0 : number >= 10 ? 1 : 2;
    std::memcpy(text, digits.data() + zeros, 2);
    text[2] = digits[2];
    return text + 3 - zeros;
}

/// What a fact says in the place of parts. `places_hold`: the form's places are those of the values.
class Fillings {
public:
    Fillings(const KnownValues& known, bool places_hold) noexcept : known_(known), places_hold_(places_hold) {}

    std::string_view text(const FormPart& part) const noexcept {
        return places_hold_ ? known_.texts[part.place] : known_.text(part.member);
    }
    /// Behind `next` goes what it writes. False where the fact says nothing.
    bool write(const FormPart& part, WrittenTimes& times, char*& next) const noexcept {
        switch (part.filling) {
            case Filling::time: {
                const bool is_written = times.write(known_.time_us, next);
                next += is_written ? WrittenTimes::kSize : 0;
                return is_written;
            }
            case Filling::thread: next = std::to_chars(next, next + kMostDigits, known_.tid).ptr; return true;
            case Filling::text: {
                const std::string_view value = text(part);
                next += value.copy(next, value.size());
                return !value.empty();
            }
            case Filling::decimal:
            case Filling::hexadecimal: break;
        }
        if (places_hold_) {
            next = write_number(part.filling, known_.numbers[part.place], next);
            return true;
        }
        const std::optional<std::uint64_t> number = known_.number(part.member);
        next = number ? write_number(part.filling, *number, next) : next;
        return number.has_value();
    }

private:
    static char* write_number(Filling filling, std::uint64_t number, char* text) noexcept {
        return filling == Filling::decimal ? write_decimal(number, text)
                                           : std::to_chars(text, text + kMostDigits, number, 16).ptr;
    }

    const KnownValues& known_;
    bool places_hold_;
};

}  // namespace

std::optional<std::uint64_t> KnownValues::number(unsigned member) const noexcept {
    return (number_mask >> member & 1U) != 0 ? std::optional(numbers[place_of(number_mask, member)]) : std::nullopt;
}

std::string_view KnownValues::text(unsigned member) const noexcept {
    return (text_mask >> member & 1U) != 0 ? texts[place_of(text_mask, member)] : std::string_view();
}

LineForm::LineForm(std::string_view line, std::vector<FormPart> parts, const KnownValues& own)
    : line_(line),
      parts_(std::move(parts)),
      number_mask_(static_cast<std::uint32_t>(own.number_mask)),
      text_mask_(static_cast<std::uint8_t>(own.text_mask)) {
    static_assert(kMostDigits <= WrittenTimes::kSize);
    most_without_texts_ = line_.size();
    for (const FormPart& part : parts_) {  // texts as well: to go through a part of no bytes takes time
        most_without_texts_ += part.filling == Filling::time ? WrittenTimes::kSize : kMostDigits;
        text_parts_ += part.filling == Filling::text ? 1U : 0U;
    }
    find_places();
}

void LineForm::find_places() noexcept {
    knows_places_ = true;
    for (FormPart& part : parts_) {
        if (part.filling == Filling::time || part.filling == Filling::thread) {
            continue;
        }
        const std::uint64_t mask = part.filling == Filling::text ? text_mask_ : number_mask_;
        knows_places_ = knows_places_ && (mask >> part.member & 1U) != 0;
        part.place = static_cast<std::uint8_t>(place_of(mask, part.member));
    }
}

LineForm LineForm::of_line(std::string_view line, const KnownValues& known) {
    return {line, form_parts(line, known), known};
}

std::uint64_t LineForm::most_bytes(const KnownValues& known) const noexcept {
    const Fillings fillings(known, places_hold_for(known));
    std::uint64_t bytes = most_without_texts_;
    for (const FormPart& part : parts_) {
        bytes += part.filling == Filling::text ? fillings.text(part).size() : 0;
    }
    return bytes;
}

char* LineForm::fill_in(const KnownValues& known, WrittenTimes& times, char* text) const noexcept {
    const Fillings fillings(known, places_hold_for(known));
    std::size_t place = 0;
    for (const FormPart& part : parts_) {
        text = copy(line_, place, part.begin - place, text);
        if (!fillings.write(part, times, text)) {
            text = copy(line_, part.begin, part.size, text);
        }
        place = part.end();
    }
    return copy(line_, place, line_.size() - place, text);
}

}  // namespace opdebug::logs
