#include "tree/walk.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <utility>

#include <opdebug/tree.hpp>

#include "bytes/system_path.hpp"
#include "tree/entry.hpp"
#include "tree/folder.hpp"
#include "tree/name.hpp"
#include "tree/path_ids.hpp"

namespace opdebug::tree {
namespace {

/// A link to a folder, followed after all real folders.
struct LinkedFolder {
    std::uint64_t depth = 0;
    bool given = false;
};

/// The link above the current folder; empty: the folder is real.
struct FollowedLink {
    std::string path, real_path;

    /// Real path of a folder below the link; empty: no link leads to it.
    std::string real_path_of(const std::string& folder) const {
        const std::size_t below = std::min(folder.find_first_not_of('/', path.size()), folder.size());
        return real_path.empty() || below == folder.size() ? real_path : join_path(real_path, folder.substr(below));
    }
};

/// Files of one folder that the user named: they are dumps whatever their names.
struct GivenFiles {
    std::string folder;  ///< as given; empty for the working directory
    std::set<std::string, std::less<>> names;

    /// Removes the name. Returns whether it existed.
    bool remove(std::string_view name) {
        const auto position = names.find(name);
        if (position == names.end()) {
            return false;
        }
        names.erase(position);
        return true;
    }
};

class Walker {
public:
    explicit Walker(const WalkOptions& options) : options_(options) {}

    void add_input(const std::string& path);
    const std::vector<Error>& failures() const noexcept { return walk_.failures; }
    Walk run();

private:
    void follow(const std::string& link, const LinkedFolder& folder);
    void read_waiting();
    void read_folder(const FolderToRead& folder);
    void add_entry(EntryKind kind, std::string_view name, bool given, NameReader& names, FolderAtWork& folder);
    void add_link(std::string_view name, bool given, NameReader& names, FolderAtWork& folder);
    void add_file(std::string_view name, bool given, bool is_link, NameReader& names, FolderAtWork& folder);
    void add_special_file(std::string_view name, NameReader& names, const FolderAtWork& folder);
    void add_folder(const std::string& path, std::uint64_t depth);
    void add_failure(const NameReader& names);
    void add_unknown(std::string_view name, bool given, const Error& why, NameReader& names, FolderAtWork& folder);
    void add_rest_of_given_files();
    void finish();
    bool stopped();

