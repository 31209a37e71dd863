#include "command_line/command_line.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "output/messages.hpp"
#include "output/output.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

namespace options = boost::program_options;

// Key of positional arguments, which cannot be typed as an option.
constexpr const char* kPositionals = "arguments that are no options";

/// "opdebug decode" in "opdebug decode FILE... [options]", "opdebug" in "opdebug COMMAND [arguments]".
std::string command_of(const std::string& usage) {
    const std::size_t space = usage.find(' ');
    const bool names_command = std::islower(static_cast<unsigned char>(usage[space + 1])) != 0;
    return usage.substr(0, names_command ? usage.find(' ', space + 1) : space);
}

/// "; did you mean '--logs'?" for a name with the same first letter that is similar to an option.
std::string suggestion_for(const std::string& name, const CommandLine& line) {
    std::vector<std::string> names;
    for (const Option& option : line.options) {
        names.push_back("--" + key_of(option));
    }
    const auto near = nearest_word(name, names);
    return near && near->substr(0, 3) == name.substr(0, 3) ? sentence("usage.did_you_mean", {{"word", *near}}) : "";
}

/// The message of Boost.Program_options, in the language of the messages.
std::string text_of(const options::error& error, const CommandLine& line) {
    using Syntax = options::invalid_command_line_syntax;
    const auto* const of_option = dynamic_cast<const options::error_with_option_name*>(&error);
    const auto* const syntax = dynamic_cast<const Syntax*>(&error);
    const std::string option = of_option != nullptr ? of_option->get_option_name() : std::string();
    if (dynamic_cast<const options::unknown_option*>(&error) != nullptr) {
        return sentence("usage.unknown_option", {{"option", option}, {"hint", suggestion_for(option, line)}});
    }
    if (dynamic_cast<const options::multiple_occurrences*>(&error) != nullptr) {
        return sentence("usage.repeated_option", {{"option", option}});
    }
    if (syntax != nullptr && syntax->kind() == Syntax::missing_parameter) {
        return sentence("usage.missing_value", {{"option", option}});
    }
    if (syntax != nullptr && syntax->kind() == Syntax::extra_parameter) {
        return sentence("usage.extra_value", {{"option", option}});
    }
    if (syntax != nullptr && syntax->kind() == Syntax::empty_adjacent_parameter) {
        return sentence("usage.empty_value", {{"option", option}});
    }
    return sentence("usage.other", {{"message", error.what()}});
}

/// Text of help after the option: Boost shows only its first long name and its letter.
std::string summary_of(const Option& option) {
    std::string summary = option.summary;
    for (const std::string& spelling : further_long_names(option)) {
        summary += "; also " + spelling;
    }
    return summary;
}

options::options_description description_of(const CommandLine& line, const std::string& title) {
    options::options_description description(title);
    for (const Option& option : line.options) {
        const std::string summary = summary_of(option);
        if (!option.value) {
            description.add_options()(option.names.c_str(), summary.c_str());
        } else if (option.value->repeated) {
            description.add_options()(option.names.c_str(),
                                      options::value<std::vector<std::string>>()->value_name(option.value->name),
                                      summary.c_str());
        } else {
            description.add_options()(option.names.c_str(),
                                      options::value<std::string>()->value_name(option.value->name), summary.c_str());
        }
    }
    return description;
}

std::string help_text(const CommandLine& line) {
    std::string text = fmt::format("Usage: {}\n\n{}\n", line.usage, line.summary);
    for (const bool advanced : {false, true}) {
        CommandLine part;
        std::copy_if(line.options.begin(), line.options.end(), std::back_inserter(part.options),
                     [advanced](const Option& option) { return option.is_advanced == advanced; });
        if (!part.options.empty()) {
            std::ostringstream described;
            described << description_of(part, advanced ? "Advanced" : "Options");
            text += "\n" + described.str();
        }
    }
    text += line.single_dash_long ? fmt::format("\n{}\n", kSingleDashRemark) : "";
    text += line.examples.empty() ? "" : "\nExamples:\n";
    for (const Example& example : line.examples) {
        text += fmt::format("  {}\n      {}\n", example.call, example.meaning);
    }
    return text;
}

/// The format of a suffix; empty for others.
std::string form_of_suffix(const std::string& path) {
    constexpr std::pair<const char*, const char*> kForms[] = {
        {".json", "json"}, {".jsonl", "jsonl"}, {".csv", "csv"}, {".html", "html"}, {".txt", "text"}};
    const std::string suffix = std::filesystem::path(path).extension().string();
    for (const auto& [known, form] : kForms) {
        if (suffix == known) {
            return form;
        }
    }
    return {};
}

