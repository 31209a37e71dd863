// The table of commands, and the choice of one: by name, or by the kind of the paths.
#include "commands/commands.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/version.hpp>

#include "command_line/command_line.hpp"
#include "commands/path_kinds.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"

namespace opdebug::tool {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgramUsage = "opdebug COMMAND [arguments]";

std::string program_help(Language language) {
    const bool is_chinese = language == Language::chinese;
    std::string text = fmt::format(
        "{}\n       {}\n\n{}\n\n{}\n", (is_chinese ? "用法：" : "Usage: ") + usage_in(language, kProgramUsage),
        usage_in(language, "opdebug PATH... [options]"),
        is_chinese ? "解析昇腾 NPU 的溢出 dump（OpDebug 文件）。\n只给出路径时，运行与其相符的命令。"
                   : "Explains overflow dumps (OpDebug files) of Ascend NPUs.\n"
                     "With paths alone, the command that fits them is run.",
        is_chinese ? "命令：" : "Commands:");
    for (const Command& command : command_table()) {
        text += fmt::format("  {:<12}{}\n", command.name, help_in(command.summary, language));
    }
    return text +
           (is_chinese
                ? "\nopdebug COMMAND --help 显示命令的选项，opdebug --version 显示版本。\n\n示例：\n"
                  "  opdebug ~/dump_path                 目录下的全部 dump：首个溢出是什么、在哪里、为什么\n"
                  "  opdebug ~/dump_path ~/ascend/log    同上，并包含日志给出的算子\n"
                : "\n'opdebug COMMAND --help' shows the options of a command, 'opdebug --version' the version.\n\n"
                  "Examples:\n"
                  "  opdebug ~/dump_path                 all dumps below a folder: what overflowed first, where, why\n"
                  "  opdebug ~/dump_path ~/ascend/log    the same, with the operators that the logs name\n");
}

const Command* command_named(std::string_view name) {
    const std::vector<Command>& commands = command_table();
    const auto command =
        std::find_if(commands.begin(), commands.end(), [name](const Command& known) { return known.name == name; });
    return command != commands.end() ? &*command : nullptr;
}

/// "; did you mean 'scan'?" for a word similar to a command.
std::string suggestion_for(const std::string& word) {
    std::vector<std::string> names;
    for (const Command& command : command_table()) {
        names.emplace_back(command.name);
    }
    const auto near = nearest_word(word, names);
    return near ? sentence("usage.did_you_mean", {{"word", *near}}) : "";
}

/// Runs the command for the paths, with its options.
int run_for_paths(const std::vector<std::string>& arguments) {
    const auto options = std::find_if(arguments.begin(), arguments.end(), [](const std::string& argument) {
        return argument.size() > 1 && argument.front() == '-';
    });
    std::vector<std::string> inputs, logs, training_logs;
    std::optional<PathKind> kind;
    const auto is_dump = [](PathKind one) { return one <= PathKind::api_dump; };
    const auto say_no_common = [](const std::string& path, PathKind one, const std::string& other, PathKind another) {
        return usage_error(kProgramUsage,
                           sentence("usage.no_common_command", {{"path", path},
                                                                {"kind", sentence(info_of(one).words)},
                                                                {"other", other},
                                                                {"other_kind", sentence(info_of(another).words)}}));
    };
    for (auto path = arguments.begin(); path != options; ++path) {
        std::error_code absent;
        if (!fs::exists(*path, absent)) {
            return usage_error(kProgramUsage, sentence("usage.no_file", {{"path", *path}}));
        }
        // An unknown file counts as a dump, decode reports its fault; a folder without any known file is scanned.
        const PathKind found =
            kind_of_path(*path).value_or(fs::is_directory(*path, absent) ? PathKind::dump_tree : PathKind::dump);
        if (found == PathKind::log || found == PathKind::training_log) {
            (found == PathKind::log ? logs : training_logs).push_back(*path);
            continue;
        }
        const bool differs = kind && *kind != found;
        if (differs && (!is_dump(*kind) || !is_dump(found))) {
            return say_no_common(*path, found, inputs.front(), *kind);
        }
        inputs.push_back(*path);
        kind = differs ? PathKind::dump_tree : found;  // scan reads all kinds of dumps
    }
    if (!training_logs.empty()) {
        if (kind && !is_dump(*kind)) {
            return say_no_common(training_logs.front(), PathKind::training_log, inputs.front(), *kind);
        }
        kind = kind ? PathKind::dump_tree : PathKind::training_log;  // scan reads training logs next to dumps
    }
    const KindInfo& info = info_of(kind.value_or(PathKind::log));
    const bool reads_logs = kind == PathKind::dump || kind == PathKind::dump_tree;
    if (kind && !reads_logs && !logs.empty()) {
        return usage_error(kProgramUsage,
                           sentence("usage.reads_no_logs", {{"path", logs.front()}, {"command", info.command}}));
    }
    std::vector<std::string> line = inputs;
    for (const auto& [option, files] : {std::pair("--logs", &logs), {"--train-log", &training_logs}}) {
        for (const std::string& file : *files) {
            if (!inputs.empty()) {
                line.emplace_back(option);
            }
            line.push_back(file);
        }
    }
    line.insert(line.end(), options, arguments.end());
    say(sentence("front.running", {{"kind", sentence(info.words)},
                                   {"arguments", fmt::format("{} {}", info.command, fmt::join(line, " "))}}));
    return command_named(info.command)->run(line);
}

/// The end of the options before the first path or command, with their values. `-v` has a value in convert only.
std::vector<std::string>::iterator end_of_leading_options(std::vector<std::string>& arguments) {
    const auto is_option = [](const std::string& argument) { return argument.size() > 1 && argument.front() == '-'; };
    if (arguments.empty() || !is_option(arguments.front())) {
        return arguments.begin();
    }
    std::vector<std::string> with_value, flags;
    for (const Command& command : command_table()) {
        for (const Option& option : command.command_line().options) {
            const std::vector<std::string> spelled = spellings(option);
            std::vector<std::string>& names = option.value ? with_value : flags;
            names.insert(names.end(), spelled.begin(), spelled.end());
        }
    }
    const auto contains = [](const std::vector<std::string>& names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    auto argument = arguments.begin();
    while (argument != arguments.end() && is_option(*argument)) {
        const bool takes_next = contains(with_value, *argument) && !contains(flags, *argument);
        std::advance(argument, takes_next && std::next(argument) != arguments.end() ? 2 : 1);
    }
    return argument;
}

int run_command(const std::string& name, const std::vector<std::string>& arguments) {
    const Command* const command = command_named(name);
    return command != nullptr ? command->run(arguments)
                              : usage_error(kProgramUsage, sentence("usage.no_command",
                                                                    {{"name", name}, {"hint", suggestion_for(name)}}));
}

}  // namespace

int run_program(std::vector<std::string> arguments) {
    speak(help_language(arguments));
    std::string first = arguments.empty() ? "help" : arguments.front();
    if (first == "help" && arguments.size() > 1 && arguments[1] != "help" && arguments[1].rfind('-', 0) != 0) {
        return run_command(arguments[1], {"--help"});
    }
    if (first == "--help" || first == "-h" || first == "help") {
        return show_result(std::nullopt, program_help(spoken_language()));
    }
    if (first == "--version" && arguments.size() > 1) {
        return usage_error(kProgramUsage, sentence("usage.version_alone", {{"argument", arguments[1]}}));
    }
    if (first == "--version") {
        return show_result(std::nullopt, fmt::format("opdebug {}\n", version()));
    }
    // Options may come first: "opdebug --format text PATH".
    if (const auto end = end_of_leading_options(arguments); end != arguments.end()) {
        std::rotate(arguments.begin(), end, arguments.end());
        first = arguments.front();
    }
    std::error_code absent;
    const bool is_path = first.find('/') != std::string::npos || fs::exists(first, absent);
    return command_named(first) == nullptr && is_path ? run_for_paths(arguments)
                                                      : run_command(first, {arguments.begin() + 1, arguments.end()});
}

const std::vector<Command>& command_table() {
    static const std::vector<Command> commands{
        {"decode", "decode overflow dumps: cause, operator and model", decode_command_line, decode_command},
        {"index", "build a log index for --logs", index_command_line, index_command},
        {"scan", "decode every dump below folders: what overflowed first, where, why", scan_command_line, scan_command},
        {"logs", "list tasks that overflowed or failed, from logs alone", logs_command_line, logs_command},
        {"merge", "combine the reports of shards and hosts", merge_command_line, merge_command},
        {"status", "explain bare status numbers", status_command_line, status_command},
        {"explain", "explain codes of results and logs", explain_command_line, explain_command},
        {"convert", "write the JSON of msaccucmp convert", convert_command_line, convert_command},
        {"tensors", "measure the inputs and outputs of operators", tensors_command_line, tensors_command},
        {"overflow", "write the summary of msaccucmp overflow", overflow_command_line, overflow_command},
        {"watch", "follow a running job and report each rank's first overflow", watch_command_line, watch_command},
        {"doctor", "list what is missing before or after a run", doctor_command_line, doctor_command},
        {"api", "find the API call that made the first bad value", api_command_line, api_command},
        {"train", "report whether overflows mattered, from training logs", train_command_line, train_command},
        {"next", "write the settings that bring missing evidence", next_command_line, next_command},
        {"formats", "list, show, check and try log formats", formats_command_line, formats_command},
        {"completion", "write the bash completion script", completion_command_line, completion_command},
        {"manual", "write the manual page", manual_command_line, manual_command},
    };
    return commands;
}

std::vector<Option> program_options() {
    return {{"help,h", {}, "show the commands"}, {"version", {}, "show the version"}};
}

}  // namespace opdebug::tool
