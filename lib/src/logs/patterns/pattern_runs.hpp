// What follows each run of a pattern's program: by it the matcher knows where the run may end.
#pragma once

#include <cstddef>
#include <vector>

#include "logs/patterns/pattern_program.hpp"

namespace opdebug::logs {

/// The index of what is run next, past captures and jumps.
std::size_t following(const std::vector<Instruction>& code, std::size_t index) noexcept;

/// Looks at what follows each run, and sets `ends_at`, `settled` and what the search for `ends_at` finds.
void settle_runs(PatternProgram& program);

/// Looks at what each choice tries first, and sets `first`.
void settle_choices(PatternProgram& program);

/// Makes a `field` of each capture that is one settled run: a third of the instructions to be run. Comes last.
void join_fields(PatternProgram& program);

}  // namespace opdebug::logs
