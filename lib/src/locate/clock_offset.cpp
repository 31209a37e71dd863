#include "locate/clock.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "locate/answers.hpp"
#include "locate/candidates.hpp"
#include "logs/facts/task_map.hpp"
#include "logs/lookup/map_index.hpp"

namespace opdebug::locate_stage {
namespace {

/// Fewer dumps prove nothing: one may be explained by a wrong use.
constexpr std::size_t kFewestVotes = 4;
/// Typical delay of a dump after the begin of its use: overflows are reported right after the launch.
constexpr std::int64_t kBehindLaunchUs = 1'500;

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

/// The number of votes from an offset to that of the next level.
struct Level {
    std::int64_t from_us = 0;
    std::int64_t votes = 0;
};

std::vector<Level> levels_of(const std::vector<Offsets>& votes) {
    std::map<std::int64_t, std::int64_t> changes;
    for (const Offsets& vote : votes) {
        for (const logs::Span& span : merged(vote)) {
            ++changes[span.begin];
            --changes[span.end + 1];
        }
    }
    std::vector<Level> levels{{std::numeric_limits<std::int64_t>::min(), 0}};
    for (const auto& [at_us, change] : changes) {
        levels.push_back({at_us, levels.back().votes + change});
    }
    return levels;
}

}  // namespace

ClockOf clock_of(const logs::Process& process, logs::DeviceFilter device, const Lookup& lookup) {
    return device ? ClockOf{process.root, device, nullptr}
                  : ClockOf{process.root, lookup.dump.path_ids.device_id, &process};
}

ClockOffset offset_of_votes(const std::vector<Offsets>& votes) {
    ClockOffset offset = unknown_offset();
    if (votes.size() < kFewestVotes) {
        return offset;
    }
    const std::vector<Level> levels = levels_of(votes);
    std::int64_t best = 0, at_zero = 0;
    for (const Level& level : levels) {
        best = std::max(best, level.votes);
        at_zero = level.from_us <= 0 ? level.votes : at_zero;
    }
    if (best == 0) {
        return offset;
    }
    const auto count = static_cast<std::int64_t>(votes.size());
    const std::int64_t least = best - std::max(1 + count / 30, count - best);
    const auto is_likely = [least](const Level& level) { return level.votes >= std::max<std::int64_t>(least, 1); };
    const auto first = std::find_if(levels.begin(), levels.end(), is_likely);
    const auto last = std::find_if(levels.rbegin(), levels.rend(), is_likely);
    const std::int64_t lowest = first->from_us, highest = (last - 1)->from_us - 1;
    // Equal clocks are the rule: they are given up only where four votes and a fifth of them are against it.
    const bool zero_is_out = best >= at_zero + 4 && 5 * (best - at_zero) > best;
    offset.lowest_us = zero_is_out ? lowest : std::min<std::int64_t>(lowest, 0);
    offset.highest_us = zero_is_out ? highest : std::max<std::int64_t>(highest, 0);
    offset.likely_us = zero_is_out ? std::min(offset.lowest_us + kBehindLaunchUs, offset.highest_us) : 0;
    offset.dumps = votes.size();
    return offset;
}

namespace {

bool is_dump_before(const WantedDump& a, const WantedDump& b) {
    return std::tie(a.stream_id, a.task_id, a.timestamp_us, a.file) <
           std::tie(b.stream_id, b.task_id, b.timestamp_us, b.file);
}

/// Adds the vote of one dump: the offsets by which it falls in a use, where all its uses are of one clock.
void add_vote(const std::vector<TaskPlace>& places, const Lookup& lookup,
              std::map<ClockOf, std::vector<Offsets>>& votes) {
    std::map<ClockOf, Offsets> by_clock;
    std::map<ClockOf, Offsets> reported;
    for (const TaskPlace& place : places) {
        if (is_excluded_place(place, lookup)) {
            continue;
        }
        const std::vector<LocalTime> times = times_in(*place.process, lookup);
        if (times.empty() || times.front().unrelated) {
            continue;
        }
        const std::int64_t time_us = times.front().time_us;
        const ClockOf clock = clock_of(*place.process, place.device, lookup);
        for_uses_near(place, time_us, unknown_offset(), [&](const logs::TaskUse& use) {
            if (may_be_use_of(use, lookup.query)) {
                by_clock[clock].push_back(
                    {std::max(std::max(use.span.begin, logs::kBeginOfTime / 2) - kBorderUs - time_us,
                              -kClockDifferenceUs),
                     use.span.end >= time_us + kClockDifferenceUs ? kClockDifferenceUs
                                                                  : use.span.end + kBorderUs - time_us});
            }
        });
        for (const std::int64_t report_us : report_times(*place.process, place.device, lookup)) {
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

/// Whether the dump falls in a use of its ids, and in the log of its process, by a zone.
bool lies_in_use(const std::vector<TaskPlace>& places, const Lookup& lookup, int zone_minutes) {
    const std::int64_t time_us = static_cast<std::int64_t>(*lookup.query.timestamp_us) + zone_minutes * kMinuteUs;
    return std::any_of(places.begin(), places.end(), [&](const TaskPlace& place) {
        bool lies = false;
        if (place.process->last_time_us != 0 && covers(span_of(*place.process), time_us) &&
            !is_excluded_place(place, lookup)) {
            for_uses_near(place, time_us, unknown_offset(),
                          [&](const logs::TaskUse& use) { lies = lies || may_be_use_of(use, lookup.query); });
        }
        return lies;
    });
}

/// Counts for each zone the dumps that lie in uses of their ids.
class ZoneVotes {
public:
    void add(const std::vector<TaskPlace>& places, const Lookup& lookup) {
        bool is_known = false;
        for (std::size_t i = 0; i < zones_.size(); ++i) {
            const bool lies = lies_in_use(places, lookup, zones_[i]);
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

/// Each dump with known ids and time, and all uses of its ids. `options` may be changed by the call.
void for_each_dump(const std::vector<WantedDump>& dumps, const LocateOptions& options,
                   const std::function<void(const std::vector<TaskPlace>&, const Lookup&)>& call) {
    std::vector<TaskPlace> places;
    std::optional<logs::TaskKey> last;
    for (const WantedDump& wanted : dumps) {
        if (!wanted.stream_id || !wanted.task_id || !wanted.timestamp_us) {
            continue;
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
        const Lookup lookup{dump, query, options.task_map->contents(), options};
        if (last != lookup.key()) {
            places = task_places(lookup);
            last = lookup.key();
        }
        call(places, lookup);
    }
}

/// The zone and the offsets that the dumps show. `of_host`: the machine's zone at a time; may be null.
void estimate_from(const std::vector<WantedDump>& dumps, LocateOptions options,
                   const std::function<int(std::optional<std::uint64_t>)>& of_host,
                   const std::shared_ptr<ClockEstimate>& estimate) {
    if (!options.utc_offset_minutes) {
        ZoneVotes zones;
        for_each_dump(dumps, options, [&](const auto& places, const Lookup& lookup) { zones.add(places, lookup); });
        estimate->utc_offset_minutes = zones.chosen();
    }
    std::map<ClockOf, std::vector<Offsets>> votes;
    options.clocks = estimate;
    for_each_dump(dumps, options, [&](const auto& places, const Lookup& lookup) {
        options.host_utc_offset_minutes = of_host ? of_host(lookup.dump.timestamp_us) : options.host_utc_offset_minutes;
        add_vote(places, lookup, votes);
    });
    for (const auto& [clock, of_clock] : votes) {
        estimate->offsets.emplace(clock, offset_of_votes(of_clock));
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

std::optional<std::uint64_t> ClockEstimate::first_of_folder(const std::string& time_folder) const {
    const auto known = first_times.find(time_folder);
    return known == first_times.end() ? std::nullopt : std::optional(known->second);
}

std::vector<const WantedDump*> ClockEstimate::dumps_of(std::uint64_t stream_id, std::uint64_t task_id) const {
    std::vector<const WantedDump*> found;
    WantedDump first;
    first.stream_id = stream_id;
    first.task_id = task_id;
    for (auto dump = std::lower_bound(dumps.begin(), dumps.end(), first, locate_stage::is_dump_before);
         dump != dumps.end() && dump->stream_id == stream_id && dump->task_id == task_id; ++dump) {
        if (dump->timestamp_us) {
            found.push_back(&*dump);
        }
    }
    return found;
}

std::shared_ptr<const ClockEstimate> estimate_clocks(
    std::vector<WantedDump> dumps, const LocateOptions& options,
    const std::function<int(std::optional<std::uint64_t>)>& host_utc_offset_minutes) {
    auto estimate = std::make_shared<ClockEstimate>();
    std::sort(dumps.begin(), dumps.end(), locate_stage::is_dump_before);
    for (const WantedDump& dump : dumps) {
        if (dump.path_ids.time && dump.timestamp_us) {
            std::uint64_t& first_us =
                estimate->first_times.try_emplace(*dump.path_ids.time, *dump.timestamp_us).first->second;
            first_us = std::min(first_us, *dump.timestamp_us);
        }
    }
    if (options.task_map) {
        locate_stage::estimate_from(dumps, options, host_utc_offset_minutes, estimate);
    }
    estimate->dumps = std::move(dumps);
    return estimate;
}

}  // namespace v0
}  // namespace opdebug
