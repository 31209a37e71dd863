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
#include "tree/links.hpp"
#include "tree/path_ids.hpp"

namespace opdebug::watch {
namespace {

/// A file that was changed so long ago is not being written, even if the clocks of two hosts differ by some seconds.
constexpr std::int64_t kOldSeconds = 60;
constexpr std::chrono::milliseconds kTryAgain{200};
/// A file that was listed again is looked at for so long behind its reading: asking a server for the times of all dumps
/// of a job every two seconds would keep it busy.
constexpr std::chrono::minutes kListedAgain{1};

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

std::int64_t utc_ns() {
    using std::chrono::system_clock;
    return std::chrono::duration_cast<std::chrono::nanoseconds>(system_clock::now().time_since_epoch()).count();
}

/// Dumps without a time come last, as in reports.
std::uint64_t time_in_name(std::string_view text) {
    const std::optional<DumpName> name = parse_dump_name(text);
    return name && name->timestamp_us ? *name->timestamp_us : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace

void PendingDumps::enqueue(const std::string& file, std::string_view name, Clock::time_point now) {
    struct stat status {};
    const bool is_there = ::lstat(file.c_str(), &status) == 0;
    const bool is_link = is_there && S_ISLNK(status.st_mode);
    Pending pending;
    pending.found = pending.changed = pending.due = now;
    pending.given_before = given_.count();
    if (is_there && (!is_link || ::stat(file.c_str(), &status) == 0)) {
        pending.came_as = version_in(status);
    }
    pending_.emplace(Turn{is_link, time_in_name(name), file}, pending);
    known_[file].waits = true;
    if (const auto time_folder = time_folder_of(file)) {
        first_dumps_.note(*time_folder, name);
    }
}

/// Nothing where nobody asks for it.
std::optional<std::string> PendingDumps::time_folder_of(const std::string& file) const {
    return scan_stage::asks_for_first_dumps(options_.scan) ? tree::time_folder_of_file(file, tree::real_path(file))
                                                           : std::nullopt;
}

void PendingDumps::add(const std::string& file, std::string_view name, Clock::time_point now, bool written) {
    const auto [place, is_new] = known_.try_emplace(file);
    const Known& known = place->second;
    if (!is_new) {
        const bool may_be_written = written || (known.number && now - known.tried < kListedAgain);
        const bool is_own_path = known.number && given_.path_of(*known.number) == file;
        if (known.waits || !may_be_written || (is_own_path && !given_.is_written_since(*known.number))) {
            return;
        }
    }
    enqueue(file, name, now);
}

std::optional<Clock::time_point> PendingDumps::next_due() const {
    std::optional<Clock::time_point> next;
    for (const auto& [place, pending] : pending_) {
        next = next ? std::min(*next, pending.due) : pending.due;
    }
    return next;
}

/// One whose folder was renamed waits under its new path, or was given under it.
std::uint64_t PendingDumps::take_gone() {
    if (missed_.count() == 0) {
        return 0;
    }
    std::vector<SeenDump> there = given_.since(std::exchange(given_before_missed_, kNoneMissed));
    for (const auto& [turn, pending] : pending_) {
        if (!known_.find(turn.file)->second.number) {
            there.push_back({turn.file, pending.seen_as()});
        }
    }
    return missed_.take_gone(there);
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

/// No longer than those that were there before it wait: dumps with earlier times may come without end.
bool PendingDumps::may_be_held(const Pending& pending, Clock::time_point now) const {
    return !pending.is_old && now - pending.found < options_.op_dump_wait + kTryAgain;
}

OpDumpsSeen PendingDumps::seen_by(const ScannedDump& scanned, std::int64_t began_ns, OpDumpFolders& op_dumps) const {
    const bool was_located = scanned.state == DumpState::overflowed && options_.scan.locate_overflowed;
    return was_located ? OpDumpsSeen::of(scanned, began_ns, op_dumps, options_.scan.decode.limits) : OpDumpsSeen();
}

ScannedDump PendingDumps::scan(const std::string& file, const std::shared_ptr<OpDumpFolders>& op_dumps) const {
    const std::optional<std::string> time_folder = time_folder_of(file);
    return scan_stage::scan_dump({file, {}, {}, true, tree::real_path(file)}, options_.scan, op_dumps,
                                 time_folder ? first_dumps_.of(*time_folder) : std::nullopt);
}

/// Reads a dump that is new, or that changed, and gives it when it is whole.
Tried PendingDumps::read(const std::string& file, Pending& pending, Known& known, const Round& round) {
    const std::int64_t began_ns = utc_ns();
    ScannedDump scanned = scan(file, round.op_dumps);
    if (!scanned.dump && is_gone(file)) {
        return Tried::gone;
    }
    pending.awaits_operator = !is_damaged(scanned);
    if (!round.last && must_wait(scanned, pending, round.now)) {
        pending.due = round.now + kTryAgain;
        return Tried::waits;
    }
    if (!scanned.dump && leads_nowhere(scanned)) {
        return Tried::not_a_file;  // told by whoever counts the other files
    }
    const WatchReason reason = known.number ? WatchReason::written : WatchReason::came;
    known.number = given_.remember(known.number, pending.place, pending.version, scanned,
                                   seen_by(scanned, began_ns, *round.op_dumps));
    round.use(std::move(scanned), *known.number, reason);
    return Tried::given;
}

Tried PendingDumps::try_one(const Turn& turn, Pending& pending, Known& known, const Round& round) {
    struct stat status {};
    const std::string& file = turn.file;
    const bool examined = ::stat(file.c_str(), &status) == 0 || ::lstat(file.c_str(), &status) == 0;
    if (!examined && is_gone(file)) {
        return Tried::gone;
    }
    if (examined && !S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) {
        return Tried::not_a_file;
    }
    if (const FileVersion version = version_in(status); pending.version != version) {
        pending.version = version;
        pending.changed = round.now;
    }
    pending.is_old = examined && std::time(nullptr) - status.st_mtim.tv_sec > kOldSeconds;
    pending.place = tree::place_of(file);
    const Met met = given_.meet(file, known.number, pending.place, pending.version);
    known.number = met.meeting != Meeting::fresh ? std::optional(met.number) : std::nullopt;
    if (met.meeting == Meeting::elsewhere) {
        const std::string& own_path = given_.path_of(met.number);
        add(own_path, file_name_of(own_path), round.now, true);
    }
    if (met.meeting == Meeting::known || met.meeting == Meeting::elsewhere) {
        return Tried::known;
    }
    if (turn.is_link && pending.place && waiting_files_.count(*pending.place) != 0) {
        pending.due = round.now + kTryAgain;
        return Tried::waits;
    }
    return read(file, pending, known, round);
}

void PendingDumps::leave(const Turn& turn, const Pending& pending, Tried tried, Clock::time_point now) {
    if (pending.place) {
        waiting_files_.erase(*pending.place);
    }
    const auto known = known_.find(turn.file);
    known->second.waits = false;
    known->second.tried = now;
    if (tried == Tried::gone && !known->second.number) {
        missed_.add({turn.file, pending.seen_as()});
        given_before_missed_ = std::min(given_before_missed_, pending.given_before);
        known_.erase(known);  // it may come again
    }
}

void PendingDumps::try_due(Clock::time_point now, bool last, const UseDump& use) {
    // Folders may have changed since the last time, so their operators' dumps are listed anew.
    const Round round{now, last, std::make_shared<OpDumpFolders>(), use};
    // Which overflow was first is told once: what comes behind one that waits for its operator is tried with it.
    std::optional<Clock::time_point> held_until;
    for (auto place = pending_.begin(); place != pending_.end();) {
        if (must_stop()) {
            return;
        }
        auto& [turn, pending] = *place;
        if (held_until && pending.due <= now && may_be_held(pending, now)) {
            pending.due = *held_until;
        }
        const Tried tried =
            !last && pending.due > now ? Tried::waits : try_one(turn, pending, known_.find(turn.file)->second, round);
        if (tried != Tried::waits) {
            leave(turn, pending, tried, now);
            place = pending_.erase(place);
            continue;
        }
        if (pending.awaits_operator) {
            held_until = pending.due;
        }
        if (!turn.is_link && pending.place) {
            waiting_files_.insert(*pending.place);
        }
        ++place;
    }
}

/// One that is gone by now stays as it was given.
void PendingDumps::read_again(std::uint64_t number, WatchReason reason, const std::shared_ptr<OpDumpFolders>& op_dumps,
                              const UseDump& use) {
    const std::string file = given_.path_of(number);
    const std::optional<FileVersion> version = version_of(file);
    if (!version) {
        return;
    }
    const std::int64_t began_ns = utc_ns();
    ScannedDump scanned = scan(file, op_dumps);
    if (scanned.tensors.interrupted || (!scanned.dump && is_gone(file))) {
        not_looked_again_ += scanned.tensors.interrupted ? 1U : 0U;
        return;
    }
    given_.remember(number, tree::place_of(file), *version, scanned, seen_by(scanned, began_ns, *op_dumps));
    use(std::move(scanned), number, reason);
}

void PendingDumps::look_again(const UseDump& use) {
    const std::vector<std::uint64_t> numbers = given_.by_folder();
    for (const std::uint64_t number : numbers) {
        if (!must_stop() && given_.is_written_since(number)) {
            read_again(number, WatchReason::written, std::make_shared<OpDumpFolders>(), use);
        }
    }
    std::string folder;
    std::shared_ptr<OpDumpFolders> op_dumps;
    for (auto number = numbers.begin(); number != numbers.end(); ++number) {
        if (must_stop()) {
            not_looked_again_ += static_cast<std::uint64_t>(numbers.end() - number);
            return;
        }
        if (std::string next = tree::folder_of(given_.path_of(*number)); !op_dumps || next != folder) {
            folder = std::move(next);
            op_dumps = std::make_shared<OpDumpFolders>();  // each is listed once, and forgotten behind its last dump
        }
        if (given_.may_differ(*number, *op_dumps, options_.scan.decode.limits)) {
            read_again(*number, WatchReason::looked_again, op_dumps, use);
        }
    }
}

std::uint64_t PendingDumps::unread() const {
    return static_cast<std::uint64_t>(std::count_if(pending_.begin(), pending_.end(), [this](const auto& waiting) {
        return !known_.find(waiting.first.file)->second.number;
    }));
}

}  // namespace opdebug::watch
