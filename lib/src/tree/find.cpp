// The overflow dumps below a folder.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include <opdebug/tree.hpp>

#include "tree/folder.hpp"

namespace opdebug {
namespace {

/// Identity of a folder: a link that leads back to one already seen must not be followed again.
using FolderIdentity = std::pair<dev_t, ino_t>;

struct Search {
    FoundDumps found;
    std::set<FolderIdentity> seen;
    std::vector<std::string> waiting;  ///< folders still to be read; a stack of our own, so depth costs no call stack
};

void add_entry(const std::string& path, const tree::FolderEntry& entry, Search& search) {
    struct stat status {};
    if (entry.may_be_folder && ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
        if (search.seen.insert({status.st_dev, status.st_ino}).second) {
            search.waiting.push_back(path);
        }
        return;
    }
    const auto name = parse_dump_name(entry.name);
    if (name && name->is_overflow_dump) {
        search.found.files.push_back(path);
    } else {
        ++search.found.other_files;
    }
}

}  // namespace

Result<FoundDumps> find(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        const ErrorCode code = errno == EACCES ? ErrorCode::permission_denied : ErrorCode::file_not_found;
        return Error{code, std::string("cannot find the file or folder: ") + std::strerror(errno), path, std::nullopt};
    }
    Search search;
    if (!S_ISDIR(status.st_mode)) {
        search.found.files.push_back(path);
        return std::move(search.found);
    }
    search.seen.insert({status.st_dev, status.st_ino});
    search.waiting.push_back(path);
    while (!search.waiting.empty()) {
        const std::string folder = std::move(search.waiting.back());
        search.waiting.pop_back();
        const Result<std::vector<tree::FolderEntry>> entries = tree::list_folder(folder);
        if (!entries) {
            search.found.failures.push_back(entries.error());
            continue;
        }
        for (const tree::FolderEntry& entry : *entries) {
            add_entry(tree::join_path(folder, entry.name), entry, search);
        }
    }
    std::sort(search.found.files.begin(), search.found.files.end());
    return std::move(search.found);
}

}  // namespace opdebug
