// What API dumps show, on the report's page.
#pragma once

#include <string>

#include "report/scan/scan_page.hpp"

namespace opdebug::report {

/// The first culprits, and calls and dumps on one timeline; empty: there is no API dump.
std::string html_api(const ScanPage& page);

}  // namespace opdebug::report
