// The files of one folder during a walk: meaning of their names, dumps among them, and remarks.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/result.hpp>

#include "tree/folder.hpp"
#include "tree/mapping.hpp"
#include "tree/walk.hpp"

namespace opdebug::tree {

inline FolderIdentity identity_of(const struct stat& status) {
    return {status.st_dev, status.st_ino};
}

/// A folder to read.
struct FolderToRead {
    std::string path;
    FolderIdentity identity;
    std::uint64_t depth = 0;  ///< below the given path
};

/// A number of paths, and the first of them.
struct CountedPaths {
    std::uint64_t count = 0;
    std::string first;

    void add(const std::string& path) {
        if (count++ == 0) {
            first = path;
        }
    }
};

/// op_values: an operator's tensor as .npy, or statistics as .csv. nearly_dump: starts like an overflow dump, but no
/// numbers follow ("Opdebug.Node_OpDebug.bak"). unnamed: a number that is not in the folder's mapping.csv.
enum class NameKind { overflow_dump, converted, op_dump, op_values, nearly_dump, unnamed, other };

/// The kind of a name that is not a number.
NameKind kind_of_real_name(std::string_view name);

/// The kind of a file name. Looks numbers up in the mapping.csv of the folder.
class NameReader {
public:
    NameReader(const std::string& folder, const Limits& limits) : folder_(folder), limits_(limits) {}
    NameKind kind_of(std::string_view name);

    /// The name in mapping.csv; the name itself if it is no number or not listed. Valid as long as the reader and the
    /// name.
    std::string_view real_name_of(std::string_view name);

    /// Whether mapping.csv contains several names for the number.
    bool has_several_names(std::string_view name) const;

    /// Why mapping.csv could not be read: names that are numbers are then unknown.
    const std::optional<Error>& failure() const noexcept { return failure_; }

private:
    const MappingFile& mapping();

    const std::string& folder_;
    const Limits& limits_;
    std::optional<Error> failure_;
    std::optional<MappingFile> mapping_;  ///< read at first use
};

/// A dump or converted dump, by name or because the user named the file.
struct Candidate {
    std::string name;
    bool is_converted = false;
    bool is_link = false;
    bool counts_elsewhere = false;  ///< a link whose target is counted under another path
};

struct FolderAtWork {
    std::string path;
    std::string real_path;  ///< as in WalkedFolder
    FolderIdentity identity;
    std::vector<Candidate> candidates;  ///< by name
    bool was_read = true;               ///< as in WalkedFolder
};

/// Marks and returns links to dumps that are counted under another path.
CountedPaths mark_linked_twice(std::vector<FolderAtWork>& folders);

/// The dumps among the candidates, each once. Adds the others to `other_files`.
std::vector<WalkedDump> dumps_of(std::vector<Candidate> candidates, std::uint64_t& other_files);

/// Entries with names of dumps that are no dumps or doubtful. They count as other files, with one remark for each kind
/// (docs/reference/codes.md, "Diagnostics").
struct EntryRemarks {
    CountedPaths dangling_links, special_files;  ///< named like overflow dumps
    CountedPaths nearly_dumps;                   ///< names that start like those of dumps
    CountedPaths linked_twice;                   ///< links to dumps that are counted under another path
    CountedPaths unnamed, several_names;         ///< names that are numbers

    /// Adds a file with a number as name, if it needs a remark. `kind`: kind of its name from `names`.
    void add_numbered(const std::string& folder, std::string_view name, NameKind kind, const NameReader& names);

    void report(std::vector<Diagnostic>& diagnostics) const;
};

}  // namespace opdebug::tree
