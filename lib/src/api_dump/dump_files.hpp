// The API dumps among files that may be some by their names: each once, whatever links lead to it.
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
    std::optional<ApiSource> source;  ///< unknown: nobody has looked into the file, or its reader refuses it
};

/// As ApiTree, with what was seen when the files were found: trees have tens of thousands, and nobody opens them again
/// to ask.
struct FoundDumps {
    std::vector<FoundDump> files;         ///< in path order
    std::vector<Error> failures;          ///< of files that could not be read
    std::vector<Diagnostic> diagnostics;  ///< packed_not_read
};

/// As find_api_dumps().
Result<FoundDumps> find_dumps(const std::vector<std::string>& paths, const ApiReadOptions& options);

class DumpFiles {
public:
    /// A file that is a dump whatever it holds, for it was given itself. Of several paths to a file the first counts.
    void add_given(const std::string& path);

    /// A file below a folder whose name is that of a dump: the content decides, and where it is damaged the place.
    /// Whether it is one; it may have been added by another path.
    bool add_if_dump(const std::string& path);

    /// A file that was given itself where dumps of other kinds are read, too: nothing but the content decides.
    bool add_given_if_dump(const std::string& path);

    /// An archive called like a step's or a rank's folder. It is told where such folders with dumps lie beside it: what
    /// it holds is missing then.
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
    std::vector<std::string> doubtful_;  ///< damaged dumps where others beside them are ptdbg's, else anybody's
    std::set<tree::FilePlace> seen_;     ///< two names of one file are two dumps: a rank stands in the path
};

bool comes_before(std::string_view a, std::string_view b) noexcept;

}  // namespace opdebug::api_dump
