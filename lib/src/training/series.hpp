// From the lines of a file to the steps of its processes: the steps of a series while it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "training/formats.hpp"
#include "training/training.hpp"

namespace opdebug::training {

/// Processes that write into one file may be this many steps apart.
constexpr std::uint64_t kStepsApart = 2;

/// Numbers steps from 1 over all epochs, one line after the other.
class StepNumbers {
public:
    std::optional<std::uint64_t> of(const LineFacts& fact);

    /// The last line was the first one after a restart.
    void restart();

private:
    bool is_zero_based_ = false;                          ///< steps in the epoch
    std::map<std::uint64_t, std::uint64_t> offsets_;      ///< by epoch: steps before it
    std::uint64_t epoch_ = 0, last_in_epoch_ = 0;         ///< the newest epoch
    std::uint64_t epoch_of_line_ = 0, step_of_line_ = 0;  ///< the last line
};

/// A step and what decides how many of its updates were skipped.
struct Item {
    Step step;
    std::optional<std::uint64_t> printed, total;  ///< skipped: in this line; since the start of the process
    std::uint64_t events = 0;                     ///< skipped: lines of events
    bool events_repeated = false;                 ///< several processes may have printed one event
    bool events_uncertain = false;                ///< of this step, or late lines of an earlier one
    bool has_scale = false;                       ///< in this line
    const Format* format = nullptr;               ///< of the step line; null: only events
};

/// The events since the last step line, and the scale. Lines of events without a step belong to the next step line: all
/// frameworks print the update before the line of its step.
class Events {
public:
    struct Pending {
        std::uint64_t skips = 0, falls = 0, growths = 0, applied = 0, line = 0;
        std::uint64_t unnumbered = 0;       ///< skips without a scale, which their process may still print
        bool repeated = false;              ///< a line that another process or a later step may have printed
        bool at_minimum = false;            ///< a skip could not reduce the smallest scale
        bool uncertain = false;             ///< a skip of another step, or the late line of another process
        std::optional<std::uint64_t> step;  ///< of the last skip that has a number
        std::optional<double> scale;
        std::string time;
        bool any() const noexcept { return skips + falls + growths + applied + unnumbered != 0 || uncertain; }
    };

    /// A line of an event. `step`: its own number. Lines of other processes may come after the step line of their
    /// event, the last of `items`.
    void add(const LineFacts& fact, const std::optional<std::uint64_t>& step, std::vector<Item>& items);

    /// A step line: its scale may show a fall or a growth.
    void pass(Step& step);

    /// Moves what the events state to their step.
    void move_to(Item& item);

    /// For the series after a restart: forgets all before the pending events.
    void restart();

    const Pending& pending() const noexcept { return pending_; }
    bool ranks_disagree() const noexcept { return ranks_disagree_; }

private:
    void add_growth(double scale);
    void add_skip(const std::optional<std::uint64_t>& step);
    void add_fall(const LineFacts& fact, double scale, const std::optional<double>& old, std::vector<Item>& items);

    Pending pending_;
    std::optional<double> scale_;
    std::optional<std::uint64_t> scale_rank_;  ///< of the process that printed it
    bool is_scale_of_earlier_step_ = false;
    bool ranks_disagree_ = false;
};

/// Whether the line has no value that the item does not have.
bool adds_nothing(const Item& other, const Item& item);

/// Unites the lines of two processes on one step: the worse value counts.
void unite(const Item& other, Item& item);

/// The most frequent distance of lines is the interval; larger distances are missing lines.
void set_intervals(std::vector<Item>& items, Series& series);

/// Sets how many updates each item skipped, and which losses are hidden. Needs intervals.
void set_skips(std::vector<Item>& items, const Series& series);

/// The lines of one process.
struct ProcessLines {
    std::optional<std::uint64_t> rank;
    std::vector<const LineFacts*> facts;
    std::uint64_t damaged = 0;                ///< that could not be read
    bool are_of_several_processes = false;    ///< which the lines do not distinguish
    std::optional<UnreadFault> unread_fault;  ///< in a line next to those of steps
};

/// The lines of each process. Lines of ranks without step lines belong to the rank that has them.
std::vector<ProcessLines> processes_of(const std::vector<LineFacts>& facts, std::uint64_t damaged);

/// The series of a process, one for each start.
std::vector<Series> series_of(const ProcessLines& lines);

}  // namespace opdebug::training
