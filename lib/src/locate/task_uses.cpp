#include "locate/candidates.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "logs/facts/task_map.hpp"
#include "logs/lookup/map_index.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::FactKind;
using logs::Process;
using logs::StoredFact;
using logs::TaskUse;

TaskNumber number_of(const StoredFact& fact) {
    return fact.fact.task_id_unconfirmed ? TaskNumber::unconfirmed
           : fact.fact.task_id_from_sn   ? TaskNumber::from_serial_number
                                         : TaskNumber::confirmed;
}

bool follows(const TaskUse& earlier, const TaskUse& later) {
    return !earlier.persistent && !later.persistent && earlier.window.span.begin == later.window.span.begin;
}

/// The part of a use from a line on; the use keeps what was before.
TaskUse cut_off(TaskUse& use, std::vector<const StoredFact*>::const_iterator first, std::int64_t time_us) {
    TaskUse later = use;
    later.facts.assign(first, use.facts.cend());
    later.span.begin = time_us;
    use.facts.erase(first, use.facts.cend());
    use.span.end = time_us;
    return later;
}

/// Where no line binds the stream, the same thread's next set-up of it for a model ends a use: a thread works on one
/// device, so the set-ups of others may be of equal streams elsewhere.
std::optional<std::int64_t> next_set_up(const Process& process, const TaskUse& use, logs::Places set_ups) {
    constexpr std::int64_t kBehindUs = 1'000'000;
    if (!use.bindings.empty() || use.facts.empty()) {
        return std::nullopt;
    }
    const std::int64_t since_us = use.facts.front()->time_us + kBehindUs;
    auto next = std::lower_bound(set_ups.begin(), set_ups.end(), since_us,
                                 [&process](auto place, auto time) { return process.facts[place].time_us < time; });
    next = std::find_if(next, set_ups.end(),
                        [&](std::uint32_t place) { return process.facts[place].tid == use.facts.front()->tid; });
    const bool ends = next != set_ups.end() && process.facts[*next].time_us < use.span.end;
    return ends ? std::optional(process.facts[*next].time_us) : std::nullopt;
}

std::vector<TaskUse> ended_at_set_ups(const Process& process, std::uint64_t stream, const TaskMap::Contents& map,
                                      std::vector<TaskUse> uses) {
    const logs::Places set_ups = map.index().facts(process, logs::About::set_up, stream);
    if (set_ups.empty()) {
        return uses;
    }
    std::vector<TaskUse> result;
    for (TaskUse& use : uses) {
        for (auto end_us = next_set_up(process, use, set_ups); end_us; end_us = next_set_up(process, use, set_ups)) {
            const auto first = std::find_if(use.facts.cbegin(), use.facts.cend(),
                                            [&](const StoredFact* fact) { return fact->time_us >= *end_us; });
            TaskUse later = cut_off(use, first, first == use.facts.cend() ? *end_us : (*first)->time_us);
            use.span.end = *end_us;
            result.push_back(std::move(use));
            use = std::move(later);
        }
        if (!use.facts.empty()) {
            result.push_back(std::move(use));
        }
    }
    return result;
}

/// Whether only GE's lines mention the stream, and several threads set it up: on devices that no line names.
bool is_told_by_threads(const Process& process, const std::vector<TaskUse>& uses, logs::Places set_ups) {
    const bool is_ge_alone = std::all_of(uses.begin(), uses.end(), [](const TaskUse& use) {
        return use.bindings.empty() && use.window.opened_by == nullptr;
    });
    return is_ge_alone && !set_ups.empty() && std::any_of(set_ups.begin(), set_ups.end(), [&](std::uint32_t place) {
               return process.facts[place].tid != process.facts[set_ups.front()].tid;
           });
}

/// The uses that the facts with one kind of id make. Facts with the other kinds do not count and do not end a use.
std::vector<TaskUse> uses_by(TaskNumber number, const std::vector<TaskUse>& uses) {
    std::vector<TaskUse> chosen;
    for (const TaskUse& use : uses) {
        std::vector<const StoredFact*> facts;
        std::copy_if(use.facts.begin(), use.facts.end(), std::back_inserter(facts),
                     [number](const StoredFact* fact) { return number_of(*fact) == number; });
        if (!facts.empty()) {
            chosen.push_back(use);
            chosen.back().facts = std::move(facts);
        } else if (!chosen.empty() && follows(chosen.back(), use)) {
            chosen.back().span.end = use.span.end;
        }
    }
    return chosen;
}

/// From one thread's set-up of the stream for a model to its next one, or to the end of that model.
class LoadsOfThread {
public:
    LoadsOfThread(const Process& process, const TaskMap::Contents& map, logs::Places set_ups, std::int64_t tid)
        : process_(process), map_(map) {
        for (const std::uint32_t place : set_ups) {
            if (process.facts[place].tid == tid) {
                set_ups_.push_back(place);
            }
        }
    }