/// The format of a result: the value of the option, otherwise the suffix of -o, otherwise text on a terminal and JSON
/// elsewhere. Sets `form`. Returns a message if the suffix contradicts the option, or names a format that it does not
/// have.
std::optional<std::string> read_form(const Option& option, const ParsedArguments& parsed, bool to_file,
                                     std::string& form) {
    const std::string key = key_of(option);
    const std::vector<std::string>& forms = option.value->words;
    const auto is_written = [&forms](const std::string& one) {
        return std::find(forms.begin(), forms.end(), one) != forms.end();
    };
    const std::string suffix = to_file ? form_of_suffix(parsed.text("output")) : "";
    if (!suffix.empty() && !is_written(suffix)) {
        const bool is_html = suffix == "html";
        return sentence(is_html ? "usage.output_no_html" : "usage.output_form",
                        {{"file", parsed.text("output")}, {"choice", choice_of(forms)}, {"form", suffix}});
    }
    if (!suffix.empty() && parsed.has(key) && parsed.text(key) != suffix) {
        return sentence("usage.output_contradicts",
                        {{"file", parsed.text("output")}, {"option", key}, {"form", parsed.text(key)}});
    }
    const bool on_terminal = !to_file && ::isatty(STDOUT_FILENO) == 1;
    form = parsed.has(key)      ? parsed.text(key)
           : !suffix.empty()    ? suffix
           : on_terminal        ? "text"
           : is_written("json") ? "json"
                                : "jsonl";
    return std::nullopt;
}

/// Sets the formats of the results. Returns a message for an invalid one.
std::optional<std::string> read_forms(const CommandLine& line, ParsedArguments& parsed) {
    const bool to_file = parsed.has("output") && parsed.text("output") != "-";
    const auto option_named = [&line](const char* key) {
        const auto option = std::find_if(line.options.begin(), line.options.end(),
                                         [key](const Option& known) { return key_of(known) == key; });
        return option != line.options.end() ? &*option : nullptr;
    };
    const Option* const format = option_named("format");
    const Option* const report = option_named("report");
    std::optional<std::string> message;
    if (report != nullptr && to_file) {
        message = read_form(*report, parsed, true, parsed.report_form);
    }
    return message || format == nullptr ? message
                                        : read_form(*format, parsed, to_file && report == nullptr, parsed.form);
}

bool is_input(const Value& value) {
    return value.kind == ValueKind::file || value.kind == ValueKind::file_or_folder;
}

/// Returns a message for an empty path, as "$LOGS" is in a shell without LOGS. The message of the system would not name
/// the option.
std::optional<std::string> fault_of_paths(const std::string& name, const Value& value,
                                          const std::vector<std::string>& texts) {
    if ((is_input(value) || value.kind == ValueKind::folder) &&
        std::find(texts.begin(), texts.end(), "") != texts.end()) {
        return sentence("usage.empty_path", {{"name", name}});
    }
    return std::nullopt;
}

/// Returns a message for an invalid text: an unknown word, or a location that is not writable.
std::optional<std::string> fault_of_value(const Option& option, const std::string& text) {
    const std::vector<std::string>& words = option.value->words;
    if (option.value->kind == ValueKind::word && std::find(words.begin(), words.end(), text) == words.end()) {
        return sentence("usage.option_word",
                        {{"option", key_of(option)}, {"choice", choice_of(words)}, {"value", text}});
    }
    if (auto message = fault_of_paths("--" + key_of(option), *option.value, {text})) {
        return message;
    }
    if (option.value->kind == ValueKind::folder) {
        return refuse_output_folder("--" + key_of(option), text);
    }
    if (option.value->kind != ValueKind::result_file || text == "-") {
        return std::nullopt;
    }
    return refuse_output_place(text);
}

/// Returns a message if a value of the option is invalid.
std::optional<std::string> fault_of_option(const Option& option, const ParsedArguments& parsed) {
    const std::string key = key_of(option);
    if (!option.value || !parsed.has(key)) {
        return std::nullopt;
    }
    if (option.value->repeated) {
        return fault_of_paths("--" + key, *option.value, parsed.texts(key));
    }
    return fault_of_value(option, parsed.text(key));
}

/// The valid positional arguments: those of the action, if there is one.
const std::vector<Value>& positionals_of(const CommandLine& line, const ParsedArguments& parsed) {
    const auto action = std::find_if(line.actions.begin(), line.actions.end(), [&parsed](const Action& known) {
        return !parsed.positionals.empty() && known.name == parsed.positionals.front();
    });
    return action != line.actions.end() ? action->positionals : line.positionals;
}

/// Returns a message if the file of -o would replace an input, or become an input next time.
std::optional<std::string> fault_of_output(const CommandLine& line, const ParsedArguments& parsed) {
    std::vector<std::string> inputs = parsed.positionals;
    for (const Option& option : line.options) {
        const std::string key = key_of(option);
        if (!option.value || !is_input(*option.value) || !parsed.has(key)) {
            continue;
        }
        if (option.value->repeated) {
            const std::vector<std::string> texts = parsed.texts(key);
            inputs.insert(inputs.end(), texts.begin(), texts.end());
        } else {
            inputs.push_back(parsed.text(key));
        }
    }
    for (const Option& option : line.options) {
        const bool is_output = option.value && option.value->kind == ValueKind::result_file;
        if (is_output && parsed.has(key_of(option)) && parsed.text(key_of(option)) != "-") {
            if (auto message = refuse_output(parsed.text(key_of(option)), inputs)) {
                return message;
            }
        }
    }
    return std::nullopt;
}

