#include "locate/candidates.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "locate/answers.hpp"
#include "locate/fit.hpp"
#include "logs/facts/task_map.hpp"
#include "logs/lookup/devices.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::Process;
using logs::TaskUse;

/// Folders with the logs of several hosts: two processes have one id at the same time.
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

/// When processes took the record's stream. A device's driver gives ids, so lines of another process end a use.
class Openings {
public:
    explicit Openings(const Lookup& lookup) : lookup_(lookup) {}

    /// When another process took the stream on the device after a time; the end of time: none did.
    std::int64_t next(const Process& process, logs::DeviceFilter device, std::int64_t since_us) {
        if (!device) {
            return logs::kEndOfTime;
        }
        const auto& taken = by_device()[{process.root, *device}];
        auto next = std::upper_bound(taken.begin(), taken.end(), since_us,
                                     [](std::int64_t time, const auto& opening) { return time < opening.first; });
        next = std::find_if(next, taken.end(), [&](const auto& opening) { return opening.second != &process; });
        return next == taken.end() ? logs::kEndOfTime : next->first;
    }

private:
    using ByDevice =
        std::map<std::pair<std::string_view, std::uint64_t>, std::vector<std::pair<std::int64_t, const Process*>>>;

    ByDevice& by_device() {
        if (by_device_) {
            return *by_device_;
        }
        by_device_.emplace();
        SharedRoots shared;
        for (const std::uint32_t number : lookup_.index().processes(logs::About::stream, lookup_.stream())) {
            const Process& process = lookup_.map.processes[number];
            if (process.on_device) {
                continue;
            }
            shared.add(process);
            for (const std::uint32_t place : process.of_stream.of(lookup_.stream())) {
                const logs::StoredFact& fact = process.facts[place];
                const logs::DeviceFilter device = fact.fact.device_id;
                const bool takes = fact.fact.kind == logs::FactKind::stream_open &&
                                   device.value_or(logs::kOfflineDevice) != logs::kOfflineDevice;
                if (takes) {
                    (*by_device_)[{process.root, *device}].emplace_back(fact.time_us, &process);
                }
            }
        }
        std::erase_if(*by_device_, [&shared](const auto& of_device) { return shared.contains(of_device.first.first); });
        for (auto& [device, times] : *by_device_) {
            std::sort(times.begin(), times.end());
        }
        return *by_device_;
    }

    const Lookup& lookup_;
    std::optional<ByDevice> by_device_{};
};

/// The host's own reports of this overflow show its time, where there are as many as dumps of these ids.
std::optional<std::int64_t> reported_time(const TaskPlace& place, const Lookup& lookup, const LocalTime& time,
                                          const ClockOffset& offset) {
    std::vector<std::int64_t> reports = report_times(*place.process, place.device, lookup);
    const auto is_near = [&](std::int64_t local_us) {
        return local_us >= time.time_us + offset.lowest_us && local_us <= time.time_us + offset.highest_us;
    };
    std::erase_if(reports, [&](std::int64_t local_us) { return !is_near(local_us); });
    if (reports.empty() || !lookup.options.clocks) {
        return reports.size() == 1 ? std::optional(reports.front()) : std::nullopt;
    }
    const auto own_us = static_cast<std::int64_t>(*lookup.query.timestamp_us);
    std::size_t before = 0, dumps = 0;
    for (const WantedDump* dump : lookup.options.clocks->dumps_of(lookup.stream(), lookup.task())) {
        const auto dump_us = static_cast<std::int64_t>(*dump->timestamp_us);
        if (is_near(dump_us + time.time_us - own_us)) {
            ++dumps;
            before += dump_us < own_us ? 1U : 0U;
        }
    }
    return dumps == reports.size() && before < dumps ? std::optional(reports[before]) : std::nullopt;
}

Candidate candidate_of(const TaskPlace& place, const TaskUse& use, const Lookup& lookup) {
    Candidate candidate;
    candidate.process = place.process;
    candidate.device = place.device;
    candidate.use = use;
    Fit& fit = candidate.fit;
    fit.number = place.number;
    fit.has_lines = !use.facts.empty();
    fit.host = fit_of_host(*place.process, lookup);
    fit.rank = fit_of_rank(*place.process, lookup);
    fit.device = fit_of_device(*place.process, place.device, lookup, time_in_run(candidate));
    fit.is_of_model = fit_of_kind(use, lookup.query);
    fit.task_type = sent_with_other_type(use, lookup.query) != nullptr ? Agreement::doubtful : Agreement::unknown;
    fit.model_id = fit_of_model(use, lookup.query);
    fit.folder = fit_of_folder(*place.process, lookup.dump);
    fit.process = place.process - lookup.map.processes.data();
    return candidate;
}

