// opdebug completion: the name of a shell in, its completion script out.
#include "manual_and_completions/completion.hpp"

#include <opdebug/log_formats.hpp>

#include "command_line/arguments.hpp"
#include "command_line/report_options.hpp"
#include "commands/commands.hpp"
#include "output/output.hpp"

namespace opdebug::tool {
namespace {

constexpr const char* kUsageLine = "opdebug completion SHELL [options]";

struct Shell {
    const char* name;
    std::string (*script)();
};
constexpr Shell kShells[] = {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};

std::vector<std::string> shell_names() {
    std::vector<std::string> names;
    for (const Shell& shell : kShells) {
        names.emplace_back(shell.name);
    }
    return names;
}

}  // namespace

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

CommandLine completion_command_line() {
    CommandLine line;
    line.usage = kUsageLine;
    line.summary = "Writes the script with which a shell completes commands, options and their values. SHELL: " +
                   choice_of(shell_names()) +
                   ".\n"
                   "To use it at once: source <(opdebug completion bash)";
    line.positionals = {word_value("SHELL", shell_names())};
    line.options = {output_option(), help_option()};
    return line;
}

int completion_command(const std::vector<std::string>& arguments) {
    const ParsedArguments parsed = parse_arguments(completion_command_line(), arguments);
    if (parsed.exit_status) {
        return *parsed.exit_status;
    }
    if (parsed.positionals.size() != 1) {
        return usage_error(kUsageLine, "one shell was expected: " + choice_of(shell_names()));
    }
    for (const Shell& shell : kShells) {
        if (parsed.positionals.front() == shell.name) {
            return show_result(output_path(parsed), shell.script());
        }
    }
    return usage_error(kUsageLine,
                       choice_of(shell_names()) + " was expected, not '" + parsed.positionals.front() + "'");
}

}  // namespace opdebug::tool
