// What kind of input a path is, which command reads it, and which logs are near.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opdebug::tool {

/// scan reads the kinds up to api_dump.
enum class PathKind : std::uint8_t { dump, dump_tree, op_dump, api_dump, report, log, training_log };

struct KindInfo {
    const char* command;  ///< logs next to dumps are read with them
    const char* words;    ///< id of the sentence that names the kind
};
const KindInfo& info_of(PathKind kind);

/// Of a file by its name, otherwise by its content. Of a folder by an overflow dump, otherwise by the first API dump,
/// operator dump or log. Empty: not known.
std::optional<PathKind> kind_of_path(const std::string& path);

/// "x.log: log: run 'opdebug logs x.log'". Empty if `command` reads this kind, or the kind is not known.
std::optional<std::string> other_command_for(const std::string& path, std::string_view command);

/// Offers a folder of logs near the dumps, or where CANN writes logs; such logs are never read unasked.
void say_found_logs(const std::vector<std::string>& inputs);

}  // namespace opdebug::tool
