// New overflows below some paths, found by reading the folders again and again. A look is a small scan of the files
// that came to rest, so names, links and mapping.csv mean the same as for a scan.
#include <opdebug/scan.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <limits>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <opdebug/tree.hpp>

#include "bytes/system_path.hpp"
#include "remarks/diagnose.hpp"
#include "scan/dump_source.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using Clock = std::chrono::steady_clock;

/// A file of this age is complete, even if the clocks of two hosts differ by seconds.
constexpr std::int64_t kOldSeconds = 60;
/// Time in which a decoded file is checked for changes. Checking all dumps of a job at each poll would overload a file
/// server.
constexpr std::chrono::minutes kExamined{1};
/// Maximum number of decoded dumps in memory.
constexpr std::size_t kBatch = 1000;

/// The state of a file. A different state means that it was written since.
struct Version {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = -1;
    std::int64_t changed_s = 0, changed_ns = 0;
    bool operator==(const Version&) const = default;
};

/// A dump's path, and the version of the file at its last check.
struct SeenFile {
    Version version;
    Clock::time_point since;  ///< when this version was first seen
    bool decoded = false;
};

struct Root {
    std::string path;
    bool was_there = false;
    bool awaited = false;  ///< the missing path was reported
};

/// Dumps without a time are last, as in reports.
std::uint64_t time_in_name(const std::string& file) {
    const std::optional<DumpName> name = parse_dump_name(file_name_of(file));
    return name && name->timestamp_us ? *name->timestamp_us : std::numeric_limits<std::uint64_t>::max();
}

bool is_there(const std::string& path) {
    struct stat status {};
    return ::stat(bytes::system_path(path), &status) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/// The rank; if it is unknown, the device.
scan_stage::DumpSource rank_of(const ScanItem& item) {
    scan_stage::DumpSource source = scan_stage::device_of(scan_stage::source_of(item));
    if (source.rank) {
        source.device_id.reset();
    }
    return source;
}

/// The group of a cause, with the same key as in overview_of().
ScanGroup group_of(const ScanItem& item, const ScanCause& cause) {
    ScanGroup group;
    group.cause = cause.id;
    group.operator_type = cause.other_task ? "" : item.operator_type;
    group.operator_name = cause.other_task ? "" : item.operator_name;
    group.model = cause.other_model ? "" : item.model;
    group.count = 1;
    group.first_file = item.file;
    group.first_us = group.last_us = item.timestamp_us;
    return group;
}

}  // namespace

struct DumpWatch::State {
    State(std::vector<std::string> paths, WatchOptions wanted) : options(std::move(wanted)) {
        for (std::string& path : paths) {
            roots.push_back({std::move(path)});
        }
        options.scan.shard.reset();
        options.scan.api_dumps = false;
        options.scan.threads = 1;  // the job needs the other cores
        options.scan.progress = nullptr;
    }

    std::vector<std::string> present_roots();
    std::vector<std::string> settled(std::vector<std::string> files, bool last);
    bool is_settled(const std::string& file, Clock::time_point now, std::int64_t now_s, bool last);
    std::uint64_t decode(const std::vector<std::string>& files, const std::function<void(WatchedOverflow&&)>& use);
    void judge(WatchedOverflow& overflow);

    std::vector<Root> roots;
    WatchOptions options;
    std::unordered_map<std::string, SeenFile> seen;
    std::uint64_t waiting = 0;
    std::set<scan_stage::DumpSource> ranks;
    std::set<std::tuple<std::string, std::string, std::string, std::string>> groups;
    std::vector<Diagnostic> diagnostics;
};

std::vector<std::string> DumpWatch::State::present_roots() {
    std::vector<std::string> present;
    for (Root& root : roots) {
        if (is_there(root.path)) {
            present.push_back(root.path);
            root.was_there = true;
            root.awaited = false;
        } else if (!std::exchange(root.awaited, true)) {
            diagnostics.push_back(
                remarks::diagnose(root.was_there ? "path_awaited.gone" : "path_awaited", {{"path", root.path}}));
        }
    }
    return present;
}

