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

}  // namespace

void TaskPlace::find_ends() {
    for (const TaskUse& use : uses) {
        ends.push_back(ends.empty() ? use.span.end : std::max(ends.back(), use.span.end));
    }
}

bool is_report(const StoredFact& fact) noexcept {
    return fact.fact.kind == FactKind::overflow_report || fact.fact.kind == FactKind::task_fault;
}

void add_places(const Process& process, const Lookup& lookup, std::vector<TaskPlace>& places) {
    const logs::TaskKey task = lookup.key();
    for (const logs::DeviceFilter device : logs::devices_of_task(process, task)) {
        std::vector<TaskUse> uses =
            logs::uses_of_task(process, task, device, *lookup.index().history(process, task.first, device),
                               lookup.index().devices(process).size() == 1);
        std::erase_if(uses, [](const TaskUse& use) {  // nothing but reports of faults and overflows speaks of it
            return std::all_of(use.facts.begin(), use.facts.end(),
                               [](const StoredFact* fact) { return is_report(*fact); });
        });
        for (const TaskNumber number :
             {TaskNumber::confirmed, TaskNumber::from_serial_number, TaskNumber::unconfirmed}) {
            std::vector<TaskUse> by_number = uses_by(number, uses);
            if (!by_number.empty()) {
                places.push_back({&process, device, number, std::move(by_number)});
                places.back().find_ends();
            }
        }
    }
}

void add_stream_places(const Process& process, const Lookup& lookup, std::vector<TaskPlace>& places) {
    for (const logs::DeviceFilter device : devices_to_search(process, lookup)) {
        TaskPlace& place = places.emplace_back(TaskPlace{&process, device, TaskNumber::confirmed, {}});
        for (const logs::WindowHistory& known : *lookup.index().history(process, lookup.stream(), device)) {
            std::int64_t begin = known.window.span.begin;
            const auto add = [&](const logs::Span& span) -> TaskUse& {
                TaskUse& use = place.uses.emplace_back();
                use.window = known.window;
                use.span = span;
                begin = std::max(begin, span.end);
                return use;
            };
            for (const logs::ModelBinding& binding : known.bindings) {
                if (begin < binding.span.begin) {
                    add({begin, binding.span.begin}).window.span = {begin, binding.span.begin};
                }
                TaskUse& use = add(binding.span);
                use.bindings = {binding};
                use.persistent = true;
            }
            for (const logs::GeLoad& load : known.ge_loads) {
                if (begin < load.span.begin) {
                    add({begin, load.span.begin}).window.span = {begin, load.span.begin};
                }
                add(load.span).window.span = load.span;
            }
            if (begin < known.window.span.end) {
                const logs::Span rest{begin, known.window.span.end};
                add(rest).window.span = rest;
            }
        }
        place.find_ends();
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
    const auto later = std::upper_bound(place.uses.begin(), place.uses.end(), last_us,
                                        [](std::int64_t time, const TaskUse& use) { return time < use.span.begin; });
    const std::int64_t first_us = time_us + offset.lowest_us - kBorderUs;
    for (auto use = static_cast<std::size_t>(later - place.uses.begin()); use-- != 0 && place.ends[use] > first_us;) {
        if (inside(place.uses[use], time_us, offset) != Inside::never) {
            call(place.uses[use]);
        }
    }
}

}  // namespace opdebug::locate_stage
