// opdebug status: causes of plain status numbers.
#include <charconv>
#include <iterator>
#include <sstream>

#include <opdebug/dump.hpp>
#include <opdebug/report.hpp>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "remarks/diagnose.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

std::optional<std::uint64_t> parse_number(std::string_view text) {
    const bool is_hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const std::string_view digits = is_hex ? text.substr(2) : text;
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value, is_hex ? 16 : 10);
    return parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size() ? std::optional<std::uint64_t>(value)
                                                                                   : std::nullopt;
}

/// The words of one value, comma-separated; empty if one is not a 64-bit number.
std::optional<std::vector<std::uint64_t>> parse_words(const std::string& value) {
    std::vector<std::uint64_t> words;
    std::istringstream parts(value + ",");
    for (std::string part; std::getline(parts, part, ',');) {
        const auto word = parse_number(part);
        if (!word) {
            return std::nullopt;
        }
        words.push_back(*word);
    }
    return words;
}

/// Replaces "-" with the values on standard input. Errors: those of reading it.
Result<std::vector<std::string>> expand_standard_input(const std::vector<std::string>& values) {
    std::vector<std::string> expanded;
    for (const std::string& value : values) {
        if (value != kStandardInput) {
            expanded.push_back(value);
            continue;
        }
        const Result<std::vector<std::uint8_t>> content = read_standard_input({});
        if (!content) {
            return content.error();
        }
        std::istringstream words(std::string(content->begin(), content->end()));
        expanded.insert(expanded.end(), std::istream_iterator<std::string>(words),
                        std::istream_iterator<std::string>());
    }
    return expanded;
}

/// Whether the number is in the range of return codes of the runtime: 107xxx, 207xxx (207003: an AI Core overflow) and
/// 507xxx. Source: rt_error_codes.h.
bool is_like_return_code(const std::vector<std::uint64_t>& words) {
    constexpr std::uint64_t kCodesOfGroup = 1000;
    const std::uint64_t group = words.size() == 1 ? words.front() / kCodesOfGroup : 0;
    return group == 107 || group == 207 || group == 507;
}

std::vector<StatusExplanation> explain(Unit unit, const std::vector<std::string>& values) {
    std::vector<StatusExplanation> explanations;
    for (const std::string& value : values) {
        const auto words = parse_words(value);
        if (!words) {
            throw UsageError(sentence("status.not_a_number", {{"value", value}}));
        }
        Result<StatusExplanation> explanation = decode_status(unit, *words);
        if (!explanation) {
            throw UsageError(sentence("status.refused", {{"value", value}, {"reason", explanation.error().message}}));
        }
        if (is_like_return_code(*words)) {
            explanation->diagnostics.push_back(remarks::diagnose("return_code", {{"value", value}}));
        }
        explanations.push_back(std::move(explanation).value());
    }
    return explanations;
}

std::string write_text(const std::vector<StatusExplanation>& explanations, const ReportOptions& report) {
    std::string text;
    for (const StatusExplanation& explanation : explanations) {
        text += (text.empty() ? "" : "\n") + status_to_text(explanation, report);
    }
    return text;
}

}  // namespace

int status_command(const ParsedArguments& arguments) {
    const std::vector<std::string>& given = arguments.positionals;
    if (given.empty()) {
        throw UsageError(sentence("status.expected"));
    }
    const std::optional<Unit> unit = unit_from_key(given.front());
    if (!unit) {
        const auto words = parse_words(given.front());
        if (words && is_like_return_code(*words)) {
            throw UsageError(
                remarks::diagnose("return_code", {{"value", given.front()}}).message_in(message_language()));
        }
        throw UsageError(sentence(words ? "status.missing_unit" : "status.no_unit",
                                  {{"value", given.front()},
                                   {"choice", choice_of(command_line_of("status").positionals.values.front().words)}}));
    }
    if (given.size() < 2) {
        throw UsageError(sentence("status.missing_value"));
    }
    const ReportOptions report = read_report_options(arguments);
    const Result<std::vector<std::string>> values = expand_standard_input({given.begin() + 1, given.end()});
    if (!values) {
        print_message(values.error());
        return kSomethingDamaged;
    }
    const std::vector<StatusExplanation> explanations = explain(*unit, *values);
    if (explanations.empty()) {
        throw UsageError(sentence("status.empty_input"));
    }
    return show_result(arguments.output, arguments.form == "json" ? status_to_json(explanations, report) + "\n"
                                                                  : write_text(explanations, report));
}

}  // namespace opdebug::tool