/// What the search gathers on its way.
class Search {
public:
    explicit Search(const Lookup& lookup) : lookup_(lookup), openings_(lookup) {}

    /// A process that knows the ids, but has no use of them at the time.
    struct Unanswered {
        TaskPlace place;
        std::int64_t time_us = 0;
    };

    std::vector<Candidate> candidates;
    std::vector<Candidate> without_use;
    std::vector<Unanswered> unanswered;

    void add(const Process& process) {
        constexpr std::size_t kMostUnanswered = 8;
        const std::vector<LocalTime> times = times_in(process, lookup_);
        const bool is_comparable = !times.empty() && !times.front().unrelated;
        const bool has_task = !process.of_task.of(lookup_.key()).empty();
        if (is_comparable && (unanswered.size() >= kMostUnanswered || !has_task) && is_out(process, times)) {
            return;
        }
        const std::size_t before = candidates.size();
        std::vector<TaskPlace> places;
        add_places(process, lookup_, places);
        for (TaskPlace& place : places) {
            if (!add_uses(place, times) && is_comparable) {
                unanswered.push_back({std::move(place), times.front().time_us});
            }
        }
        // Lines on other tasks depend on what was requested.
        if (candidates.size() == before && (has_task || !process.of_stream.of(lookup_.stream()).empty())) {
            add_stream(process, times);
        }
    }

private:
    /// Whether no use of the process can go on at the time: its log begins later, or ended before others took the
    /// stream on its devices. Of a job that was started again thousands of times nearly all are out.
    bool is_out(const Process& process, const std::vector<LocalTime>& times) {
        const std::vector<std::uint64_t>& devices = lookup_.index().devices(process);
        return process.last_time_us != 0 && std::all_of(times.begin(), times.end(), [&](const LocalTime& time) {
                   const std::int64_t earliest_us = time.time_us - kClockDifferenceUs - kBorderUs;
                   const auto is_taken = [&](std::uint64_t device) {
                       return openings_.next(process, device, process.last_time_us) < earliest_us;
                   };
                   return process.first_time_us > time.time_us + kClockDifferenceUs + kBorderUs ||
                          (process.last_time_us < earliest_us && !devices.empty() &&
                           std::all_of(devices.begin(), devices.end(), is_taken));
               });
    }

    /// Adds the uses of one TaskPlace at the possible times; all that may go on, where the times cannot be compared.
    /// Returns whether there are any.
    bool add_uses(const TaskPlace& place, const std::vector<LocalTime>& times) {
        const std::size_t before = candidates.size();
        const bool is_comparable = !times.empty() && !times.front().unrelated;
        for (const LocalTime& time : times) {
            if (is_comparable) {
                add_at(place, time);
            }
        }
        for (const TaskUse& use : place.uses) {
            if (!is_comparable && (use.persistent || (times.empty() && !use.facts.empty()))) {
                candidates.push_back(candidate_of(place, use, lookup_));
            }
        }
        return candidates.size() != before;
    }

    void add_stream(const Process& process, const std::vector<LocalTime>& times) {
        std::vector<TaskPlace> places;
        add_stream_places(process, lookup_, places);
        for (const TaskPlace& place : places) {
            // A stream that is set up only later may have been another one before, whose lines are gone.
            const bool is_over =
                !times.empty() && !place.uses.empty() && place.uses.front().span.begin <= times.front().time_us;
            if (!add_uses(place, times) && is_over) {
                Candidate& known = without_use.emplace_back();
                known.process = &process;
                known.device = place.device;
            }
        }
    }

