// The numbers of steps, counted from 1 over all epochs, and lines of several processes or with a torn number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "training/formats.hpp"

namespace opdebug::training {

/// Processes that write into one file may be this many steps apart.
constexpr std::uint64_t kStepsApart = 2;

/// Numbers lines one after the other.
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

/// Step lines by their index in `facts`, with their steps.
using NumberedLines = std::vector<std::pair<std::size_t, std::uint64_t>>;
NumberedLines numbered_lines(const std::vector<const LineFacts*>& facts);

/// Whether several processes wrote the lines: then the step does not rise again and again. At a restart it does so
/// once.
bool has_several_processes(const std::vector<const LineFacts*>& facts, const NumberedLines& steps);

/// Marks step lines whose number does not fit between their neighbours: the number is torn. `count`: of facts.
std::vector<bool> torn_steps(NumberedLines steps, std::size_t count);

}  // namespace opdebug::training
