#include "locate/candidates.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "locate/device_lines.hpp"
#include "locate/fit_facts.hpp"
#include "locate/reasons.hpp"
#include "locate/report_lines.hpp"
#include "logs/facts/time_gap.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/visible_devices.hpp"
#include "logs/processes/device_of_lines.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::FactKind;
using logs::Process;
using logs::StoredFact;
using logs::TaskUse;

/// When processes took a stream: ids are given by the driver of a device, so the lines of another process on the stream
/// end a use. By root and device; in time order.
using Openings =
    std::map<std::pair<std::string_view, std::uint64_t>, std::vector<std::pair<std::int64_t, const Process*>>>;

/// Folders with the logs of several hosts: two processes at one time have one id.
class SharedRoots {
public:
    void add(const Process& process) {
        const auto [known, is_new] = last_.try_emplace({process.root, process.pid}, &process);
        if (!is_new && process.first_time_us <= known->second->last_time_us &&
            known->second->first_time_us <= process.last_time_us) {
            roots_.insert(process.root);
        }
        known->second = &process;
    }

    bool contains(std::string_view root) const { return roots_.contains(root); }

private:
    std::map<std::pair<std::string_view, std::int64_t>, const Process*> last_;
    std::set<std::string_view> roots_;
};

Openings openings_of(std::uint64_t stream, const TaskMap::Contents& map) {
    Openings openings;
    SharedRoots shared;
    for (const std::uint32_t number : map.index().processes(logs::About::stream, stream)) {
        const Process& process = map.processes[number];
        if (process.on_device) {
            continue;
        }
        shared.add(process);
        for (const std::uint32_t place : process.of_stream.of(stream)) {
            const StoredFact& fact = process.facts[place];
            const bool takes = fact.fact.kind == FactKind::stream_open && fact.fact.device_id &&
                               *fact.fact.device_id != logs::kOfflineDevice;
            if (takes) {
                openings[{process.root, *fact.fact.device_id}].emplace_back(fact.time_us, &process);
            }
        }
    }
    std::erase_if(openings, [&shared](const auto& of_device) { return shared.contains(of_device.first.first); });
    for (auto& [device, times] : openings) {
        std::sort(times.begin(), times.end());
    }
    return openings;
}

/// When another process took the stream since.
std::optional<std::int64_t> taken_since(const TaskMatch& match, const Openings& openings) {
    if (!match.device) {
        return std::nullopt;
    }
    const auto known = openings.find({match.process->root, *match.device});
    if (known == openings.end()) {
        return std::nullopt;
    }
    const std::int64_t last_us = std::max(
        match.use.span.begin, match.use.facts.empty() ? match.use.span.begin : match.use.facts.back()->time_us);
    const auto& times = known->second;
    auto next = std::upper_bound(times.begin(), times.end(), last_us,
                                 [](std::int64_t time, const auto& opening) { return time < opening.first; });
    next = std::find_if(next, times.end(), [&match](const auto& opening) { return opening.second != match.process; });
    return next == times.end() ? std::nullopt : std::optional(next->first);
}

bool ends_with_a_line(const TaskUse& use) {
    const bool is_closed = use.window.closed_by != nullptr && use.span.end == use.window.span.end;
    const bool is_unbound = !use.bindings.empty() && use.bindings.back().unbound_by != nullptr &&
                            use.bindings.back().span.end == use.span.end;
    return is_closed || is_unbound || use.unloaded_by != nullptr;
}

void set_end(const TaskPlace& place, const TaskUse& use, const Openings& openings, TaskMatch& match) {
    const bool is_last = &use == &place.uses.back();
    const bool is_used_again = !use.persistent && !is_last && (&use + 1)->span.begin == use.span.end;
    match.is_end_seen = ends_with_a_line(use) || is_used_again;
    match.sure_until_us = match.is_end_seen ? use.span.end : logs::kEndOfTime;
    if (const auto taken_us = taken_since(match, openings); taken_us && *taken_us < match.use.span.end) {
        match.use.span.end = *taken_us;
        match.is_end_seen = false;
        match.sure_until_us = *taken_us;
    }
}

/// A process that knows the ids, but has no use of them at the time.
struct Unanswered {
    const TaskPlace* place = nullptr;
    std::int64_t time_us = 0;
};

/// What the search gathers on its way.
struct Gathered {
    std::vector<TaskMatch> at_the_time;
    std::vector<TaskMatch> without_time;  ///< the dump has no time, or one that the log's clock cannot be compared with
    std::vector<Unanswered> unanswered;
    const Process* speaks_best = nullptr;  ///< whose clock is told: one with an answer, else one that knows the ids
    int best_rank = -1;

