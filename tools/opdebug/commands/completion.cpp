// opdebug completion: the completion script for bash, generated from the table of commands.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/logs.hpp>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "output/output.hpp"

namespace opdebug::tool {
namespace {

constexpr const char* kCompletionUsage = "opdebug completion bash [options]";

/// The known words of a value; empty for values of other kinds. Only built-in log formats: those of a user are unknown
/// when the script is generated.
std::vector<std::string> words_of(const Value& value) {
    if (value.kind != ValueKind::log_format) {
        return value.words;
    }
    std::vector<std::string> ids;
    if (const auto formats = list_log_formats()) {
        for (const LogFormatInfo& format : *formats) {
            ids.push_back(format.id);
        }
    }
    return ids;
}

/// The name of a value in the script. Words are after "word".
std::string kind_of(const Value& value) {
    switch (value.kind) {
        case ValueKind::text:
        case ValueKind::number: return "text";
        case ValueKind::file:
        case ValueKind::result_file:
        case ValueKind::file_or_folder:  // files are completed together with folders
            return "file";
        case ValueKind::folder: return "folder";
        case ValueKind::word:
        case ValueKind::log_format: return fmt::format("word {}", fmt::join(words_of(value), " "));
    }
    return "text";
}

std::string options_row(std::string_view command, const std::vector<Option>& options) {
    std::vector<std::string> spelled;
    for (const Option& option : options) {
        for (const std::string& spelling : spellings(option)) {
            spelled.push_back(spelling);
        }
    }
    return fmt::format("        '{}') known='{}' ;;\n", command, fmt::join(spelled, " "));
}

std::string single_dash_row(std::string_view command, const CommandLine& line) {
    std::vector<std::string> spelled;
    for (const Option& option : line.options) {
        for (const std::string& spelling : single_dash_spellings(option)) {
            spelled.push_back(spelling);
        }
    }
    return line.single_dash_long ? fmt::format("        '{}') known='{}' ;;\n", command, fmt::join(spelled, " ")) : "";
}

std::string value_rows(std::string_view command, const CommandLine& line) {
    std::string rows;
    for (const Option& option : line.options) {
        if (!option.value) {
            continue;
        }
        std::vector<std::string> patterns;
        for (const std::string& spelling : spellings(option)) {
            patterns.push_back(fmt::format("'{} {}'", command, spelling));
        }
        for (const std::string& spelling :
             line.single_dash_long ? single_dash_spellings(option) : std::vector<std::string>()) {
            patterns.push_back(fmt::format("'{} {}'", command, spelling));
        }
        rows += fmt::format("        {}) value='{}' ;;\n", fmt::join(patterns, " | "), kind_of(*option.value));
    }
    return rows;
}

/// The arguments from number `first` on; for an action only after it.
std::string positional_rows(std::string_view command, const std::vector<Value>& positionals, std::size_t first,
                            const std::string& action) {
    std::string rows;
    for (std::size_t i = 0; i < positionals.size(); ++i) {
        const std::string number = positionals[i].repeated ? "'*'" : std::to_string(first + i);
        rows += fmt::format("        '{} {} {}) value='{}' ;;\n", command, number, action.empty() ? "'*" : action + "'",
                            kind_of(positionals[i]));
    }
    return rows;
}

std::string argument_rows(std::string_view command, const CommandLine& line) {
    std::string rows = positional_rows(command, line.positionals, 1, "");
    for (const Action& action : line.actions) {
        rows += positional_rows(command, action.positionals, 2, action.name);
    }
    return rows;
}

constexpr const char* kScript =
    R"script(# bash completion for opdebug. Written by 'opdebug completion bash'; needs bash 4 and nothing else. zsh: run bashcompinit
# before. It has no compopt, and completes files where this script offers nothing.
# shellcheck shell=bash disable=SC2207

# COMMAND: sets `known` to its options; to those of the program when it is empty.
_opdebug_options() {{
    case $1 in
{options}    esac
}}

# COMMAND: sets `known` to its options in their spelling with a single dash.
_opdebug_single_dash_options() {{
    known=
    case $1 in
{single_dash_options}    esac
}}

# COMMAND OPTION: sets `value` to what stands behind the option; empty when nothing does.
_opdebug_option_value() {{
    value=
    case "$1 $2" in
{option_values}    esac
}}

# COMMAND NUMBER FIRST: sets `value` to what its first, second, ... argument that is no option is when the first one is
# FIRST; empty when it has none.
_opdebug_argument() {{
    value=
    case "$1 $2 $3" in
{arguments}    esac
}}

# VALUE BEGIN: sets COMPREPLY to the values of that kind that begin so. Files are left to bash, which then does what it
# does for any command, quotes and variables included: `compgen -f` would also run
# what a pasted word holds.
_opdebug_complete_value() {{
    case $1 in
        'word '*) COMPREPLY=($(compgen -W "${{1#word }}" -- "$2")) ;;
        file) [[ ${{ZSH_VERSION-}} ]] || compopt -o bashdefault -o default ;;
        folder) [[ ${{ZSH_VERSION-}} ]] || compopt -o dirnames ;;
    esac
}}

