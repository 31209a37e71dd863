#include "command_line/command_line.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <utility>

#include <boost/program_options.hpp>

#include "output/messages.hpp"
#include "output/output.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

namespace options = boost::program_options;

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
        names.push_back("--" + option.key);
    }
    const auto near = nearest_word(name, names);
    return near && near->substr(0, 3) == name.substr(0, 3) ? sentence("usage.did_you_mean", {{"word", *near}}) : "";
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
/// elsewhere. Throws UsageError if the suffix contradicts the option, or names a format that it does not have.
std::string form_of(const Option& option, const ParsedArguments& parsed, bool to_file) {
    const std::vector<std::string>& forms = option.value->words;
    const auto is_written = [&forms](const std::string& one) {
        return std::find(forms.begin(), forms.end(), one) != forms.end();
    };
    const std::string suffix = to_file ? form_of_suffix(*parsed.output) : "";
    const bool is_html = suffix == "html";
    if (!suffix.empty() && !is_written(suffix)) {
        throw UsageError(sentence(is_html ? "usage.output_no_html" : "usage.output_form",
                                  {{"file", *parsed.output}, {"choice", choice_of(forms)}, {"form", suffix}}));
    }
    if (!suffix.empty() && parsed.has(option.key) && parsed.text(option.key) != suffix) {
        throw UsageError(
            sentence("usage.output_contradicts",
                     {{"file", *parsed.output}, {"option", option.key}, {"form", parsed.text(option.key)}}));
    }
    const bool on_terminal = !to_file && ::isatty(STDOUT_FILENO) == 1;
    return parsed.has(option.key) ? parsed.text(option.key)
           : !suffix.empty()      ? suffix
           : on_terminal          ? "text"
           : is_written("json")   ? "json"
                                  : "jsonl";
}

/// Sets the formats of the results.
void read_forms(const CommandLine& line, ParsedArguments& parsed) {
    const auto option_named = [&line](std::string_view key) {
        const auto option = std::find_if(line.options.begin(), line.options.end(),
                                         [key](const Option& known) { return known.key == key; });
        return option != line.options.end() ? &*option : nullptr;
    };
    const Option* const format = option_named("format");
    const Option* const report = option_named("report");
    if (report != nullptr && parsed.output) {
        parsed.report_form = form_of(*report, parsed, true);
    }
    if (format != nullptr) {
        parsed.form = form_of(*format, parsed, parsed.output && report == nullptr);
    }
}

bool is_input(const Value& value) {
    return value.kind == ValueKind::file || value.kind == ValueKind::file_or_folder;
}

void refuse(const std::optional<std::string>& message) {
    if (message) {
        throw UsageError(*message);
    }
}

/// Refuses an empty path, as "$LOGS" is in a shell without LOGS: the message of the system would not name the option.
void check_paths(const std::string& name, const Value& value, const std::vector<std::string>& texts) {
    const bool is_path = is_input(value) || value.kind == ValueKind::folder;
    if (is_path && std::find(texts.begin(), texts.end(), "") != texts.end()) {
        throw UsageError(sentence("usage.empty_path", {{"name", name}}));
    }
}

/// Refuses an unknown word, or a location that is not writable.
void check_value(const Option& option, const std::string& text) {
    const std::vector<std::string>& words = option.value->words;
    if (option.value->kind == ValueKind::word && std::find(words.begin(), words.end(), text) == words.end()) {
        throw UsageError(
            sentence("usage.option_word", {{"option", option.key}, {"choice", choice_of(words)}, {"value", text}}));
    }
    if (option.value->kind == ValueKind::folder) {
        refuse(refuse_output_folder("--" + option.key, text));
    }
}

