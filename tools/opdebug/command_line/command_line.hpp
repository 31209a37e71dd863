// What a command accepts, as data: reading its arguments, its help, the manual page and completion are made from it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/result.hpp>

namespace opdebug::tool {

/// What a value is; completions offer what fits.
/// result_file: one that is written; "-" is standard output. folder: one for results.
enum class ValueKind { text, number, file, folder, file_or_folder, result_file, word, log_format };

/// The value of an option, or an argument that is not an option.
struct Value {
    ValueKind kind = ValueKind::text;
    std::string name;                ///< as help shows it: "FILE"
    std::vector<std::string> words;  ///< of a word: those that there are
    bool repeated = false;           ///< may be given several times
};

Value text_value(std::string name);
Value number_value(std::string name);
Value file_value(std::string name);
Value folder_value(std::string name);
Value result_file_value(std::string name);
Value file_or_folder_value(std::string name);
Value word_value(std::string name, std::vector<std::string> words);
/// The id of a definition of log lines.
Value log_format_value(std::string name);
Value repeated(Value value);

struct Option {
    std::string names;           ///< as Boost.Program_options takes them: "jobs,j"; the first one is its key
    std::optional<Value> value;  ///< nothing for a switch
    std::string summary;
    bool is_advanced = false;  ///< help lists it in a section of its own
};

/// An option for experts.
Option advanced(Option option);

/// A word that says what a command does, and so which arguments follow it.
struct Action {
    std::string name;
    std::vector<Value> positionals;  ///< behind the name; as those of a command
};

/// A call that help shows, and what it does.
struct Example {
    std::string call;  ///< "opdebug decode DUMP"
    std::string meaning;
};

/// What a command accepts, and how its help reads.
struct CommandLine {
    std::string usage;    ///< "opdebug decode FILE... [options]"
    std::string summary;  ///< some sentences
    std::vector<Option> options;
    std::vector<Example> examples;   ///< two
    std::vector<Value> positionals;  ///< the arguments that are not options, in order; only the last may be repeated
    std::vector<Action> actions;  ///< where there are some, the only positional is the name of one, and its own follow
    std::string no_positional = "an option was expected, not ";  ///< where there are none: said in front of one
    bool single_dash_long = false;  ///< "-out" is "--out", as the official converter's users write it
};

/// The name of one of the line's actions: "ACTION".
Value action_value(const CommandLine& line);

/// --help, which every command has.
Option help_option();

/// --quiet: what went well is not told on standard error; what went wrong always is.
Option quiet_option(std::string summary = "no progress line and no closing line");

/// The name under which an option's value is found: "jobs".
std::string key_of(const Option& option);

/// All spellings, the letter first: "-j", "--jobs".
std::vector<std::string> spellings(const Option& option);

/// The long names behind the first: "--dump_path".
std::vector<std::string> further_long_names(const Option& option);

/// Said where CommandLine::single_dash_long holds.
constexpr const char* kSingleDashRemark = "Long options may have one dash: -out is --out.";

/// The further spellings of long names where one dash is enough: "-jobs".
std::vector<std::string> single_dash_spellings(const Option& option);

/// "json, jsonl or text"
std::string choice_of(const std::vector<std::string>& words);

/// The one of the words that is spelled most alike, or begins so; nothing where none is near.
std::optional<std::string> nearest_word(const std::string& word, const std::vector<std::string>& words);

/// The words of a blank-separated text, newlines included, with one blank between them.
std::string on_one_line(const std::string& text);

/// --format with the forms that a command writes: text on a terminal, JSON elsewhere, or as the suffix of -o says.
Option form_option(const std::vector<std::string>& forms);

/// A text of help in a language: the English one as it is, the Chinese one on one line.
std::string help_in(std::string_view english, Language language);

/// The language that --lang names among the arguments, else the one of the environment.
Language help_language(const std::vector<std::string>& arguments);

/// The help of a command in Chinese.
std::string chinese_help(const CommandLine& line);

}  // namespace opdebug::tool
