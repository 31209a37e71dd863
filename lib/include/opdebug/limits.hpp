// Limits for input. Dumps come from crashing processes and from strangers. Each limit is far above all known real data,
// and keeps one file from using all memory or hours of time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/result.hpp>

namespace opdebug {
inline namespace v0 {

/// Input limits. A limit is 1 or more; 0 accepts nothing. "Code" is the code of the error, or of the diagnostic if the
/// result stays usable. The message names the limit, its value, and how to raise it.
struct Limits {
    /// Bytes of an overflow dump, also from standard input. A dump has about 2 KB. Code: file_too_large.
    std::uint64_t file_bytes = std::uint64_t{64} << 20U;

    /// Bytes of the header of a dump, and of a complete operator dump of version 1. Headers of overflow dumps have 49
    /// to 73 bytes (writer: runtime dump_task.cpp). Code: header_too_large.
    std::uint64_t header_bytes = std::uint64_t{16} << 20U;

    /// Declared inputs, outputs, buffers and workspaces, each. Operators have dozens. A declaration takes 2 bytes in
    /// the header and over 100 in memory. Code: too_many_tensors.
    std::uint64_t tensors = 4096;

    /// Numbers in a tensor shape. Shapes have up to 8, rarely 25. Code: too_many_dimensions.
    std::uint64_t dimensions = 1024;

    /// Bytes of a name in a header, and of a string or key in JSON. Operator names have hundreds of bytes, fused ones
    /// thousands. Code: name_too_long.
    std::uint64_t name_bytes = std::uint64_t{64} << 10U;

    /// Records of one file, including appended dumps. A legacy dump has 3. A record takes about 8 KB of memory. Code:
    /// too_many_records, with the records up to the limit.
    std::uint64_t records = 10'000;

    /// Bytes of converted JSON. It has about 2 KB (msaccucmp, docs/format.md) and takes up to 25 times its size in
    /// memory. Code: converted_json_too_large.
    std::uint64_t converted_bytes = std::uint64_t{1} << 20U;

    /// Bytes of a status catalogue or a file of log formats. The built-in ones have up to 33 KB. Code:
    /// definition_too_large.
    std::uint64_t definition_bytes = std::uint64_t{16} << 20U;

    /// Nesting of JSON lists and objects. Known documents have 6 levels. Headers of dumps need no limit: only three
    /// levels are read. Code: nesting_too_deep.
    std::uint64_t nesting = 64;

    /// Bytes of one call in an API dump, of a line of a .pkl or statistic.csv, and of a group in stack.json. A call has
    /// thousands of bytes; with lists of thousands of tensors it has millions. Code: call_too_large.
    std::uint64_t call_bytes = std::uint64_t{64} << 20U;

    /// Nesting of JSON in an API dump. msprobe follows values through 400 levels (source: recursion limit of its data
    /// processor). Code: nesting_too_deep.
    std::uint64_t call_nesting = 512;

    /// Bytes of a mapping.csv. With 65,535 files and 280 bytes for each, it has 18 MB; the official converter accepts
    /// 100 MB. Code: mapping_too_large; the files then keep their numbers as names.
    std::uint64_t mapping_bytes = std::uint64_t{32} << 20U;

    /// Nested folders below a given path. Dumps are up to 8 levels deep ({rank}/{time}/{device}/{model}/{id}/{index}).
    /// Code: folder_too_deep in the failures; other folders are read.
    std::uint64_t folder_depth = 256;

    /// Bytes of a log line. CANN's log library writes 1022 (source: log_types.h, MSG_LENGTH); log collectors add up to
    /// 400. Code: line_too_long, with the number of such lines.
    std::uint64_t line_bytes = std::uint64_t{8} << 10U;

    /// Processes in logs. A job of 10,000 devices has about 10,000. Code: too_many_processes; lines of more processes
    /// are dropped.
    std::uint64_t processes = 100'000;

    /// Listed operators for one record. An FFTS+ task can have a hundred thousand contexts. Code: candidates_cut.
    std::uint64_t candidates = 100;
};

/// Name and meaning of a limit: for `--limit NAME=NUMBER`, C and Python.
struct LimitInfo {
    std::string_view name;  ///< name of the member
    std::uint64_t Limits::*member = nullptr;
    std::string_view code;    ///< of the error or diagnostic
    std::string_view bounds;  ///< in a few English words
};

/// All limits, in the order of the members. Static texts.
OPDEBUG_API std::vector<LimitInfo> known_limits();

/// Sets a limit by name. Error: invalid_argument for an unknown name and for 0; nothing changes then. Not thread-safe
/// for one `limits`.
[[nodiscard]] OPDEBUG_API std::optional<Error> set_limit(Limits& limits, std::string_view name, std::uint64_t value);

}  // namespace v0
}  // namespace opdebug
