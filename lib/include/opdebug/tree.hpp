// What file names and directories say: ids and time from the name, what a path tells about its place in a dump tree,
// and the dumps below a folder. Names are hints: the record in the file decides (docs/format.md). The functions are
// thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/limits.hpp>
#include <opdebug/result.hpp>

namespace opdebug {
inline namespace v0 {

/// The parts of a dump's file name:
/// {type}.{name}.[{dump_number}.]{task}[.{stream}].{timestamp}[.4.{context}.{thread}.{device}]. Source of the forms:
/// runtime dump_task.cpp DumpPath, adump dump_stream_info.cpp; see docs/format.md.
struct DumpName {
    std::string op_type;  ///< "Opdebug" for an overflow dump
    std::string op_name;  ///< as in the file name: space . / \ were replaced by _
    bool is_overflow_dump = false;
    bool documented_spelling = false;  ///< spelled "Opdebug.Node_OpDebug", as every known writer does
    std::optional<std::uint64_t> dump_number;
    std::optional<std::uint64_t> task_id;
    std::optional<std::uint64_t> stream_id;     ///< absent in names of 2020
    std::optional<std::uint64_t> timestamp_us;  ///< microseconds since 1970-01-01 UTC
    std::optional<std::uint64_t> context_id;    ///< FFTS+ only; the markers 65535 and 4294967295 are dropped
    std::optional<std::uint64_t> thread_id;
    std::optional<std::uint64_t> device_id;
};

/// Reads a file name (no directories). Nothing when the name has not the form of a dump. Spelled as an overflow dump
/// (in any case), numbers behind it are enough, however short or many: what is not understood of them stays empty.
OPDEBUG_API std::optional<DumpName> parse_dump_name(std::string_view name);

/// The last part of a path.
OPDEBUG_API std::string_view file_name_of(std::string_view path) noexcept;

/// Ids that the folders above a dump give, each only when the layout is unmistakable.
struct PathIds {
    std::optional<std::string> time;  ///< the {time} folder, 14 digits, host local time
    std::optional<std::uint64_t> device_id;
    std::optional<std::string> model_name;
    std::optional<std::uint64_t> model_id;  ///< GE's or the runtime's, by generation: never match it blindly
    std::optional<std::uint64_t> data_index;
    std::optional<std::uint64_t> rank;
};

/// Reads the folders of a path as it stands; the last part is the file's name.
OPDEBUG_API PathIds parse_path_ids(std::string_view path);

/// Reads the folders of a file's absolute path, the working directory's too; what these leave open, where links lead.
OPDEBUG_API PathIds path_ids_of_file(const std::string& path);

/// Dumps below a path.
struct FoundDumps {
    std::vector<std::string> files;       ///< in path order
    std::vector<Error> failures;          ///< folders that could not be read; the others were searched
    std::vector<Diagnostic> diagnostics;  ///< dangling_links, special_files, unnamed_files, several_names
    std::uint64_t other_files = 0;
};

/// The dumps below `path` by name: files whose name is that of an overflow dump, or `path` itself when it is a file.
/// find_dump_tree() of scan.hpp also knows converted ones and copies. What mapping.csv leaves open of files called by
/// numbers is among the diagnostics. Symbolic links to files are kept as they are named; links to folders are followed
/// once. Links that lead nowhere, pipes, sockets and devices that are named like overflow dumps are other files, and
/// told. Error: file_not_found, permission_denied or read_failed when `path` itself cannot be used. Thread-safe.
OPDEBUG_API Result<FoundDumps> find(const std::string& path, const Limits& limits = {});

/// The same for dumps of operators' inputs and outputs, also those whose long name is in a mapping.csv next to them. A
/// tensor that is a .npy file ({dump name}.output.0.ND.npy) counts where the binary dump is not in its folder.
OPDEBUG_API Result<FoundDumps> find_op_dumps(const std::string& path, const Limits& limits = {});

}  // namespace v0
}  // namespace opdebug
