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

struct FoundDump {
    std::string file;
    std::optional<ApiSource> source;  ///< empty: the file was not read, or its parser rejects it
};

/// With the formats that were detected: trees have tens of thousands of files, which are not opened again.
struct FoundDumps {
    std::vector<FoundDump> files;         ///< in path order
    std::vector<Error> failures;          ///< unreadable files
    std::vector<Diagnostic> diagnostics;  ///< packed_not_read
};

/// See find_api_culprits().
Result<FoundDumps> find_dumps(const std::vector<std::string>& paths, const ApiReadOptions& options);

class DumpFiles {
public:
    /// Adds a file that the user named: it is a dump whatever its content. The first of several paths counts.
    void add_given(const std::string& path);

    /// Adds a file with the name of a dump if its content is one; for a damaged file the location decides. Returns
    /// whether it is one; it may be known by another path.
    bool add_if_dump(const std::string& path);

    /// Adds a file that the user named, if its content is an API dump. For commands that also read other dumps.
    bool add_given_if_dump(const std::string& path);

    /// Adds what a walk found: a file that the user named, or a file if it is a dump. An archive with the name of a
    /// step or rank folder is reported if such folders with dumps are next to it: its content is missing.
    void add_walked(const tree::NamedAsApiDump& named);

    bool has_dumps() const noexcept { return !found_.files.empty(); }

    FoundDumps take();

private:
    Result<std::optional<ApiSource>> source_in(const std::string& path);
    void add(const std::string& path, const std::optional<tree::FilePlace>& place, std::optional<ApiSource> source);
    static bool is_damaged_dump(const std::string& path);
    void report_packed();

    FoundDumps found_;
    std::vector<std::string> packed_;
    std::set<tree::FilePlace> seen_;  ///< two names of one file are two dumps: the path contains the rank
};

/// Path order: numbers by their value, a folder before longer names.
bool comes_before(std::string_view a, std::string_view b) noexcept;

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

/// Calls of a dump.json without its outer object.
bool is_part_of_dump(const std::string& path);

}  // namespace opdebug::api_dump
