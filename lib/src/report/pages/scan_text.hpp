// A scan as a page that a person reads in a terminal.
#pragma once

#include "report/scan/scan_page.hpp"

namespace opdebug::report {

/// Writes the page piece by piece; ends early when the sink wants no more.
void scan_text(const ScanPage& page, const TextSink& sink);

}  // namespace opdebug::report
