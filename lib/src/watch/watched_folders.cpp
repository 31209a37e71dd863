#include "watch/watched_folders.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include <opdebug/tree.hpp>

#include "bytes/system_path.hpp"
#include "tree/folder.hpp"
#include "tree/links.hpp"
#include "tree/number.hpp"
#include "tree/walk.hpp"
#include "watch/network_file_system.hpp"

namespace opdebug::watch {
namespace {

/// A job adds a line to mapping.csv for each long name: the list is not read again for each of them.
constexpr std::chrono::milliseconds kBetweenNumbers{500};

bool is_overflow_dump(std::string_view name) {
    const auto dump = parse_dump_name(name);
    return dump && dump->is_overflow_dump;
}

bool is_link_to_folder(const std::string& path) {
    const Result<tree::EntryKind> kind = tree::examine_entry(path, false);
    if (!kind || *kind != tree::EntryKind::link) {
        return false;
    }
    const Result<tree::EntryKind> target = tree::examine_entry(path, true);
    return target && *target == tree::EntryKind::folder;
}

/// Converted JSON without its binary, which scans take for the dump: a watch follows binaries only.
std::uint64_t converted_files(const tree::Walk& walk) {
    std::uint64_t files = 0;
    for (const tree::WalkedFolder& folder : walk.folders) {
        for (const tree::WalkedDump& dump : folder.dumps) {
            files += dump.converted.size();
        }
    }
    return files;
}

}  // namespace

WatchedFolders::WatchedFolders(const std::vector<std::string>& paths, const WatchOptions& options,
                               PendingDumps& pending)
    : options_(options), pending_(pending), numbered_(options.scan.decode.limits) {
    for (const std::string& path : paths) {
        roots_.push_back({path});
    }
    std::stable_sort(roots_.begin(), roots_.end(), [](const Root& a, const Root& b) {  // as scans read them
        const std::size_t links_a = tree::links_in(a.path), links_b = tree::links_in(b.path);
        return links_a != links_b ? links_a < links_b : links_a != 0 && a.path < b.path;
    });
    if (!options.poll) {
        events_ = FolderEvents::open();
        if (!events_) {
            poll_because(Severity::warning, "watch_limit", "the system gives no way to be told of changes (inotify)");
        }
    }
}

/// From here on the folders are read again and again.
void WatchedFolders::poll_because(Severity severity, const char* code, const std::string& reason) {
    events_.reset();
    next_poll_ = {};
    const double seconds = static_cast<double>(options_.poll_interval.count()) / 1000;
    diagnostics_.push_back({severity, code, fmt::format("{}: the folders are read every {} s", reason, seconds)});
}

/// False: what comes into the folder is told under another path.
bool WatchedFolders::add_watch(const std::string& folder) {
    if (!events_) {
        return true;
    }
    if (const auto name = network_file_system_of(folder)) {
        poll_because(Severity::info, "polling",
                     fmt::format("{} lies on {}, where other hosts may write", folder, *name));
        return true;
    }
    const Added added = events_->add(folder);
    if (added == Added::no_room) {
        poll_because(Severity::warning, "watch_limit",
                     "this user may not watch more folders or open more files (sysctl fs.inotify.max_user_watches)");
    }
    return added != Added::elsewhere;
}

/// Watched first and then listed, so that nothing is made in between unseen.
void WatchedFolders::read_folder(const std::string& folder, std::uint64_t depth, Clock::time_point now) {
    struct stat status {};
    if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) ||
        !read_.insert({status.st_dev, status.st_ino}).second) {
        return;
    }
    if (!add_watch(folder)) {
        return;
    }
    const tree::FolderListing listing = tree::list_folder(folder);
    for (const tree::FolderEntry& entry : listing.entries) {
        if (entry.kind != tree::EntryKind::folder) {
            add_file(folder, entry.name, now, false);
        }
        if (entry.may_be_folder && depth < options_.scan.decode.limits.folder_depth) {
            auto& later = entry.kind == tree::EntryKind::link ? linked_ : to_read_;
            later.push_back({tree::join_path(folder, entry.name), depth + 1});
        }
    }
}

void WatchedFolders::read_folders(const std::string& top, Clock::time_point now) {
    to_read_.push_back({top, 0});
    while (!(to_read_.empty() && linked_.empty()) && !(options_.scan.stop && options_.scan.stop())) {
        std::vector<FolderToRead>& waiting = to_read_.empty() ? linked_ : to_read_;
        const FolderToRead next = std::move(waiting.back());
        waiting.pop_back();
        read_folder(next.path, next.depth, now);
    }
    to_read_.clear();
    linked_.clear();
}

void WatchedFolders::read_everything(Clock::time_point now) {
    read_.clear();
    for (const Root& root : roots_) {
        if (root.there) {
            read_folders(root.path, now);
        }
    }
}