    void rank(const Process& process, int points) {
        if (points > best_rank) {
            best_rank = points;
            speaks_best = &process;
        }
    }
};

/// The host's own reports of this overflow tell the time, where there are as many as dumps of these ids.
std::optional<std::int64_t> reported_time(const TaskPlace& place, const TaskQuery& query, const LocalTime& time,
                                          const ClockOffset& offset, const TaskMap::Contents& map,
                                          const LocateOptions& options) {
    std::vector<std::int64_t> reports = report_times(*place.process, place.device, query, map);
    const auto is_far = [&](std::int64_t local_us) {
        return local_us < time.time_us + offset.lowest_us || local_us > time.time_us + offset.highest_us;
    };
    reports.erase(std::remove_if(reports.begin(), reports.end(), is_far), reports.end());
    if (reports.empty()) {
        return std::nullopt;
    }
    std::size_t own = 0, dumps = 1;
    if (options.clocks) {
        dumps = 0;
        const std::int64_t shift = time.time_us - static_cast<std::int64_t>(*query.timestamp_us);
        for (const std::uint64_t other : options.clocks->times_of(*query.stream_id, *query.task_id)) {
            const bool is_near = !is_far(static_cast<std::int64_t>(other) + shift);
            own = is_near && other < *query.timestamp_us ? own + 1 : own;
            dumps += is_near ? 1 : 0;
        }
    }
    return dumps == reports.size() && own < reports.size() ? std::optional(reports[own]) : std::nullopt;
}

bool was_over(const TaskUse& use, const Process& process, std::int64_t time_us) {
    return !use.persistent && process.last_time_us != 0 && logs::is_gap(process.last_time_us, time_us, kBehindLogUs);
}

class Search {
public:
    Search(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query, const LocateOptions& options)
        : map_(map), dump_(dump), query_(query), options_(options) {}

    void add(const TaskPlace& place, const std::vector<LocalTime>& times) {
        const bool is_comparable = !times.empty() && !times.front().unrelated;
        if (!is_comparable) {
            add_without_time(place, times.empty());
            return;
        }
        const std::size_t before = gathered.at_the_time.size();
        for (const LocalTime& time : times) {
            add_at(place, time);
        }
        if (gathered.at_the_time.size() == before) {
            gathered.unanswered.push_back({&place, times.front().time_us});
        }
    }

    /// Whether no use of the process can go on at the time: its log begins later, or ended before others took the
    /// stream on its devices. Cheap: of a job that was started anew thousands of times nearly all are out.
    bool is_out(const Process& process, const std::vector<LocalTime>& times) {
        if (times.empty() || times.front().unrelated || process.last_time_us == 0) {
            return false;
        }
        return std::all_of(times.begin(), times.end(), [&](const LocalTime& time) {
            return process.first_time_us > time.time_us + kClockDifferenceUs + kBorderUs ||
                   was_taken(process, time.time_us - kClockDifferenceUs - kBorderUs);
        });
    }

    Gathered gathered;

private:
    bool was_taken(const Process& process, std::int64_t before_us) {
        const std::vector<std::uint64_t>& devices = map_.index().devices(process);
        return process.last_time_us < before_us && !devices.empty() &&
               std::all_of(devices.begin(), devices.end(), [&](std::uint64_t device) {
                   const auto known = openings().find({process.root, device});
                   if (known == openings().end()) {
                       return false;
                   }
                   const auto& taken = known->second;
                   const auto next =
                       std::upper_bound(taken.begin(), taken.end(), process.last_time_us,
                                        [](auto time, const auto& opening) { return time < opening.first; });
                   return next != taken.end() && next->first < before_us;
               });
    }

    TaskMatch match_of(const TaskPlace& place, const TaskUse& use) {
        TaskMatch match;
        match.process = place.process;
        match.device = place.device;
        match.number = place.number;
        match.use = use;
        match.possible_devices = logs::possible_devices(*place.process, use.facts);
        return match;
    }

    void add_without_time(const TaskPlace& place, bool takes_all) {
        for (const TaskUse& use : place.uses) {
            if (use.persistent || takes_all) {
                TaskMatch match = match_of(place, use);
                set_fit(match);
                gathered.without_time.push_back(std::move(match));
            }
        }
    }

