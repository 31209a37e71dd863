#include "locate/clock_offset.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "locate/candidates.hpp"
#include "locate/fit_facts.hpp"
#include "locate/report_lines.hpp"
#include "logs/facts/time_gap.hpp"
#include "logs/lookup/map_index.hpp"
#include "tree/folder.hpp"

namespace opdebug::locate_stage {
namespace {

/// Fewer dumps prove nothing: one may be explained by a wrong use.
constexpr std::size_t kFewestVotes = 4;
/// The dump follows the begin of its use by about this: overflows are told right behind the launch.
constexpr std::int64_t kBehindLaunchUs = 1'500;
/// The host's report follows the overflow, and the dump is written beside it.
constexpr std::int64_t kReportNearUs = 20'000;

/// A change of the number of votes at an offset.
struct Step {
    std::int64_t at_us = 0;
    int change = 0;
};

Offsets merged(Offsets offsets) {
    std::sort(offsets.begin(), offsets.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    Offsets joined;
    for (const logs::Span& span : offsets) {
        if (!joined.empty() && span.begin <= joined.back().end) {
            joined.back().end = std::max(joined.back().end, span.end);
        } else {
            joined.push_back(span);
        }
    }
    return joined;
}

std::size_t votes_at(const std::vector<Offsets>& votes, std::int64_t offset) {
    return static_cast<std::size_t>(std::count_if(votes.begin(), votes.end(), [offset](const Offsets& vote) {
        return std::any_of(vote.begin(), vote.end(),
                           [offset](const logs::Span& span) { return span.begin <= offset && offset <= span.end; });
    }));
}

/// Equal clocks are the rule: they are given up only where four votes and a fifth of them are against it.
bool are_equal_clocks_out(std::size_t best, std::size_t at_zero) {
    return best >= at_zero + 4 && 5 * (best - at_zero) > best;
}

}  // namespace

ClockOf clock_of(const logs::Process& process, logs::DeviceFilter device) {
    return {process.root, device, device ? nullptr : &process};
}

ClockOffset offset_of_votes(const std::vector<Offsets>& votes) {
    ClockOffset offset = unknown_offset();
    if (votes.size() < kFewestVotes) {
        return offset;
    }
    std::vector<Step> steps;
    for (const Offsets& vote : votes) {
        for (const logs::Span& span : merged(vote)) {
            steps.push_back({span.begin, 1});
            steps.push_back({span.end + 1, -1});
        }
    }
    std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.at_us < b.at_us; });
    std::int64_t now = 0, best = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        now += steps[i].change;
        if (i + 1 == steps.size() || steps[i + 1].at_us != steps[i].at_us) {
            best = std::max(best, now);
        }
    }
    const auto count = static_cast<std::int64_t>(votes.size());
    const std::int64_t least = best - std::max(1 + count / 30, count - best);
    const bool zero_is_out = are_equal_clocks_out(static_cast<std::size_t>(best), votes_at(votes, 0));
    std::optional<std::int64_t> lowest;
    std::int64_t highest = 0;
    now = 0;
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
        now += steps[i].change;
        if (now >= least && steps[i].at_us != steps[i + 1].at_us) {
            lowest = lowest.value_or(steps[i].at_us);
            highest = steps[i + 1].at_us - 1;
        }
    }
    if (!lowest) {
        return offset;
    }
    offset.lowest_us = zero_is_out ? *lowest : std::min<std::int64_t>(*lowest, 0);
    offset.highest_us = zero_is_out ? highest : std::max<std::int64_t>(highest, 0);
    offset.likely_us = zero_is_out ? std::min(offset.lowest_us + kBehindLaunchUs, offset.highest_us) : 0;
    offset.dumps = votes.size();
    return offset;
}