/// Returns a message for an invalid value or unexpected argument.
std::optional<std::string> fault_of(const CommandLine& line, const ParsedArguments& parsed) {
    if (line.positionals.empty() && !parsed.positionals.empty()) {
        return sentence(line.no_positional,
                        {{"argument", parsed.positionals.front()}, {"command", command_of(line.usage)}});
    }
    if (const std::vector<Value>& known = positionals_of(line, parsed); !known.empty()) {
        const Value& last = known.back();
        if (auto message = fault_of_paths(last.name, last, parsed.positionals)) {
            return message;
        }
    }
    for (const Option& option : line.options) {
        if (auto message = fault_of_option(option, parsed)) {
            return message;
        }
    }
    return fault_of_output(line, parsed);
}

/// Removes one "=" between a letter and its value ("-d=PATH"), like Python's argparse in the official converter.
std::vector<std::string> without_equals_signs(const CommandLine& line, const std::vector<std::string>& arguments) {
    std::vector<std::string> plain;
    bool options_end = false;
    for (const std::string& argument : arguments) {
        options_end = options_end || argument == "--";
        const bool is_letter = !options_end && argument.size() > 2 && argument[0] == '-' && argument[2] == '=';
        const bool has_value =
            is_letter && std::any_of(line.options.begin(), line.options.end(), [&argument](const Option& option) {
                return option.value && spellings(option).front() == argument.substr(0, 2);
            });
        if (!has_value) {
            plain.push_back(argument);
        } else {  // separate: "-d" and "ump_path" would mean --dump_path
            plain.insert(plain.end(), {argument.substr(0, 2), argument.substr(3)});
        }
    }
    return plain;
}

// Joins arguments, which cannot contain it.
constexpr char kJoint = '\0';

/// Joins adjacent positional arguments to one: Boost removes them one by one and moves all later ones each time. An
/// argument after an option may be its value, so it stays separate.
std::vector<std::string> with_joined_positionals(const std::vector<std::string>& arguments) {
    std::vector<std::string> joined;
    bool may_join = false;      // the previous argument is no option and no value
    bool may_be_value = false;  // the previous argument starts like an option
    for (const std::string& argument : arguments) {
        const bool is_dashed = !argument.empty() && argument[0] == '-';
        if (may_join && !is_dashed) {
            joined.back() += kJoint + argument;
        } else {
            joined.push_back(argument);
        }
        may_join = !is_dashed && !may_be_value;
        may_be_value = is_dashed;
    }
    return joined;
}

std::vector<std::string> without_joints(const std::vector<std::string>& joined) {
    std::vector<std::string> arguments;
    for (const std::string& text : joined) {
        std::size_t begin = 0;
        for (std::size_t end = text.find(kJoint); end != std::string::npos; end = text.find(kJoint, begin)) {
            arguments.push_back(text.substr(begin, end - begin));
            begin = end + 1;
        }
        arguments.push_back(text.substr(begin));
    }
    return arguments;
}

}  // namespace

std::optional<std::uint64_t> parse_count(const std::string& text) {
    std::uint64_t count = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), count);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) {
        return std::nullopt;
    }
    return count;
}

int usage_error(const std::string& usage, const std::string& message) {
    if (interrupted()) {  // a possible cause: the search of a folder for the file of -o stopped early
        say(sentence("usage.stopped"));
        return interrupted_status();
    }
    say(message);
    const std::string hint =
        sentence("usage.hint", {{"usage", usage_in(spoken_language(), usage)}, {"command", command_of(usage)}});
    std::fwrite(hint.data(), 1, hint.size(), stderr);
    return kUsage;
}

ParsedArguments parse_arguments(const CommandLine& line, const std::vector<std::string>& arguments) {
    ParsedArguments parsed;
    options::options_description all = description_of(line, "");
    all.add_options()(kPositionals, options::value<std::vector<std::string>>());
    options::positional_options_description positions;
    positions.add(kPositionals, -1);
    namespace style = options::command_line_style;
    const int flags =
        (style::unix_style & ~style::allow_guessing) | (line.single_dash_long ? style::allow_long_disguise : 0);
    try {
        const std::vector<std::string> plain =
            with_joined_positionals(line.single_dash_long ? without_equals_signs(line, arguments) : arguments);
        options::store(options::command_line_parser(plain).options(all).positional(positions).style(flags).run(),
                       parsed.values);
        if (parsed.has("help")) {
            parsed.exit_status = show_result(
                std::nullopt, spoken_language() == Language::chinese ? chinese_help(line) : help_text(line));
            return parsed;
        }
        options::notify(parsed.values);
    } catch (const options::error& error) {
        parsed.exit_status = usage_error(line.usage, text_of(error, line));
        return parsed;
    }
    parsed.positionals = without_joints(parsed.texts(kPositionals));
    std::optional<std::string> message = fault_of(line, parsed);
    message = message ? message : read_forms(line, parsed);
    if (message) {
        parsed.exit_status = usage_error(line.usage, *message);
    }
    return parsed;
}

}  // namespace opdebug::tool
