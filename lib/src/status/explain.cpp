// Explains a status with the description of its register.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "status/catalogue.hpp"

#include "remarks/diagnose.hpp"

namespace opdebug::status {
namespace {

/// Values of the placeholders.
struct RemarkValues {
    std::uint64_t status = 0;  ///< {status} decimal, {status_hex}: the explained word
    std::uint64_t bits = 0;    ///< {bits} hex: bits of the remark's causes
    std::uint64_t code = 0;    ///< {code} decimal, {code_hex}: the number in the group of bits
};

std::string value_of(std::string_view name, const RemarkValues& values) {
    if (name == "status") {
        return fmt::format("{}", values.status);
    }
    if (name == "status_hex") {
        return fmt::format("{:#x}", values.status);
    }
    if (name == "bits") {
        return fmt::format("{:#x}", values.bits);
    }
    if (name == "code") {
        return fmt::format("{}", values.code);
    }
    if (name == "code_hex") {
        return fmt::format("{:#x}", values.code);
    }
    return fmt::format("{{{}}}", name);
}

/// The message with placeholders replaced.
std::string fill(std::string_view message, const RemarkValues& values) {
    std::string filled;
    while (true) {
        const std::size_t open = message.find('{');
        const std::size_t close = open == std::string_view::npos ? open : message.find('}', open);
        if (close == std::string_view::npos) {
            return filled.append(message);
        }
        filled.append(message.substr(0, open)).append(value_of(message.substr(open + 1, close - open - 1), values));
        message.remove_prefix(close + 1);
    }
}
}  // namespace
}  // namespace opdebug::status

namespace opdebug {
inline namespace v0 {
namespace {

using status::CodeField;
using status::Register;
using status::Remark;
using status::RemarkText;
using status::RemarkValues;
using status::When;

/// One word; four only in records of the cube and vector cores with version 1.
bool word_count_fits(Unit unit, std::size_t count) noexcept {
    return count == 1 || (count == 4 && (unit == Unit::aic || unit == Unit::aiv));
}

void add_diagnostic(StatusExplanation& explanation, const RemarkText& text, const RemarkValues& values) {
    explanation.diagnostics.push_back(
        {text.severity, text.code, status::fill(text.message.en, values), status::fill(text.message.zh, values)});
}

void find_causes(const Register& description, StatusExplanation& explanation) {
    const std::uint64_t word = explanation.words.front();
    for (const auto& entry : description.entries) {
        if ((word & entry->mask) == entry->value) {
            explanation.causes.push_back({entry, word & entry->mask});
            explanation.undocumented_bits.front() &= ~entry->mask;
        }
    }
}

void read_codes(const Register& description, StatusExplanation& explanation) {
    const std::uint64_t word = explanation.words.front();
    for (const CodeField& code : description.codes) {
        const int low_bit = std::countr_zero(code.mask);
        const std::uint64_t value = (word & code.mask) >> low_bit;
        explanation.codes.push_back(
            {static_cast<unsigned>(low_bit), static_cast<unsigned>(63 - std::countl_zero(code.mask)), value});
        if (value == 0) {
            add_diagnostic(explanation, code.zero, {word, 0, value});
        } else if ((explanation.undocumented_bits.front() & code.mask) != 0) {
            add_diagnostic(explanation, code.unknown, {word, word & code.mask, value});
        }
    }
}

/// The bits of the remark. Empty if it does not apply.
std::optional<std::uint64_t> remark_bits(const Remark& remark, const StatusExplanation& explanation) {
    const std::vector<Cause>& causes = explanation.causes;
    std::uint64_t bits = 0;
    for (const Cause& cause : causes) {
        const bool listed =
            std::find(remark.causes.begin(), remark.causes.end(), cause.definition->id) != remark.causes.end();
        if (remark.when != When::causes || listed) {
            bits |= cause.bits;
        }
    }
    const auto is_overflow = [](const Cause& cause) { return cause.definition->kind == CauseKind::overflow; };
    bool applies = false;
    switch (remark.when) {
        case When::nonzero: applies = true; break;
        case When::named:
        case When::causes: applies = bits != 0; break;
        case When::not_overflow: applies = bits != 0 && std::none_of(causes.begin(), causes.end(), is_overflow); break;
        case When::four_words: applies = explanation.words.size() == 4; break;
    }
    return applies ? std::optional(bits) : std::nullopt;
}

void add_remarks(const Register& description, StatusExplanation& explanation) {
    for (const Remark& remark : description.remarks) {
        if (std::find(remark.units.begin(), remark.units.end(), explanation.unit) == remark.units.end()) {
            continue;
        }
        if (const auto bits = remark_bits(remark, explanation)) {
            add_diagnostic(explanation, remark.text, {explanation.words.front(), *bits, 0});
        }
    }
}

}  // namespace

Result<StatusExplanation> decode_status(const StatusCatalogue& catalogue, Unit unit,
                                        const std::vector<std::uint64_t>& words) {
    if (unit_name(unit).empty()) {
        return Error{ErrorCode::invalid_argument,
                     fmt::format("There is no unit with the number {}.", static_cast<int>(unit)), "", std::nullopt};
    }
    if (!word_count_fits(unit, words.size())) {
        return Error{ErrorCode::invalid_argument,
                     fmt::format("A status of {} has one word{}, not {}.", unit_name(unit),
                                 word_count_fits(unit, 4) ? ", or four words in a version-1 record" : "", words.size()),
                     "", std::nullopt};
    }
    StatusExplanation explanation;
    explanation.unit = unit;
    explanation.words = words;
    explanation.undocumented_bits = words;
    explanation.overflow = std::any_of(words.begin(), words.end(), [](std::uint64_t word) { return word != 0; });
    if (!explanation.overflow) {
        return explanation;
    }
    const Register* const description = catalogue.find(unit);
    if (description == nullptr) {
        explanation.diagnostics.push_back(remarks::diagnose("no_status_table", {{"unit", unit_name(unit)}}));
        return explanation;
    }
    if (words.front() != 0) {
        find_causes(*description, explanation);
        read_codes(*description, explanation);
    }
    add_remarks(*description, explanation);
    return explanation;
}

Result<StatusExplanation> decode_status(Unit unit, const std::vector<std::uint64_t>& words) {
    return decode_status(*built_in_status_catalogue(), unit, words);
}

}  // namespace v0
}  // namespace opdebug
