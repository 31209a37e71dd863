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

std::string row_of(std::string_view command, const std::vector<std::string>& spellings) {
    return fmt::format("        '{}') known='{}' ;;\n", command, fmt::join(spellings, " "));
}

std::vector<std::string> spellings_of(const std::vector<Option>& options) {
    std::vector<std::string> all;
    for (const Option& option : options) {
        all.insert(all.end(), option.spellings.begin(), option.spellings.end());
    }
    return all;
}

/// Long names with one dash: "-jobs".
std::vector<std::string> with_single_dash(const std::vector<std::string>& spellings) {
    std::vector<std::string> single;
    for (const std::string& spelling : spellings) {
        if (spelling.starts_with("--")) {
            single.push_back(spelling.substr(1));
        }
    }
    return single;
}

std::string value_rows(std::string_view command, const CommandLine& line) {
    std::string rows;
    for (const Option& option : line.options) {
        if (!option.value) {
            continue;
        }
        std::vector<std::string> spelled = option.spellings;
        const std::vector<std::string> single = with_single_dash(spelled);
        spelled.insert(spelled.end(), single.begin(), line.single_dash_long ? single.end() : single.begin());
        std::vector<std::string> patterns;
        patterns.reserve(spelled.size());
        for (const std::string& spelling : spelled) {
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
    std::string options = row_of("", spellings_of(command_line_of("program").options));
    std::string single_dash_options;
    std::string option_values;
    std::string arguments;
    for (const std::string_view name : command_names()) {
        const CommandLine line = command_line_of(name);
        const std::vector<std::string> spellings = spellings_of(line.options);
        options += row_of(name, spellings);
        single_dash_options += line.single_dash_long ? row_of(name, with_single_dash(spellings)) : std::string();
        option_values += value_rows(name, line);
        arguments += argument_rows(name, line);
    }
    return fmt::format(kScript, fmt::arg("commands", fmt::join(command_names(), " ")), fmt::arg("options", options),
                       fmt::arg("single_dash_options", single_dash_options), fmt::arg("option_values", option_values),
                       fmt::arg("arguments", arguments));
}

}  // namespace

int completion_command(const ParsedArguments& parsed) {
    if (parsed.positionals.size() != 1) {
        throw UsageError(sentence("completion.shell"));
    }
    const std::string& shell = parsed.positionals.front();
    const bool can_load_bash = shell == "zsh";
    if (shell != "bash") {
        throw UsageError(sentence(can_load_bash ? "completion.zsh" : "completion.no_shell", {{"shell", shell}}));
    }
    return show_result(output_path(parsed), bash_completion());
}

}  // namespace opdebug::tool
