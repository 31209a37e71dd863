// opdebug completion: writes the completion script for bash.
#include "manual_and_completions/completion.hpp"

#include <opdebug/log_formats.hpp>

#include "command_line/arguments.hpp"
#include "command_line/report_options.hpp"
#include "commands/commands.hpp"
#include "output/output.hpp"

namespace opdebug::tool {
namespace {

constexpr const char* kCompletionUsage = "opdebug completion bash [options]";

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
    line.usage = kCompletionUsage;
    line.summary =
        "Writes the script with which bash completes commands, options and their values.\n"
        "For ~/.bashrc: source <(opdebug completion bash)\n"
        "zsh can load the same script: autoload -Uz bashcompinit && bashcompinit && source <(opdebug completion bash)";
    line.positionals = {word_value("SHELL", {"bash"})};
    line.options = {output_option(), help_option()};
    return line;
}

int completion_command(const std::vector<std::string>& arguments) {
    const ParsedArguments parsed = parse_arguments(completion_command_line(), arguments);
    if (parsed.exit_status) {
        return *parsed.exit_status;
    }
    if (parsed.positionals.size() != 1) {
        return usage_error(kCompletionUsage, "expected one shell: bash");
    }
    const std::string& shell = parsed.positionals.front();
    if (shell != "bash") {
        const std::string hint =
            shell == "zsh" ? ", which zsh loads after 'autoload -Uz bashcompinit && bashcompinit'" : "";
        return usage_error(kCompletionUsage, "no completion for '" + shell + "': use bash" + hint);
    }
    return show_result(output_path(parsed), bash_completion());
}

}  // namespace opdebug::tool
