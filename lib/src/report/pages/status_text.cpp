// A status for people: the answer, its causes, what to do; the number in other forms with `verbose`.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/dump.hpp>
#include <opdebug/report.hpp>

#include "report/text/answer_words.hpp"
#include "report/text/page.hpp"

namespace opdebug::report {
namespace {

/// "32 (0x20)", or the four words of a version-1 record.
std::string show_words(const std::vector<std::uint64_t>& words) {
    return fmt::format("{} ({})", fmt::join(words, ", "), hex_words(words));
}

/// Decimal and binary, and the codes in the status.
std::string number_details(const StatusExplanation& status, const Page& page) {
    std::string text;
    for (std::size_t i = 0; i < status.words.size(); ++i) {
        const std::string number = status.words.size() > 1 ? fmt::format("[{}] ", i + 1) : "";
        text += fmt::format("  {}{} = {:#b}\n", number, status.words[i], status.words[i]);
    }
    for (const StatusCode& code : status.codes) {
        text += fmt::format("  {} {}..{} = {:#x}\n", page.word("page.bits"), code.low_bit, code.high_bit, code.value);
    }
    return text;
}

/// A row of the causes of a status: its bits, its name, its meaning.
struct CauseRow {
    std::uint64_t bits = 0;
    std::string name, meaning;
    const CauseDefinition* definition = nullptr;  ///< null: undocumented bits
};

std::vector<CauseRow> cause_rows(const StatusExplanation& status, const Page& page) {
    const Language language = page.language();
    std::vector<CauseRow> rows;
    for (const Cause& cause : status.causes) {
        rows.push_back({cause.bits, printable(cause.definition->name.in(language)),
                        printable(meaning_of(*cause.definition, language)), cause.definition.get()});
    }
    for (const std::uint64_t bits : status.undocumented_bits) {
        if (bits != 0) {
            rows.push_back({bits, std::string(page.word("page.undocumented_inside")), "", nullptr});
        }
    }
    return rows;
}

std::string cause_details(const CauseDefinition& definition, const Page& page) {
    const std::string margin(8, ' ');
    const auto labelled = [&](std::string_view label, const std::string& text) {
        return page.lines(fmt::format("{}{}{}", margin, page.word(label), page.word("page.colon")), printable(text),
                          margin.size());
    };
    return page.lines(fmt::format("{}[{}] ", margin, printable(definition.id)),
                      printable(definition.text.in(page.language())), margin.size()) +
           labelled("page.advice", definition.advice.in(page.language())) + labelled("page.source", definition.source);
}

}  // namespace

std::string causes_text(const StatusExplanation& status, const ReportOptions& options) {
    const Page page{options};
    const std::vector<CauseRow> rows = cause_rows(status, page);
    std::size_t digits = 0, columns = 0;
    for (const CauseRow& row : rows) {
        digits = std::max(digits, fmt::formatted_size("{:x}", row.bits));
        columns = std::max(columns, display_columns(row.name));
    }
    std::string text;
    for (const CauseRow& row : rows) {
        const std::string bits = fmt::format("  0x{:0{}x}  ", row.bits, digits);
        text += row.meaning.empty() ? fmt::format("{}{}\n", bits, row.name)
                                    : page.lines(fmt::format("{}{}   ", bits, padded(row.name, columns)), row.meaning,
                                                 bits.size() + columns + 3);
        if (options.verbose && row.definition != nullptr) {
            text += cause_details(*row.definition, page);
        }
    }
    return rows.empty() ? fmt::format("  {}\n", page.word("page.no_cause")) : text;
}

std::string next_steps_text(const std::vector<std::string>& steps, const ReportOptions& options) {
    const Page page{options};
    std::string text = page.heading(page.word("page.next"));
    std::size_t number = 0;
    for (const std::string& step : steps) {
        text += page.lines(fmt::format("  {}. ", ++number), step, 5);
    }
    return number == 0 ? std::string() : text;
}

}  // namespace opdebug::report

std::string opdebug::status_to_text(const StatusExplanation& status, const ReportOptions& options) {
    const report::Page page{options};
    std::string text = fmt::format(
        "{}  {} {}\n", status.overflow ? page.red(page.word("page.overflow")) : std::string(page.word("page.clean")),
        unit_name(status.unit), report::show_words(status.words));
    const bool is_zero =
        std::all_of(status.words.begin(), status.words.end(), [](std::uint64_t word) { return word == 0; });
    text += is_zero ? std::string() : report::causes_text(status, options);
    text += options.verbose ? report::number_details(status, page) : std::string();
    const auto step_of = [&options](const Cause& cause) {
        return printable(report::next_of(*cause.definition, options.language));
    };
    text += report::next_steps_text(report::mapped(status.causes, step_of), options);
    for (const Diagnostic& remark : status.diagnostics) {
        const std::string_view severity = page.word(report::Page::severity_word(remark.severity));
        text += page.lines(fmt::format("  {}{}", severity, page.word("page.colon")),
                           printable(remark.message_in(options.language)), 4);
    }
    return report::fitted(text, options.columns);
}
