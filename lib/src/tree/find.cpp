// The dumps of one kind below a folder: overflow dumps, or those of operators.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

#include <opdebug/tree.hpp>

#include "tree/dumps_without_file.hpp"
#include "tree/folder.hpp"
#include "tree/numbered_files.hpp"
#include "tree/walk_folder.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

/// Identity of a folder: a link that leads back to one already seen must not be followed again.
using FolderIdentity = std::pair<dev_t, ino_t>;

struct FolderToRead {
    std::string path;
    std::uint64_t depth = 0;  ///< below the given path
};

struct Search {
    tree::NameKind wanted;
    FoundDumps found;
    tree::DumpsWithoutFile without_file;
    tree::NumberedFiles numbered;
    std::set<FolderIdentity> seen;
    std::vector<FolderToRead> waiting;  ///< folders still to be read; a stack of our own, so depth costs no call stack
};

void add_folder(const FolderToRead& folder, Search& search) {
    struct stat status {};
    if (::stat(folder.path.c_str(), &status) == 0 && search.seen.insert({status.st_dev, status.st_ino}).second) {
        search.waiting.push_back(folder);
    }
}

void add_entry(const std::string& folder, const FolderToRead& at, const tree::FolderEntry& entry,
               tree::NameReader& names, Search& search) {
    const Result<tree::EntryKind> target =
        entry.may_be_folder ? tree::examine_entry(at.path, true) : Result<tree::EntryKind>(entry.kind);
    if (target && *target == tree::EntryKind::folder) {
        return add_folder(at, search);
    }
    if (!target) {
        search.found.failures.push_back(target.error());
    }
    const tree::NameKind kind = names.kind_of(entry.name);
    const bool has_file = !target || *target == tree::EntryKind::file;
    if (kind == tree::NameKind::overflow_dump && search.wanted == kind && !has_file) {  // as for scans
        search.without_file.add(at.path, *target);
        ++search.found.other_files;
        return;
    }
    search.numbered.add(folder, entry.name, kind, names);
    if (kind == search.wanted) {
        search.found.files.push_back(at.path);
    } else {
        ++search.found.other_files;
    }
}

Result<FoundDumps> find_kind(const std::string& path, tree::NameKind wanted, const Limits& limits) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        return tree::path_error(path, "find the file or folder", errno);
    }
    Search search{wanted, {}, {}, {}, {}, {}};
    if (!S_ISDIR(status.st_mode)) {
        search.found.files.push_back(path);
        return std::move(search.found);
    }
    search.seen.insert({status.st_dev, status.st_ino});
    search.waiting.push_back({path, 0});
    while (!search.waiting.empty()) {
        const auto [folder, depth] = std::move(search.waiting.back());
        search.waiting.pop_back();
        if (depth > limits.folder_depth) {
            search.found.failures.push_back(tree::folder_too_deep(folder, limits));
            continue;
        }
        const tree::FolderListing listing = tree::list_folder(folder);
        if (listing.failure) {
            search.found.failures.push_back(*listing.failure);
        }
        tree::NameReader names(folder, limits);
        for (const tree::FolderEntry& entry : listing.entries) {
            add_entry(folder, {tree::join_path(folder, entry.name), depth + 1}, entry, names, search);
        }
        if (names.failure()) {
            search.found.failures.push_back(*names.failure());
        }
    }
    search.without_file.tell(search.found.diagnostics);
    search.numbered.tell(search.found.diagnostics);
    std::sort(search.found.files.begin(), search.found.files.end());
    return std::move(search.found);
}

}  // namespace

Result<FoundDumps> find(const std::string& path, const Limits& limits) {
    return find_kind(path, tree::NameKind::overflow_dump, limits);
}

Result<FoundDumps> find_op_dumps(const std::string& path, const Limits& limits) {
    return find_kind(path, tree::NameKind::op_dump, limits);
}

}  // namespace v0
}  // namespace opdebug
