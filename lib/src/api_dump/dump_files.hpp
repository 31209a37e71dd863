// The API dumps among files with possible names: each once, whatever links lead to it. Format of one file by its first
// bytes; step, rank and process by the folders above it (docs/internals/api-rules.md, "Folders").
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>

#include "tree/folder.hpp"
#include "tree/walk.hpp"

namespace opdebug::api_dump {

struct DumpFile {
    std::string file;
    std::optional<ApiSource> source;  ///< empty: the file was not read, or its parser rejects it
};

/// With the formats that were detected: trees have tens of thousands of files, which are not opened again.
struct DumpList {
    std::vector<DumpFile> files;          ///< in path order
    std::vector<Error> failures;          ///< unreadable files
    std::vector<Diagnostic> diagnostics;  ///< packed_not_read
};

/// See find_api_culprits().
Result<DumpList> find_dumps(const std::vector<std::string>& paths, const ApiReadOptions& options);

class DumpFinder {
public:
    /// Adds a file that the user named: it is a dump whatever its content. The first of several paths counts.
    void add_given(const std::string& path);

    /// Adds a file if its content is an API dump. For a damaged file with the name of a dump, the location decides,
    /// unless `is_given`: the user named it. Returns whether it is one; it may be known by another path.
    bool add_if_dump(const std::string& path, bool is_given);

    /// Adds what a walk found: a file that the user named, or a file if it is a dump. An archive with the name of a
    /// step or rank folder is reported if such folders with dumps are next to it: its content is missing.
    void add_walked(const tree::NamedAsApiDump& named);

    bool has_dumps() const noexcept { return !list_.files.empty(); }

    DumpList take();

private:
    Result<std::optional<ApiSource>> source_in(const std::string& path);
    static bool is_damaged_dump(const std::string& path);
    void report_packed();

    DumpList list_;
    std::vector<std::string> packed_;
    std::set<tree::FileIdentity> seen_;  ///< two names of one file are two dumps: the path contains the rank
};

/// read_api_dump() with a known format, so the file is opened once.
Result<ApiFile> read_as(ApiSource source, const std::string& path, const ApiReadOptions& options,
                        const std::function<void(ApiEntry&&)>& use);

/// api_source_of() by content only, not by name.
Result<std::optional<ApiSource>> source_by_content(const std::string& path);

/// Python's pickles begin with this byte (protocol 2 and later); texts do not.
inline bool is_pickle(std::string_view start) noexcept {
    return !start.empty() && start.front() == '\x80';
}

/// Sets step, rank, process and version of the file from its path. `file.source` must be set.
void read_location(const std::string& path, ApiFile& file);

/// Whether a tool of these dumps writes at this path. A file without the format of a dump is then damaged, and its
/// parser reports it. Elsewhere the file may be from any program.
bool is_where_tools_write(const std::string& path);

}  // namespace opdebug::api_dump
