// A scan as one self-contained HTML file that opens offline (lib/data/report).
#pragma once

#include "report/scan/scan_page.hpp"

namespace opdebug::report {

/// Writes the page piece by piece; ends early when the sink wants no more.
void scan_html(const ScanPage& page, const TextSink& sink);

}  // namespace opdebug::report
