// The training step of an overflow, from the times of step lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "training/training.hpp"

namespace opdebug::training {

/// When an overflow happened, and in which rank.
struct OverflowTime {
    std::uint64_t timestamp_us = 0;
    std::optional<std::uint64_t> rank;
};

/// How overflows are joined with steps. `assumed`: the times of the log are read in the zone of this machine.
enum class Alignment : std::uint8_t { unknown, assumed, by_time };
std::string_view to_string(Alignment alignment) noexcept;

/// The zone of the times in the logs.
struct StepAlignment {
    Alignment alignment = Alignment::unknown;
    int utc_offset_minutes = 0;               ///< unless unknown
    std::vector<int> other_zones;             ///< whole hours that fit, if the zone is not known
    std::uint64_t inside = 0, overflows = 0;  ///< overflows between the first and the last time, of all
    bool fits = true;                         ///< false: the log has times, and the overflows are not inside
    LocalizedText because;
};

/// The training step of one overflow.
struct TrainingStep {
    Alignment alignment = Alignment::unknown;
    std::optional<std::uint64_t> step;  ///< the last possible one
    std::uint64_t steps = 1;            ///< possible ones
    std::optional<bool> skipped;        ///< whether its update was skipped; empty: not known
    LocalizedText because;
};

/// Times of step lines. A value: it does not refer to the logs.
class StepTimes {
public:
    explicit StepTimes(const std::vector<Run>& runs);

    /// `known`: the zone of the logs, from the user or from the dumps. Otherwise the zone of this machine is used if at
    /// least 90 % of the overflows are then inside the logs: `by_time` if no other whole hour fits, else `assumed`.
    StepAlignment align(const std::vector<OverflowTime>& overflows, std::optional<int> known, int of_machine) const;

    /// Whether the update was skipped is known if it is the same in all zones that fit; without any, if all steps were
    /// skipped, or all applied.
    TrainingStep step_of(const OverflowTime& overflow, const StepAlignment& alignment) const;

private:
    /// Between two lines with consecutive numbers.
    struct Interval {
        std::int64_t begin_us = 0, end_us = 0;  ///< in the zone of the log
        std::uint64_t step = 0;                 ///< the last one
        std::uint64_t steps = 1;
        std::optional<bool> skipped;
        std::size_t changes = 0;  ///< of `skipped`, in the intervals up to this one
    };
    /// Intervals of one run; a time that goes back begins a new piece.
    struct Piece {
        std::optional<std::uint64_t> rank;
        std::vector<Interval> intervals;
    };

    void add_pieces_of(const Run& run);
    std::uint64_t count_inside(const std::vector<std::int64_t>& times, int minutes) const;
    TrainingStep step_in_zone(const OverflowTime& overflow, int minutes) const;
    bool add_steps_of(const Piece& piece, std::int64_t time, TrainingStep& found) const;

    std::vector<Piece> pieces_;
    std::optional<bool> all_skipped_;  ///< empty: the steps differ, or one is not known
};

}  // namespace opdebug::training
