// What kind of input a path is, and which command reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opdebug::tool {

/// scan reads the kinds up to api_dump.
enum class PathKind : std::uint8_t {
    dump,       ///< an overflow dump
    dump_tree,  ///< a folder with overflow dumps
    op_dump,
    api_dump,
    report,  ///< of scan, as JSON lines
    log,     ///< of CANN, or an index of logs
    training_log,
    settings  ///< of dumps
};

struct KindInfo {
    const char* command;  ///< logs next to dumps are read with them
    const char* words;    ///< id of the sentence that names the kind
};
const KindInfo& info_of(PathKind kind);

/// Of a file by its name, otherwise by its content; of a text by its content. Of a folder by an overflow dump,
/// otherwise by the first API dump, operator dump or log. Empty: not known.
std::optional<PathKind> kind_of_path(const std::string& path);

/// Whether `logs` finds lines in the first megabytes of the file. Of a saved map the name decides.
bool has_log_lines(const std::string& path);

/// "x.log: log: run 'opdebug logs x.log'", or what a file is that no command reads. Empty if `command` reads this kind,
/// or the kind is not known.
std::optional<std::string> other_command_for(const std::string& path, std::string_view command);

/// Why no command reads a file of unknown kind. Empty: it may be a damaged dump, and decoding reports the fault.
std::optional<std::string> fault_of_unknown(const std::string& path);

/// "; found there: 2 .csv, 1 operator dump, 1 without suffix", for paths without a dump. Empty: there are no files.
std::string what_is_there(const std::vector<std::string>& paths);

}  // namespace opdebug::tool
