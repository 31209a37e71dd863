// Following paths: folders are read once and then told by the system, or read again and again.
#include <opdebug/watch.hpp>

#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <opdebug/tree.hpp>

#include "tree/folder.hpp"
#include "watch/folder_events.hpp"
#include "watch/network_file_system.hpp"
#include "watch/news.hpp"
#include "watch/pending_dumps.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using std::chrono::milliseconds;
using watch::Added;
using watch::Clock;

using FolderIdentity = std::pair<dev_t, ino_t>;

bool is_overflow_dump(std::string_view name) {
    const auto dump = parse_dump_name(name);
    return dump && dump->is_overflow_dump;
}

struct Root {
    std::string path;
    bool there = false;
    bool awaited = false;  ///< that it is not there was told
};

}  // namespace

struct DumpWatch::State {
    State(std::vector<std::string> given, WatchOptions wanted)
        : paths(std::move(given)), options(std::move(wanted)), pending(options) {
        for (const std::string& path : paths) {
            roots.push_back({path});
        }
        if (!options.poll) {
            events = watch::FolderEvents::open();
            if (!events) {
                poll_because("watch_limit", "the system gives no way to be told of changes (inotify)");
            }
        }
    }

    void poll_because(const char* code, const std::string& reason);
    void read_folders(const std::string& top, Clock::time_point now);
    void read_folder(const std::string& folder, std::uint64_t depth, Clock::time_point now);
    void add_watch(const std::string& folder);
    void read_everything(Clock::time_point now);
    void look_at_roots(Clock::time_point now);
    void take_changes(Clock::time_point now);
    void give(ScannedDump&& scanned, const std::function<void(WatchedDump&&)>& use);
    void tell_gone();
    void count_others(const std::string& root, ScanCounts& found) const;

    struct FolderToRead {
        std::string path;
        std::uint64_t depth = 0;
    };

    std::vector<std::string> paths;
    WatchOptions options;
    std::vector<Root> roots;
    std::optional<watch::FolderEvents> events;  ///< nothing: polling
    Clock::time_point next_poll{};              ///< when polling, or when a path is awaited
    watch::PendingDumps pending;
    watch::News news;
    ScanCounts counts;
    std::map<std::string, Error> failures;  ///< of folders, by path; one that can be read later is taken away
    std::vector<Diagnostic> diagnostics, told;
    std::vector<FolderToRead> to_read;
    std::set<FolderIdentity> read;  ///< of the walk that is going on
};

/// From here on the folders are read again and again.
void DumpWatch::State::poll_because(const char* code, const std::string& reason) {
    events.reset();
    next_poll = {};
    const double seconds = static_cast<double>(options.poll_interval.count()) / 1000;
    const Severity severity = std::string_view(code) == "polling" ? Severity::info : Severity::warning;
    diagnostics.push_back({severity, code, fmt::format("{}: the folders are read every {} s", reason, seconds)});
}

void DumpWatch::State::add_watch(const std::string& folder) {
    if (!events) {
        return;
    }
    if (const auto name = watch::network_file_system_of(folder)) {
        poll_because("polling", fmt::format("{} lies on {}, where other hosts may write", folder, *name));
        return;
    }
    if (events->add(folder) == Added::no_room) {
        poll_because("watch_limit",
                     "this user may not watch more folders or open more files (sysctl fs.inotify.max_user_watches)");
    }
}

/// Watched first and then listed, so that nothing is made in between unseen.
void DumpWatch::State::read_folder(const std::string& folder, std::uint64_t depth, Clock::time_point now) {
    struct stat status {};
    if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) ||
        !read.insert({status.st_dev, status.st_ino}).second) {
        return;
    }
    add_watch(folder);
    const tree::FolderListing listing = tree::list_folder(folder);
    failures.erase(folder);
    if (listing.failure && listing.failure->code != ErrorCode::file_not_found) {
        failures.emplace(folder, *listing.failure);
    }
    for (const tree::FolderEntry& entry : listing.entries) {
        if (is_overflow_dump(entry.name) && entry.kind != tree::EntryKind::folder) {
            pending.add(tree::join_path(folder, entry.name), now);
        } else if (entry.may_be_folder && depth < options.scan.decode.limits.folder_depth) {
            to_read.push_back({tree::join_path(folder, entry.name), depth + 1});
        }
    }
}

void DumpWatch::State::read_folders(const std::string& top, Clock::time_point now) {
    to_read.push_back({top, 0});
    while (!to_read.empty() && !(options.scan.stop && options.scan.stop())) {
        const FolderToRead next = std::move(to_read.back());
        to_read.pop_back();
        read_folder(next.path, next.depth, now);
    }
    to_read.clear();
}

void DumpWatch::State::read_everything(Clock::time_point now) {
    read.clear();
    for (const Root& root : roots) {
        if (root.there) {
            read_folders(root.path, now);
        }
    }
}

/// Paths come and go: one that comes is read as a whole.
void DumpWatch::State::look_at_roots(Clock::time_point now) {
    for (Root& root : roots) {
        struct stat status {};
        const bool there = ::stat(root.path.c_str(), &status) == 0;
        if (there && !root.there) {
            read.clear();
            S_ISDIR(status.st_mode) ? read_folders(root.path, now) : pending.add(root.path, now);
        } else if (!there && !std::exchange(root.awaited, true)) {
            diagnostics.push_back({Severity::warning, "path_awaited",
                                   root.path + (root.there ? " is gone" : " is not there") + ": it is waited for"});
        }
        root.awaited = root.awaited && !there;
        root.there = there;
    }
}

