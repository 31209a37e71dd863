// The lines between: what most of a log of level INFO is made of.
#pragma once

#include "log_builder.hpp"
#include "random.hpp"

namespace opdebug::bench {

/// A line that shows nothing of tasks, in the form of one of the modules.
void add_other_line(test::LogText& log, int thread, test::Random& random);

}  // namespace opdebug::bench
