// Dumps that are new: found by the folders, given when they are whole, judged for what is new about them.
#include <opdebug/watch.hpp>

#include <poll.h>

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "scan/damage.hpp"
#include "scan/dump_counts.hpp"
#include "watch/news.hpp"
#include "watch/pending_dumps.hpp"
#include "watch/watched_folders.hpp"

namespace opdebug {
inline namespace v0 {

using std::chrono::milliseconds;
using watch::Clock;

struct DumpWatch::State {
    State(std::vector<std::string> given, WatchOptions wanted)
        : paths(std::move(given)), options(std::move(wanted)), pending(options), folders(paths, options, pending) {}

    void give(ScannedDump&& scanned, std::uint64_t number, WatchReason reason,
              const std::function<void(WatchedDump&&)>& use);
    void look_for_missed(bool last, const watch::UseDump& use);
    void try_dumps(bool last, const std::function<void(WatchedDump&&)>& use);

    std::vector<std::string> paths;
    WatchOptions options;
    watch::PendingDumps pending;
    watch::WatchedFolders folders;
    watch::News news;
    std::vector<DumpState> states;               ///< by number
    std::map<std::uint64_t, ScanDamage> damage;  ///< of those that are damaged, by number
    std::vector<Diagnostic> diagnostics, told;
};

void DumpWatch::State::give(ScannedDump&& scanned, std::uint64_t number, WatchReason reason,
                            const std::function<void(WatchedDump&&)>& use) {
    states.resize(std::max<std::size_t>(states.size(), number + 1));
    states[number] = scanned.state;
    ScanDamage of_this_one;
    scan_stage::add_damage(scanned, of_this_one);
    damage.erase(number);
    if (of_this_one.damaged != 0 || of_this_one.unmeasured != 0) {
        damage.emplace(number, std::move(of_this_one));
    }
    WatchedDump dump;
    dump.number = number;
    dump.reason = reason;
    dump.item = scan_item_of(scanned);
    dump.scanned = std::move(scanned);
    if (reason != WatchReason::looked_again) {
        news.judge(dump);
    }
    use(std::move(dump));
}

/// A dump is not at its path any more also where its folder was renamed a moment ago (a rank gives the folder of its
/// process the rank's name), and may be moved once more meanwhile.
void DumpWatch::State::look_for_missed(bool last, const watch::UseDump& use) {
    constexpr int kMostLooks = 3;
    std::size_t missed = 0;
    for (int looks = 0; looks < kMostLooks && pending.missed() > missed; ++looks) {
        missed = pending.missed();
        folders.look_now(Clock::now());
        pending.try_due(Clock::now(), last, use);
    }
}

/// Tries what is due, or at the last all; tells what was gone.
void DumpWatch::State::try_dumps(bool last, const std::function<void(WatchedDump&&)>& use) {
    const auto give_on = [&](ScannedDump&& scanned, std::uint64_t number, WatchReason reason) {
        give(std::move(scanned), number, reason, use);
    };
    pending.try_due(Clock::now(), last, give_on);
    look_for_missed(last, give_on);
    if (last) {
        pending.look_again(give_on);
    }
    for (Diagnostic& diagnostic : folders.take_diagnostics()) {
        diagnostics.push_back(std::move(diagnostic));
    }
    if (const std::uint64_t gone = pending.take_gone(); gone != 0) {
        diagnostics.push_back({Severity::warning, "dumps_gone",
                               fmt::format("{} dump{} gone before {} could be read", gone,
                                           gone == 1 ? " was" : "s were", gone == 1 ? "it" : "they")});
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
    for (const auto& due : {state_->folders.next_due(), state_->pending.next_due()}) {
        until = std::min(until, due.value_or(until));
    }
    if (until <= now) {
        return;
    }
    const auto left = std::chrono::ceil<milliseconds>(until - now).count();
    pollfd changed{state_->folders.descriptor(), POLLIN, 0};
    static_cast<void>(::poll(&changed, 1, static_cast<int>(std::min<std::int64_t>(left, 3'600'000))));
}

void DumpWatch::look(const std::function<void(WatchedDump&&)>& use) {
    state_->folders.look(Clock::now());
    state_->try_dumps(false, use);
}

void DumpWatch::finish(const std::function<void(WatchedDump&&)>& use) {
    state_->folders.finish(Clock::now());
    state_->try_dumps(true, use);
}

WatchMethod DumpWatch::method() const noexcept {
    return state_->folders.is_polling() ? WatchMethod::polling : WatchMethod::inotify;
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
    const std::uint64_t unread = state_->pending.unread();
    Scan scan;
    scan.inputs = state_->paths;
    for (const DumpState state : state_->states) {
        scan_stage::count(state, scan.counts);
    }
    scan.dumps_found = scan.counts.dumps + unread;
    scan.complete = unread == 0;
    scan.diagnostics = state_->told;
    scan.diagnostics.insert(scan.diagnostics.end(), state_->diagnostics.begin(), state_->diagnostics.end());
    state_->folders.tell(scan);
    for (const auto& [number, of_one] : state_->damage) {
        scan_stage::add_damage(of_one, scan.damage);
    }
    scan.damage.not_read = unread;
    scan_stage::tell_damage(scan.damage, true, scan.diagnostics);
    if (!scan.complete) {
        scan.diagnostics.push_back({Severity::warning, "stopped_early",
                                    fmt::format("the watch was stopped: {} of the dumps found were not read", unread)});
    }
    if (const std::uint64_t missed = state_->pending.not_looked_again(); missed != 0) {
        scan.diagnostics.push_back(
            {Severity::warning, "not_looked_again",
             fmt::format("the watch was stopped before {} dump{} looked at again: operators' dumps that came later may "
                         "be missing; 'opdebug scan' reads them",
                         missed, missed == 1 ? " was" : "s were")});
    }
    return scan;
}

}  // namespace v0
}  // namespace opdebug
