// The parts of a scan's HTML page that are text: summary, first overflow, tables, remarks. Each is a piece of HTML with
// all data escaped, or empty where there is nothing to show. Limits bound the size of the page.
#pragma once

#include <string>

#include "report/html/html_table.hpp"
#include "report/scan/scan_page.hpp"

namespace opdebug::report {

std::string html_summary(const ScanPage& page);
std::string html_first(const ScanPage& page);
std::string html_groups(const ScanPage& page);
/// `tensors`: with the verdicts on the operators' tensors.
std::string html_overflows(const std::vector<const ScanEntry*>& timeline, bool tensors);
std::string html_failures(const ScanPage& page);
std::string html_remarks(const ScanPage& page);

}  // namespace opdebug::report