    void add_at(const TaskPlace& place, const LocalTime& time) {
        ClockOffset offset =
            options_.clocks ? options_.clocks->offset(clock_of(*place.process, place.device)) : unknown_offset();
        const auto reported_us = reported_time(place, query_, time, offset, map_, options_);
        if (reported_us) {
            constexpr std::int64_t kReportNearUs = 20'000;
            offset.likely_us = *reported_us - time.time_us;
            offset.lowest_us = std::max(offset.lowest_us, offset.likely_us - kReportNearUs);
            offset.highest_us = std::min(offset.highest_us, offset.likely_us + kReportNearUs);
        }
        for_uses_near(place, time.time_us, offset, [&](const TaskUse& use) {
            if (was_over(use, *place.process, time.time_us) || is_known(place, use)) {
                return;
            }
            TaskMatch match = match_of(place, use);
            match.time_us = time.time_us;
            match.offset = offset;
            match.fit.is_reported = reported_us.has_value();
            match.fit.is_zone_inferred = time.is_inferred;
            set_end(place, use, openings(), match);
            match.fit.time = inside(match.use, time.time_us, offset);
            match.fit.is_at_best_offset =
                inside(match.use, time.time_us, {offset.likely_us, offset.likely_us, offset.likely_us}) !=
                Inside::never;
            set_fit(match);
            gathered.at_the_time.push_back(std::move(match));
        });
    }

    /// In an earlier one of the possible zones.
    bool is_known(const TaskPlace& place, const TaskUse& use) const {
        return std::any_of(gathered.at_the_time.rbegin(), gathered.at_the_time.rend(), [&](const TaskMatch& match) {
            return match.process == place.process && match.device == place.device && match.number == place.number &&
                   match.use.span.begin == use.span.begin && match.use.facts == use.facts;
        });
    }

    void set_fit(TaskMatch& match) {
        const auto time_us = time_in_run(match);
        match.fit.host = fit_of_host(*match.process, dump_, map_);
        match.fit.device = fit_of_device(*match.process, match.device, dump_, map_, time_us);
        match.fit.is_of_model = fit_of_kind(match.use, query_);
        match.fit.model_id = fit_of_model(match.use, query_);
        match.fit.folder = fit_of_folder(*match.process, dump_);
        match.fit.folder_time =
            match.time_us
                ? fit_of_folder_time(*match.process,
                                     match.is_end_seen ? std::optional(match.use.span.end) : std::nullopt, dump_)
                : Agreement::unknown;
    }

    const Openings& openings() {
        if (!openings_) {
            openings_ = openings_of(*query_.stream_id, map_);
        }
        return *openings_;
    }

    const TaskMap::Contents& map_;
    const Dump& dump_;
    const TaskQuery& query_;
    const LocateOptions& options_;
    std::optional<Openings> openings_{};
};

/// Applies the table: hard rows first, soft ones among what remains.
void exclude(std::vector<TaskMatch> matches, TaskSearch& search) {
    for (const ExcludeRow& row : exclude_rows()) {
        const bool is_soft = row.agrees != nullptr;
        if (is_soft && std::none_of(matches.begin(), matches.end(),
                                    [&row](const TaskMatch& match) { return row.agrees(match.fit); })) {
            continue;
        }
        const auto first = std::stable_partition(matches.begin(), matches.end(),
                                                 [&row](const TaskMatch& match) { return !row.excludes(match.fit); });
        for (auto match = first; match != matches.end(); ++match) {
            search.excluded.push_back({std::move(*match), row.name});
        }
        matches.erase(first, matches.end());
    }
    search.matches = std::move(matches);
}

/// Whether the log of a device can be about the dump's. Which of the two numbers its folder has where the host process
/// numbers devices itself is not known: both are taken.
bool may_be_of_device(const Process& device_log, logs::DeviceFilter of_dump, const TaskMap::Contents& map) {
    if (!device_log.device_id || !of_dump || device_log.device_id == of_dump) {
        return true;
    }
    const std::vector<const Process*> hosts = hosts_of(device_log, map);
    return std::any_of(hosts.begin(), hosts.end(), [&](const Process* host) {
        return logs::renumbering_of(*host, device_log.device_id, of_dump) != nullptr;
    });
}

void add_device_facts(const Process& process, logs::Places facts, const Dump& dump, const TaskMap::Contents& map,
                      TaskSearch& search) {
    if (fit_of_host(process, dump, map) == Agreement::contradicts) {
        return;
    }
    if (!may_be_of_device(process, dump.path_ids.device_id, map)) {
        search.other_device = process.device_id;
        return;
    }
    for (const std::uint32_t fact : facts) {
        search.device.push_back({&process, &process.facts[fact]});
    }
}

}  // namespace

std::optional<std::int64_t> time_in_run(const TaskMatch& match) noexcept {
    return match.use.facts.empty() ? match.time_us : match.use.facts.front()->time_us;
}

std::vector<logs::DeviceFilter> devices_to_search(const Process& process, const logs::TaskKey& key, const Dump& dump) {
    std::vector<logs::DeviceFilter> devices = logs::devices_of_task(process, key);
    const auto is_other = [&](const logs::DeviceFilter& device) {
        return !logs::is_seen_as(process, device, dump.path_ids.device_id);
    };
    if (!std::all_of(devices.begin(), devices.end(), is_other)) {
        devices.erase(std::remove_if(devices.begin(), devices.end(), is_other), devices.end());
    }
    return devices;
}

