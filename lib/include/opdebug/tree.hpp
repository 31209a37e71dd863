// Facts in file names and paths: ids and time of a dump, its location in a dump tree, and the dumps below a folder.
// Names are hints; the record in the file decides (docs/internals/formats.md). The functions are thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/result.hpp>

namespace opdebug {
inline namespace v0 {

/// The parts of a dump's file name:
/// {type}.{name}.[{dump_number}.]{task}[.{stream}].{timestamp}[.4.{context}.{thread}.{device}]. Source of the forms:
/// runtime dump_task.cpp DumpPath, adump dump_stream_info.cpp; see docs/internals/formats.md.
/// The dump of an operator that failed (exception dump) ends with a local time instead: {type}.{name}.{task}.{time},
/// {kernel}.{stream}.{task}[.{core_type}.{core}].{time}. Source: adump dump_operator.cpp, dump_args.cpp,
/// dump_args_callback.cpp.
struct DumpName {
    std::string op_type;  ///< "Opdebug" for an overflow dump; empty: not in the name
    std::string op_name;  ///< as in the file name: _ replaces space . / and backslash; empty: not in the name
    bool is_overflow_dump = false;
    bool is_exception_dump = false;
    bool documented_spelling = false;  ///< spelled "Opdebug.Node_OpDebug", as every known writer does
    std::optional<std::uint64_t> dump_number;
    std::optional<std::uint64_t> task_id;
    std::optional<std::uint64_t> stream_id;     ///< not in names of 2020
    std::optional<std::uint64_t> timestamp_us;  ///< microseconds since 1970-01-01 UTC
    std::optional<std::uint64_t> context_id;    ///< FFTS+ only; the markers 65535 and 4294967295 are dropped
    std::optional<std::uint64_t> thread_id;
    std::optional<std::uint64_t> device_id;
    std::optional<std::uint64_t> core_type, core_id;  ///< exception dumps only
    std::string local_time;  ///< exception dumps only: YYYYMMDDhhmmssmmm, in the time zone of the host
};

/// Parses a file name without folders. Empty if the name is no dump name. For overflow dumps, whose name starts with
/// the known spelling (in any case), numbers are enough; members that cannot be parsed stay empty.
OPDEBUG_API std::optional<DumpName> parse_dump_name(std::string_view name);

/// The last part of a path.
OPDEBUG_API std::string_view file_name_of(std::string_view path) noexcept;

/// Ids in the folders above a dump. A member is set only if the layout is unambiguous.
struct PathIds {
    std::optional<std::string> time;  ///< the {time} folder, 14 digits, host local time
    std::optional<std::uint64_t> device_id;
    std::optional<std::string> model_name;
    std::optional<std::uint64_t> model_id;  ///< id of GE or of the runtime, depending on the CANN version
    std::optional<std::uint64_t> data_index;
    std::optional<std::uint64_t> rank;
};

/// Parses the folders of a path as given. The last part is the file name.
OPDEBUG_API PathIds parse_path_ids(std::string_view path);

/// Parses the folders of the absolute path. Ids that are still unknown are read from the targets of links.
OPDEBUG_API PathIds path_ids_of_file(const std::string& path);

/// Dumps below a path.
struct FoundDumps {
    std::vector<std::string> files;       ///< in path order
    std::vector<Error> failures;          ///< unreadable folders
    std::vector<Diagnostic> diagnostics;  ///< dangling_links, special_files, unnamed_files, several_names
    std::uint64_t other_files = 0;
};

/// The dumps below `path` by name, or `path` itself if it is a file. find_dump_tree() in scan.hpp also finds converted
/// dumps and copies. Links to files keep their names; links to folders are followed once. Dangling links, pipes,
/// sockets and devices with names of overflow dumps are other files with a diagnostic. Errors: file_not_found,
/// permission_denied or read_failed if `path` itself cannot be used. Thread-safe.
OPDEBUG_API Result<FoundDumps> find(const std::string& path, const Limits& limits = {});

/// The same for operator dumps, including those with a long name in mapping.csv. A tensor in a .npy file ({dump
/// name}.output.0.ND.npy) counts if the binary dump is not in its folder. Without any operator dump: all .npy files, as
/// TorchAir and msprobe write them.
OPDEBUG_API Result<FoundDumps> find_op_dumps(const std::string& path, const Limits& limits = {});

}  // namespace v0
}  // namespace opdebug
