// The files of one folder during a walk: what their names mean, which of them are dumps, which need a remark.
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

/// A folder that is still to be read.
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

/// op_values: an operator's tensor as .npy, or statistics as .csv. nearly_dump: begins as an overflow dump's name does,
/// but no numbers follow ("Opdebug.Node_OpDebug.bak"). unnamed: a number that the mapping.csv in the folder does not
/// name.
enum class NameKind { overflow_dump, converted, op_dump, op_values, nearly_dump, unnamed, other };

/// What a name says that is no number.
NameKind kind_of_real_name(std::string_view name);

/// What the name of a file says. A name that is a number is looked up in the mapping.csv of its folder.
class NameReader {
public:
    NameReader(const std::string& folder, const Limits& limits) : folder_(folder), limits_(limits) {}
    NameKind kind_of(std::string_view name);

    /// The name that the mapping.csv gives; the name itself where it is no number, or nothing names it. Lives as long
    /// as the reader and the name.
    std::string_view real_name_of(std::string_view name);

    /// Whether the mapping.csv gives the number further names.
    bool has_several_names(std::string_view name) const;

    /// Why the mapping.csv was asked for in vain: names that are numbers are then unknown.
    const std::optional<Error>& failure() const noexcept { return failure_; }

private:
    const MappingFile& mapping();

    const std::string& folder_;
    const Limits& limits_;
    std::optional<Error> failure_;
    std::optional<MappingFile> mapping_;  ///< read when first asked for
};

/// An entry that is a dump, or a converted one, by its name, or because it was given itself.
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
    std::vector<Candidate> candidates;                       ///< by name
    std::optional<std::vector<std::string>> operator_files;  ///< as in WalkedFolder
    bool was_read = true;                                    ///< as in WalkedFolder
};

/// Marks links to dumps that are counted under another path, and returns them.
CountedPaths mark_linked_twice(std::vector<FolderAtWork>& folders);

/// The dumps among the candidates, each once; `other_files` grows by those that are none.
std::vector<WalkedDump> dumps_of(std::vector<Candidate> candidates, std::uint64_t& other_files);

/// Entries that are named like dumps and are none or doubtful. They are counted as other files, with one remark for
/// each kind (docs/json-output.md, "Diagnostics").
struct EntryRemarks {
    CountedPaths dangling_links, special_files;  ///< named like overflow dumps
    CountedPaths nearly_dumps;                   ///< names that begin as those of dumps do
    CountedPaths linked_twice;                   ///< links to dumps that are counted under another path
    CountedPaths unnamed, several_names;         ///< called by numbers

    /// A dump's name without a file. `kind`: nothing for a link that leads nowhere; other for a pipe, socket or device.
    void add_without_file(const std::string& path, EntryKind kind);

    /// A file that is called by a number, if it needs a remark. `kind`: what `names` found for its name.
    void add_numbered(const std::string& folder, std::string_view name, NameKind kind, const NameReader& names);

    void report(std::vector<Diagnostic>& diagnostics) const;
};

}  // namespace opdebug::tree
