// How much is taken of what files claim and hold. Files come from crashing processes and from strangers: each limit
// stands far above all real data that is known, and keeps one file from taking the machine's memory or hours of time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/result.hpp>

namespace opdebug {
inline namespace v0 {

/// Limits; the options of all functions that read files hold them. A limit is a number from 1 on; 0 lets nothing pass.
/// The code behind "told by" is that of the error, or of the diagnostic where the result stays usable; its message
/// tells what was found, the limit's name and value, and how to raise it.
struct Limits {
    /// Bytes of a dump that is read whole: an overflow dump, also from standard input. One has about 2 KB, of which
    /// this is 31,000 in one file. Told by file_too_large.
    std::uint64_t file_bytes = std::uint64_t{64} << 20U;

    /// Bytes of the header of a dump, and of an operator's dump of the old form, version 1, which is all header.
    /// Headers of overflow dumps have 49 to 73 bytes (writer: runtime dump_task.cpp). Told by header_too_large.
    std::uint64_t header_bytes = std::uint64_t{16} << 20U;

    /// Inputs, outputs, buffers and workspaces that a header declares, each. Operators have dozens; a declaration takes
    /// 2 bytes of the header and more than 100 of memory. Told by too_many_tensors.
    std::uint64_t tensors = 4096;

    /// Numbers in the shape of one tensor. Shapes have up to 8, rarely 25. Told by too_many_dimensions.
    std::uint64_t dimensions = 1024;

    /// Bytes of a name in a header, and of a string or key in JSON. Names of operators have some hundred, of fused ones
    /// some thousand. Told by name_too_long.
    std::uint64_t name_bytes = std::uint64_t{64} << 10U;

    /// Records of one file, with those of dumps that were appended to it: 3 of a legacy dump, so these are 3,333 dumps
    /// in one file. A record takes some 8 KB of memory until its document is written. Told by too_many_records, beside
    /// the records up to there.
    std::uint64_t records = 10'000;

    /// Bytes of a converter's JSON that is read in place of a dump; it has about 2 KB (msaccucmp, docs/format.md), and
    /// takes up to 25 times its size of memory. Told by converted_json_too_large.
    std::uint64_t converted_bytes = std::uint64_t{1} << 20U;

    /// Bytes of a file of the user: a status catalogue or definitions of log lines. The built-in ones have up to 33 KB.
    /// Told by definition_too_large.
    std::uint64_t definition_bytes = std::uint64_t{16} << 20U;

    /// Lists and objects of JSON inside one another. The documents that are read have 6. Headers of dumps need no
    /// limit: their messages are read to the third level only. Told by nesting_too_deep.
    std::uint64_t nesting = 64;

    /// Bytes of one call in an API dump, of one line of a .pkl or statistic.csv, and of one group of stack.json. A call
    /// has some thousand; one whose arguments are lists of thousands of tensors has some million. Told by
    /// call_too_large.
    std::uint64_t call_bytes = std::uint64_t{64} << 20U;

    /// Lists and objects of JSON inside one another in an API dump: msprobe follows values through 400 (source:
    /// msprobe, recursion limit of its data processor). Told by nesting_too_deep.
    std::uint64_t call_nesting = 512;

    /// Bytes of a mapping.csv, which gives files called by a number their long names. A folder with 65,535 of them, of
    /// 280 bytes each, has 18 MB; the official converter takes 100 MB. Told by mapping_too_large; the files are then
    /// known by their numbers only.
    std::uint64_t mapping_bytes = std::uint64_t{32} << 20U;

    /// Folders inside one another below a given path. Dumps lie up to 8 deep ({rank}/{time}/{device}/{model}/{id}/
    /// {index}); a path of the system holds some thousand at most. Told by folder_too_deep among the failures; the
    /// other folders are read.
    std::uint64_t folder_depth = 256;

    /// Bytes of a log line that are looked at. CANN's log library writes 1022 (source: log_types.h, MSG_LENGTH), and
    /// collectors put up to 400 in front. Told by line_too_long, with the number of such lines.
    std::uint64_t line_bytes = std::uint64_t{8} << 10U;

    /// Processes that logs tell of. A job of 10,000 devices has some 10,000. Told by too_many_processes; what the lines
    /// of further ones say is left out.
    std::uint64_t processes = 100'000;

    /// Operators that are listed for one record. A task of FFTS+ can have a hundred thousand contexts. Told by
    /// candidates_cut.
    std::uint64_t candidates = 100;
};

/// A limit as it is known outside C++: in `--limit NAME=NUMBER` and in options of the C and Python interfaces.
struct LimitInfo {
    std::string_view name;  ///< that of the member
    std::uint64_t Limits::*member = nullptr;
    std::string_view code;    ///< of the error or diagnostic that tells that it was passed
    std::string_view bounds;  ///< what it bounds, some words in English
};

/// All limits, in the order of the members. The texts are static.
OPDEBUG_API std::vector<LimitInfo> known_limits();

/// Sets the limit of that name. Error: invalid_argument for a name that is none, and for 0; nothing is changed then.
/// Not thread-safe for one `limits`.
[[nodiscard]] OPDEBUG_API std::optional<Error> set_limit(Limits& limits, std::string_view name, std::uint64_t value);

}  // namespace v0
}  // namespace opdebug
