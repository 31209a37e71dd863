// The command line of a command as data, which parsing, help, the manual page and completion use; its arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/program_options/variables_map.hpp>

#include <opdebug/result.hpp>

namespace opdebug::tool {

/// The kind of a value, for completions. result_file: an output file; "-" is standard output. folder: one for results.
enum class ValueKind { text, number, file, folder, file_or_folder, result_file, word, log_format };

/// The value of an option, or an argument that is not an option.
struct Value {
    ValueKind kind = ValueKind::text;
    std::string name;                ///< name in help: "FILE"
    std::vector<std::string> words;  ///< valid words, for kind word
    bool repeated = false;           ///< may occur several times
};

inline Value text_value(std::string name) {
    return {ValueKind::text, std::move(name), {}, false};
}
inline Value number_value(std::string name) {
    return {ValueKind::number, std::move(name), {}, false};
}
inline Value file_value(std::string name) {
    return {ValueKind::file, std::move(name), {}, false};
}
inline Value folder_value(std::string name) {
    return {ValueKind::folder, std::move(name), {}, false};
}
inline Value result_file_value(std::string name) {
    return {ValueKind::result_file, std::move(name), {}, false};
}
inline Value file_or_folder_value(std::string name) {
    return {ValueKind::file_or_folder, std::move(name), {}, false};
}
inline Value word_value(std::string name, std::vector<std::string> words) {
    return {ValueKind::word, std::move(name), std::move(words), false};
}
/// The id of a log format.
inline Value log_format_value(std::string name) {
    return {ValueKind::log_format, std::move(name), {}, false};
}
inline Value repeated(Value value) {
    value.repeated = true;
    return value;
}

struct Option {
    std::string names;           ///< in the syntax of Boost.Program_options: "jobs,j"; the first one is the key
    std::optional<Value> value;  ///< empty for a switch
    std::string summary;
    bool is_advanced = false;  ///< in a separate section of help
};

/// An option for experts.
inline Option advanced(Option option) {
    option.is_advanced = true;
    return option;
}

/// An action of a command, which defines the next arguments.
struct Action {
    std::string name;
    std::vector<Value> positionals;  ///< after the name
};

/// An example in help.
struct Example {
    std::string call;  ///< "opdebug decode DUMP"
    std::string meaning;
};

/// The command line of a command, and its help.
struct CommandLine {
    std::string usage;    ///< "opdebug decode FILE... [options]"
    std::string summary;  ///< some sentences
    std::vector<Option> options;
    std::vector<Example> examples;   ///< two
    std::vector<Value> positionals;  ///< the arguments that are not options, in order; only the last may be repeated
    std::vector<Action> actions;     ///< if any: the only positional is the name of one
    std::string no_positional = "usage.option_expected";  ///< the message if there are no positionals
    bool single_dash_long = false;                        ///< "-out" means "--out", as in the official converter
};

/// The name of one of the line's actions: "ACTION".
Value action_value(const CommandLine& line);

/// --help of every command.
inline Option help_option() {
    return {"help,h", {}, "show this help"};
}

/// --quiet: reports only errors on standard error.
inline Option quiet_option(std::string summary = "no progress line and no closing line") {
    return {"quiet,q", {}, std::move(summary)};
}

/// The key of an option's value: "jobs".
std::string key_of(const Option& option);

/// All spellings, the letter first: "-j", "--jobs".
std::vector<std::string> spellings(const Option& option);

/// The long names after the first: "--dump_path".
std::vector<std::string> further_long_names(const Option& option);

/// Remark in help if CommandLine::single_dash_long is set.
constexpr const char* kSingleDashRemark = "Long options may have one dash: -out is --out.";

/// The spellings of long names with one dash: "-jobs".
std::vector<std::string> single_dash_spellings(const Option& option);

/// "json, jsonl or text"
LocalizedText choice_of(const std::vector<std::string>& words);

/// The most similar word, or one with the same start; empty if no word is similar.
std::optional<std::string> nearest_word(const std::string& word, const std::vector<std::string>& words);

/// The words of a text separated by single blanks.
std::string on_one_line(const std::string& text);

/// --format with the formats of a command. Default: the suffix of -o, otherwise text on a terminal and JSON elsewhere.
Option form_option(const std::vector<std::string>& forms);

/// A text of help in a language: the English one as it is, the Chinese one on one line.
std::string help_in(std::string_view english, Language language);

/// The language of --lang among the arguments, otherwise of the environment.
Language help_language(const std::vector<std::string>& arguments);

/// The usage line: in Chinese with its placeholders "[options]" and "[arguments]" translated.
std::string usage_in(Language language, const std::string& usage);

/// The help of a command in Chinese.
std::string chinese_help(const CommandLine& line);

/// The values of the options, or the exit status after help or wrong usage (reported on stderr). Words are valid, and
/// output files are writable as far as can be checked.
struct ParsedArguments {
    std::optional<int> exit_status;
    boost::program_options::variables_map values;
    std::vector<std::string> positionals;
    std::string form;         ///< format of the result: a word of --format, if the command has it
    std::string report_form;  ///< the same for --report, the format of the file of -o

    bool has(const std::string& name) const { return values.count(name) != 0; }
    std::string text(const std::string& name) const { return values[name].as<std::string>(); }
    std::vector<std::string> texts(const std::string& name) const {
        return has(name) ? values[name].as<std::vector<std::string>>() : std::vector<std::string>();
    }
};
ParsedArguments parse_arguments(const CommandLine& line, const std::vector<std::string>& arguments);

/// A decimal number without sign; empty for other texts.
std::optional<std::uint64_t> parse_count(const std::string& text);

/// Reports the message and the way to help on stderr; returns the exit status for wrong usage. After an interrupt
/// during the checks, reports the interrupt and returns its status.
int usage_error(const std::string& usage, const std::string& message);

}  // namespace opdebug::tool
