#include "commands/commands.hpp"

namespace opdebug::tool {

const std::vector<Command>& command_table() {
    static const std::vector<Command> commands{
        {"decode", "decode overflow dumps: cause, operator and model", decode_command_line, decode_command},
        {"index", "read logs once and keep what they say of tasks, for --logs", index_command_line, index_command},
        {"scan", "every dump below folders: what overflowed first, where, why, how often", scan_command_line,
         scan_command},
        {"merge", "one report of those that shards and hosts wrote", merge_command_line, merge_command},
        {"status", "explain bare status numbers", status_command_line, status_command},
        {"convert", "write the official converter's JSON (drop-in for msaccucmp convert)", convert_command_line,
         convert_command},
        {"tensors", "what the inputs and outputs of an operator hold", tensors_command_line, tensors_command},
        {"overflow", "summary of the first overflows (drop-in for msaccucmp overflow)", overflow_command_line,
         overflow_command},
        {"watch", "follow a running job: the first overflow of each rank at once, and a report", watch_command_line,
         watch_command},
        {"doctor", "say what is missing before or after a run", doctor_command_line, doctor_command},
        {"api", "dumps of API calls (msprobe, ptdbg, MindSpore): which one made the first bad value", api_command_line,
         api_command},
        {"formats", "list, show and check definitions of log lines", formats_command_line, formats_command},
        {"completion", "write the bash completion script", completion_command_line, completion_command},
        {"manual", "the manual page, for man -l", manual_command_line, manual_command},
    };
    return commands;
}

std::vector<Option> program_options() {
    return {{"help,h", {}, "show the commands"}, {"version", {}, "show the version"}};
}

}  // namespace opdebug::tool
