// The entries of a report in its order.
#pragma once

#include "report/entries/scan_entry.hpp"

namespace opdebug::report {

/// Puts entries in report order, that of comes_before().
void put_in_order(ScanEntries& entries);

}  // namespace opdebug::report
