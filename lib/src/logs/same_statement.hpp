// When two lines say the same.
#pragma once

#include "logs/fact.hpp"

namespace opdebug::logs {

/// Whether the facts are equal in all members: read by the same format, with the same numbers and texts.
bool says_the_same(const Fact& a, const Fact& b);

/// Whether the fact begins the life of a task: launch lines, and submit lines of tasks that are no kernels.
bool is_launch(const Fact& fact) noexcept;

}  // namespace opdebug::logs
