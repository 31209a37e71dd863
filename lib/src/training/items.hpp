// The steps of a series while it is read: intervals, skipped steps and hidden losses need the lines around them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "training/formats.hpp"
#include "training/training.hpp"

namespace opdebug::training {

/// A step and what decides how many of its updates were skipped.
struct Item {
    Step step;
    std::optional<std::uint64_t> printed, total;  ///< skipped: in this line; since the start of the process
    std::uint64_t events = 0;                     ///< skipped: lines of events
    bool events_repeated = false;                 ///< several processes may have printed one event
    bool has_scale = false;                       ///< in this line
    const Format* format = nullptr;
};

/// Unites the lines of two processes on one step: the worse value counts.
void unite(const Item& other, Item& item);

/// The most frequent distance of lines is the interval; larger distances are missing lines.
void set_intervals(std::vector<Item>& items, Series& series);

/// Sets how many updates each item skipped, and which losses are hidden. Needs intervals.
void set_skips(std::vector<Item>& items, const Series& series);

}  // namespace opdebug::training