namespace {

/// The folder's name, which tells files of different folders apart.
std::string folder_name(const WantedDump& dump) {
    return tree::folder_of(dump.file);
}

bool is_dump_before(const WantedDump& a, const WantedDump& b) {
    return std::tie(a.stream_id, a.task_id, a.timestamp_us, a.file) <
           std::tie(b.stream_id, b.task_id, b.timestamp_us, b.file);
}

/// The first dump below each time folder.
std::map<std::string, std::uint64_t> first_times(const std::vector<WantedDump>& dumps) {
    std::map<std::string, std::uint64_t> first;
    for (const WantedDump& dump : dumps) {
        if (dump.path_ids.time && dump.timestamp_us) {
            const auto [known, is_new] = first.try_emplace(*dump.path_ids.time, *dump.timestamp_us);
            known->second = is_new ? known->second : std::min(known->second, *dump.timestamp_us);
        }
    }
    return first;
}

/// Adds what one dump tells: the offsets by which it lies in a use, where all its uses are of one clock.
void add_vote(const std::vector<TaskPlace>& places, const Dump& dump, const TaskQuery& query,
              const TaskMap::Contents& map, const LocateOptions& options,
              std::map<ClockOf, std::vector<Offsets>>& votes) {
    std::map<ClockOf, Offsets> by_clock;
    std::map<ClockOf, Offsets> reported;
    for (const TaskPlace& place : places) {
        if (is_excluded_place(place, dump, map)) {
            continue;
        }
        const std::vector<LocalTime> times = times_in(*place.process, dump, query, map, options);
        if (times.empty() || times.front().unrelated) {
            continue;
        }
        const std::int64_t time_us = times.front().time_us;
        const ClockOf clock = clock_of(*place.process, place.device);
        for_uses_near(place, time_us, unknown_offset(), [&](const logs::TaskUse& use) {
            if (may_be_use_of(use, query)) {
                by_clock[clock].push_back(
                    {std::max(std::max(use.span.begin, logs::kBeginOfTime / 2) - kBorderUs - time_us,
                              -kClockDifferenceUs),
                     use.span.end >= time_us + kClockDifferenceUs ? kClockDifferenceUs
                                                                  : use.span.end + kBorderUs - time_us});
            }
        });
        for (const std::int64_t report_us : report_times(*place.process, place.device, query, map)) {
            const std::int64_t offset = report_us - time_us;
            if (offset >= -kClockDifferenceUs && offset <= kClockDifferenceUs) {
                reported[clock].push_back({offset - kReportNearUs, offset + kReportNearUs});
            }
        }
    }
    if (by_clock.size() == 1) {
        votes[by_clock.begin()->first].push_back(by_clock.begin()->second);
    }
    if (reported.size() == 1 && by_clock.size() <= 1) {
        votes[reported.begin()->first].push_back(reported.begin()->second);
    }
}

/// Whether the dump lies in a use of its ids, and in the log of its process, by a zone.
bool lies_in_use(const std::vector<TaskPlace>& places, const Dump& dump, const TaskQuery& query,
                 const TaskMap::Contents& map, int zone_minutes) {
    constexpr std::int64_t kMinuteUs = 60'000'000;
    const std::int64_t time_us = static_cast<std::int64_t>(*query.timestamp_us) + zone_minutes * kMinuteUs;
    return std::any_of(places.begin(), places.end(), [&](const TaskPlace& place) {
        bool lies = false;
        if (place.process->last_time_us != 0 && covers(span_of(*place.process), time_us) &&
            !is_excluded_place(place, dump, map)) {
            for_uses_near(place, time_us, unknown_offset(),
                          [&](const logs::TaskUse& use) { lies = lies || may_be_use_of(use, query); });
        }
        return lies;
    });
}

/// Counts for each zone the dumps that lie in uses of their ids.
class ZoneVotes {
public:
    void add(const std::vector<TaskPlace>& places, const Dump& dump, const TaskQuery& query,
             const TaskMap::Contents& map) {
        bool is_known = false;
        for (std::size_t i = 0; i < zones_.size(); ++i) {
            const bool lies = lies_in_use(places, dump, query, map, zones_[i]);
            votes_[i] += lies ? 1 : 0;
            is_known = is_known || lies;
        }
        dumps_ += is_known ? 1 : 0;
    }

    /// The one zone that nearly all dumps agree with, where no other has half as many.
    std::optional<int> chosen() const {
        const auto best = std::max_element(votes_.begin(), votes_.end());
        const bool is_alone = std::all_of(votes_.begin(), votes_.end(), [best](const std::size_t& other) {
            return &other == &*best || 2 * other < *best;
        });
        const bool are_enough = *best >= kFewestVotes && 10 * *best >= 9 * dumps_;
        return is_alone && are_enough ? std::optional(zones_[static_cast<std::size_t>(best - votes_.begin())])
                                      : std::nullopt;
    }

private:
    std::vector<int> zones_ = all_zones();
    std::vector<std::size_t> votes_ = std::vector<std::size_t>(zones_.size());
    std::size_t dumps_ = 0;
};

/// What each of the dumps tells, with all uses of its ids.
void for_each_dump(const std::vector<WantedDump>& dumps, const TaskMap::Contents& map,
                   const std::function<void(const std::vector<TaskPlace>&, const Dump&, const TaskQuery&)>& call) {
    std::vector<TaskPlace> places;
    const WantedDump* last = nullptr;
    for (const WantedDump& wanted : dumps) {
        if (!wanted.stream_id || !wanted.task_id || !wanted.timestamp_us) {
            continue;
        }
        if (last == nullptr || last->stream_id != wanted.stream_id || last->task_id != wanted.task_id) {
            places = task_places({*wanted.stream_id, *wanted.task_id}, map);
            last = &wanted;
        }
        Dump dump;
        dump.file = wanted.file;
        dump.path_ids = wanted.path_ids;
        dump.timestamp_us = wanted.timestamp_us;
        TaskQuery query;
        query.stream_id = wanted.stream_id;
        query.task_id = wanted.task_id;
        query.model_id = wanted.model_id;
        query.is_without_model = wanted.is_without_model;
        query.timestamp_us = wanted.timestamp_us;
        call(places, dump, query);
    }
}

}  // namespace
}  // namespace opdebug::locate_stage

