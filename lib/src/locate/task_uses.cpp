#include "locate/task_uses.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "locate/operator_lines.hpp"
#include "logs/facts/launch_lines.hpp"
#include "logs/facts/time_gap.hpp"
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

/// Inside a binding ids are unique, and each format tells of a task once, when it is set up: the same one again much
/// later, is of another set-up, whose binding may be lost.
constexpr std::int64_t kOneSetUpUs = 50'000;

bool is_of_set_up(const StoredFact& fact) {
    return logs::is_launch(fact.fact) ||
           (fact.fact.kind == FactKind::operator_of_task && statement_of(fact.fact) == Statement::graph_task);
}

/// The first line of a further set-up of the task in a use of a model; null: there is none.
const StoredFact* further_set_up(const TaskUse& use) {
    std::set<std::string_view> formats;
    std::optional<std::int64_t> last_us;
    for (const StoredFact* fact : use.facts) {
        if (!is_of_set_up(*fact)) {
            continue;
        }
        const bool is_new = formats.insert(fact->fact.format_id).second;
        if (!is_new && last_us && logs::is_gap(*last_us, fact->time_us, kOneSetUpUs)) {
            return fact;
        }
        last_us = fact->time_us;
    }
    return nullptr;
}

/// Divides a use of a model where the task was set up again.
void add_divided(TaskUse use, std::vector<TaskUse>& uses) {
    while (const StoredFact* again = use.persistent ? further_set_up(use) : nullptr) {
        TaskUse later = use;
        const auto is_earlier = [again](const StoredFact* fact) { return fact->time_us < again->time_us; };
        const auto first = std::partition_point(use.facts.begin(), use.facts.end(), is_earlier);
        later.facts.assign(first, use.facts.end());
        later.span.begin = again->time_us;
        use.facts.erase(first, use.facts.end());
        use.span.end = again->time_us;
        uses.push_back(std::move(use));
        use = std::move(later);
    }
    uses.push_back(std::move(use));
}

std::vector<TaskUse> divided(std::vector<TaskUse> uses) {
    if (std::none_of(uses.begin(), uses.end(),
                     [](const TaskUse& use) { return use.persistent && further_set_up(use) != nullptr; })) {
        return uses;  // nearly always
    }
    std::vector<TaskUse> result;
    for (TaskUse& use : uses) {
        add_divided(std::move(use), result);
    }
    return result;
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
            TaskUse earlier = use;
            const auto first = std::partition_point(use.facts.begin(), use.facts.end(),
                                                    [&](const StoredFact* fact) { return fact->time_us < *end_us; });
            use.facts.erase(use.facts.begin(), first);
            earlier.facts.resize(earlier.facts.size() - use.facts.size());
            earlier.span.end = *end_us;
            result.push_back(std::move(earlier));
            if (use.facts.empty()) {
                break;
            }
            use.span.begin = use.facts.front()->time_us;
        }
        if (!use.facts.empty()) {
            result.push_back(std::move(use));
        }
    }
    return result;
}

/// Whether GE's lines alone tell of the stream, and several threads set it up: on devices that no line names.
bool is_told_by_threads(const Process& process, const std::vector<TaskUse>& uses, logs::Places set_ups) {
    const bool is_ge_alone = std::all_of(uses.begin(), uses.end(), [](const TaskUse& use) {
        return use.bindings.empty() && use.window.opened_by == nullptr;
    });
    return is_ge_alone && !set_ups.empty() && std::any_of(set_ups.begin(), set_ups.end(), [&](std::uint32_t place) {
               return process.facts[place].tid != process.facts[set_ups.front()].tid;
           });
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

/// The uses that one thread tells of: each thread works on one device, and its lines never end uses of another's.
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

std::vector<TaskUse> uses_by(TaskNumber number, const std::vector<TaskUse>& uses) {
    const auto is_its = [number](const StoredFact* fact) { return number_of(*fact) == number; };
    std::vector<TaskUse> chosen;
    for (const TaskUse& use : uses) {
        std::vector<const StoredFact*> facts;  // most lines are of one kind: for the others nothing is copied
        std::copy_if(use.facts.begin(), use.facts.end(), std::back_inserter(facts), is_its);
        if (!facts.empty()) {
            chosen.push_back({use.span, use.persistent, use.window, use.bindings, std::move(facts)});
        } else if (!chosen.empty() && follows(chosen.back(), use)) {
            chosen.back().span.end = use.span.end;
        }
    }
    return chosen;
}

std::optional<TaskNumber> only_number_of(const std::vector<TaskUse>& uses) {
    std::optional<TaskNumber> only;
    for (const TaskUse& use : uses) {
        for (const StoredFact* fact : use.facts) {
            const TaskNumber number = number_of(*fact);
            if (only && *only != number) {
                return std::nullopt;
            }
            only = number;
        }
    }
    return only;
}

bool is_report(const StoredFact& fact) noexcept {
    return fact.fact.kind == FactKind::overflow_report || fact.fact.kind == FactKind::task_fault;
}

std::vector<TaskUse> telling_uses(std::vector<TaskUse> uses) {
    const auto only_reports = [](const TaskUse& use) {
        return std::all_of(use.facts.begin(), use.facts.end(), [](const StoredFact* fact) { return is_report(*fact); });
    };
    uses.erase(std::remove_if(uses.begin(), uses.end(), only_reports), uses.end());
    return uses;
}

void add_places(const Process& process, const logs::TaskKey& task, const TaskMap::Contents& map,
                std::vector<TaskPlace>& places) {
    const logs::Places set_ups = map.index().facts(process, logs::About::set_up, task.first);
    for (const logs::DeviceFilter device : logs::devices_of_task(process, task)) {
        std::vector<TaskUse> uses = divided(
            telling_uses(logs::uses_of_task(process, task, device, *map.index().history(process, task.first, device))));
        if (is_told_by_threads(process, uses, set_ups)) {
            for (auto& [tid, of_thread] : uses_by_thread(process, uses, set_ups, map)) {
                places.push_back({&process, device, TaskNumber::confirmed, std::move(of_thread)});
            }
            continue;
        }
        uses = ended_at_set_ups(process, task.first, map, std::move(uses));
        if (const std::optional<TaskNumber> only = only_number_of(uses)) {
            places.push_back({&process, device, *only, std::move(uses)});
            continue;
        }
        for (const TaskNumber number :
             {TaskNumber::confirmed, TaskNumber::from_serial_number, TaskNumber::unconfirmed}) {
            std::vector<TaskUse> by_number = uses_by(number, uses);
            if (!by_number.empty()) {
                places.push_back({&process, device, number, std::move(by_number)});
            }
        }
    }
}

std::vector<TaskPlace> task_places(const logs::TaskKey& task, const TaskMap::Contents& map) {
    std::vector<TaskPlace> places;
    for (const std::uint32_t number : map.index().processes(logs::About::task, task.first, task.second)) {
        if (!map.processes[number].on_device) {
            add_places(map.processes[number], task, map, places);
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