/// Refuses a wrong number of positional arguments, which are those of the action, if there is one.
void check_positionals(const CommandLine& line, const std::vector<std::string>& given) {
    const auto action = std::find_if(line.actions.begin(), line.actions.end(), [&given](const Action& known) {
        return !given.empty() && known.name == given.front();
    });
    const bool has_action = action != line.actions.end();
    const auto& [known, expected] = has_action ? action->positionals : line.positionals;
    const std::size_t count = given.size() - (has_action ? 1 : 0);
    const bool fits = count >= known.size() && (count == known.size() || (!known.empty() && known.back().repeated));
    if (!known.empty()) {
        check_paths(known.back().name, known.back(), given);
    }
    if (!expected.empty() && !fits) {
        throw UsageError(sentence(expected, {{"name", count == 0 ? "" : given[given.size() - count]}}));
    }
}

/// Refuses a file of -o that is an input or below one, or not writable.
void check_output(const CommandLine& line, const ParsedArguments& parsed) {
    std::vector<std::string> inputs = parsed.positionals;
    for (const Option& option : line.options) {
        const std::vector<std::string> texts = parsed.texts(option.key);
        if (option.value && is_input(*option.value)) {
            inputs.insert(inputs.end(), texts.begin(), texts.end());
        }
    }
    refuse(parsed.output ? refuse_output(*parsed.output, inputs) : std::nullopt);
}

/// Throws UsageError for an invalid value or unexpected argument.
void check(const CommandLine& line, const ParsedArguments& parsed) {
    if (line.positionals.values.empty() && !parsed.positionals.empty()) {
        throw UsageError(sentence(line.no_positional,
                                  {{"argument", parsed.positionals.front()}, {"command", command_of(line.usage)}}));
    }
    for (const Option& option : line.options) {
        const std::vector<std::string> texts = parsed.texts(option.key);
        for (const std::string& text : option.value ? texts : std::vector<std::string>()) {
            check_paths("--" + option.key, *option.value, {text});
            check_value(option, text);
        }
    }
    check_output(line, parsed);
    check_positionals(line, parsed.positionals);
}

/// Refuses a text that is no number, or a number out of range.
void check_numbers(const CommandLine& line, const ParsedArguments& parsed) {
    for (const Option& option : line.options) {
        if (!option.value || option.value->refusal.empty() || !parsed.has(option.key)) {
            continue;
        }
        const std::optional<std::uint64_t> number = parsed.number(option.key);
        if (!number || *number < option.value->least || *number > option.value->most) {
            throw UsageError(
                sentence(option.value->refusal, {{"option", option.key}, {"value", parsed.text(option.key)}}));
        }
    }
}

bool is_dashed(const std::string& argument) {
    return argument.size() > 1 && argument.front() == '-';
}

/// The option with this name, with its dashes or without those of a long one. Null: none.
const Option* option_named(const std::string& name, const CommandLine& line) {
    const auto option = std::find_if(line.options.begin(), line.options.end(), [&name](const Option& known) {
        return std::any_of(known.spellings.begin(), known.spellings.end(), [&name](const std::string& spelling) {
            return spelling == name || spelling == "--" + name;
        });
    });
    return option != line.options.end() ? &*option : nullptr;
}

void add_value(const Option& option, const std::string& value, ParsedArguments& parsed) {
    const bool may_repeat = option.value && option.value->repeated;
    std::vector<std::string>& values = parsed.values[option.key];
    if (!may_repeat && !values.empty()) {
        throw UsageError(sentence("usage.repeated_option", {{"option", "--" + option.key}}));
    }
    values.push_back(value);
}

options::options_description description_of(const std::vector<Option>& described) {
    options::options_description description;
    for (const Option& option : described) {
        for (const std::string& spelling : option.spellings) {
            // Boost's form of two names is "jobs,j", of a letter alone ",j".
            const std::string name = spelling.starts_with("--") ? spelling.substr(2) : "," + spelling.substr(1);
            option.value ? description.add_options()(name.c_str(), options::value<std::string>(), "")
                         : description.add_options()(name.c_str(), "");
        }
    }
    return description;
}