    const WalkOptions& options_;
    Walk walk_;
    std::map<FolderIdentity, GivenFiles> given_;
    std::set<FolderIdentity> seen_;
    std::vector<FolderToRead> waiting_;                 ///< an explicit stack, so depth needs no call stack
    std::uint64_t depth_ = 0;                           ///< of the current folder
    bool behind_link_ = false;                          ///< of the current folder, see ListedFolder
    FollowedLink followed_;                             ///< above the current folder
    std::map<std::string, LinkedFolder> folder_links_;  ///< by path
    std::vector<FolderAtWork> folders_;
    EntryRemarks remarks_;
    std::uint64_t found_ = 0;
};

bool is_dump(NameKind kind) noexcept {
    return kind == NameKind::overflow_dump || kind == NameKind::converted;
}

void Walker::add_input(const std::string& path) {
    struct stat status {};
    if (::stat(bytes::system_path(path), &status) != 0) {
        walk_.failures.push_back(path_error(path, "find the file or folder", errno));
        return;
    }
    if (S_ISDIR(status.st_mode)) {
        if (links_in(path) != 0) {
            folder_links_.emplace(path, LinkedFolder{0, true});
        } else if (seen_.insert(identity_of(status)).second) {
            waiting_.push_back({path, identity_of(status), 0});
        }
        return;
    }
    struct stat folder_status {};
    const std::string folder = folder_of(path);
    if (::stat(folder.c_str(), &folder_status) != 0) {
        walk_.failures.push_back(path_error(path, "find the file or folder", errno));
        return;
    }
    const bool has_folder = path.find('/') != std::string::npos;
    GivenFiles& given =
        given_.emplace(identity_of(folder_status), GivenFiles{has_folder ? folder : "", {}}).first->second;
    given.names.emplace(file_name_of(path));
}

bool Walker::stopped() {
    walk_.complete = walk_.complete && !(options_.stop && options_.stop());
    return !walk_.complete;
}

Walk Walker::run() {
    std::reverse(waiting_.begin(), waiting_.end());  // read in the order of the paths
    read_waiting();
    while (!folder_links_.empty() && walk_.complete) {
        const auto link = folder_links_.extract(folder_links_.begin());
        follow(link.key(), link.mapped());
    }
    if (walk_.complete) {
        add_rest_of_given_files();
    }
    finish();
    return std::move(walk_);
}

void Walker::follow(const std::string& link, const LinkedFolder& folder) {
    add_folder(link, folder.depth);
    if (waiting_.empty()) {
        return;
    }
    behind_link_ = !folder.given;
    followed_ = {link, real_path(link)};
    read_waiting();
}

void Walker::read_waiting() {
    while (!waiting_.empty() && !stopped()) {
        const FolderToRead folder = std::move(waiting_.back());
        waiting_.pop_back();
        read_folder(folder);
        if (options_.progress) {
            options_.progress(found_);
        }
    }
}

void Walker::read_folder(const FolderToRead& folder) {
    const FolderListing listing = list_folder(folder.path);
    if (listing.failure) {
        walk_.failures.push_back(*listing.failure);
    }
    depth_ = folder.depth;
    const auto given = given_.find(folder.identity);
    FolderAtWork at_work{folder.path, followed_.real_path_of(folder.path), folder.identity, {}, true};
    NameReader names(folder.path, options_.limits);
    for (const FolderEntry& entry : listing.entries) {
        const bool is_given = given != given_.end() && given->second.remove(entry.name);
        add_entry(entry.kind, entry.name, is_given, names, at_work);
    }
    add_failure(names);
    if (options_.listed) {
        options_.listed({folder.path, listing.entries, behind_link_});
    }
    found_ += at_work.candidates.size();
    if (!at_work.candidates.empty()) {
        folders_.push_back(std::move(at_work));
    }
}

void Walker::add_entry(EntryKind kind, std::string_view name, bool given, NameReader& names, FolderAtWork& folder) {
    if (kind == EntryKind::unknown) {
        const Result<EntryKind> examined = examine_entry(join_path(folder.path, name), false);
        if (!examined) {
            return add_unknown(name, given, examined.error(), names, folder);
        }
        kind = *examined;
    }
    switch (kind) {
        case EntryKind::folder: add_folder(join_path(folder.path, name), depth_ + 1); break;
        case EntryKind::link: add_link(name, given, names, folder); break;
        case EntryKind::file:
        case EntryKind::nothing: add_file(name, given, false, names, folder); break;
        default:
            if (given) {
                add_file(name, given, false, names, folder);  // reading it reports the fault
            } else {
                add_special_file(name, names, folder);
            }
    }
}

void Walker::add_special_file(std::string_view name, NameReader& names, const FolderAtWork& folder) {
    if (is_dump(names.kind_of(name))) {
        remarks_.special_files.add(join_path(folder.path, name));
    }
    ++walk_.other_files;
}

void Walker::add_link(std::string_view name, bool given, NameReader& names, FolderAtWork& folder) {
    const std::string path = join_path(folder.path, name);
    const Result<EntryKind> target = examine_entry(path, true);
    if (!target) {
        add_unknown(name, given, target.error(), names, folder);
    } else if (*target == EntryKind::nothing) {
        if (is_dump(names.kind_of(name))) {
            remarks_.dangling_links.add(path);
        } else if (may_be_api_dump(name)) {
            walk_.named_as_api_dumps.push_back({path, given, true});  // reading it reports the fault
        }
        ++walk_.other_files;
    } else if (*target == EntryKind::folder) {
        folder_links_.emplace(path, LinkedFolder{depth_ + 1});
    } else if (*target == EntryKind::file || given) {
        add_file(name, given, true, names, folder);
    } else {
        add_special_file(name, names, folder);
    }
}

/// Adds an entry of unknown kind. If its name is a dump's, reading it reports the fault; otherwise it may be a folder
/// with dumps.
void Walker::add_unknown(std::string_view name, bool given, const Error& why, NameReader& names, FolderAtWork& folder) {
    if (given || is_dump(names.kind_of(name))) {
        add_file(name, given, false, names, folder);
    } else {
        walk_.failures.push_back(why);
    }
}

void Walker::add_file(std::string_view name, bool given, bool is_link, NameReader& names, FolderAtWork& folder) {
    const NameKind kind = names.kind_of(name);
    if (!given) {
        remarks_.add_numbered(folder.path, name, kind, names);
    }
    if ((kind == NameKind::other || kind == NameKind::op_values || kind == NameKind::nearly_dump) &&
        (given || may_be_api_dump(name) || is_packed_part_of_run(name))) {
        walk_.named_as_api_dumps.push_back({join_path(folder.path, name), given, is_link});
    }
    if (given || is_dump(kind)) {
        folder.candidates.push_back({std::string(name), kind == NameKind::converted, is_link, false});
        return;
    }
    ++(kind == NameKind::op_dump ? walk_.op_dumps : walk_.other_files);
    if (kind == NameKind::nearly_dump) {
        remarks_.nearly_dumps.add(join_path(folder.path, name));
    }
}

void Walker::add_folder(const std::string& path, std::uint64_t depth) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        walk_.failures.push_back(path_error(path, "list the folder", errno));
    } else if (depth > options_.limits.folder_depth) {
        walk_.failures.push_back(folder_too_deep(path, options_.limits));
    } else if (seen_.insert(identity_of(status)).second) {
        waiting_.push_back({path, identity_of(status), depth});
    }
}

