#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands/command_table.hpp"
#include "manual_and_completions/completion.hpp"

namespace opdebug::tool {
namespace {

/// A backslash before each of these characters.
std::string escaped(std::string_view text, std::string_view special) {
    std::string result;
    for (const char c : text) {
        result += special.find(c) != std::string_view::npos || c == '\\' ? "\\" : "";
        result += c;
    }
    return result;
}

/// One word of the shell, whatever it holds.
std::string quoted(std::string_view text) {
    std::string result = "'";
    for (const char c : text) {
        result += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return result + "'";
}

/// ":message:action" of _arguments.
std::string value_part(const Value& value) {
    std::string action = " ";  // nothing to offer; the message tells what belongs there
    switch (value.kind) {
        case ValueKind::text:
        case ValueKind::number: break;
        case ValueKind::file:
        case ValueKind::result_file:
        case ValueKind::file_or_folder: action = "_files"; break;
        case ValueKind::folder: action = "_files -/"; break;
        case ValueKind::word:
        case ValueKind::log_format: action = fmt::format("({})", fmt::join(words_of(value), " ")); break;
    }
    return ":" + escaped(value.name, ":") + ":" + action;
}

std::vector<std::string> all_spellings(const Option& option, bool single_dash_long) {
    std::vector<std::string> spelled = spellings(option);
    if (single_dash_long) {
        const std::vector<std::string> further = single_dash_spellings(option);
        spelled.insert(spelled.end(), further.begin(), further.end());
    }
    return spelled;
}

/// What else may not stand on the line with the option: its other spellings; beside help nothing.
std::string excluded(const Option& option, const std::vector<std::string>& spelled) {
    const bool ends_everything = !option.value && (key_of(option) == "help" || key_of(option) == "version");
    return ends_everything ? "(- : *)" : fmt::format("({})", fmt::join(spelled, " "));
}

/// The specifications of an option for _arguments, one for each spelling.
std::vector<std::string> specifications(const Option& option, bool single_dash_long) {
    const std::vector<std::string> spelled = all_spellings(option, single_dash_long);
    const bool repeats = option.value && option.value->repeated;
    std::vector<std::string> result;
    for (const std::string& spelling : spelled) {
        const bool is_letter = spelling.size() == 2;
        // "=": --output=FILE or the next word; "+": -oFILE or the next word. Where "-out" is an option, -oFILE is not
        // offered.
        const char* adjacent = !option.value ? "" : !is_letter ? "=" : single_dash_long ? "" : "+";
        result.push_back(
            quoted(fmt::format("{}{}{}[{}]{}", repeats ? "*" : excluded(option, spelled), spelling, adjacent,
                               escaped(option.summary, "[]"), option.value ? value_part(*option.value) : "")));
    }
    return result;
}

/// What _arguments is given for positionals, each behind `separator`.
std::string positionals_of(const std::vector<Value>& positionals, const char* separator) {
    std::string text;
    for (std::size_t i = 0; i < positionals.size(); ++i) {
        const std::string place = positionals[i].repeated ? "*" : std::to_string(i + 1);
        text += separator + quoted(place + value_part(positionals[i]));
    }
    return text;
}

/// Completes what stands behind an action, as if the action were a command without options: those were completed
/// before.
std::string actions_part(const std::vector<Action>& actions) {
    std::string cases;
    for (const Action& action : actions) {
        if (!action.positionals.empty()) {
            cases += fmt::format("            {}) _arguments{} && failed=0 ;;\n", action.name,
                                 positionals_of(action.positionals, " "));
        }
    }
    return fmt::format(R"( && failed=0
    if [[ $state == argument ]]; then
        words=("${{line[@]}}") CURRENT=$#line # the arguments that are no options
        case $words[1] in
{}        esac
    fi
    return failed)",
                       cases);
}

std::string command_function(const Command& command) {
    constexpr const char* kNextLine = " \\\n        ";
    const CommandLine line = command.command_line();
    std::string specified;
    for (const Option& option : line.options) {
        for (const std::string& specification : specifications(option, line.single_dash_long)) {
            specified += kNextLine + specification;
        }
    }
    specified += positionals_of(line.positionals, kNextLine);
    if (line.actions.empty()) {
        return fmt::format("_opdebug_{}() {{\n    _arguments -S{}\n}}\n\n", command.name, specified);
    }
    return fmt::format(R"(_opdebug_{}() {{
    local context state state_descr line failed=1
    typeset -A opt_args
    _arguments -C -S{}{}'*: :->argument'{}
}}

)",
                       command.name, specified, kNextLine, actions_part(line.actions));
}

constexpr const char* kScript = R"script(#compdef opdebug
# zsh completion for opdebug. Written by 'opdebug completion zsh'.

{functions}_opdebug() {{
    local context state state_descr line
    typeset -A opt_args
    _arguments -C -S \
{options}        '1: :->command' \
        '*:: :->argument'
    case $state in
        command)
            local -a commands=(
{commands}            )
            _describe command commands
            ;;
        argument)
            (( $+functions[_opdebug_$words[1]] )) && _opdebug_$words[1]
            ;;
    esac
}}

# Loaded from a folder of fpath this file is the function; sourced it names it.
if [[ $funcstack[1] == _opdebug ]]; then
    _opdebug "$@"
else
    compdef _opdebug opdebug
fi
)script";

}  // namespace

std::string zsh_completion() {
    std::string functions;
    std::string commands;
    for (const Command& command : command_table()) {
        functions += command_function(command);
        commands += fmt::format("                {}\n",
                                quoted(escaped(command.name, ":") + ":" + escaped(command.summary, "")));
    }
    std::string options;
    for (const Option& option : program_options()) {
        for (const std::string& specification : specifications(option, false)) {
            options += fmt::format("        {} \\\n", specification);
        }
    }
    return fmt::format(kScript, fmt::arg("functions", functions), fmt::arg("options", options),
                       fmt::arg("commands", commands));
}

}  // namespace opdebug::tool
