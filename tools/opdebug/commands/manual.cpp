// opdebug manual: the manual page out.
#include "command_line/arguments.hpp"
#include "command_line/report_options.hpp"
#include "commands/commands.hpp"
#include "manual_and_completions/manual_page.hpp"
#include "output/output.hpp"

namespace opdebug::tool {

CommandLine manual_command_line() {
    CommandLine line;
    line.usage = "opdebug manual [options]";
    line.summary =
        "Writes the manual page of opdebug and all its commands, in the form that man(1) reads.\n"
        "To read it: opdebug manual -o opdebug.1 && man -l opdebug.1";
    line.options = {output_option(), help_option()};
    return line;
}

int manual_command(const std::vector<std::string>& arguments) {
    const ParsedArguments parsed = parse_arguments(manual_command_line(), arguments);
    return parsed.exit_status ? *parsed.exit_status : show_result(output_path(parsed), manual_page());
}

}  // namespace opdebug::tool
