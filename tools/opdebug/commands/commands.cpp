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
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

namespace fs = std::filesystem;

/// In the order of help.
constexpr std::pair<std::string_view, int (*)(const ParsedArguments&)> kCommands[] = {
    {"decode", decode_command},     {"index", index_command},           {"scan", scan_command},
    {"logs", logs_command},         {"merge", merge_command},           {"status", status_command},
    {"explain", explain_command},   {"convert", convert_command},       {"tensors", tensors_command},
    {"overflow", overflow_command}, {"watch", watch_command},           {"doctor", doctor_command},
    {"api", api_command},           {"train", train_command},           {"next", next_command},
    {"formats", formats_command},   {"completion", completion_command}, {"manual", manual_command}};

std::string program_help(const CommandLine& program) {
    const Language language = message_language();
    const bool is_chinese = language == Language::chinese;
    std::string text = fmt::format("{}{}\n       {}\n\n{}\n\n{}\n",
                                   is_chinese ? "用法：" : "Usage: ", usage_in(language, program.usage),
                                   usage_in(language, "opdebug PATH... [options]"), program.summary.in(language),
                                   is_chinese ? "命令：" : "Commands:");
    for (const std::string_view name : command_names()) {
        text += fmt::format("  {:<12}{}\n", name, command_line_of(name).about.in(language));
    }
    text += fmt::format("\n{}\n\n{}\n", sentence("help.commands"), is_chinese ? "示例：" : "Examples:");
    for (const Example& example : program.examples) {
        text += fmt::format("  {:<36}{}\n", example.call, example.meaning.in(language));
    }
    return text;
}

int run_command(const std::string& name, const std::vector<std::string>& arguments) {
    const auto* const command = std::find_if(std::begin(kCommands), std::end(kCommands),
                                             [&name](const auto& known) { return known.first == name; });
    if (command == std::end(kCommands)) {
        const auto near = nearest_word(name, {command_names().begin(), command_names().end()});
        const std::string hint = near ? sentence("usage.did_you_mean", {{"word", *near}}) : "";
        throw UsageError(sentence("usage.no_command", {{"name", name}, {"hint", hint}}));
    }
    const CommandLine line = command_line_of(name);
    try {
        const ParsedArguments parsed = parse_arguments(line, arguments);
        return parsed.has("help") ? show_result(std::nullopt, help_of(line)) : command->second(parsed);
    } catch (const UsageError& error) {
        if (interrupted()) {  // while files that options name were read
            print_phrase("usage.stopped");
            return interrupted_status();
        }
        return usage_error(line.usage, error.what());
    }
}

