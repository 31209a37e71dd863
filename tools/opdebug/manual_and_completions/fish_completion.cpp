#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands/command_table.hpp"
#include "manual_and_completions/completion.hpp"

namespace opdebug::tool {
namespace {

/// One word of the shell, whatever it holds: between single quotes fish knows \' and \\ only.
std::string quoted(std::string_view text) {
    std::string result = "'";
    for (const char c : text) {
        result += c == '\'' || c == '\\' ? "\\" : "";
        result += c;
    }
    return result + "'";
}

constexpr const char* kFiles = " -F";

/// What fish offers for a value. fish knows of no folder as a kind of its own: a function of it lists them.
std::string offers(const Value& value) {
    switch (value.kind) {
        case ValueKind::text:
        case ValueKind::number: break;
        case ValueKind::file:
        case ValueKind::result_file:
        case ValueKind::file_or_folder: return kFiles;
        case ValueKind::folder: return " -a '(__fish_complete_directories (commandline -ct))'";
        case ValueKind::word:
        case ValueKind::log_format: return " -a " + quoted(fmt::format("{}", fmt::join(words_of(value), " ")));
    }
    return "";
}

/// "-s j -l jobs": how complete takes the spellings of an option.
std::string spelled(const Option& option, bool single_dash_long) {
    std::string text;
    for (const std::string& spelling : spellings(option)) {
        text += spelling.size() == 2 ? " -s " + spelling.substr(1) : " -l " + spelling.substr(2);
    }
    for (const std::string& spelling : single_dash_long ? single_dash_spellings(option) : std::vector<std::string>()) {
        text += " -o " + spelling.substr(1);
    }
    return text;
}

std::string option_line(const std::string& condition, const Option& option, bool single_dash_long) {
    const std::string offered = option.value ? offers(*option.value) : "";
    // -r: a value must follow; -x: and files are no answer.
    const char* followed_by = !option.value ? "" : offered == kFiles ? " -r" : " -x";
    return fmt::format("complete -c opdebug -n {}{}{}{} -d {}\n", quoted(condition), spelled(option, single_dash_long),
                       followed_by, offered, quoted(option.summary));
}

/// The lines for the arguments that are no options. `first`: the place of the first of them, from 1. `behind`: the
/// words in front of them.
std::string argument_lines(std::string_view command, const std::vector<Value>& positionals, std::size_t first,
                           const std::string& behind) {
    std::string lines;
    for (std::size_t i = 0; i < positionals.size(); ++i) {
        const std::string offered = offers(positionals[i]);
        if (!offered.empty()) {
            lines += fmt::format("complete -c opdebug -n '__opdebug_at {} {}{}{}'{}\n", command, first + i,
                                 positionals[i].repeated ? "+" : "", behind, offered);
        }
    }
    return lines;
}

std::string command_lines(const Command& command) {
    const CommandLine line = command.command_line();
    std::string lines;
    for (const Option& option : line.options) {
        lines += option_line(fmt::format("__opdebug_in {}", command.name), option, line.single_dash_long);
    }
    lines += argument_lines(command.name, line.positionals, 1, "");
    for (const Action& action : line.actions) {
        lines += argument_lines(command.name, action.positionals, 2, " " + action.name);
    }
    return lines + "\n";
}

/// "        case scan": the spellings of its options whose value may be the next word.
std::string options_with_value(const Command& command) {
    const CommandLine line = command.command_line();
    std::vector<std::string> names;
    for (const Option& option : line.options) {
        if (option.value) {
            const std::vector<std::string> known = spellings(option);
            names.insert(names.end(), known.begin(), known.end());
            const std::vector<std::string> further =
                line.single_dash_long ? single_dash_spellings(option) : std::vector<std::string>();
            names.insert(names.end(), further.begin(), further.end());
        }
    }
    return fmt::format("        case {}\n            set valued {}\n", command.name, fmt::join(names, " "));
}

constexpr const char* kScript = R"script(# fish completion for opdebug. Written by 'opdebug completion fish'.

# Whether the line is one of the command.
function __opdebug_in -a command
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test "$words[2]" = "$command"
end

# Whether the word at the cursor is the argument of the command at the place ("2"; "2+": or behind it), options left out;
# with a third word: and that is the first argument.
function __opdebug_at -a command place action
    __opdebug_in $command; or return 1
    set -l words (commandline -opc)
    set -e words[1 2]
    set -l valued
    switch $command
{valued}    end
    set -l arguments
    set -l is_value 0
    set -l ended 0
    for word in $words
        if test $is_value = 1
            set is_value 0
        else if test $ended = 0; and test "$word" = --
            set ended 1
        else if test $ended = 0; and contains -- $word $valued
            set is_value 1
        else if test $ended = 1; or not string match -q -- '-?*' $word
            set -a arguments $word
        end
    end
    if set -q action[1]; and test -n "$action"; and test "$arguments[1]" != "$action"
        return 1
    end
    set -l here (math (count $arguments) + 1)
    if string match -q -- '*+' $place
        test $here -ge (string trim -c + -- $place)
    else
        test $here -eq $place
    end
end

function __opdebug_no_command
    test (count (commandline -opc)) -eq 1
end

complete -c opdebug -f
{commands}{options}
{lines})script";

}  // namespace

std::string fish_completion() {
    std::string valued, commands, options, lines;
    for (const Command& command : command_table()) {
        valued += options_with_value(command);
        commands += fmt::format("complete -c opdebug -n __opdebug_no_command -a {} -d {}\n", command.name,
                                quoted(command.summary));
        lines += command_lines(command);
    }
    for (const Option& option : program_options()) {
        options += option_line("__opdebug_no_command", option, false);
    }
    return fmt::format(kScript, fmt::arg("valued", valued), fmt::arg("commands", commands),
                       fmt::arg("options", options), fmt::arg("lines", lines));
}

}  // namespace opdebug::tool
