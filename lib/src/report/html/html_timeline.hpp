// The timeline as a chart, before it is drawn: lanes, a common scale, and marks that stand for one dump or for many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/scan/scan_contents.hpp"

namespace opdebug::report {

/// What lies on the horizontal axis: the dumps' time where any has one, else the step; else there is no chart.
enum class TimelineAxis { none, time, step };

constexpr std::size_t kNamedCauses = 6;  ///< so many have a colour of their own
constexpr std::size_t kOtherCause = kNamedCauses;
constexpr std::size_t kCleanDump = kNamedCauses + 1;
constexpr std::size_t kMostMarks = 4000;

/// Few values far outside the others stand at the edge of the axis, which spans the others.
enum class AxisSide { before, inside, after };

/// The dumps of one lane, one cause and one short stretch of the axis.
struct TimelineMark {
    std::size_t lane = 0;
    std::size_t cause = 0;  ///< index into causes, or kOtherCause or kCleanDump
    std::size_t place = 0;  ///< of the marks of this lane and stretch, and how many there are: they stand one below the
    std::size_t places = 1;  ///< other
    std::uint64_t count = 0;
    AxisSide side = AxisSide::inside;
    std::uint64_t low = 0, high = 0;  ///< values of its dumps
    const ScanEntry* first = nullptr;
};

struct Timeline {
    TimelineAxis axis = TimelineAxis::none;
    std::uint64_t low = 0, high = 0;      ///< what the axis spans
    std::uint64_t before = 0, after = 0;  ///< dumps beside it
    std::vector<std::string> lanes;       ///< names; several ranks share a lane where there are very many
    std::vector<std::string> causes;      ///< ids of those with a colour of their own, most frequent first
    bool has_other = false, has_clean = false;
    std::vector<TimelineMark> marks;  ///< by lane, stretch, cause
    std::uint64_t without_value = 0;  ///< dumps without a time (or step): not drawn
    bool folded = false;              ///< some mark stands for several dumps
};

/// A lane for each rank where there are ranks, else for each device, else for each {time} folder, else one. A dump with
/// two causes gives two marks. `entries` must outlive the timeline.
Timeline timeline_chart(const std::vector<const ScanEntry*>& entries);

}  // namespace opdebug::report
