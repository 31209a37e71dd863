// A folder while the walk is going on: entries that may be dumps, before links and converted outputs are judged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tree/mapping.hpp"
#include "tree/walk.hpp"

namespace opdebug::tree {

/// op_values: an operator's tensor as .npy, or statistics as .csv. nearly_dump: begins as an overflow dump's name does,
/// but no numbers follow ("Opdebug.Node_OpDebug.bak"). unnamed: a number that the mapping.csv in the folder does not
/// name.
enum class NameKind { overflow_dump, converted, op_dump, op_values, nearly_dump, unnamed, other };

/// What a name says that is no number.
NameKind kind_of_real_name(std::string_view name);

/// An entry's name, and what it says where that is known already.
struct EntryName {
    std::string_view text;
    std::optional<NameKind> kind = std::nullopt;
};

/// What the name of a file says. A name that is a number is looked up in the mapping.csv of its folder.
class NameReader {
public:
    NameReader(const std::string& folder, const Limits& limits) : folder_(folder), limits_(limits) {}
    NameKind kind_of(std::string_view name);
    NameKind kind_of(const EntryName& name) { return name.kind ? *name.kind : kind_of(name.text); }

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
    std::vector<Candidate> candidates;          ///< by name
    std::optional<PackedNames> operator_files;  ///< as in WalkedFolder
    bool was_read = true;                       ///< as in WalkedFolder
};

/// Marks links to dumps that are counted under another path; returns how many, and the path of the first.
struct LinkedTwice {
    std::uint64_t count = 0;
    std::string first;
};
LinkedTwice mark_linked_twice(std::vector<FolderAtWork>& folders);

/// The dumps among the candidates, each once; `other_files` grows by those that are none. Empties the candidates.
std::vector<WalkedDump> take_dumps(std::vector<Candidate>& candidates, std::uint64_t& other_files);

}  // namespace opdebug::tree
