// Which files below some paths are API dumps.
#include <opdebug/api_dump.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <utility>

#include <opdebug/bytes.hpp>
#include <opdebug/tree.hpp>

#include "api_dump/dump_form.hpp"
#include "api_dump/path_order.hpp"
#include "bytes/file.hpp"
#include "tree/folder.hpp"
#include "tree/walk.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Names that the tools give; the content decides then.
bool may_be_dump(std::string_view name) {
    return name == "dump.json" || name == "debug.json" || ends_with(name, ".pkl") || ends_with(name, ".csv");
}

/// A binary pickle where ptdbg_ascend writes: a reader is to know that it was refused. Elsewhere pickles are anybody's.
bool is_pickled_dump(const std::string& path) {
    const Result<bytes::FileStart> start = bytes::read_file_start(path, 1);
    const std::string folder = tree::folder_of(path);
    return start && api_dump::is_pickle(Bytes(start->bytes).text()) && ends_with(path, ".pkl") &&
           file_name_of(folder).substr(0, 4) == "rank";
}

bool begins_with(std::string_view text, std::string_view begin) {
    return text.substr(0, begin.size()) == begin;
}

/// step{N}/rank{M}/dump.json, or proc{pid}, pid{pid}: what is there without the form of a dump is damaged, and its
/// reader says so. Elsewhere a dump.json may be anybody's.
bool is_where_msprobe_writes(const std::string& path) {
    const std::string folder = tree::folder_of(path);
    const std::string_view name = file_name_of(folder);
    const std::string above = tree::folder_of(folder);
    const bool is_process = begins_with(name, "rank") || begins_with(name, "proc") || begins_with(name, "pid");
    return file_name_of(path) == "dump.json" && is_process && begins_with(file_name_of(above), "step");
}

class DumpFinder {
public:
    explicit DumpFinder(const ApiReadOptions& options) : options_(options) {}

    void add_input(const std::string& path);
    Result<ApiTree> run();
    bool has_inputs() const noexcept { return has_inputs_; }
    const Error& first_failure() const { return tree_.failures.front(); }

private:
    struct Folder {
        std::string path;
        std::uint64_t depth = 0;
    };

    void read_waiting();
    void read_folder(const Folder& folder);
    void add_entry(const tree::FolderEntry& entry, const Folder& folder);
    void add_file(const std::string& path);
    bool is_new(const struct stat& status);
    bool stopped();

    const ApiReadOptions& options_;
    ApiTree tree_;
    std::vector<Folder> waiting_;
    std::map<std::string, std::uint64_t> folder_links_;  ///< with their depth; followed when no real folder is left
    std::set<tree::FolderIdentity> seen_;
    bool has_inputs_ = false, stopped_ = false;
};

bool DumpFinder::stopped() {
    stopped_ = stopped_ || (options_.stop && options_.stop());
    return stopped_;
}

bool DumpFinder::is_new(const struct stat& status) {
    return seen_.insert({status.st_dev, status.st_ino}).second;
}

void DumpFinder::add_input(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        tree_.failures.push_back(tree::path_error(path, "find the file or folder", errno));
        return;
    }
    has_inputs_ = true;
    if (S_ISDIR(status.st_mode)) {
        waiting_.push_back({path, 0});
    } else if (is_new(status)) {
        tree_.files.push_back(path);
    }
}

Result<ApiTree> DumpFinder::run() {
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
    std::sort(tree_.files.begin(), tree_.files.end(), api_dump::comes_before);
    std::sort(tree_.failures.begin(), tree_.failures.end(),
              [](const Error& a, const Error& b) { return api_dump::comes_before(a.file, b.file); });
    return std::move(tree_);
}

void DumpFinder::read_waiting() {
    while (!waiting_.empty() && !stopped()) {
        const Folder folder = std::move(waiting_.back());
        waiting_.pop_back();
        read_folder(folder);
    }
}

void DumpFinder::read_folder(const Folder& folder) {
    struct stat status {};
    if (::stat(folder.path.c_str(), &status) != 0) {
        tree_.failures.push_back(tree::path_error(folder.path, "find the folder", errno));
        return;
    }
    if (!is_new(status)) {
        return;
    }
    if (folder.depth > options_.limits.folder_depth) {
        tree_.failures.push_back(tree::folder_too_deep(folder.path, options_.limits));
        return;
    }
    const tree::FolderListing listing = tree::list_folder(folder.path);
    if (listing.failure) {
        tree_.failures.push_back(*listing.failure);
    }
    for (const tree::FolderEntry& entry : listing.entries) {
        add_entry(entry, folder);
    }
}

void DumpFinder::add_entry(const tree::FolderEntry& entry, const Folder& folder) {
    const std::string path = tree::join_path(folder.path, entry.name);
    tree::EntryKind kind = entry.kind;
    const bool is_link = kind == tree::EntryKind::link;
    if (entry.may_be_folder && kind != tree::EntryKind::folder) {
        const Result<tree::EntryKind> examined = tree::examine_entry(path, true);
        if (!examined) {
            tree_.failures.push_back(examined.error());
            return;
        }
        kind = *examined;
    }
    if (kind == tree::EntryKind::folder && is_link) {
        folder_links_.emplace(path, folder.depth + 1);
    } else if (kind == tree::EntryKind::folder) {
        waiting_.push_back({path, folder.depth + 1});
    } else if (may_be_dump(entry.name)) {
        add_file(path);
    }
}

/// A file that cannot be read is told of only where its name is that of a dump: others may be anybody's.
void DumpFinder::add_file(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && seen_.count({status.st_dev, status.st_ino}) != 0) {
        return;
    }
    const Result<std::optional<ApiSource>> source = api_source_of(path);
    const bool has_own_name = !ends_with(path, ".csv") || file_name_of(path) == "statistic.csv";
    if (!source) {
        if (has_own_name) {
            tree_.failures.push_back(source.error());
        }
    } else if (*source || is_pickled_dump(path) || is_where_msprobe_writes(path)) {
        is_new(status);
        tree_.files.push_back(path);
    }
}

}  // namespace

Result<ApiTree> find_api_dumps(const std::vector<std::string>& paths, const ApiReadOptions& options) {
    DumpFinder finder(options);
    for (const std::string& path : paths) {
        finder.add_input(path);
    }
    if (!finder.has_inputs() && !paths.empty()) {
        return finder.first_failure();
    }
    return finder.run();
}

}  // namespace v0
}  // namespace opdebug