void Walker::add_failure(const NameReader& names) {
    if (names.failure()) {
        walk_.failures.push_back(*names.failure());
    }
}

/// Adds files of the user whose folder is not walked.
void Walker::add_rest_of_given_files() {
    for (auto& [identity, given] : given_) {
        if (given.names.empty()) {
            continue;
        }
        const std::string real = links_in(given.folder) != 0 ? real_path(given.folder) : std::string();
        FolderAtWork folder{given.folder, real, identity, {}, false};
        NameReader names(folder.path, options_.limits);
        for (const std::string& name : given.names) {
            const Result<EntryKind> kind = examine_entry(join_path(folder.path, name), false);
            add_file(name, true, kind && *kind == EntryKind::link, names, folder);  // reading it reports a failure
        }
        add_failure(names);
        folders_.push_back(std::move(folder));
    }
}

void Walker::finish() {
    std::sort(folders_.begin(), folders_.end(),
              [](const FolderAtWork& a, const FolderAtWork& b) { return a.path < b.path; });
    remarks_.linked_twice = mark_linked_twice(folders_);
    walk_.folders.reserve(folders_.size());
    for (FolderAtWork& folder : folders_) {
        std::vector<WalkedDump> dumps = dumps_of(std::move(folder.candidates), walk_.other_files);
        if (!dumps.empty()) {
            walk_.folders.push_back(
                {join_path(folder.path, ""), std::move(folder.real_path), std::move(dumps), folder.was_read});
        }
    }
    walk_.in_path_order = dumps_in_path_order(walk_.folders);
    std::stable_partition(walk_.named_as_api_dumps.begin(), walk_.named_as_api_dumps.end(),
                          [](const NamedAsApiDump& named) { return !named.is_link; });
    std::sort(walk_.failures.begin(), walk_.failures.end(),
              [](const Error& a, const Error& b) { return a.file < b.file; });
    remarks_.report(walk_.diagnostics);
}

}  // namespace

std::string real_path_of(const WalkedFolder& folder, const WalkedDump& dump) {
    if (dump.is_link) {
        return real_path(folder.prefix + dump.name);
    }
    return folder.real_path.empty() ? std::string() : join_path(folder.real_path, dump.name);
}

Result<Walk> walk(const std::vector<std::string>& paths, const WalkOptions& options) {
    Walker walker(options);
    for (const std::string& path : paths) {
        walker.add_input(path);
    }
    if (!paths.empty() && walker.failures().size() == paths.size()) {
        return walker.failures().front();
    }
    return walker.run();
}

}  // namespace opdebug::tree