    /// The uses of one TaskPlace at one of the possible times.
    void add_at(const TaskPlace& place, const LocalTime& time) {
        const Process& process = *place.process;
        ClockOffset offset = lookup_.options.clocks
                                 ? lookup_.options.clocks->offset(clock_of(process, place.device, lookup_))
                                 : unknown_offset();
        const auto reported_us = reported_time(place, lookup_, time, offset);
        if (reported_us) {
            offset.likely_us = *reported_us - time.time_us;
            offset.lowest_us = std::max(offset.lowest_us, offset.likely_us - kReportNearUs);
            offset.highest_us = std::min(offset.highest_us, offset.likely_us + kReportNearUs);
        }
        const bool is_log_over =
            process.last_time_us != 0 && logs::is_gap(process.last_time_us, time.time_us, kBehindLogUs);
        for_uses_near(place, time.time_us, offset, [&](const TaskUse& use) {
            if (is_known(place, use) || (is_log_over && !use.persistent)) {
                return;
            }
            Candidate candidate = candidate_of(place, use, lookup_);
            candidate.time_us = time.time_us;
            candidate.offset = offset;
            candidate.fit.folder_time = fit_of_folder_time(process, lookup_.dump, time.time_us);
            candidate.fit.is_reported = reported_us.has_value();
            candidate.fit.is_zone_inferred = time.is_inferred;
            candidate.fit.begin_us = std::max<std::int64_t>(use.span.begin, 0);
            const std::int64_t last_us =
                std::max(use.span.begin, use.facts.empty() ? process.first_time_us : use.facts.back()->time_us);
            const std::int64_t taken_us = openings_.next(process, place.device, last_us);
            if (taken_us < use.span.end) {
                candidate.use.span.end = candidate.sure_until_us = taken_us;
            }
            if (use.facts.empty()) {  // GE's set-ups after the dump are of later models
                logs::Span& lines = candidate.use.window.span;
                lines.end = std::min(lines.end, time.time_us + kClockDifferenceUs);
            }
            candidate.fit.time = inside(candidate.use, time.time_us, offset);
            const ClockOffset likely{offset.likely_us, offset.likely_us, offset.likely_us};
            candidate.fit.is_at_best_offset = inside(candidate.use, time.time_us, likely) != Inside::never;
            candidates.push_back(std::move(candidate));
        });
    }

    /// In an earlier one of the possible zones.
    bool is_known(const TaskPlace& place, const TaskUse& use) const {
        return std::any_of(candidates.rbegin(), candidates.rend(), [&](const Candidate& known) {
            return known.process == place.process && known.device == place.device && known.fit.number == place.number &&
                   known.use.span.begin == use.span.begin && known.use.facts == use.facts;
        });
    }

    const Lookup& lookup_;
    Openings openings_;
};

/// Applies the table: hard rows first, then soft ones among what remains.
void exclude(TaskSearch& search) {
    std::vector<Candidate>& candidates = search.candidates;
    for (const ExcludeRow& row : exclude_rows()) {
        const bool is_soft = row.agrees != nullptr;
        if (!is_soft || std::any_of(candidates.begin(), candidates.end(),
                                    [&row](const Candidate& candidate) { return row.agrees(candidate.fit); })) {
            exclude_if(search, row.name, [&row](const Candidate& candidate) { return row.excludes(candidate.fit); });
        }
    }
}

}  // namespace

void exclude_if(TaskSearch& search, std::string_view row, const std::function<bool(const Candidate&)>& condition) {
    const auto first =
        std::stable_partition(search.candidates.begin(), search.candidates.end(), std::not_fn(condition));
    for (auto candidate = first; candidate != search.candidates.end(); ++candidate) {
        candidate->row = row;
        search.excluded.push_back(std::move(*candidate));
    }
    search.candidates.erase(first, search.candidates.end());
}

std::optional<std::int64_t> time_in_run(const Candidate& candidate) noexcept {
    return candidate.use.facts.empty() ? candidate.time_us : candidate.use.facts.front()->time_us;
}

TaskSearch search_task(const Lookup& lookup) {
    TaskSearch result;
    Search search(lookup);
    const Process* first_host = nullptr;
    const Process* first_device = nullptr;
    for (const std::uint32_t number : lookup.index().processes(logs::About::stream, lookup.stream())) {
        const Process& process = lookup.map.processes[number];
        const bool has_task = !process.of_task.of(lookup.key()).empty();
        if (process.on_device && has_task) {
            add_device_facts(process, lookup, result);
            first_device = first_device == nullptr ? &process : first_device;
        } else if (!process.on_device) {
            search.add(process);
            first_host = first_host == nullptr && has_task ? &process : first_host;
        }
    }
    result.candidates = std::move(search.candidates);
    std::stable_partition(result.candidates.begin(), result.candidates.end(),
                          [](const Candidate& candidate) { return candidate.fit.has_lines; });
    exclude(result);
    result.without_use = std::move(search.without_use);
    const Process* shown = first_host != nullptr ? first_host : first_device;  // whose clock is reported
    shown = shown != nullptr ? shown : lookup.index().first_with_statements();
    if (result.has_lines()) {
        shown = result.candidates.front().process;
    } else {
        for (const Search::Unanswered& known : search.unanswered) {
            explain_no_use(known.place, lookup, known.time_us, result.reasons);
        }
    }
    if (shown != nullptr) {
        result.utc_offset_minutes = remark_time(times_in(*shown, lookup), span_of(*shown), lookup, result.diagnostics);
    }
    return result;
}

}  // namespace opdebug::locate_stage
