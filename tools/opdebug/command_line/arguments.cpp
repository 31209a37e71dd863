#include "command_line/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "command_line/input_files.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "system/interrupt.hpp"

namespace opdebug::tool {
namespace {

std::vector<std::string> names_of(const Option& option) {
    std::vector<std::string> names;
    std::istringstream parts(option.names);
    for (std::string name; std::getline(parts, name, ',');) {
        names.push_back(name);
    }
    return names;
}

/// Boost.Program_options takes the last name for the letter of the option when it has one character.
bool is_letter(const std::string& name) {
    return name.size() == 1;
}

}  // namespace

Value text_value(std::string name) {
    return {ValueKind::text, std::move(name), {}, false};
}

Value number_value(std::string name) {
    return {ValueKind::number, std::move(name), {}, false};
}

Value file_value(std::string name) {
    return {ValueKind::file, std::move(name), {}, false};
}

Value folder_value(std::string name) {
    return {ValueKind::folder, std::move(name), {}, false};
}

Value result_file_value(std::string name) {
    return {ValueKind::result_file, std::move(name), {}, false};
}

Value file_or_folder_value(std::string name) {
    return {ValueKind::file_or_folder, std::move(name), {}, false};
}

Value word_value(std::string name, std::vector<std::string> words) {
    return {ValueKind::word, std::move(name), std::move(words), false};
}

Value log_format_value(std::string name) {
    return {ValueKind::log_format, std::move(name), {}, false};
}

Value repeated(Value value) {
    value.repeated = true;
    return value;
}

Value action_value(const CommandLine& line) {
    std::vector<std::string> names;
    for (const Action& action : line.actions) {
        names.push_back(action.name);
    }
    return word_value("ACTION", std::move(names));
}

Option help_option() {
    return {"help,h", {}, "show this help"};
}

Option quiet_option(std::string summary) {
    return {"quiet,q", {}, std::move(summary)};
}

std::string key_of(const Option& option) {
    return names_of(option).front();
}

std::vector<std::string> spellings(const Option& option) {
    std::vector<std::string> letters;
    std::vector<std::string> long_names;
    for (const std::string& name : names_of(option)) {
        is_letter(name) ? letters.push_back("-" + name) : long_names.push_back("--" + name);
    }
    letters.insert(letters.end(), long_names.begin(), long_names.end());
    return letters;
}

std::vector<std::string> further_long_names(const Option& option) {
    std::vector<std::string> further;
    for (const std::string& name : names_of(option)) {
        if (!is_letter(name) && name != key_of(option)) {
            further.push_back("--" + name);
        }
    }
    return further;
}

std::vector<std::string> single_dash_spellings(const Option& option) {
    std::vector<std::string> spelled;
    for (const std::string& name : names_of(option)) {
        if (!is_letter(name)) {
            spelled.push_back("-" + name);
        }
    }
    return spelled;
}

std::string choice_of(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    }
    return text;
}

std::string on_one_line(const std::string& text) {
    std::istringstream words(text);
    std::string line;
    for (std::string word; words >> word;) {
        line += (line.empty() ? "" : " ") + word;
    }
    return line;
}

