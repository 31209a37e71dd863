// Lines that name no device, in a process that has the same stream id on several: whose stream they speak of.
#include "logs/processes/process_facts.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "logs/lookup/stream_window.hpp"

namespace opdebug::logs {
namespace {

/// Machines have up to 16 devices. A stream id that is set up on more cannot be followed on each: a log with another
/// device in each line would take time with the square of its lines. What lines without device are about stays open
/// then.
constexpr std::size_t kMaxFollowedDevices = 64;

/// When a stream id was open on which device; for each in time order.
using OpenOnDevices = std::map<std::uint64_t, std::vector<Span>>;

/// The devices on which a stream is open then.
std::vector<std::uint64_t> open_at(const OpenOnDevices& spans_of_devices, std::int64_t time_us) {
    std::vector<std::uint64_t> open;
    for (const auto& [device, spans] : spans_of_devices) {
        const auto later = std::upper_bound(spans.begin(), spans.end(), time_us,
                                            [](std::int64_t time, const Span& span) { return time < span.begin; });
        if (later != spans.begin() && (later - 1)->contains(time_us)) {
            open.push_back(device);
        }
    }
    return open;
}

/// In time order.
using FactsOfThreads = std::map<std::int64_t, std::vector<const StoredFact*>>;

/// Those that name a device.
FactsOfThreads lines_with_device(const Process& process, Places facts) {
    FactsOfThreads named;
    for (const std::uint32_t place : facts) {
        const StoredFact& stored = process.facts[place];
        if (stored.fact.device_id && stored.fact.device_id != kOfflineDevice) {
            named[stored.tid].push_back(&stored);
        }
    }
    return named;
}

/// One stream id on several devices, one of which may be the graph compiler's, which has no hardware.
class SharedStreamId {
public:
    SharedStreamId(const Process& process, std::uint64_t stream_id, Places facts) {
        for (const std::uint32_t place : facts) {
            take(process.facts[place]);
        }
        if (!is_followed()) {
            for (auto& [device, spans] : open_) {
                spans.emplace_back();  // it may be open at any time
            }
        } else if (is_shared()) {
            for (auto& [device, spans] : open_) {
                for (const StreamWindow& window : stream_windows(process, stream_id, device)) {
                    spans.push_back(window.span);
                }
            }
            named_ = lines_with_device(process, facts);
        }
    }

    bool is_shared() const noexcept { return open_.size() > 1; }
    /// With the graph compiler, which has a stream of the same id at times.
    bool is_compilers_too() const noexcept { return has_compilers_ && !open_.empty(); }
    bool is_followed() const noexcept { return open_.size() <= kMaxFollowedDevices; }

    /// `of_task`: the lines on the task that name a device; of other tasks none may count, for the map of a few tasks
    /// does not have theirs.
    DeviceFilter device_of(std::int64_t tid, std::int64_t time_us, const FactsOfThreads& of_task) const {
        if (!is_followed()) {
            return std::nullopt;
        }
        const StoredFact* const set_up = last_set_up_by(tid, time_us);
        const DeviceFilter device = set_up != nullptr ? set_up->fact.device_id : DeviceFilter();
        if (device == kOfflineDevice && is_still_compilers(*set_up, time_us)) {
            return device;
        }
        if (!is_shared()) {
            return std::nullopt;
        }
        if (const DeviceFilter named = named_by(tid, time_us, of_task)) {
            return named;
        }
        const std::vector<std::uint64_t> open = open_at(open_, time_us);
        if (open.size() == 1) {
            return open.front();
        }
        return device && std::find(open.begin(), open.end(), *device) != open.end() ? device : DeviceFilter();
    }

private:
    void take(const StoredFact& stored) {
        const DeviceFilter device = stored.fact.device_id;
        if (stored.fact.kind == FactKind::stream_open && device) {
            set_ups_[stored.tid].push_back(&stored);
            if (device != kOfflineDevice) {
                open_[*device] = {};
            } else {
                has_compilers_ = is_compilers_open_ = true;
            }
        } else if (stored.fact.kind == FactKind::stream_close && is_compilers_open_ &&
                   device.value_or(kOfflineDevice) == kOfflineDevice) {
            is_compilers_open_ = false;
            compilers_ends_.push_back(stored.time_us);
        }
    }

