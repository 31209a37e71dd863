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

std::string value_rows(std::string_view command, const CommandLine& line) {
    std::string rows;
    for (const Option& option : line.options) {
        if (!option.value) {
            continue;
        }
        std::vector<std::string> patterns;
        patterns.reserve(option.spellings.size());
        for (const std::string& spelling : option.spellings) {
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
    std::string rows = positional_rows(command, line.positionals.values, 1, "");
    for (const Action& action : line.actions) {
        rows += positional_rows(command, action.positionals.values, 2, action.name);
    }
    return rows;
}

/// Needs only bash 4: the package bash-completion just loads the file. zsh loads it after bashcompinit.
std::string bash_completion() {
    std::string options = row_of("", spellings_of(command_line_of("program").options));
    std::string option_values;
    std::vector<std::string_view> single_dash_commands;
    std::string arguments;
    for (const std::string_view name : command_names()) {
        const CommandLine line = command_line_of(name);
        options += row_of(name, spellings_of(line.options));
        option_values += value_rows(name, line);
        single_dash_commands.insert(single_dash_commands.end(), line.single_dash_long ? 1 : 0, name);
        arguments += argument_rows(name, line);
    }
    return filled_file("completion.bash",
                       {{"commands", fmt::format("{}", fmt::join(command_names(), " "))},
                        {"options", options},
                        {"single_dash_commands", fmt::format("{}", fmt::join(single_dash_commands, " "))},
                        {"option_values", option_values},
                        {"arguments", arguments}});
}

}  // namespace

int completion_command(const ParsedArguments& parsed) {
    const std::string& shell = parsed.positionals.front();
    const bool can_load_bash = shell == "zsh";
    if (shell != "bash") {
        throw UsageError(sentence(can_load_bash ? "completion.zsh" : "completion.no_shell", {{"shell", shell}}));
    }
    return show_result(parsed.output, bash_completion());
}

}  // namespace opdebug::tool