    /// The load that goes on at a time.
    logs::Span at(std::int64_t time_us) const {
        const auto next = std::upper_bound(set_ups_.begin(), set_ups_.end(), time_us,
                                           [&](auto time, auto place) { return time < process_.facts[place].time_us; });
        logs::Span load;
        load.end = next == set_ups_.end() ? load.end : process_.facts[*next].time_us;
        if (next == set_ups_.begin()) {
            return load;
        }
        const StoredFact& set_up = process_.facts[*(next - 1)];
        load.begin = set_up.time_us;
        if (set_up.fact.ge_model_id) {
            const logs::Places ends =
                map_.index().facts(process_, logs::About::end_of_ge_model, *set_up.fact.ge_model_id);
            const auto end = std::upper_bound(ends.begin(), ends.end(), *(next - 1));
            load.end = end == ends.end() ? load.end : std::min(load.end, process_.facts[*end].time_us);
        }
        return load;
    }

private:
    const Process& process_;
    const TaskMap::Contents& map_;
    std::vector<std::uint32_t> set_ups_{};
};

/// The uses by thread: each thread works on one device, and its lines never end uses of another's.
std::map<std::int64_t, std::vector<TaskUse>> uses_by_thread(const Process& process, const std::vector<TaskUse>& uses,
                                                            logs::Places set_ups, const TaskMap::Contents& map) {
    std::map<std::int64_t, std::vector<TaskUse>> by_thread;
    std::map<std::int64_t, LoadsOfThread> loads;
    for (const TaskUse& use : uses) {
        for (const StoredFact* fact : use.facts) {
            std::vector<TaskUse>& known = by_thread[fact->tid];
            const logs::Span load =
                loads.try_emplace(fact->tid, process, map, set_ups, fact->tid).first->second.at(fact->time_us);
            if (known.empty() || known.back().span.end != load.end || !known.back().span.contains(fact->time_us)) {
                known.push_back(use);
                known.back().facts.clear();
                known.back().span = {fact->time_us, load.end};
            }
            known.back().facts.push_back(fact);
        }
    }
    return by_thread;
}

}  // namespace

bool is_report(const StoredFact& fact) noexcept {
    return fact.fact.kind == FactKind::overflow_report || fact.fact.kind == FactKind::task_fault;
}

void add_places(const Process& process, const Lookup& lookup, std::vector<TaskPlace>& places) {
    const logs::TaskKey task = lookup.key();
    const logs::Places set_ups = lookup.index().facts(process, logs::About::set_up, task.first);
    for (const logs::DeviceFilter device : logs::devices_of_task(process, task)) {
        std::vector<TaskUse> uses =
            logs::uses_of_task(process, task, device, *lookup.index().history(process, task.first, device));
        std::erase_if(uses, [](const TaskUse& use) {  // nothing but reports of faults and overflows speaks of it
            return std::all_of(use.facts.begin(), use.facts.end(),
                               [](const StoredFact* fact) { return is_report(*fact); });
        });
        if (is_told_by_threads(process, uses, set_ups)) {
            for (auto& [tid, of_thread] : uses_by_thread(process, uses, set_ups, lookup.map)) {
                places.push_back({&process, device, TaskNumber::confirmed, std::move(of_thread)});
            }
            continue;
        }
        uses = ended_at_set_ups(process, task.first, lookup.map, std::move(uses));
        for (const TaskNumber number :
             {TaskNumber::confirmed, TaskNumber::from_serial_number, TaskNumber::unconfirmed}) {
            std::vector<TaskUse> by_number = uses_by(number, uses);
            if (!by_number.empty()) {
                places.push_back({&process, device, number, std::move(by_number)});
            }
        }
    }
}

std::vector<TaskPlace> task_places(const Lookup& lookup) {
    std::vector<TaskPlace> places;
    for (const std::uint32_t number : lookup.index().processes(logs::About::task, lookup.stream(), lookup.task())) {
        if (!lookup.map.processes[number].on_device) {
            add_places(lookup.map.processes[number], lookup, places);
        }
    }
    return places;
}

Inside inside(const TaskUse& use, std::int64_t time_us, const ClockOffset& offset) {
    const std::int64_t begin = std::max(use.span.begin, logs::kBeginOfTime + kBorderUs) - kBorderUs;
    const std::int64_t end = std::min(use.span.end, logs::kEndOfTime - kBorderUs) + kBorderUs;
    if (time_us + offset.highest_us < begin || time_us + offset.lowest_us >= end) {
        return Inside::never;
    }
    return time_us + offset.lowest_us >= begin && time_us + offset.highest_us < end ? Inside::wholly : Inside::partly;
}

void for_uses_near(const TaskPlace& place, std::int64_t time_us, const ClockOffset& offset,
                   const std::function<void(const TaskUse&)>& call) {
    const std::int64_t last_us = time_us + offset.highest_us + kBorderUs;
    const auto behind = std::upper_bound(place.uses.begin(), place.uses.end(), last_us,
                                         [](std::int64_t time, const TaskUse& use) { return time < use.span.begin; });
    // Uses follow each other; those of unlogged streams may overlap with the one before.
    std::size_t ended = 0;
    for (auto use = std::make_reverse_iterator(behind); use != place.uses.rend() && ended < 2; ++use) {
        if (inside(*use, time_us, offset) != Inside::never) {
            call(*use);
        } else {
            ++ended;
        }
    }
}

}  // namespace opdebug::locate_stage