/// Runs the command for the paths, with its options.
int run_for_paths(const std::vector<std::string>& arguments) {
    const auto options = std::find_if(arguments.begin(), arguments.end(), [](const std::string& argument) {
        return argument.size() > 1 && argument.front() == '-';
    });
    std::vector<std::string> inputs, logs, training_logs;
    std::optional<PathKind> kind;
    bool is_any_unread = false;
    const auto is_dump = [](PathKind one) { return one <= PathKind::api_dump; };
    const auto refuse_mixture = [](const std::string& path, PathKind one, const std::string& other, PathKind another) {
        throw UsageError(sentence("usage.no_common_command", {{"path", path},
                                                              {"kind", sentence(info_of(one).words)},
                                                              {"other", other},
                                                              {"other_kind", sentence(info_of(another).words)}}));
    };
    for (auto path = arguments.begin(); path != options; ++path) {
        std::error_code absent;
        if (!fs::exists(*path, absent)) {
            throw UsageError(sentence("usage.no_file", {{"path", *path}}));
        }
        const std::optional<PathKind> known = kind_of_path(*path);
        const bool is_folder = fs::is_directory(*path, absent);
        const bool is_next_to_others = known == PathKind::settings && std::distance(arguments.begin(), options) > 1;
        const auto unread = is_next_to_others    ? other_command_for(*path, "scan")
                            : known || is_folder ? std::nullopt
                                                 : fault_of_unknown(*path);
        if (unread) {
            print_message(*unread);
            is_any_unread = true;
            continue;
        }
        // A damaged dump is decoded, which reports the fault; a folder without any known file is scanned.
        const PathKind found = known.value_or(is_folder ? PathKind::dump_tree : PathKind::dump);
        if (found == PathKind::log || found == PathKind::training_log) {
            (found == PathKind::log ? logs : training_logs).push_back(*path);
            if (found == PathKind::training_log && !is_folder && has_log_lines(*path)) {
                print_phrase("front.also_log", {{"path", *path}});
            }
            continue;
        }
        const bool differs = kind && *kind != found;
        if (differs && (!is_dump(*kind) || !is_dump(found))) {
            refuse_mixture(*path, found, inputs.front(), *kind);
        }
        inputs.push_back(*path);
        kind = differs ? PathKind::dump_tree : found;  // scan reads all kinds of dumps
    }
    if (!training_logs.empty()) {
        if (kind && !is_dump(*kind)) {
            refuse_mixture(training_logs.front(), PathKind::training_log, inputs.front(), *kind);
        }
        kind = kind ? PathKind::dump_tree : PathKind::training_log;  // scan reads training logs next to dumps
    }
    if (!kind && logs.empty()) {
        return kUsage;  // no command reads any of the files
    }
    const KindInfo& info = info_of(kind.value_or(PathKind::log));
    const bool reads_logs = kind == PathKind::dump || kind == PathKind::dump_tree;
    if (kind && !reads_logs && !logs.empty()) {
        throw UsageError(sentence("usage.reads_no_logs", {{"path", logs.front()}, {"command", info.command}}));
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
    print_phrase("front.running", {{"kind", sentence(info.words)},
                                   {"arguments", fmt::format("{} {}", info.command, fmt::join(line, " "))}});
    const int status = run_command(info.command, line);
    return status == kEverythingHandled && is_any_unread ? kSomethingDamaged : status;
}

/// The end of the options before the first path or command, with their values. `-v` has a value in convert only.
std::vector<std::string>::iterator end_of_leading_options(std::vector<std::string>& arguments) {
    const auto is_option = [](const std::string& argument) { return argument.size() > 1 && argument.front() == '-'; };
    if (arguments.empty() || !is_option(arguments.front())) {
        return arguments.begin();
    }
    std::vector<std::string> with_value, flags;
    for (const std::string_view name : command_names()) {
        for (const Option& option : command_line_of(name).options) {
            std::vector<std::string>& names = option.value ? with_value : flags;
            names.insert(names.end(), option.spellings.begin(), option.spellings.end());
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

int run_arguments(std::vector<std::string> arguments, const CommandLine& program) {
    std::string first = arguments.empty() ? "help" : arguments.front();
    if (first == "help" && arguments.size() > 1 && arguments[1] != "help" && !arguments[1].starts_with('-')) {
        return run_command(arguments[1], {"--help"});
    }
    if (first == "--help" || first == "-h" || first == "help") {
        return show_result(std::nullopt, program_help(program));
    }
    if (first == "--version" && arguments.size() > 1) {
        throw UsageError(sentence("usage.version_alone", {{"argument", arguments[1]}}));
    }
    if (first == "--version") {
        const std::string built_from = *commit() == '\0' ? "" : fmt::format(" (commit {})", commit());
        return show_result(std::nullopt, fmt::format("opdebug {}{}\n", version(), built_from));
    }
    // Options may come first: "opdebug --format text PATH".
    if (const auto end = end_of_leading_options(arguments); end != arguments.end()) {
        std::rotate(arguments.begin(), end, arguments.end());
        first = arguments.front();
    }
    std::error_code absent;
    const bool is_path = first.find('/') != std::string::npos || fs::exists(first, absent);
    const auto& names = command_names();
    const bool is_command = std::find(names.begin(), names.end(), first) != names.end();
    return !is_command && is_path ? run_for_paths(arguments)
                                  : run_command(first, {arguments.begin() + 1, arguments.end()});
}

}  // namespace

int run_program(std::vector<std::string> arguments) {
    set_message_language(help_language(arguments));
    const CommandLine program = command_line_of("program");
    try {
        return run_arguments(std::move(arguments), program);
    } catch (const UsageError& error) {
        return usage_error(program.usage, error.what());
    }
}

const std::vector<std::string_view>& command_names() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> all;
        std::transform(std::begin(kCommands), std::end(kCommands), std::back_inserter(all),
                       [](const auto& command) { return command.first; });
        return all;
    }();
    return names;
}

}  // namespace opdebug::tool
