// The dumps of one kind below a folder: overflow dumps or operator dumps.
#include "tree/walk.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

#include "bytes/system_path.hpp"
#include "tree/entry.hpp"
#include "tree/folder.hpp"
#include "tree/name.hpp"

namespace opdebug {
namespace tree {
namespace {

class Search {
public:
    Search(NameKind wanted, const Limits& limits) : wanted_(wanted), limits_(limits) {}

    Result<FoundDumps> run(const std::string& path);

private:
    void read_folder(const FolderToRead& folder);
    void add_folder(const std::string& path, std::uint64_t depth);
    void add_entry(const FolderToRead& folder, const FolderEntry& entry, const FolderListing& listing,
                   NameReader& names);
    bool is_wanted(NameKind kind, std::string_view name, const FolderListing& listing) const;

    const NameKind wanted_;
    const Limits& limits_;
    FoundDumps found_;
    std::vector<std::string> npy_files_;  ///< without names of operator dumps, when these are wanted
    EntryRemarks remarks_;
    std::set<FolderIdentity> seen_;      ///< prevents endless loops of links
    std::vector<FolderToRead> waiting_;  ///< folders to read; an explicit stack, so depth needs no call stack
};

void Search::add_folder(const std::string& path, std::uint64_t depth) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && seen_.insert(identity_of(status)).second) {
        waiting_.push_back({path, identity_of(status), depth});
    }
}

/// Operator dumps may have one file for each tensor. If the binary is in the folder, these files were converted from
/// it.
bool Search::is_wanted(NameKind kind, std::string_view name, const FolderListing& listing) const {
    const bool may_be_tensor = wanted_ == NameKind::op_dump && kind == NameKind::op_values;
    const std::optional<TensorFileName> tensor = may_be_tensor ? parse_tensor_file_name(name) : std::nullopt;
    if (!tensor) {
        return kind == wanted_;
    }
    const auto binary =
        std::lower_bound(listing.entries.begin(), listing.entries.end(), tensor->dump_name,
                         [](const FolderEntry& entry, std::string_view wanted) { return entry.name < wanted; });
    return binary == listing.entries.end() || binary->name != tensor->dump_name;
}

void Search::add_entry(const FolderToRead& folder, const FolderEntry& entry, const FolderListing& listing,
                       NameReader& names) {
    const std::string path = join_path(folder.path, entry.name);
    const Result<EntryKind> target = entry.may_be_folder ? examine_entry(path, true) : Result<EntryKind>(entry.kind);
    if (target && *target == EntryKind::folder) {
        return add_folder(path, folder.depth + 1);
    }
    if (!target) {
        found_.failures.push_back(target.error());
    }
    const NameKind kind = names.kind_of(entry.name);
    const bool has_file = !target || *target == EntryKind::file;
    if (kind == NameKind::overflow_dump && wanted_ == kind && !has_file) {  // same rule as for scans
        remarks_.add_without_file(path, *target);
        ++found_.other_files;
        return;
    }
    remarks_.add_numbered(folder.path, entry.name, kind, names);
    if (is_wanted(kind, names.real_name_of(entry.name), listing)) {
        found_.files.push_back(path);
    } else if (wanted_ == NameKind::op_dump && kind == NameKind::other && has_file && entry.name.ends_with(".npy")) {
        npy_files_.push_back(path);
    } else {
        ++found_.other_files;
    }
}

void Search::read_folder(const FolderToRead& folder) {
    if (folder.depth > limits_.folder_depth) {
        found_.failures.push_back(folder_too_deep(folder.path, limits_));
        return;
    }
    const FolderListing listing = list_folder(folder.path);
    if (listing.failure) {
        found_.failures.push_back(*listing.failure);
    }
    NameReader names(folder.path, limits_);
    for (const FolderEntry& entry : listing.entries) {
        add_entry(folder, entry, listing, names);
    }
    if (names.failure()) {
        found_.failures.push_back(*names.failure());
    }
}

Result<FoundDumps> Search::run(const std::string& path) {
    struct stat status {};
    if (::stat(bytes::system_path(path), &status) != 0) {
        return path_error(path, "find the file or folder", errno);
    }
    if (!S_ISDIR(status.st_mode)) {
        found_.files.push_back(path);
        return std::move(found_);
    }
    add_folder(path, 0);
    while (!waiting_.empty()) {
        const FolderToRead folder = std::move(waiting_.back());
        waiting_.pop_back();
        read_folder(folder);
    }
    remarks_.report(found_.diagnostics);
    if (found_.files.empty()) {
        found_.files = std::move(npy_files_);
    } else {
        found_.other_files += npy_files_.size();
    }
    std::sort(found_.files.begin(), found_.files.end());
    return std::move(found_);
}

}  // namespace
}  // namespace tree

inline namespace v0 {

Result<FoundDumps> find(const std::string& path, const Limits& limits) {
    return tree::Search(tree::NameKind::overflow_dump, limits).run(path);
}

Result<FoundDumps> find_op_dumps(const std::string& path, const Limits& limits) {
    return tree::Search(tree::NameKind::op_dump, limits).run(path);
}

}  // namespace v0
}  // namespace opdebug
