// What kind of input a path is, and which command reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace opdebug::tool {

/// scan reads the kinds up to api_dump.
enum class PathKind : std::uint8_t {
    dump,       ///< an overflow dump
    dump_tree,  ///< a folder with overflow dumps
    op_dump,
    api_dump,
    report,  ///< of scan, as JSON lines
    log,     ///< of CANN, or an index of logs
    training_log
};

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

}  // namespace opdebug::tool