/// Paths come and go, and links are led elsewhere. One that comes is read as a whole; where one leads elsewhere, what
/// was watched under it may have further paths.
void WatchedFolders::look_at_roots(Clock::time_point now) {
    bool led_elsewhere = false, is_first = true;
    for (Root& root : roots_) {
        struct stat status {};
        const bool there = ::stat(bytes::system_path(root.path), &status) == 0;
        const std::pair leads_to{status.st_dev, status.st_ino};
        if (there && !root.there) {
            forget(root.path);
            if (std::exchange(is_first, false) || events_) {
                read_.clear();  // once when polling: a link gives way to what was read just now
            }
            S_ISDIR(status.st_mode) ? read_folders(root.path, now)
                                    : pending_.add(root.path, file_name_of(root.path), now, true);
        } else if (root.there && leads_to != root.leads_to) {
            forget(root.path);
            led_elsewhere = true;
        }
        if (!there && !std::exchange(root.awaited, true)) {
            diagnostics_.push_back(
                {Severity::warning, "path_awaited",
                 root.path + (root.was_there ? " is gone" : " is not there") + ": it is waited for"});
        }
        root.awaited = root.awaited && !there;
        root.there = there;
        root.leads_to = leads_to;
        root.was_there = root.was_there || there;
    }
    if (led_elsewhere) {
        read_everything(now);
    }
}

void WatchedFolders::add_file(const std::string& folder, std::string_view name, Clock::time_point now, bool written) {
    if (is_overflow_dump(name)) {
        pending_.add(tree::join_path(folder, name), name, now, written);
    } else if (name == "mapping.csv" || tree::is_decimal(name)) {
        with_numbers_.insert(folder);
    }
}

/// The line that names a file may come before it and after it.
void WatchedFolders::add_numbered_dumps(Clock::time_point now) {
    for (const std::string& folder : std::exchange(with_numbers_, {})) {
        for (const auto& [number, real_name] : numbered_.of_folder(folder)) {
            const std::string file = tree::join_path(folder, number);
            const Result<tree::EntryKind> kind = tree::examine_entry(file, false);
            if (kind && *kind != tree::EntryKind::nothing && *kind != tree::EntryKind::folder) {
                pending_.add(file, real_name, now, false);
            }
        }
    }
    next_numbers_ = now + kBetweenNumbers;
}

void WatchedFolders::take_changes(Clock::time_point now) {
    if (!events_) {
        return;
    }
    const FolderChanges changes = events_->take();
    for (Root& root : roots_) {
        // It may be there again already, under another number: then it is read as one that comes.
        root.there = root.there && std::find(changes.gone.begin(), changes.gone.end(), root.path) == changes.gone.end();
    }
    for (const std::string& folder : changes.folders) {
        read_.clear();
        read_folders(folder, now);
    }
    bool led_elsewhere = false;
    for (const std::string& file : changes.files) {
        add_file(tree::folder_of(file), file_name_of(file), now, true);
        if (is_link_to_folder(file)) {
            led_elsewhere = forget(file) || led_elsewhere;
            read_.clear();
            read_folders(file, now);
        }
    }
    if (led_elsewhere) {
        read_everything(now);
    }
    if (changes.lost) {
        diagnostics_.push_back({Severity::info, "events_lost",
                                "more changed at a time than the system keeps: all folders are read once more"});
        read_everything(now);
    }
}

void WatchedFolders::look(Clock::time_point now) {
    take_changes(now);
    if (now >= next_poll_) {
        if (!events_) {
            read_everything(now);
        }
        next_poll_ = now + options_.poll_interval;
    }
    look_at_roots(now);
    if (!with_numbers_.empty() && now >= next_numbers_) {
        add_numbered_dumps(now);
    }
}

void WatchedFolders::look_now(Clock::time_point now) {
    next_poll_ = next_numbers_ = {};
    look(now);
}

void WatchedFolders::finish(Clock::time_point now) {
    take_changes(now);
    if (!events_) {
        read_everything(now);
    }
    add_numbered_dumps(now);
}

std::optional<Clock::time_point> WatchedFolders::next_due() const {
    const bool awaits = std::any_of(roots_.begin(), roots_.end(), [](const Root& root) { return !root.there; });
    const Clock::time_point never = Clock::time_point::max();
    const Clock::time_point next =
        std::min(!events_ || awaits ? next_poll_ : never, with_numbers_.empty() ? never : next_numbers_);
    return next != never ? std::optional(next) : std::nullopt;
}

void WatchedFolders::tell(Scan& scan) const {
    std::vector<std::string> there;
    for (const Root& root : roots_) {
        if (root.there) {
            there.push_back(root.path);
        } else {
            scan.failures.push_back({ErrorCode::file_not_found, "it is not there", root.path, std::nullopt});
        }
    }
    tree::WalkOptions walk_options;
    walk_options.limits = options_.scan.decode.limits;
    const Result<tree::Walk> walk = tree::walk(there, walk_options);  // of all paths at once: they may overlap
    if (!walk) {
        return;
    }
    scan.counts.op_dumps = walk->op_dumps;
    scan.counts.other_files = walk->other_files + converted_files(*walk);
    scan.diagnostics.insert(scan.diagnostics.end(), walk->diagnostics.begin(), walk->diagnostics.end());
    scan.failures.insert(scan.failures.end(), walk->failures.begin(), walk->failures.end());
}

}  // namespace opdebug::watch