_opdebug() {{
    local current=${{COMP_WORDS[COMP_CWORD]-}} command=${{COMP_WORDS[1]-}}
    local known='' value='' expected='' ended='' first='' word number=1 i
    local IFS=$' \t\n'
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        _opdebug_options ''
        [[ $current == -* ]] || known='{commands}'
        _opdebug_complete_value "word $known" "$current"
        ((${{#COMPREPLY[@]}})) || _opdebug_complete_value file "$current"
        return
    fi

    # What stands in front of the cursor: which value is expected there, or the how-manieth argument.
    for ((i = 2; i < COMP_CWORD; ++i)); do
        word=${{COMP_WORDS[i]}}
        if [[ $expected && $word == '=' ]]; then
            continue # --format=json: bash makes three words of it
        elif [[ $expected ]]; then
            expected=
        elif [[ $word == *[\<\>] ]]; then
            expected='file'
        elif [[ ! $ended && $word == -- ]]; then
            ended=yes
        elif [[ ! $ended && $word == -?* ]]; then
            _opdebug_option_value "$command" "$word"
            expected=$value
        else
            ((number++ > 1)) || first=$word
        fi
    done
    if [[ $expected ]]; then
        # --logs=~/x: bash would complete the path, but hand it over with the ~.
        [[ ${{COMP_WORDS[COMP_CWORD - 1]}} == '=' && $current == '~'* ]] ||
            _opdebug_complete_value "$expected" "${{current#=}}"
        return
    fi

    if [[ ! $ended && $current == -*=* ]]; then # one word where COMP_WORDBREAKS lacks the =
        word=${{current%%=*}}
        _opdebug_option_value "$command" "$word"
        # A match would take the place of the whole word or, behind a quote, of a part of it.
        if [[ $value == 'word '* && $current != *[\"\'\\]* ]]; then
            _opdebug_complete_value "$value" "${{current#*=}}"
            COMPREPLY=("${{COMPREPLY[@]/#/$word=}}")
        fi
        return
    fi
    _opdebug_argument "$command" "$number" "$first"
    if [[ ! $ended && $current == -[a-z]* ]]; then
        _opdebug_single_dash_options "$command"
        word=$known
        _opdebug_options "$command"
        _opdebug_complete_value "word $known $word" "$current"
    elif [[ ! $ended && ($current == -* || ! $value) ]]; then
        _opdebug_options "$command"
        _opdebug_complete_value "word $known" "$current"
    else
        _opdebug_complete_value "$value" "$current"
    fi
}}

if [[ ${{ZSH_VERSION-}} ]]; then
    complete -o default -F _opdebug opdebug
else
    complete -F _opdebug opdebug
fi
)script";

/// Needs only bash 4: the package bash-completion just loads the file. zsh loads it after bashcompinit.
std::string bash_completion() {
    std::vector<std::string_view> names;
    std::string options = options_row("", program_options());
    std::string single_dash_options;
    std::string option_values;
    std::string arguments;
    for (const Command& command : command_table()) {
        const CommandLine line = command.command_line();
        names.push_back(command.name);
        options += options_row(command.name, line.options);
        single_dash_options += single_dash_row(command.name, line);
        option_values += value_rows(command.name, line);
        arguments += argument_rows(command.name, line);
    }
    return fmt::format(kScript, fmt::arg("commands", fmt::join(names, " ")), fmt::arg("options", options),
                       fmt::arg("single_dash_options", single_dash_options), fmt::arg("option_values", option_values),
                       fmt::arg("arguments", arguments));
}

}  // namespace

CommandLine completion_command_line() {
    CommandLine line;
    line.usage = kCompletionUsage;
    line.summary =
        "Writes the script with which bash completes commands, options and their values.\n"
        "For ~/.bashrc: source <(opdebug completion bash)\n"
        "zsh can load the same script: autoload -Uz bashcompinit && bashcompinit && source <(opdebug completion bash)";
    line.positionals = {word_value("SHELL", {"bash"})};
    line.options = {output_option(), help_option()};
    line.examples = {{"source <(opdebug completion bash)", "completion in this shell"},
                     {"opdebug completion bash -o ~/.local/share/bash-completion/completions/opdebug",
                      "completion in every new shell"}};
    return line;
}

int completion_command(const std::vector<std::string>& arguments) {
    const ParsedArguments parsed = parse_arguments(completion_command_line(), arguments);
    if (parsed.exit_status) {
        return *parsed.exit_status;
    }
    if (parsed.positionals.size() != 1) {
        return usage_error(kCompletionUsage, sentence("completion.shell"));
    }
    const std::string& shell = parsed.positionals.front();
    if (shell != "bash") {
        const bool can_load_bash = shell == "zsh";
        const char* const message = can_load_bash ? "completion.zsh" : "completion.no_shell";
        return usage_error(kCompletionUsage, sentence(message, {{"shell", shell}}));
    }
    return show_result(output_path(parsed), bash_completion());
}

}  // namespace opdebug::tool
