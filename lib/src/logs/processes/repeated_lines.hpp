// Lines that were read or written twice.
#pragma once

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// Drops from facts in time order, keeping the first of each:
///  * lines that were read twice: the same file under two paths, or copied into two folders;
///  * lines that were written twice: GE repeats an event of the run log in the debug log, with another level text and
///    a little later. Equal statements of one thread within a second are one, when nothing else was said about the same
///    task or stream between them, and no model ended. Launches, overflows and set-ups of streams do repeat, so of them
///    only equal lines are dropped;
///  * failures that are told again later (GetError repeats the sentence), until the ids are launched again.
void drop_repeated_lines(StoredFacts& facts);

}  // namespace opdebug::logs