/// Takes all arguments up to the next option at once: Boost takes them one by one and moves all later ones each time.
/// A single argument is left to Boost, which calls this also for the value of an option.
std::vector<options::option> take_positionals(std::vector<std::string>& arguments) {
    std::vector<options::option> taken;
    const auto end =
        arguments.size() == 1 ? arguments.begin() : std::find_if(arguments.begin(), arguments.end(), is_dashed);
    for (auto argument = arguments.begin(); argument != end; ++argument) {
        taken.emplace_back(std::string(), std::vector<std::string>{*argument});
    }
    arguments.erase(arguments.begin(), end);
    return taken;
}

/// "-o=FILE" as "-o FILE", like Python's argparse in the official converter.
std::vector<std::string> without_equals_signs(const CommandLine& line, const std::vector<std::string>& arguments) {
    std::vector<std::string> plain;
    const auto end = std::find(arguments.begin(), arguments.end(), "--");
    for (auto argument = arguments.begin(); argument != end; ++argument) {
        const bool is_letter = is_dashed(*argument) && argument->size() > 2 && (*argument)[2] == '=';
        const Option* const option = is_letter ? option_named(argument->substr(0, 2), line) : nullptr;
        if (option != nullptr && option->value && argument->size() > 3) {
            plain.insert(plain.end(), {argument->substr(0, 2), argument->substr(3)});
        } else {
            plain.push_back(*argument);
        }
    }
    plain.insert(plain.end(), end, arguments.end());
    return plain;
}

/// The message of Boost.Program_options, in the language of the messages.
std::string text_of(const options::error& error, const CommandLine& line) {
    using Syntax = options::invalid_command_line_syntax;
    const auto* const of_option = dynamic_cast<const options::error_with_option_name*>(&error);
    const auto* const syntax = dynamic_cast<const Syntax*>(&error);
    std::string option = of_option != nullptr ? of_option->get_option_name() : std::string();
    const std::string bare = option.substr(std::min(option.size(), option.find_first_not_of('-')));
    if (const Option* const known = option_named(bare.size() == 1 ? "-" + bare : bare, line)) {
        option = "--" + known->key;  // Boost shows a letter as "--o"
    }
    if (dynamic_cast<const options::unknown_option*>(&error) != nullptr) {
        return sentence("usage.unknown_option", {{"option", option}, {"hint", suggestion_for(option, line)}});
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

}  // namespace

std::optional<std::uint64_t> parse_count(std::string_view text) {
    std::uint64_t count = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), count);
    return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() ? std::optional(count) : std::nullopt;
}

int usage_error(const std::string& usage, const std::string& message) {
    print_message(message);
    const std::string hint =
        sentence("usage.hint", {{"usage", usage_in(message_language(), usage)}, {"command", command_of(usage)}});
    std::fwrite(hint.data(), 1, hint.size(), stderr);
    return kUsage;
}

ParsedArguments parse_arguments(const CommandLine& line, const std::vector<std::string>& arguments) {
    ParsedArguments parsed;
    namespace style = options::command_line_style;
    const int flags =
        (style::unix_style & ~style::allow_guessing) | (line.single_dash_long ? style::allow_long_disguise : 0);
    try {
        const options::options_description described = description_of(line.options);
        options::command_line_parser parser(without_equals_signs(line, arguments));
        parser.options(described).style(flags).extra_style_parser(take_positionals);
        for (const options::option& found : parser.run().options) {
            const std::string key = found.string_key;
            if (const Option* const option = key.empty() ? nullptr : option_named(key, line)) {
                add_value(*option, found.value.empty() ? std::string() : found.value.front(), parsed);
            } else {
                parsed.positionals.insert(parsed.positionals.end(), found.value.begin(), found.value.end());
            }
        }
    } catch (const options::error& error) {
        throw UsageError(text_of(error, line));
    }
    // "-" is standard output; among inputs it is standard input. Opening /dev/stdout would not append to a file there.
    if (parsed.has("output") && parsed.text("output") != "-" && parsed.text("output") != "/dev/stdout") {
        parsed.output = parsed.text("output");
    }
    if (!parsed.has("help")) {
        check(line, parsed);
        read_forms(line, parsed);
        check_numbers(line, parsed);
    }
    return parsed;
}

}  // namespace opdebug::tool