namespace opdebug {
inline namespace v0 {

using locate_stage::ClockOf;
using locate_stage::ClockOffset;

ClockOffset ClockEstimate::offset(const ClockOf& clock) const {
    const auto known = offsets.find(clock);
    return known == offsets.end() ? locate_stage::unknown_offset() : known->second;
}

std::vector<std::uint64_t> ClockEstimate::times_of(std::uint64_t stream_id, std::uint64_t task_id) const {
    std::vector<std::uint64_t> times;
    WantedDump first;
    first.stream_id = stream_id;
    first.task_id = task_id;
    for (auto dump = std::lower_bound(dumps.begin(), dumps.end(), first, locate_stage::is_dump_before);
         dump != dumps.end() && dump->stream_id == stream_id && dump->task_id == task_id; ++dump) {
        if (dump->timestamp_us) {
            times.push_back(*dump->timestamp_us);
        }
    }
    return times;
}

bool ClockEstimate::is_of_another(std::uint64_t stream_id, std::uint64_t task_id, const std::string& folder,
                                  std::uint64_t own_us, std::uint64_t time_us) const {
    const auto distance = [time_us](std::uint64_t other) {
        return other < time_us ? time_us - other : other - time_us;
    };
    WantedDump first;
    first.stream_id = stream_id;
    first.task_id = task_id;
    for (auto dump = std::lower_bound(dumps.begin(), dumps.end(), first, locate_stage::is_dump_before);
         dump != dumps.end() && dump->stream_id == stream_id && dump->task_id == task_id; ++dump) {
        if (dump->timestamp_us && *dump->timestamp_us != own_us && distance(*dump->timestamp_us) < distance(own_us) &&
            locate_stage::folder_name(*dump) == folder) {
            return true;
        }
    }
    return false;
}

std::shared_ptr<const ClockEstimate> estimate_clocks(
    std::vector<WantedDump> dumps, const LocateOptions& options,
    const std::function<int(std::optional<std::uint64_t>)>& host_utc_offset_minutes) {
    auto estimate = std::make_shared<ClockEstimate>();
    std::sort(dumps.begin(), dumps.end(), locate_stage::is_dump_before);
    if (options.task_map) {
        const TaskMap::Contents& map = options.task_map->contents();
        if (!options.utc_offset_minutes) {
            locate_stage::ZoneVotes zones;
            locate_stage::for_each_dump(dumps, map, [&](const auto& places, const Dump& dump, const auto& query) {
                zones.add(places, dump, query, map);
            });
            estimate->utc_offset_minutes = zones.chosen();
        }
        const std::map<std::string, std::uint64_t> first = locate_stage::first_times(dumps);
        std::map<ClockOf, std::vector<locate_stage::Offsets>> votes;
        LocateOptions its = options;
        its.clocks = estimate;
        locate_stage::for_each_dump(dumps, map, [&](const auto& places, const Dump& dump, const auto& query) {
            its.host_utc_offset_minutes =
                host_utc_offset_minutes ? host_utc_offset_minutes(dump.timestamp_us) : options.host_utc_offset_minutes;
            its.first_of_time_folder_us =
                dump.path_ids.time ? std::optional(first.at(*dump.path_ids.time)) : std::nullopt;
            locate_stage::add_vote(places, dump, query, map, its, votes);
        });
        for (const auto& [clock, of_clock] : votes) {
            estimate->offsets.emplace(clock, locate_stage::offset_of_votes(of_clock));
        }
    }
    estimate->dumps = std::move(dumps);
    return estimate;
}

}  // namespace v0
}  // namespace opdebug
