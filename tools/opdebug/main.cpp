// opdebug: explains overflow dumps of Ascend NPUs. This file holds the table of commands.
#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string_view>

#include <fmt/format.h>

#include <opdebug/version.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "exit_status.hpp"

namespace {

struct Command {
    std::string_view name;
    std::string_view summary;
    int (*run)(const std::vector<std::string>&);
};
constexpr std::array<Command, 8> kCommands{{
    {"decode", "decode overflow dumps: cause, operator and model", opdebug::tool::decode_command},
    {"index", "read logs once and keep what they say of tasks, for --logs", opdebug::tool::index_command},
    {"scan", "every dump below folders: what overflowed first, where, why, how often", opdebug::tool::scan_command},
    {"status", "explain bare status numbers", opdebug::tool::status_command},
    {"convert", "write the official converter's JSON (drop-in for msaccucmp convert)", opdebug::tool::convert_command},
    {"tensors", "what the inputs and outputs of an operator hold", opdebug::tool::tensors_command},
    {"overflow", "summary of the first overflows (drop-in for msaccucmp overflow)", opdebug::tool::overflow_command},
    {"formats", "list, show and check definitions of log lines", opdebug::tool::formats_command},
}};
constexpr const char* kUsageLine = "opdebug COMMAND [arguments]";

int show(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return opdebug::tool::kEverythingHandled;
}

std::string help() {
    std::string text =
        fmt::format("Usage: {}\n\nExplains overflow dumps (OpDebug files) of Ascend NPUs.\n\nCommands:\n", kUsageLine);
    for (const Command& command : kCommands) {
        text += fmt::format("  {:<10}{}\n", command.name, command.summary);
    }
    return text + "\n'opdebug COMMAND --help' tells the options of a command; 'opdebug --version' the version.\n";
}

int run(const std::vector<std::string>& arguments) {
    if (arguments.empty()) {
        return opdebug::tool::usage_error(kUsageLine, "a command was expected");
    }
    const std::string& first = arguments.front();
    if (first == "--help" || first == "-h" || first == "help") {
        return show(help());
    }
    if (first == "--version") {
        return show(fmt::format("opdebug {}\n", opdebug::version()));
    }
    for (const Command& command : kCommands) {
        if (command.name == first) {
            return command.run({arguments.begin() + 1, arguments.end()});
        }
    }
    return opdebug::tool::usage_error(kUsageLine, fmt::format("there is no command '{}'", first));
}

}  // namespace

int main(int count, char** values) {
    std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is noticed by write() and is no error
    try {
        return run({values + 1, values + count});
    } catch (const std::exception& error) {  // out of memory
        std::fprintf(stderr, "opdebug: %s\n", error.what());
        return opdebug::tool::kSomethingDamaged;
    }
}
