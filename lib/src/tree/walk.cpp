#include "tree/walk.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <opdebug/tree.hpp>

#include "bytes/system_path.hpp"
#include "tree/api_dump_name.hpp"
#include "tree/dumps_without_file.hpp"
#include "tree/folder.hpp"
#include "tree/folder_stack.hpp"
#include "tree/followed_link.hpp"
#include "tree/links.hpp"
#include "tree/noted.hpp"
#include "tree/numbered_files.hpp"
#include "tree/walk_folder.hpp"
#include "tree/walk_order.hpp"

namespace opdebug::tree {
namespace {

/// The names of the files in a folder that name operators; nothing where some may be missing.
std::optional<PackedNames> operator_file_names(const ReadFolder& found) {
    const std::vector<FolderEntry>& entries = found.listing.entries;
    const auto names_operator = [&found](std::size_t i) {
        return *found.kinds[i] == NameKind::op_dump || *found.kinds[i] == NameKind::op_values;
    };
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (!found.kinds[i]) {
            return std::nullopt;
        }
        bytes += names_operator(i) ? entries[i].name.size() + 1 : 0;
    }
    if (found.listing.failure) {
        return std::nullopt;
    }
    PackedNames names;
    names.reserve(bytes);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (names_operator(i)) {
            names.add(entries[i].name);
        }
    }
    return names;
}

/// Files of one folder that were given themselves: they are dumps whatever their names.
struct GivenFiles {
    std::string folder;  ///< as given; empty for the working directory
    std::set<std::string, std::less<>> names;

    /// Whether the name is one of them, from now on not any more.
    bool take(std::string_view name) {
        const auto found = names.find(name);
        return found != names.end() && (names.erase(found), true);
    }
};

class Walker {
public:
    explicit Walker(const WalkOptions& options) : options_(options), waiting_(options.threads) {}

    void add_input(const std::string& path);
    const std::vector<Error>& failures() const noexcept { return walk_.failures; }
    Walk run();

private:
    void follow(const FolderLink& link, const LinkedFolder& folder);
    void read_waiting();
    void read_folder(const FolderToRead& folder, const ReadFolder& found);
    void keep_operator_files(const ReadFolder& found, FolderAtWork& folder);
    void add_entry(EntryKind kind, const EntryName& name, bool given, NameReader& names, FolderAtWork& folder);
    void add_link(const EntryName& name, bool given, NameReader& names, FolderAtWork& folder);
    void add_file(const EntryName& name, bool given, bool is_link, NameReader& names, FolderAtWork& folder);
    void add_special_file(const EntryName& name, NameReader& names, const FolderAtWork& folder);
    void add_folder(const std::string& path, std::uint64_t depth);
    void add_failure(const NameReader& names);
    void add_unknown(const EntryName& name, bool given, const Error& why, NameReader& names, FolderAtWork& folder);
    void add_rest_of_given_files();
    void finish();
    void tell(const LinkedTwice& linked);
    bool stopped();

