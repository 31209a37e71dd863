#include "report/html/html_timeline.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "report/html/html_axis.hpp"

namespace opdebug::report {
namespace {

constexpr std::size_t kMostLanes = 128;
constexpr std::size_t kStretches = 240;  // of the axis; a dot is about as wide as one
constexpr std::size_t kFewestStretches = 8;

enum class LaneKind { rank, device, folder, none };

/// The key of a dump's lane: a number, a text, or neither when the path does not tell.
struct LaneKey {
    std::optional<std::uint64_t> number;
    std::string text;
    bool operator<(const LaneKey& other) const {
        // Lanes without a key come last.
        return std::make_tuple(!number && text.empty(), number.value_or(0), std::string_view(text)) <
               std::make_tuple(!other.number && other.text.empty(), other.number.value_or(0),
                               std::string_view(other.text));
    }
};

LaneKind lane_kind(const std::vector<const ScanEntry*>& entries) {
    LaneKind kind = LaneKind::none;
    for (const ScanEntry* entry : entries) {
        const PathIds& ids = entry->item.path_ids;
        kind = std::min(kind, ids.rank        ? LaneKind::rank
                              : ids.device_id ? LaneKind::device
                              : ids.time      ? LaneKind::folder
                                              : LaneKind::none);
    }
    return kind;
}

LaneKey key_of(const ScanItem& item, LaneKind kind) {
    switch (kind) {
        case LaneKind::rank: return {item.path_ids.rank, {}};
        case LaneKind::device: return {item.path_ids.device_id, {}};
        case LaneKind::folder: return {std::nullopt, item.path_ids.time.value_or("")};
        case LaneKind::none: break;
    }
    return {};
}

std::string lane_name(LaneKind kind, const LaneKey& first, const LaneKey& last) {
    const char* word = kind == LaneKind::rank ? "rank " : kind == LaneKind::device ? "device " : "";
    const auto text = [](const LaneKey& key) { return key.number ? fmt::to_string(*key.number) : key.text; };
    if (text(last).empty()) {
        return kind == LaneKind::none ? std::string() : "—";  // a dash: the path does not tell
    }
    return first < last ? fmt::format("{}{}–{}", word, text(first), text(last)) : word + text(first);
}

/// Numbers the lanes; several keys that follow each other share a lane when there are too many.
std::map<LaneKey, std::size_t> number_lanes(const std::vector<const ScanEntry*>& entries, LaneKind kind,
                                            std::vector<std::string>& names) {
    std::set<LaneKey> keys;
    for (const ScanEntry* entry : entries) {
        keys.insert(key_of(entry->item, kind));
    }
    const std::size_t shared = (keys.size() + kMostLanes - 1) / kMostLanes;
    std::map<LaneKey, std::size_t> lanes;
    std::size_t index = 0;
    LaneKey first;
    for (const LaneKey& key : keys) {
        if (index % shared == 0) {
            first = key;
            names.emplace_back();
        }
        const bool nameless = !key.number && key.text.empty();
        if (!nameless || index % shared == 0) {
            names.back() = lane_name(kind, first, key);
        }
        lanes[key] = index++ / shared;
    }
    return lanes;
}

TimelineAxis axis_of(const std::vector<const ScanEntry*>& entries) {
    TimelineAxis axis = TimelineAxis::none;
    for (const ScanEntry* entry : entries) {
        if (entry->item.timestamp_us) {
            return TimelineAxis::time;
        }
        axis = entry->item.path_ids.data_index ? TimelineAxis::step : axis;
    }
    return axis;
}

std::optional<std::uint64_t> value_of(const ScanItem& item, TimelineAxis axis) {
    return axis == TimelineAxis::time ? item.timestamp_us : item.path_ids.data_index;
}

/// The most frequent causes, and where each cause id is counted.
std::map<std::string, std::size_t> number_causes(const std::vector<const ScanEntry*>& entries,
                                                 std::vector<std::string>& named) {
    std::map<std::string, std::uint64_t> counts;
    for (const ScanEntry* entry : entries) {
        for (const std::string& cause : cause_ids(entry->item)) {
            ++counts[cause];
        }
    }
    std::vector<std::pair<std::string, std::uint64_t>> ranked(counts.begin(), counts.end());
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::map<std::string, std::size_t> numbers;
    for (std::size_t i = 0; i < ranked.size(); ++i) {
        numbers[ranked[i].first] = std::min(i, kOtherCause);
        if (i < kNamedCauses) {
            named.push_back(ranked[i].first);
        }
    }
    return numbers;
}

/// The kinds of dots of a dump: one for each cause, the others together.
std::set<std::size_t> dots_of(const ScanItem& item, const std::map<std::string, std::size_t>& causes) {
    if (item.state == DumpState::clean) {
        return {kCleanDump};
    }
    std::set<std::size_t> dots;
    for (const std::string& cause : cause_ids(item)) {
        dots.insert(causes.at(cause));
    }
    return dots.empty() ? std::set<std::size_t>{kOtherCause} : dots;
}

AxisSide side_of(std::uint64_t value, const Timeline& timeline) {
    return value < timeline.low ? AxisSide::before : value > timeline.high ? AxisSide::after : AxisSide::inside;
}

/// Where a value lies when the axis is cut into equal stretches, from 1; 0 and the number behind the last are its
/// sides.
std::size_t stretch_of(std::uint64_t value, const Timeline& timeline, std::size_t stretches) {
    const AxisSide side = side_of(value, timeline);
    if (side != AxisSide::inside) {
        return side == AxisSide::before ? 0 : stretches + 1;
    }
    if (timeline.low == timeline.high) {
        return 1;
    }
    const double part = static_cast<double>(value - timeline.low) / static_cast<double>(timeline.high - timeline.low);
    return 1 + std::min(stretches - 1, static_cast<std::size_t>(part * static_cast<double>(stretches)));
}

struct Point {
    std::size_t lane, cause;
    std::uint64_t value;
    const ScanEntry* entry;
};

using MarkKey = std::tuple<std::size_t, std::size_t, std::size_t>;  // lane, stretch, cause

std::map<MarkKey, TimelineMark> fold(const std::vector<Point>& points, const Timeline& timeline,
                                     std::size_t stretches) {
    std::map<MarkKey, TimelineMark> marks;
    for (const Point& point : points) {
        TimelineMark& mark = marks[{point.lane, stretch_of(point.value, timeline, stretches), point.cause}];
        mark.low = mark.count == 0 ? point.value : std::min(mark.low, point.value);
        mark.high = std::max(mark.high, point.value);
        mark.first = mark.first == nullptr ? point.entry : mark.first;
        mark.side = side_of(point.value, timeline);
        mark.lane = point.lane;
        mark.cause = point.cause;
        ++mark.count;
    }
    return marks;
}

/// Marks of one lane and stretch are shown one below the other.
void add_marks(const std::map<MarkKey, TimelineMark>& marks, Timeline& timeline) {
    for (auto at = marks.begin(); at != marks.end();) {
        const auto [lane, stretch, cause] = at->first;
        const auto end = marks.lower_bound({lane, stretch + 1, 0});
        const auto places = static_cast<std::size_t>(std::distance(at, end));
        for (std::size_t place = 0; at != end; ++at, ++place) {
            timeline.marks.push_back(at->second);
            timeline.marks.back().place = place;
            timeline.marks.back().places = places;
            timeline.folded = timeline.folded || at->second.count > 1;
        }
    }
}

/// Dumps with a value; the axis spans what these have in common.
void set_range(const std::vector<const ScanEntry*>& entries, Timeline& timeline) {
    constexpr std::uint64_t kOneDay = 86'400'000'000, kManySteps = 100;
    std::vector<std::uint64_t> values;
    values.reserve(entries.size());
    for (const ScanEntry* entry : entries) {
        if (const auto value = value_of(entry->item, timeline.axis)) {
            values.push_back(*value);
        }
    }
    timeline.without_value = entries.size() - values.size();
    const AxisRange range = axis_range(std::move(values), timeline.axis == TimelineAxis::time ? kOneDay : kManySteps);
    timeline.low = range.low;
    timeline.high = range.high;
}

std::vector<Point> place_points(const std::vector<const ScanEntry*>& entries, LaneKind kind,
                                const std::map<LaneKey, std::size_t>& lanes,
                                const std::map<std::string, std::size_t>& causes, Timeline& timeline) {
    std::vector<Point> points;
    for (const ScanEntry* entry : entries) {
        const std::optional<std::uint64_t> value = value_of(entry->item, timeline.axis);
        if (!value) {
            continue;
        }
        timeline.before += value < timeline.low ? 1U : 0U;
        timeline.after += value > timeline.high ? 1U : 0U;
        for (const std::size_t cause : dots_of(entry->item, causes)) {
            timeline.has_other = timeline.has_other || cause == kOtherCause;
            timeline.has_clean = timeline.has_clean || cause == kCleanDump;
            points.push_back({lanes.at(key_of(entry->item, kind)), cause, *value, entry});
        }
    }
    return points;
}

}  // namespace

Timeline timeline_chart(const std::vector<const ScanEntry*>& entries) {
    Timeline timeline;
    timeline.axis = axis_of(entries);
    if (timeline.axis == TimelineAxis::none) {
        return timeline;
    }
    set_range(entries, timeline);
    const LaneKind kind = lane_kind(entries);
    const std::map<LaneKey, std::size_t> lanes = number_lanes(entries, kind, timeline.lanes);
    const std::map<std::string, std::size_t> causes = number_causes(entries, timeline.causes);
    const std::vector<Point> points = place_points(entries, kind, lanes, causes, timeline);
    std::size_t stretches = kStretches;
    std::map<MarkKey, TimelineMark> marks = fold(points, timeline, stretches);
    while (marks.size() > kMostMarks && stretches > kFewestStretches) {
        stretches /= 2;
        marks = fold(points, timeline, stretches);
    }
    add_marks(marks, timeline);
    return timeline;
}

}  // namespace opdebug::report
