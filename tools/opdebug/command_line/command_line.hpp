// The command line of a command, which lib/data/commands describes. Parsing, help, the manual page and completion use
// it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
    std::string refusal = {};        ///< id of the message about a wrong number; empty: the command checks the value
    std::uint64_t least = 0, most = UINT64_MAX;  ///< the range of a number
};

struct Option {
    std::string key;                     ///< its first name: "jobs"
    std::vector<std::string> spellings;  ///< the letter first: "-j", "--jobs"
    std::optional<Value> value;          ///< empty for a switch
    LocalizedText summary;
    bool is_advanced = false;  ///< in a separate section of help
};

/// The arguments that are not options, in order. Only the last may be repeated.
struct Positionals {
    std::vector<Value> values;
    std::string expected;  ///< the message if there are fewer or more; empty: any number is right
};

/// An action of a command, which defines the next arguments.
struct Action {
    std::string name;
    Positionals positionals;  ///< after the name
};

/// An example in help.
struct Example {
    std::string call;  ///< "opdebug decode DUMP"
    LocalizedText meaning;
};

/// The command line of a command, and its help.
struct CommandLine {
    LocalizedText about;    ///< one line
    std::string usage;      ///< "opdebug decode FILE... [options]"
    LocalizedText summary;  ///< some sentences
    std::vector<Option> options;
    std::vector<Example> examples;  ///< two
    Positionals positionals;
    std::vector<Action> actions;    ///< if any: the only positional is the name of one
    std::string no_positional;      ///< the message if there are no positionals
    bool single_dash_long = false;  ///< "-out" means "--out", as in the official converter
};

/// The command line of lib/data/commands/NAME.json; "program": that of the program without a command.
CommandLine command_line_of(std::string_view name);

/// A text of lib/data/commands, with the values in place of their {{keys}}.
std::string filled_file(std::string_view name, const std::vector<std::pair<std::string, std::string>>& values);

/// Wrong usage: a message for the user. The command ends, and the way to help is shown.
class UsageError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// "json, jsonl or text"
LocalizedText choice_of(const std::vector<std::string>& words);

/// The most similar word, or one with the same start; empty if no word is similar.
std::optional<std::string> nearest_word(const std::string& word, const std::vector<std::string>& words);

/// The language of --lang among the arguments, otherwise of the environment.
Language help_language(const std::vector<std::string>& arguments);

/// The usage line: in Chinese with its placeholders "[options]" and "[arguments]" translated.
std::string usage_in(Language language, const std::string& usage);

/// The help of a command in the language of messages.
std::string help_of(const CommandLine& line);

/// A decimal number without sign; empty for other texts.
std::optional<std::uint64_t> parse_count(std::string_view text);

/// The values of the options. Words and numbers are valid, and output files are writable as far as can be checked.
struct ParsedArguments {
    std::map<std::string, std::vector<std::string>> values;  ///< by the key of the option; of a switch an empty text
    std::vector<std::string> positionals;
    std::optional<std::string> output;  ///< the file of --output; empty: standard output
    std::string form;                   ///< format of the result: a word of --format, if the command has it
    std::string report_form;            ///< the same for --report, the format of the file of -o

    bool has(const std::string& name) const { return values.count(name) != 0; }
    const std::string& text(const std::string& name) const { return values.at(name).front(); }
    /// The number of an option; empty without the option.
    std::optional<std::uint64_t> number(const std::string& name) const {
        return has(name) ? parse_count(text(name)) : std::nullopt;
    }
    std::vector<std::string> texts(const std::string& name) const {
        return has(name) ? values.at(name) : std::vector<std::string>();
    }
};

/// Throws UsageError. With --help nothing is checked.
ParsedArguments parse_arguments(const CommandLine& line, const std::vector<std::string>& arguments);

/// Reports the message and the way to help on stderr; returns the exit status for wrong usage.
int usage_error(const std::string& usage, const std::string& message);

}  // namespace opdebug::tool