    const WalkOptions& options_;
    Walk walk_;
    std::map<FolderIdentity, GivenFiles> given_;
    std::set<FolderIdentity> seen_;
    FolderStack waiting_;                              ///< a stack of our own, so depth costs no call stack
    std::vector<FolderToRead> subfolders_;             ///< found last, not on the stack yet
    std::uint64_t depth_ = 0;                          ///< of the folder that is being read
    bool behind_link_ = false;                         ///< of the same, as in ListedFolder
    FollowedLink followed_;                            ///< above the same
    std::map<FolderLink, LinkedFolder> folder_links_;  ///< followed when no real folder is left
    std::vector<FolderAtWork> folders_;
    std::size_t bytes_of_names_ = 0;  ///< of operators' dumps, in folders_
    DumpsWithoutFile without_file_;
    Noted nearly_dumps_;  ///< names that begin as those of dumps do
    NumberedFiles numbered_;
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
        if (const std::size_t links = links_in(path); links != 0) {
            folder_links_.emplace(FolderLink{links, path}, LinkedFolder{0, true});
        } else if (seen_.insert(identity_of(status)).second) {
            subfolders_.push_back({path, identity_of(status), 0});
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
    std::reverse(subfolders_.begin(), subfolders_.end());  // the first given is read first
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

void Walker::follow(const FolderLink& link, const LinkedFolder& folder) {
    add_folder(link.path, folder.depth);
    if (subfolders_.empty()) {
        return;
    }
    behind_link_ = !folder.given;
    followed_ = {link.links, link.path, real_path(link.path)};
    read_waiting();
}

void Walker::read_waiting() {
    waiting_.push(std::exchange(subfolders_, {}));
    while (!waiting_.empty() && !stopped()) {
        const FolderStack::Next next = waiting_.pop();
        read_folder(next.folder, next.found);
        waiting_.push(std::exchange(subfolders_, {}));
        if (options_.progress) {
            options_.progress(found_);
        }
    }
}

void Walker::read_folder(const FolderToRead& folder, const ReadFolder& found) {
    if (found.listing.failure) {
        walk_.failures.push_back(*found.listing.failure);
    }
    depth_ = folder.depth;
    const auto given = given_.find(folder.identity);
    FolderAtWork at_work{folder.path, followed_.real_path_of(folder.path), folder.identity, {}, std::nullopt, true};
    NameReader names(folder.path, options_.limits);
    const std::uint64_t op_dumps_before = walk_.op_dumps;
    for (std::size_t i = 0; i < found.listing.entries.size(); ++i) {
        const FolderEntry& entry = found.listing.entries[i];
        const bool is_given = given != given_.end() && given->second.take(entry.name);
        add_entry(entry.kind, {entry.name, found.kinds[i]}, is_given, names, at_work);
    }
    add_failure(names);
    if (options_.listed) {
        options_.listed(
            {folder.path, found.listing.entries, behind_link_, folder.identity, walk_.op_dumps - op_dumps_before});
    }
    found_ += at_work.candidates.size();
    if (!at_work.candidates.empty()) {
        keep_operator_files(found, at_work);
        folders_.push_back(std::move(at_work));
    }
}

void Walker::keep_operator_files(const ReadFolder& found, FolderAtWork& folder) {
    folder.operator_files = operator_file_names(found);
    const std::size_t bytes = folder.operator_files ? folder.operator_files->bytes() : 0;
    if (bytes > options_.operator_file_name_bytes - bytes_of_names_) {
        folder.operator_files.reset();
    } else {
        bytes_of_names_ += bytes;
    }
}

void Walker::add_entry(EntryKind kind, const EntryName& name, bool given, NameReader& names, FolderAtWork& folder) {
    if (kind == EntryKind::unknown) {
        const Result<EntryKind> examined = examine_entry(join_path(folder.path, name.text), false);
        if (!examined) {
            return add_unknown(name, given, examined.error(), names, folder);
        }
        kind = *examined;
    }
    switch (kind) {
        case EntryKind::folder: add_folder(join_path(folder.path, name.text), depth_ + 1); break;
        case EntryKind::link: add_link(name, given, names, folder); break;
        case EntryKind::file:
        case EntryKind::nothing: add_file(name, given, false, names, folder); break;
        default:
            if (given) {
                add_file(name, given, false, names, folder);  // reading it says what is wrong with it
            } else {
                add_special_file(name, names, folder);
            }
    }
}

void Walker::add_special_file(const EntryName& name, NameReader& names, const FolderAtWork& folder) {
    if (is_dump(names.kind_of(name))) {
        without_file_.add(join_path(folder.path, name.text), EntryKind::other);
    }
    ++walk_.other_files;
}

void Walker::add_link(const EntryName& name, bool given, NameReader& names, FolderAtWork& folder) {
    const std::string path = join_path(folder.path, name.text);
    const Result<EntryKind> target = examine_entry(path, true);
    if (!target) {
        add_unknown(name, given, target.error(), names, folder);
    } else if (*target == EntryKind::nothing) {
        if (is_dump(names.kind_of(name))) {
            without_file_.add(path, EntryKind::nothing);
        }
        ++walk_.other_files;
    } else if (*target == EntryKind::folder) {
        folder_links_.emplace(FolderLink{followed_.links + 1, path}, LinkedFolder{depth_ + 1});
    } else if (*target == EntryKind::file || given) {
        add_file(name, given, true, names, folder);
    } else {
        add_special_file(name, names, folder);
    }
}

/// Nobody knows what the entry is. Reading it says why when its name is a dump's; else it may be a folder with dumps.
void Walker::add_unknown(const EntryName& name, bool given, const Error& why, NameReader& names, FolderAtWork& folder) {
    if (given || is_dump(names.kind_of(name))) {
        add_file(name, given, false, names, folder);
    } else {
        walk_.failures.push_back(why);
    }
}

void Walker::add_file(const EntryName& name, bool given, bool is_link, NameReader& names, FolderAtWork& folder) {
    const NameKind kind = names.kind_of(name);
    if (!given) {
        numbered_.add(folder.path, name.text, kind, names);
    }
    if ((kind == NameKind::other || kind == NameKind::op_values || kind == NameKind::nearly_dump) &&
        (given || may_be_api_dump(name.text) || is_packed_part_of_run(name.text))) {
        walk_.named_as_api_dumps.push_back({join_path(folder.path, name.text), given, is_link});
    }
    if (given || is_dump(kind)) {
        folder.candidates.push_back({std::string(name.text), kind == NameKind::converted, is_link, false});
        return;
    }
    ++(kind == NameKind::op_dump ? walk_.op_dumps : walk_.other_files);
    if (kind == NameKind::nearly_dump) {
        nearly_dumps_.add(join_path(folder.path, name.text));
    }
}

void Walker::add_folder(const std::string& path, std::uint64_t depth) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        walk_.failures.push_back(path_error(path, "list the folder", errno));
    } else if (depth > options_.limits.folder_depth) {
        walk_.failures.push_back(folder_too_deep(path, options_.limits));
    } else if (seen_.insert(identity_of(status)).second) {
        subfolders_.push_back({path, identity_of(status), depth});
    }
}

