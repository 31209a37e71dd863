// What follows the first dump in a file. The host writes dumps with O_APPEND, so two dumps of one name end up in one
// file.
#pragma once

#include <cstddef>
#include <vector>

#include <opdebug/dump.hpp>

#include "dump/outputs.hpp"

namespace opdebug::dump_stage {

/// Adds the records of further, different dumps behind the first, whose bytes end at `first_end`, and remarks on
/// everything that stands there. Each dump has the bytes up to the next of `begins` (further_dump_begins()) or to the
/// end of the file: what is there of it is decoded. A remark appended_dump stands before every fault of such a dump.
void decode_appended(Bytes bytes, std::size_t first_end, const std::vector<std::size_t>& begins,
                     const StatusCatalogue& catalogue, RecordBudget& budget, Dump& dump);

}  // namespace opdebug::dump_stage
