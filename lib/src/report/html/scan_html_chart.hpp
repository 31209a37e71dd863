// The timeline as inline SVG: a lane for each rank, dots coloured and shaped by cause.
#pragma once

#include <string>

#include "report/scan/scan_page.hpp"

namespace opdebug::report {

/// The chart with its legend and notes; empty when nothing can be placed.
std::string html_chart(const std::vector<const ScanEntry*>& timeline);

}  // namespace opdebug::report
