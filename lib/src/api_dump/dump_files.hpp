// The API dumps among files with possible names: each once, whatever links lead to it.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>

#include "tree/folder.hpp"

namespace opdebug::api_dump {

struct FoundDump {
    std::string file;
    std::optional<ApiSource> source;  ///< empty: the file was not read, or its parser rejects it
};

/// ApiTree with the formats that were detected: trees have tens of thousands of files, which are not opened again.
struct FoundDumps {
    std::vector<FoundDump> files;         ///< in path order
    std::vector<Error> failures;          ///< unreadable files
    std::vector<Diagnostic> diagnostics;  ///< packed_not_read
};

/// See find_api_dumps().
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

    /// Adds an archive with the name of a step or rank folder. It is reported if such folders with dumps exist next to
    /// it, because its content is then missing.
    void add_packed(const std::string& path) { packed_.push_back(path); }

    bool has_dumps() const noexcept { return !found_.files.empty(); }

    FoundDumps take();

private:
    Result<std::optional<ApiSource>> source_in(const std::string& path);
    void add(const std::string& path, const std::optional<tree::FilePlace>& place, std::optional<ApiSource> source);
    bool is_damaged_dump(const std::string& path);
    void report_packed();

    FoundDumps found_;
    std::vector<std::string> packed_;
    std::vector<std::string> doubtful_;  ///< damaged dumps if ptdbg's dumps are next to them
    std::set<tree::FilePlace> seen_;     ///< two names of one file are two dumps: the path contains the rank
};

bool comes_before(std::string_view a, std::string_view b) noexcept;

}  // namespace opdebug::api_dump
