// Which files below some paths are API dumps.
#include <opdebug/api.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <utility>

#include "api_dump/dump_files.hpp"
#include "bytes/system_path.hpp"
#include "tree/folder.hpp"
#include "tree/name.hpp"
#include "tree/path_ids.hpp"
#include "tree/walk.hpp"

namespace opdebug {
namespace api_dump {
namespace {

class DumpFinder {
public:
    explicit DumpFinder(const ApiReadOptions& options) : options_(options) {}

    void add_input(const std::string& path) {
        struct stat status {};
        if (::stat(bytes::system_path(path), &status) != 0) {
            failures_.push_back(tree::path_error(path, "find the file or folder", errno));
            return;
        }
        has_inputs_ = true;
        if (S_ISDIR(status.st_mode) && tree::links_in(path) != 0) {
            folder_links_.emplace(path, 0);
        } else if (S_ISDIR(status.st_mode)) {
            waiting_.push_back({path, 0});
        } else if (const auto kind = tree::examine_entry(path, false); kind && *kind == tree::EntryKind::link) {
            given_links_.push_back(path);
        } else {
            files_.add_given(path);
        }
    }

    Result<FoundDumps> run() {
        std::reverse(waiting_.begin(), waiting_.end());
        read_waiting();
        while (!folder_links_.empty() && !stopped()) {
            const auto link = folder_links_.extract(folder_links_.begin());
            waiting_.push_back({link.key(), link.mapped()});
            read_waiting();
        }
        if (stopped_) {
            return Error{ErrorCode::interrupted, "stopped before all folders were read", {}, std::nullopt};
        }
        for (const std::string& link : given_links_) {
            files_.add_given(link);
        }
        for (const std::string& link : file_links_) {
            files_.add_if_dump(link);
        }
        FoundDumps found = files_.take();
        found.failures.insert(found.failures.end(), failures_.begin(), failures_.end());
        std::sort(found.failures.begin(), found.failures.end(),
                  [](const Error& a, const Error& b) { return comes_before(a.file, b.file); });
        return found;
    }

    bool has_inputs() const noexcept { return has_inputs_; }
    const Error& first_failure() const { return failures_.front(); }

private:
    struct Folder {
        std::string path;
        std::uint64_t depth = 0;
    };

    void read_waiting() {
        while (!waiting_.empty() && !stopped()) {
            const Folder folder = std::move(waiting_.back());
            waiting_.pop_back();
            read_folder(folder);
        }
    }

    void read_folder(const Folder& folder) {
        struct stat status {};
        if (::stat(folder.path.c_str(), &status) != 0) {
            failures_.push_back(tree::path_error(folder.path, "find the folder", errno));
            return;
        }
        if (!is_new(status)) {
            return;
        }
        if (folder.depth > options_.limits.folder_depth) {
            failures_.push_back(tree::folder_too_deep(folder.path, options_.limits));
            return;
        }
        const tree::FolderListing listing = tree::list_folder(folder.path);
        if (listing.failure) {
            failures_.push_back(*listing.failure);
        }
        for (const tree::FolderEntry& entry : listing.entries) {
            add_entry(entry, folder);
        }
    }

    void add_entry(const tree::FolderEntry& entry, const Folder& folder) {
        const std::string path = tree::join_path(folder.path, entry.name);
        tree::EntryKind kind = entry.kind;
        const bool is_link = kind == tree::EntryKind::link;
        if (entry.may_be_folder && kind != tree::EntryKind::folder) {
            const Result<tree::EntryKind> examined = tree::examine_entry(path, true);
            if (!examined) {
                failures_.push_back(examined.error());
                return;
            }
            kind = *examined;
        }
        if (kind == tree::EntryKind::folder && is_link) {
            folder_links_.emplace(path, folder.depth + 1);
        } else if (kind == tree::EntryKind::folder) {
            waiting_.push_back({path, folder.depth + 1});
        } else if (tree::may_be_api_dump(entry.name) && is_link) {
            file_links_.push_back(path);
        } else if (tree::may_be_api_dump(entry.name)) {
            files_.add_if_dump(path);
        } else if (tree::is_packed_part_of_run(entry.name)) {
            files_.add_packed(path);
        }
    }

    bool is_new(const struct stat& status) { return seen_.insert({status.st_dev, status.st_ino}).second; }

    bool stopped() {
        stopped_ = stopped_ || (options_.stop && options_.stop());
        return stopped_;
    }

    const ApiReadOptions& options_;
    DumpFiles files_;
    std::vector<Error> failures_;  ///< of paths and folders
    std::vector<Folder> waiting_;
    std::map<std::string, std::uint64_t> folder_links_;  ///< path to depth; followed after all real folders
    std::vector<std::string> given_links_,
        file_links_;  ///< read after real files, because the real path has the right step and rank
    std::set<tree::FolderIdentity> seen_;
    bool has_inputs_ = false, stopped_ = false;
};

}  // namespace

Result<FoundDumps> find_dumps(const std::vector<std::string>& paths, const ApiReadOptions& options) {
    DumpFinder finder(options);
    for (const std::string& path : paths) {
        finder.add_input(path);
    }
    if (!finder.has_inputs() && !paths.empty()) {
        return finder.first_failure();
    }
    return finder.run();
}

}  // namespace api_dump

inline namespace v0 {

Result<ApiTree> find_api_dumps(const std::vector<std::string>& paths, const ApiReadOptions& options) {
    Result<api_dump::FoundDumps> found = api_dump::find_dumps(paths, options);
    if (!found) {
        return std::move(found).error();
    }
    ApiTree tree;
    tree.files.reserve(found->files.size());
    for (api_dump::FoundDump& dump : found->files) {
        tree.files.push_back(std::move(dump.file));
    }
    tree.failures = std::move(found->failures);
    return tree;
}

}  // namespace v0
}  // namespace opdebug
