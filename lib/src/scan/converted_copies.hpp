// Converted outputs in other folders than the dump that they were made from must not count as a second dump.
#pragma once

#include <opdebug/scan.hpp>

#include "tree/walk.hpp"

namespace opdebug::scan_stage {

/// Takes converted dumps out of the walk whose binary is found too, wherever it lies: of the same name, with the
/// records that a converter writes of it. Ids that the converted dump's folders state must be those of the binary's
/// folders, for ranks may have dumps of one name and content. They are counted as other files, and told
/// (converted_copies). Of `options`, `stop` and `decode` are used; a dump that cannot be read is no copy.
void leave_out_converted_copies(tree::Walk& found, const ScanOptions& options);

}  // namespace opdebug::scan_stage