void DumpWatch::State::take_changes(Clock::time_point now) {
    if (!events) {
        return;
    }
    const watch::FolderChanges changes = events->take();
    for (const std::string& file : changes.files) {
        if (is_overflow_dump(file_name_of(file))) {
            pending.add(file, now);
        }
    }
    for (const std::string& folder : changes.folders) {
        read.clear();
        read_folders(folder, now);
    }
    if (changes.lost) {
        diagnostics.push_back({Severity::info, "events_lost",
                               "more changed at a time than the system keeps: all folders are read once more"});
        read_everything(now);
    }
}

void DumpWatch::State::give(ScannedDump&& scanned, const std::function<void(WatchedDump&&)>& use) {
    ++counts.dumps;
    switch (scanned.state) {
        case DumpState::overflowed: ++counts.overflowed; break;
        case DumpState::clean: ++counts.clean; break;
        case DumpState::failed: ++counts.failed; break;
    }
    WatchedDump dump;
    dump.item = scan_item_of(scanned);
    dump.scanned = std::move(scanned);
    news.judge(dump);
    use(std::move(dump));
}

void DumpWatch::State::tell_gone() {
    if (const std::uint64_t gone = pending.take_gone(); gone != 0) {
        diagnostics.push_back({Severity::warning, "dumps_gone",
                               fmt::format("{} dump{} gone before {} could be read", gone,
                                           gone == 1 ? " was" : "s were", gone == 1 ? "it" : "they")});
    }
}

/// What lies there now beside overflow dumps.
void DumpWatch::State::count_others(const std::string& root, ScanCounts& found) const {
    struct stat status {};
    if (::stat(root.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
        return;
    }
    const Limits& limits = options.scan.decode.limits;
    const Result<FoundDumps> dumps = find(root, limits), op_dumps = find_op_dumps(root, limits);
    if (dumps && op_dumps) {
        found.op_dumps += op_dumps->files.size();
        found.other_files +=
            op_dumps->other_files - std::min<std::uint64_t>(op_dumps->other_files, dumps->files.size());
    }
}

std::string_view to_string(WatchMethod method) noexcept {
    return method == WatchMethod::inotify ? "inotify" : "polling";
}

DumpWatch::DumpWatch(std::vector<std::string> paths, WatchOptions options)
    : state_(std::make_unique<State>(std::move(paths), std::move(options))) {}

DumpWatch::~DumpWatch() = default;

void DumpWatch::wait(milliseconds longest) {
    const Clock::time_point now = Clock::now();
    Clock::time_point until = now + longest;
    const bool awaits =
        std::any_of(state_->roots.begin(), state_->roots.end(), [](const Root& root) { return !root.there; });
    if (!state_->events || awaits) {
        until = std::min(until, state_->next_poll);
    }
    until = std::min(until, state_->pending.next_due().value_or(until));
    if (until <= now) {
        return;
    }
    const auto left = std::chrono::ceil<milliseconds>(until - now).count();
    pollfd changed{state_->events ? state_->events->descriptor() : -1, POLLIN, 0};
    static_cast<void>(::poll(&changed, 1, static_cast<int>(std::min<std::int64_t>(left, 3'600'000))));
}

void DumpWatch::look(const std::function<void(WatchedDump&&)>& use) {
    const Clock::time_point now = Clock::now();
    state_->take_changes(now);
    if (now >= state_->next_poll) {
        if (!state_->events) {
            state_->read_everything(now);
        }
        state_->next_poll = now + state_->options.poll_interval;
    }
    state_->look_at_roots(now);
    state_->pending.try_due(now, false, [&](ScannedDump&& scanned) { state_->give(std::move(scanned), use); });
    state_->tell_gone();
}

void DumpWatch::finish(const std::function<void(WatchedDump&&)>& use) {
    state_->take_changes(Clock::now());
    state_->pending.try_due(Clock::now(), true, [&](ScannedDump&& scanned) { state_->give(std::move(scanned), use); });
    state_->tell_gone();
}

WatchMethod DumpWatch::method() const noexcept {
    return state_->events ? WatchMethod::inotify : WatchMethod::polling;
}

std::uint64_t DumpWatch::waiting() const noexcept {
    return state_->pending.waiting();
}

std::vector<Diagnostic> DumpWatch::take_diagnostics() {
    std::vector<Diagnostic> fresh = std::exchange(state_->diagnostics, {});
    state_->told.insert(state_->told.end(), fresh.begin(), fresh.end());
    return fresh;
}

Scan DumpWatch::scan() const {
    Scan scan;
    scan.inputs = state_->paths;
    scan.counts = state_->counts;
    scan.dumps_found = state_->counts.dumps;
    for (const Root& root : state_->roots) {
        if (root.there) {
            state_->count_others(root.path, scan.counts);
        } else {
            scan.failures.push_back({ErrorCode::file_not_found, "it is not there", root.path, std::nullopt});
        }
    }
    for (const auto& [folder, failure] : state_->failures) {
        scan.failures.push_back(failure);
    }
    scan.complete = state_->pending.waiting() == 0;
    scan.dumps_found += state_->pending.waiting();
    scan.diagnostics = state_->told;
    scan.diagnostics.insert(scan.diagnostics.end(), state_->diagnostics.begin(), state_->diagnostics.end());
    if (!scan.complete) {
        scan.diagnostics.push_back(
            {Severity::warning, "stopped_early",
             fmt::format("the watch was stopped: {} of the dumps found were not read", state_->pending.waiting())});
    }
    return scan;
}

}  // namespace v0
}  // namespace opdebug
