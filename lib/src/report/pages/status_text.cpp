// A status for people: number, working, causes.
#include <string>

#include <fmt/format.h>

#include <opdebug/dump.hpp>
#include <opdebug/report.hpp>

#include "report/text/labels.hpp"
#include "report/text/numbers_and_times.hpp"

namespace opdebug::report {
namespace {

std::string bit_numbers(std::uint64_t bits) {
    std::string text;
    for (unsigned bit = 0; bit < 64; ++bit) {
        if ((bits >> bit & 1U) != 0) {
            text += fmt::format("{}{}", text.empty() ? "" : ", ", bit);
        }
    }
    return text;
}

bool any_bit(const std::vector<std::uint64_t>& words) {
    for (const std::uint64_t word : words) {
        if (word != 0) {
            return true;
        }
    }
    return false;
}

/// "[2] " of several words.
std::string word_number(std::size_t index, std::size_t count) {
    return count > 1 ? fmt::format("[{}] ", index + 1) : "";
}

/// "bit 5 (0x20)", "bits 3, 4 (0x18)".
std::string show_bits(std::uint64_t bits, Language language) {
    const bool single = (bits & (bits - 1)) == 0;
    const std::string_view word = language == Language::chinese ? "位" : single ? "bit" : "bits";
    return fmt::format("{} {} ({})", word, bit_numbers(bits), hex(bits));
}

std::string undocumented_to_text(const StatusExplanation& status, Language language) {
    std::string text;
    for (std::size_t i = 0; i < status.undocumented_bits.size(); ++i) {
        if (status.undocumented_bits[i] != 0) {
            text += fmt::format("{}{}{}", text.empty() ? "" : "; ", word_number(i, status.undocumented_bits.size()),
                                show_bits(status.undocumented_bits[i], language));
        }
    }
    return text;
}

/// "32 (0x20)", or the four words of a version-1 record.
std::string show_words(const std::vector<std::uint64_t>& words) {
    std::string decimal, hexadecimal;
    for (const std::uint64_t word : words) {
        decimal += fmt::format("{}{}", decimal.empty() ? "" : ", ", word);
        hexadecimal += fmt::format("{}{}", hexadecimal.empty() ? "" : ", ", hex(word));
    }
    return fmt::format("{} ({})", decimal, hexadecimal);
}

/// Cause, text, advice and source of each cause, and the undocumented bits, indented by `indent` blanks.
std::string causes_to_text(const StatusExplanation& status, Language language, std::size_t indent) {
    const Labels& labels = labels_in(language);
    const std::string margin(indent, ' ');
    std::string text;
    for (const Cause& cause : status.causes) {
        const CauseDefinition& definition = *cause.definition;
        text += fmt::format("{}{}{}{} [{}], {}\n", margin, labels.cause, labels.colon,
                            printable(definition.name.in(language)), printable(definition.id),
                            show_bits(cause.bits, language));
        text += fmt::format("{}  {}\n", margin, printable(definition.text.in(language)));
        text +=
            fmt::format("{}  {}{}{}\n", margin, labels.advice, labels.colon, printable(definition.advice.in(language)));
        text += fmt::format("{}  {}{}{}\n", margin, labels.source, labels.colon, printable(definition.source));
    }
    if (status.causes.empty() && any_bit(status.words)) {
        text += fmt::format("{}{}{}{}\n", margin, labels.cause, labels.colon, labels.no_cause);
    }
    if (any_bit(status.undocumented_bits)) {
        text += fmt::format("{}{}{}{}\n", margin, labels.undocumented, labels.colon,
                            undocumented_to_text(status, language));
    }
    return text;
}

}  // namespace
}  // namespace opdebug::report

std::string opdebug::status_to_text(const StatusExplanation& status, const ReportOptions& options) {
    const report::Labels& labels = report::labels_in(options.language);
    std::string text =
        fmt::format("{} {} {}{}{}\n", unit_name(status.unit), labels.status, report::show_words(status.words),
                    labels.colon, status.overflow ? labels.overflow : labels.clean);
    for (std::size_t i = 0; i < status.words.size(); ++i) {
        text += fmt::format("  {}{:#b}\n", report::word_number(i, status.words.size()), status.words[i]);
    }
    for (const StatusCode& code : status.codes) {
        text += fmt::format("  {} {}..{} = {:#x}\n", labels.bits, code.low_bit, code.high_bit, code.value);
    }
    text += report::causes_to_text(status, options.language, 2);
    for (const Diagnostic& remark : status.diagnostics) {
        text += fmt::format("  {}{}{}\n", report::severity_label(remark.severity, labels), labels.colon,
                            printable(remark.message_in(options.language)));
    }
    return text;
}