namespace {

namespace options = boost::program_options;

// Under this name, which nobody can type as an option, are the arguments that are none.
constexpr const char* kPositionals = "arguments that are no options";

/// What help says behind the option: Boost names only its first long name and its letter.
std::string summary_of(const Option& option) {
    std::string summary = option.summary;
    for (const std::string& spelling : further_long_names(option)) {
        summary += "; also " + spelling;
    }
    return summary;
}

options::options_description description_of(const CommandLine& line) {
    options::options_description description("Options");
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
    std::ostringstream described;
    described << description_of(line);
    const std::string remark = line.single_dash_long ? fmt::format("\n{}\n", kSingleDashRemark) : "";
    return fmt::format("Usage: {}\n\n{}\n\n{}{}", line.usage, line.summary, described.str(), remark);
}

bool is_input(const Value& value) {
    return value.kind == ValueKind::file || value.kind == ValueKind::file_or_folder;
}

/// A message when one of the paths is empty, as "$LOGS" is in a shell where LOGS is not set: what the system says of it
/// names nothing.
std::optional<std::string> fault_of_paths(const std::string& name, const Value& value,
                                          const std::vector<std::string>& texts) {
    if ((is_input(value) || value.kind == ValueKind::folder) &&
        std::find(texts.begin(), texts.end(), "") != texts.end()) {
        return fmt::format("{} is empty: a path was expected", name);
    }
    return std::nullopt;
}

/// A message when the text is not one that the option takes: none of its words, or a place where nothing can be
/// written.
std::optional<std::string> fault_of_value(const Option& option, const std::string& text) {
    const std::vector<std::string>& words = option.value->words;
    if (option.value->kind == ValueKind::word && std::find(words.begin(), words.end(), text) == words.end()) {
        return fmt::format("--{} is {}, not '{}'", key_of(option), choice_of(words), text);
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

/// A message when the option's value cannot be taken, or one of its values.
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

/// What may stand behind the options: where an action was named, its own.
const std::vector<Value>& positionals_of(const CommandLine& line, const ParsedArguments& parsed) {
    const auto action = std::find_if(line.actions.begin(), line.actions.end(), [&parsed](const Action& known) {
        return !parsed.positionals.empty() && known.name == parsed.positionals.front();
    });
    return action != line.actions.end() ? action->positionals : line.positionals;
}

/// A message when the file of -o would replace an input, or be read as one next time.
std::optional<std::string> fault_of_output(const CommandLine& line, const ParsedArguments& parsed) {
    std::vector<std::string> inputs = parsed.positionals;
    for (const Option& option : line.options) {
        if (option.value && is_input(*option.value)) {
            const std::vector<std::string> texts = parsed.texts(key_of(option));
            inputs.insert(inputs.end(), texts.begin(), texts.end());
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

/// A message when a value cannot be taken, or an argument stands where there is none.
std::optional<std::string> fault_of(const CommandLine& line, const ParsedArguments& parsed) {
    if (line.positionals.empty() && !parsed.positionals.empty()) {
        return line.no_positional + parsed.positionals.front();
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

/// As Python's argparse reads them, which the official converter uses: one "=" between a letter and its value belongs
/// to neither ("-d=PATH").
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
        } else {  // apart: "-d" and "ump_path" would be taken for --dump_path
            plain.insert(plain.end(), {argument.substr(0, 2), argument.substr(3)});
        }
    }
    return plain;
}

// Joins arguments, none of which can hold it.
constexpr char kJoint = '\0';

/// Arguments that are no options in one piece, as far as they follow each other: Boost takes them out one by one, and
/// moves all behind each. What stands behind an option may be its value, and stays alone.
std::vector<std::string> with_joined_positionals(const std::vector<std::string>& arguments) {
    std::vector<std::string> joined;
    bool may_join = false;      // the argument before is no option and no value
    bool may_be_value = false;  // the argument before begins as an option does
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

/// "opdebug decode" of "opdebug decode FILE... [options]".
std::string command_of(const std::string& usage) {
    const std::size_t second_space = usage.find(' ', usage.find(' ') + 1);
    return usage.substr(0, second_space);
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
    if (interrupted()) {  // which may be why: a folder that was not searched to its end may hold the file of -o
        say("stopped before the work began: nothing was written");
        return interrupted_status();
    }
    say(message);
    const std::string hint = fmt::format("Usage: {}\nTry '{} --help'.\n", usage, command_of(usage));
    std::fwrite(hint.data(), 1, hint.size(), stderr);
    return kUsage;
}

ParsedArguments parse_arguments(const CommandLine& line, const std::vector<std::string>& arguments) {
    ParsedArguments parsed;
    options::options_description all = description_of(line);
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
            parsed.exit_status = show_result(std::nullopt, help_text(line));
            return parsed;
        }
        options::notify(parsed.values);
    } catch (const options::error& error) {
        parsed.exit_status = usage_error(line.usage, error.what());
        return parsed;
    }
    parsed.positionals = without_joints(parsed.texts(kPositionals));
    if (const auto message = fault_of(line, parsed)) {
        parsed.exit_status = usage_error(line.usage, *message);
    }
    return parsed;
}

}  // namespace opdebug::tool