/// Whether a file is complete and was not decoded in its present version.
bool DumpWatch::State::is_settled(const std::string& file, Clock::time_point now, std::int64_t now_s, bool last) {
    const auto [entry, is_new] = seen.try_emplace(file);
    SeenFile& known = entry->second;
    if (known.decoded && now - known.since > kExamined) {
        return false;
    }
    struct stat status {};
    if (::stat(bytes::system_path(file), &status) != 0) {
        return is_new;  // a scan reports why
    }
    const Version version{status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
    if (is_new || version != known.version) {
        known = {version, now, false};
    }
    const bool is_old = now_s - version.changed_s > kOldSeconds;
    if (known.decoded || (!last && !is_old && now - known.since < options.settle)) {
        waiting += known.decoded ? 0U : 1U;
        return false;
    }
    return true;
}

/// The files to decode now, in the order of the times in their names.
std::vector<std::string> DumpWatch::State::settled(std::vector<std::string> files, bool last) {
    const Clock::time_point now = Clock::now();
    const std::int64_t now_s = std::time(nullptr);
    waiting = 0;
    std::vector<std::pair<std::uint64_t, std::string>> by_time;
    for (std::string& file : files) {
        if (is_settled(file, now, now_s, last)) {
            const std::uint64_t time = time_in_name(file);
            by_time.emplace_back(time, std::move(file));
        }
    }
    std::sort(by_time.begin(), by_time.end());
    std::vector<std::string> settled;
    settled.reserve(by_time.size());
    for (auto& [time, file] : by_time) {
        settled.push_back(std::move(file));
    }
    return settled;
}

void DumpWatch::State::judge(WatchedOverflow& overflow) {
    overflow.first_of_rank = ranks.insert(rank_of(overflow.item)).second;
    for (const ScanCause& cause : overflow.item.causes) {
        ScanGroup group = group_of(overflow.item, cause);
        if (groups.emplace(group.cause, group.operator_type, group.operator_name, group.model).second) {
            overflow.new_groups.push_back(std::move(group));
        }
    }
}

std::uint64_t DumpWatch::State::decode(const std::vector<std::string>& files,
                                       const std::function<void(WatchedOverflow&&)>& use) {
    const Result<DumpTree> tree = find_dump_tree(files, options.scan);
    if (!tree) {
        return 0;  // all files were removed
    }
    for (const std::string& file : files) {
        seen[file].decoded = true;
    }
    std::uint64_t count = 0;
    std::vector<WatchedOverflow> overflows;
    static_cast<void>(scan(*tree, options.scan, [&](ScannedDump&& scanned) {
        ++count;
        if (scanned.state == DumpState::overflowed) {
            WatchedOverflow overflow;
            overflow.item = scan_item_of(scanned);
            overflow.scanned = std::move(scanned);
            overflows.push_back(std::move(overflow));
        }
    }));
    std::stable_sort(overflows.begin(), overflows.end(), [](const WatchedOverflow& a, const WatchedOverflow& b) {
        constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();
        return a.item.timestamp_us.value_or(kLast) < b.item.timestamp_us.value_or(kLast);
    });
    for (WatchedOverflow& overflow : overflows) {
        judge(overflow);
        use(std::move(overflow));
    }
    return count;
}

DumpWatch::DumpWatch(std::vector<std::string> paths, WatchOptions options)
    : state_(std::make_unique<State>(std::move(paths), std::move(options))) {}

DumpWatch::~DumpWatch() = default;

std::uint64_t DumpWatch::look(const std::function<void(WatchedOverflow&&)>& use, bool last) {
    State& state = *state_;
    state.waiting = 0;
    const std::vector<std::string> roots = state.present_roots();
    if (roots.empty()) {
        return 0;
    }
    const Result<DumpTree> tree = find_dump_tree(roots, state.options.scan);
    if (!tree) {
        return 0;  // a path was removed meanwhile: the next poll reports it
    }
    const std::vector<std::string> files = state.settled(files_of(*tree), last);
    std::uint64_t count = 0;
    for (std::size_t begin = 0; begin < files.size(); begin += kBatch) {
        if (state.options.scan.stop && state.options.scan.stop()) {
            break;
        }
        const auto from = files.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto to = files.begin() + static_cast<std::ptrdiff_t>(std::min(begin + kBatch, files.size()));
        count += state.decode({from, to}, use);
    }
    return count;
}

std::uint64_t DumpWatch::waiting() const noexcept {
    return state_->waiting;
}

std::vector<Diagnostic> DumpWatch::take_diagnostics() {
    return std::exchange(state_->diagnostics, {});
}

}  // namespace v0
}  // namespace opdebug
