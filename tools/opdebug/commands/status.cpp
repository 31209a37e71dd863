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

constexpr const char* kStatusUsage = "opdebug status UNIT VALUE... [options]";

std::vector<std::string> unit_keys() {
    std::vector<std::string> keys;
    for (const Unit unit :
         {Unit::ai_core, Unit::dha_atomic, Unit::l2_atomic, Unit::aic, Unit::aiv, Unit::aicpu, Unit::sdma}) {
        keys.emplace_back(unit_key(unit));
    }
    return keys;
}

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

/// Explains the values. Returns a message for an invalid value.
std::optional<std::string> explain(Unit unit, const std::vector<std::string>& values,
                                   std::vector<StatusExplanation>& explanations) {
    for (const std::string& value : values) {
        const auto words = parse_words(value);
        if (!words) {
            return sentence("status.not_a_number", {{"value", value}});
        }
        Result<StatusExplanation> explanation = decode_status(unit, *words);
        if (!explanation) {
            return sentence("status.refused", {{"value", value}, {"reason", explanation.error().message}});
        }
        if (is_like_return_code(*words)) {
            explanation->diagnostics.push_back(remarks::diagnose("return_code", {{"value", value}}));
        }
        explanations.push_back(std::move(explanation).value());
    }
    return std::nullopt;
}

std::string write_text(const std::vector<StatusExplanation>& explanations, const ReportOptions& report) {
    std::string text;
    for (const StatusExplanation& explanation : explanations) {
        text += (text.empty() ? "" : "\n") + status_to_text(explanation, report);
    }
    return text;
}

}  // namespace

CommandLine status_command_line() {
    CommandLine line;
    line.usage = kStatusUsage;
    line.summary =
        "Explains status numbers. UNIT: " + choice_of(unit_keys()).en +
        ".\n"
        "VALUE: decimal or 0x...; four values joined by commas are the status of a version-1 record; '-' reads values "
        "from standard input.";
    line.positionals = {word_value("UNIT", unit_keys()), repeated(text_value("VALUE"))};
    line.options = {form_option({"text", "json"}), {"verbose,v", {}, "text with explanations, sources and bits"}};
    add_report_options(line);
    line.examples = {{"opdebug status ai-core 0x120", "two causes of the AI Core"},
                     {"opdebug status aic 0,32,0,0 --format json", "a version-1 status as JSON"}};
    return line;
}

int status_command(const std::vector<std::string>& arguments) {
    const ParsedArguments parsed = parse_arguments(status_command_line(), arguments);
    if (parsed.exit_status) {
        return *parsed.exit_status;
    }
    const std::vector<std::string>& given = parsed.positionals;
    if (given.empty()) {
        return usage_error(kStatusUsage, sentence("status.expected"));
    }
    const std::optional<Unit> unit = unit_from_key(given.front());
    if (!unit) {
        const auto words = parse_words(given.front());
        if (words && is_like_return_code(*words)) {
            return usage_error(
                kStatusUsage,
                remarks::diagnose("return_code", {{"value", given.front()}}).message_in(spoken_language()));
        }
        return usage_error(kStatusUsage, sentence(words ? "status.missing_unit" : "status.no_unit",
                                                  {{"value", given.front()}, {"choice", choice_of(unit_keys())}}));
    }
    if (given.size() < 2) {
        return usage_error(kStatusUsage, sentence("status.missing_value"));
    }
    ReportOptions report;
    read_report_options(parsed, report);
    report.verbose = parsed.has("verbose");
    const Result<std::vector<std::string>> values = expand_standard_input({given.begin() + 1, given.end()});
    if (!values) {
        say(values.error());
        return kSomethingDamaged;
    }
    std::vector<StatusExplanation> explanations;
    if (const auto message = explain(*unit, *values, explanations)) {
        return usage_error(kStatusUsage, *message);
    }
    if (explanations.empty()) {
        return usage_error(kStatusUsage, sentence("status.empty_input"));
    }
    return show_result(output_path(parsed), parsed.form == "json" ? status_to_json(explanations, report) + "\n"
                                                                  : write_text(explanations, report));
}

}  // namespace opdebug::tool
