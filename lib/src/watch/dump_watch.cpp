// Dumps that are new: found by the folders, given when they are whole, judged for what is new about them.
#include <opdebug/watch.hpp>

#include <poll.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "scan/damage.hpp"
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

    void give(ScannedDump&& scanned, const std::function<void(WatchedDump&&)>& use);
    void try_dumps(bool last, const std::function<void(WatchedDump&&)>& use);

    std::vector<std::string> paths;
    WatchOptions options;
    watch::PendingDumps pending;
    watch::WatchedFolders folders;
    watch::News news;
    ScanCounts counts;
    ScanDamage damage;
    std::vector<Diagnostic> diagnostics, told;
};

void DumpWatch::State::give(ScannedDump&& scanned, const std::function<void(WatchedDump&&)>& use) {
    ++counts.dumps;
    switch (scanned.state) {
        case DumpState::overflowed: ++counts.overflowed; break;
        case DumpState::clean: ++counts.clean; break;
        case DumpState::failed: ++counts.failed; break;
    }
    ScanDamage of_this_one;  // dumps come in any order of their paths
    scan_stage::add_damage(scanned, of_this_one);
    scan_stage::add_damage(of_this_one, damage);
    WatchedDump dump;
    dump.item = scan_item_of(scanned);
    dump.scanned = std::move(scanned);
    news.judge(dump);
    use(std::move(dump));
}

/// Tries what is due, or at the last all; tells what was gone.
void DumpWatch::State::try_dumps(bool last, const std::function<void(WatchedDump&&)>& use) {
    pending.try_due(Clock::now(), last, [&](ScannedDump&& scanned) { give(std::move(scanned), use); });
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
    Scan scan;
    scan.inputs = state_->paths;
    scan.counts = state_->counts;
    scan.dumps_found = state_->counts.dumps + state_->pending.waiting();
    scan.complete = state_->pending.waiting() == 0;
    scan.diagnostics = state_->told;
    scan.diagnostics.insert(scan.diagnostics.end(), state_->diagnostics.begin(), state_->diagnostics.end());
    state_->folders.tell(scan);
    scan.damage = state_->damage;
    scan.damage.not_read = state_->pending.waiting();
    scan_stage::tell_damage(scan.damage, true, scan.diagnostics);
    if (!scan.complete) {
        scan.diagnostics.push_back(
            {Severity::warning, "stopped_early",
             fmt::format("the watch was stopped: {} of the dumps found were not read", state_->pending.waiting())});
    }
    return scan;
}

}  // namespace v0
}  // namespace opdebug