logs::Span span_of(const Process& process) {
    return process.last_time_us == 0 ? logs::Span{} : logs::Span{process.first_time_us, process.last_time_us};
}

std::vector<LocalTime> times_in(const Process& process, const Dump& dump, const TaskQuery& query,
                                const TaskMap::Contents& map, const LocateOptions& options) {
    std::vector<LocalTime> times = local_times_of(query.timestamp_us, dump.path_ids.time, span_of(process), options);
    prefer_reported_time(process, dump, query, map, times);
    return times;
}

Evidence evidence_of(const StoredFact& fact, const logs::LogPlace& place, const TaskMap::Contents& map) {
    EvidenceKind kind = EvidenceKind::ge_log;
    switch (place.log.value_or(fact.fact.log)) {
        case logs::LogKind::ge_log: kind = EvidenceKind::ge_log; break;
        case logs::LogKind::runtime_log: kind = EvidenceKind::runtime_log; break;
        case logs::LogKind::device_log: kind = EvidenceKind::device_log; break;
    }
    kind = fact.from_saved_map ? EvidenceKind::task_map : kind;
    // Lines are counted from 1; a saved map that somebody else made may say 0.
    const std::optional<std::uint64_t> line = place.line != 0 ? std::optional(place.line) : std::nullopt;
    return {kind, map.files[place.file], line, place.text};
}

Evidence evidence_of(const StoredFact& fact, const TaskMap::Contents& map) {
    return evidence_of(fact, fact.place, map);
}

bool fits(const DeviceFact& said, const TaskMatch& match) {
    const Process& process = *said.process;
    const bool is_other_device = process.device_id && match.device && process.device_id != match.device &&
                                 !logs::is_seen_as(*match.process, match.device, process.device_id, time_in_run(match));
    // Process ids are given by hosts: a device's log belongs to the process of its own host.
    const bool is_other_process =
        process.host_pid && (process.host_pid != match.process->pid || process.root != match.process->root);
    return !is_other_device && !is_other_process;
}

TaskSearch search_task(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                       const LocateOptions& options) {
    TaskSearch search;
    const logs::TaskKey key{*query.stream_id, *query.task_id};
    Search uses(map, dump, query, options);
    for (const std::uint32_t number : map.index().processes(logs::About::task, key.first, key.second)) {
        const Process& process = map.processes[number];
        if (process.on_device) {
            uses.gathered.rank(process, 1);
            add_device_facts(process, process.of_task.of(key), dump, map, search);
        }
    }
    std::deque<std::vector<TaskPlace>> places;  // where uses stay as long as they are told of
    std::vector<std::pair<const Process*, std::int64_t>> out;
    for (const std::uint32_t number : map.index().processes(logs::About::task, key.first, key.second)) {
        const Process& process = map.processes[number];
        if (process.on_device) {
            continue;
        }
        const std::vector<LocalTime> times = times_in(process, dump, query, map, options);
        uses.gathered.rank(process, 2);
        if (uses.is_out(process, times)) {
            out.emplace_back(&process, times.front().time_us);
            continue;
        }
        add_places(process, key, map, places.emplace_back());
        for (const TaskPlace& place : places.back()) {
            uses.add(place, times);
        }
    }
    Gathered& gathered = uses.gathered;
    exclude(std::move(!gathered.at_the_time.empty() ? gathered.at_the_time : gathered.without_time), search);
    if (const Process* other = map.index().first_with_statements()) {
        gathered.rank(*other, 0);  // knows the ids or not: none that knows them comes behind
    }
    if (search.matches.empty()) {  // of a job's processes nearly all know other uses of the ids, and nobody asks why
        constexpr std::size_t kMostTold = 8;
        for (std::size_t i = 0; i < std::min(out.size(), kMostTold); ++i) {
            std::vector<TaskPlace> of_process;
            add_places(*out[i].first, key, map, of_process);
            for (const TaskPlace& place : of_process) {
                explain_no_use(*place.process, place.uses, query, out[i].second, map, search.diagnostics);
            }
        }
        for (const Unanswered& known : gathered.unanswered) {
            explain_no_use(*known.place->process, known.place->uses, query, known.time_us, map, search.diagnostics);
        }
    } else {
        gathered.speaks_best = search.matches.front().process;
    }
    if (gathered.speaks_best != nullptr) {
        remark_time(times_in(*gathered.speaks_best, dump, query, map, options), span_of(*gathered.speaks_best), query,
                    search.diagnostics);
    }
    return search;
}

}  // namespace opdebug::locate_stage
