// The training step of an overflow, from the times of step lines.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "training/training.hpp"

namespace opdebug::training {

/// When an overflow happened, and in which rank.
struct OverflowTime {
    std::uint64_t timestamp_us = 0;
    std::optional<std::uint64_t> rank;
};

/// The zone of the times in the logs.
struct StepAlignment {
    std::optional<int> utc_offset_minutes;    ///< empty: not known, or several fit
    std::uint64_t inside = 0, overflows = 0;  ///< overflows between the first and the last time, of all
    LocalizedText because;
};

/// The training step of one overflow.
struct TrainingStep {
    bool is_by_time = false;            ///< otherwise `step` is empty
    std::optional<std::uint64_t> step;  ///< the last possible one
    std::uint64_t steps = 1;            ///< possible ones
    std::optional<bool> skipped;        ///< whether its update was skipped; empty: not known
    LocalizedText because;
};

/// Times of step lines. A value: it does not refer to the logs.
class StepTimes {
public:
    explicit StepTimes(const std::vector<Run>& runs);

    /// Without `utc_offset_minutes`: the only offset of whole quarter hours with which at least 90 % of the overflows
    /// are inside the logs.
    StepAlignment align(const std::vector<OverflowTime>& overflows, std::optional<int> utc_offset_minutes) const;

    /// Without an offset only a log whose steps were all skipped, or all applied, has an answer.
    TrainingStep step_of(const OverflowTime& overflow, const StepAlignment& alignment) const;

private:
    struct Interval {
        std::int64_t begin_us = 0, end_us = 0;  ///< in the zone of the log; the line before, and its own
        std::optional<std::uint64_t> step;
        std::uint64_t steps = 1;
        std::optional<bool> skipped;
    };
    struct TimedRun {
        std::optional<std::uint64_t> rank;
        std::vector<Interval> intervals;  ///< in the order of time
    };

    std::vector<TimedRun> runs_;
    std::optional<bool> all_skipped_;  ///< empty: the steps differ, or one is not known
};

}  // namespace opdebug::training