    /// The device of the thread's last line on the stream or the task that names one, else of its next one: the set-up
    /// there may be lost. Lines after a release or before a set-up are of another life of the stream.
    DeviceFilter named_by(std::int64_t tid, std::int64_t time_us, const FactsOfThreads& of_task) const {
        const StoredFact* last = nullptr;
        const StoredFact* next = nullptr;
        for (const FactsOfThreads* const facts : {&named_, &of_task}) {
            const auto of_thread = facts->find(tid);
            if (of_thread == facts->end()) {
                continue;
            }
            const auto later = later_than(of_thread->second, time_us);
            if (later != of_thread->second.begin() && (last == nullptr || last->time_us <= (*(later - 1))->time_us)) {
                last = *(later - 1);
            }
            if (later != of_thread->second.end() && (next == nullptr || (*later)->time_us < next->time_us)) {
                next = *later;
            }
        }
        if (last != nullptr && last->fact.kind != FactKind::stream_close) {
            return last->fact.device_id;
        }
        return next != nullptr && next->fact.kind != FactKind::stream_open ? next->fact.device_id : DeviceFilter();
    }

    /// Null: the thread set the stream up at no time before.
    const StoredFact* last_set_up_by(std::int64_t tid, std::int64_t time_us) const {
        const auto of_thread = set_ups_.find(tid);
        if (of_thread == set_ups_.end()) {
            return nullptr;
        }
        const auto later = later_than(of_thread->second, time_us);
        return later == of_thread->second.begin() ? nullptr : *(later - 1);
    }

    static std::vector<const StoredFact*>::const_iterator later_than(const std::vector<const StoredFact*>& facts,
                                                                     std::int64_t time_us) {
        return std::upper_bound(facts.begin(), facts.end(), time_us,
                                [](std::int64_t time, const StoredFact* a) { return time < a->time_us; });
    }

    /// The compiler mostly releases no stream (real log of 2023-07): its thread may work on another device since, where
    /// it did before.
    bool is_still_compilers(const StoredFact& set_up, std::int64_t time_us) const {
        const auto end = std::upper_bound(compilers_ends_.begin(), compilers_ends_.end(), set_up.time_us);
        const auto& of_thread = set_ups_.at(set_up.tid);
        return end != compilers_ends_.end() ? time_us < *end
                                            : std::all_of(of_thread.begin(), of_thread.end(), [](const auto* any) {
                                                  return any->fact.device_id == kOfflineDevice;
                                              });
    }

    FactsOfThreads set_ups_;
    FactsOfThreads named_;                      ///< lines on the stream; empty where it is not shared
    OpenOnDevices open_;                        ///< without the compiler's
    std::vector<std::int64_t> compilers_ends_;  ///< when the compiler released its own
    bool has_compilers_ = false;
    bool is_compilers_open_ = false;  ///< after the facts so far
};

}  // namespace

void infer_devices(Process& process) {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> inferred;
    process.shared_streams.clear();
    for (std::size_t number = 0; number < process.of_stream.size(); ++number) {
        const std::uint64_t stream_id = process.of_stream.key(number);
        const Places facts = process.of_stream.places(number);
        const SharedStreamId stream(process, stream_id, facts);
        if (!stream.is_shared() && !stream.is_compilers_too()) {
            continue;
        }
        const auto infer = [&](Places places, const FactsOfThreads& of_task) {
            for (const std::uint32_t place : places) {
                const StoredFact& stored = process.facts[place];
                const DeviceFilter device =
                    stored.fact.device_id ? DeviceFilter() : stream.device_of(stored.tid, stored.time_us, of_task);
                if (device) {
                    inferred.emplace_back(place, *device);
                }
            }
        };
        infer(facts, {});
        const FactPlaces<TaskKey>& tasks = process.of_task;
        for (std::size_t i = tasks.first_from({stream_id, 0}); i < tasks.size() && tasks.key(i).first == stream_id;
             ++i) {
            infer(tasks.places(i), lines_with_device(process, tasks.places(i)));
        }
        if (stream.is_shared()) {
            process.shared_streams.insert(stream_id);
        }
    }
    for (const auto& [place, device] : inferred) {
        process.facts[place].fact.device_id = device;
    }
}

}  // namespace opdebug::logs
