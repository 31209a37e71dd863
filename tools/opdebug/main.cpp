// opdebug: explains overflow dumps of Ascend NPUs.
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <opdebug/version.hpp>

#include "command_line/arguments.hpp"
#include "commands/commands.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "system/standard_streams.hpp"

namespace {

constexpr const char* kUsageLine = "opdebug COMMAND [arguments]";

int show(const std::string& text) {
    return opdebug::tool::show_result(std::nullopt, text);
}

std::string help() {
    std::string text =
        fmt::format("Usage: {}\n\nExplains overflow dumps (OpDebug files) of Ascend NPUs.\n\nCommands:\n", kUsageLine);
    for (const opdebug::tool::Command& command : opdebug::tool::command_table()) {
        text += fmt::format("  {:<12}{}\n", command.name, command.summary);
    }
    return text + "\n'opdebug COMMAND --help' tells the options of a command; 'opdebug --version' the version.\n";
}

int run_command(const std::string& name, const std::vector<std::string>& arguments) {
    for (const opdebug::tool::Command& command : opdebug::tool::command_table()) {
        if (command.name == name) {
            return command.run(arguments);
        }
    }
    return opdebug::tool::usage_error(kUsageLine, fmt::format("there is no command '{}'", name));
}

int run(const std::vector<std::string>& arguments) {
    if (arguments.empty()) {
        return opdebug::tool::usage_error(kUsageLine, "a command was expected");
    }
    const std::string& first = arguments.front();
    if (first == "help" && arguments.size() > 1 && arguments[1] != "help" && arguments[1].rfind('-', 0) != 0) {
        return run_command(arguments[1], {"--help"});
    }
    if (first == "--help" || first == "-h" || first == "help") {
        return show(help());
    }
    if (first == "--version" && arguments.size() > 1) {
        return opdebug::tool::usage_error(kUsageLine, "nothing stands behind --version, not '" + arguments[1] + "'");
    }
    if (first == "--version") {
        return show(fmt::format("opdebug {}\n", opdebug::version()));
    }
    return run_command(first, {arguments.begin() + 1, arguments.end()});
}

}  // namespace

int main(int count, char** values) {
    std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is noticed by write() and is no error
    std::signal(SIGXFSZ, SIG_IGN);  // so is a file that would be larger than ulimit -f allows: write() tells
    opdebug::tool::open_standard_streams();
    opdebug::tool::keep_results_readable();
    try {
        return run({values + 1, values + count});
    } catch (const std::bad_alloc&) {
        std::fputs("opdebug: not enough memory. Use fewer threads (-j) or inputs, or raise the limit (ulimit -v)\n",
                   stderr);
    } catch (const std::exception& error) {
        opdebug::tool::say(error.what());
    }
    return opdebug::tool::kSomethingDamaged;
}
