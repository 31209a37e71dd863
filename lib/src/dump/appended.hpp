// What follows the first dump in a file. The host writes dumps with O_APPEND, so two dumps of one name end up in one
// file.
#pragma once

#include <opdebug/dump.hpp>

#include "container/container.hpp"
#include "dump/outputs.hpp"

namespace opdebug::dump_stage {

/// Adds the records of further, different dumps behind `first`, and a remark for everything behind it. The last one may
/// be cut: what is there of it is decoded. A remark appended_dump stands before every fault of such a dump.
void decode_appended(Bytes bytes, const container::Contents& first, const StatusCatalogue& catalogue,
                     RecordBudget& budget, Dump& dump);

}  // namespace opdebug::dump_stage