void Walker::add_failure(const NameReader& names) {
    if (names.failure()) {
        walk_.failures.push_back(*names.failure());
    }
}

/// Given files whose folder is not walked.
void Walker::add_rest_of_given_files() {
    for (auto& [identity, given] : given_) {
        if (given.names.empty()) {
            continue;
        }
        const std::string real = links_in(given.folder) != 0 ? real_path(given.folder) : std::string();
        FolderAtWork folder{given.folder, real, identity, {}, std::nullopt, false};
        NameReader names(folder.path, options_.limits);
        for (const std::string& name : given.names) {
            const Result<EntryKind> kind = examine_entry(join_path(folder.path, name), false);
            add_file({name}, true, kind && *kind == EntryKind::link, names, folder);  // reading it tells of a failure
        }
        add_failure(names);
        folders_.push_back(std::move(folder));
    }
}

void Walker::finish() {
    std::sort(folders_.begin(), folders_.end(),
              [](const FolderAtWork& a, const FolderAtWork& b) { return a.path < b.path; });
    const LinkedTwice linked = mark_linked_twice(folders_);
    walk_.folders.reserve(folders_.size());
    for (FolderAtWork& folder : folders_) {
        std::vector<WalkedDump> dumps = take_dumps(folder.candidates, walk_.other_files);
        if (!dumps.empty()) {
            walk_.folders.push_back({join_path(folder.path, ""), std::move(folder.real_path), std::move(dumps),
                                     std::move(folder.operator_files), folder.was_read});
        }
    }
    walk_.in_path_order = places_in_path_order(walk_.folders);
    std::stable_partition(walk_.named_as_api_dumps.begin(), walk_.named_as_api_dumps.end(),
                          [](const NamedAsApiDump& named) { return !named.is_link; });
    std::sort(walk_.failures.begin(), walk_.failures.end(),
              [](const Error& a, const Error& b) { return a.file < b.file; });
    tell(linked);
}

void Walker::tell(const LinkedTwice& linked) {
    without_file_.tell(walk_.diagnostics);
    const auto add = [this](Severity severity, const char* code, std::uint64_t count, std::string message) {
        if (count != 0) {
            walk_.diagnostics.push_back({severity, code, std::move(message)});
        }
    };
    add(Severity::warning, "nearly_dump_names", nearly_dumps_.count,
        fmt::format("files whose names begin as those of overflow dumps, without the numbers: {}, for example {}; they "
                    "are counted as other files: if one is a dump, name the file itself",
                    nearly_dumps_.count, nearly_dumps_.first));
    add(Severity::info, "linked_twice", linked.count,
        fmt::format("links to dumps that are counted under another path: {}, for example {}; they are counted as other "
                    "files",
                    linked.count, linked.first));
    numbered_.tell(walk_.diagnostics);
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
