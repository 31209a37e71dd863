#include "watch/pending_dumps.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <limits>
#include <utility>

#include <opdebug/tree.hpp>

#include "scan/scanned_dump.hpp"
#include "tree/folder.hpp"

namespace opdebug::watch {
namespace {

/// A file that was changed so long ago is not being written, even if the clocks of two hosts differ by some seconds.
constexpr std::int64_t kOldSeconds = 60;
constexpr std::chrono::milliseconds kTryAgain{200};

bool is_damaged(const ScannedDump& scanned) {
    return scanned.state == DumpState::failed || !scanned.dump || !scanned.dump->complete();
}

/// Of a link: what it leads to may come later, as a dump that is cut may be completed.
bool leads_nowhere(const ScannedDump& scanned) {
    const Result<tree::EntryKind> target = tree::examine_entry(scanned.file, true);
    return target && *target == tree::EntryKind::nothing;
}

/// A file in a folder that this user may not search is there all the same.
bool is_gone(const std::string& file) {
    struct stat status {};
    return ::lstat(file.c_str(), &status) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

/// Dumps without a time come last, as in reports.
std::uint64_t time_in_name(std::string_view text) {
    const std::optional<DumpName> name = parse_dump_name(text);
    return name && name->timestamp_us ? *name->timestamp_us : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace

void PendingDumps::add(const std::string& file, std::string_view name, Clock::time_point now) {
    if (known_.insert(file).second) {
        Pending pending;
        pending.found = pending.changed = pending.due = now;
        pending_.emplace(std::make_pair(time_in_name(name), file), pending);
    }
}

std::optional<Clock::time_point> PendingDumps::next_due() const {
    std::optional<Clock::time_point> next;
    for (const auto& [place, pending] : pending_) {
        next = next ? std::min(*next, pending.due) : pending.due;
    }
    return next;
}

std::uint64_t PendingDumps::take_gone() noexcept {
    return std::exchange(gone_, 0);
}

bool PendingDumps::must_wait(const ScannedDump& scanned, const Pending& pending, Clock::time_point now) const {
    if (pending.is_old) {
        return false;
    }
    if (is_damaged(scanned)) {
        return now - pending.changed < options_.quiet;
    }
    return scanned.state == DumpState::overflowed && options_.scan.locate_overflowed && !scanned.location.op &&
           now - pending.found < options_.op_dump_wait;
}

Tried PendingDumps::try_one(const std::string& file, Pending& pending, Clock::time_point now, bool last,
                            const std::shared_ptr<OpDumpFolders>& op_dumps,
                            const std::function<void(ScannedDump&&)>& use) {
    struct stat status {};
    const bool examined = ::stat(file.c_str(), &status) == 0 || ::lstat(file.c_str(), &status) == 0;
    if (!examined && is_gone(file)) {
        return Tried::gone;
    }
    if (examined && !S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) {
        return Tried::not_a_file;
    }
    const std::int64_t changed_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
    const std::optional<tree::FilePlace> place = tree::place_of(file);
    if (place && given_.count({*place, changed_ns}) != 0) {
        return Tried::again;
    }
    if (pending.size != status.st_size || pending.changed_ns != changed_ns) {
        pending.size = status.st_size;
        pending.changed_ns = changed_ns;
        pending.changed = now;
    }
    pending.is_old = examined && std::time(nullptr) - status.st_mtim.tv_sec > kOldSeconds;
    ScannedDump scanned = scan_stage::scan_dump({file, {}, {}}, options_.scan, op_dumps);
    if (!scanned.dump && is_gone(file)) {
        return Tried::gone;
    }
    if (!last && must_wait(scanned, pending, now)) {
        pending.due = now + kTryAgain;
        return Tried::waits;
    }
    if (!scanned.dump && leads_nowhere(scanned)) {
        return Tried::not_a_file;  // told by whoever counts the other files
    }
    if (place) {
        given_.emplace(*place, changed_ns);
    }
    use(std::move(scanned));
    return Tried::given;
}

void PendingDumps::try_due(Clock::time_point now, bool last, const std::function<void(ScannedDump&&)>& use) {
    // Folders may have changed since the last time, so their operators' dumps are listed anew.
    const auto op_dumps = std::make_shared<OpDumpFolders>();
    for (auto place = pending_.begin(); place != pending_.end();) {
        if (options_.scan.stop && options_.scan.stop()) {
            return;
        }
        const Tried tried = !last && place->second.due > now
                                ? Tried::waits
                                : try_one(place->first.second, place->second, now, last, op_dumps, use);
        if (tried == Tried::waits) {
            ++place;
            continue;
        }
        if (tried == Tried::gone) {
            ++gone_;
            known_.erase(place->first.second);  // it may come again
        }
        place = pending_.erase(place);
    }
}

}  // namespace opdebug::watch
