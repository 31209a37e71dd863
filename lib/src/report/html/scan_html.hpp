// A scan as one self-contained HTML file that opens offline (lib/data/report), and the sections of the page. Each
// section is a piece of HTML with all data escaped, or empty where there is nothing to show.
#pragma once

#include <string>

#include <opdebug/chains.hpp>

#include "report/html/html_table.hpp"
#include "report/scan/scan_page.hpp"

namespace opdebug::report {

/// Writes the page piece by piece; ends early when the sink wants no more.
void scan_html(const ScanPage& page, const TextSink& sink);

std::string html_summary(const ScanPage& page);
std::string html_first(const ScanPage& page);
std::string html_groups(const ScanPage& page);
/// `tensors`: with the verdicts on the operators' tensors.
std::string html_overflows(const std::vector<const ScanEntry*>& timeline, bool tensors);
std::string html_failures(const ScanPage& page);
std::string html_remarks(const ScanPage& page);

/// The chart with its legend and notes; empty when nothing can be placed.
std::string html_chart(const std::vector<const ScanEntry*>& timeline);

/// A table with a row for each chain: where it is, how many dumps of which verdict, the first bad value with its
/// reason, and the chain's first dumps to unfold. Empty without chains.
std::string html_chains(const OverflowChains& chains);

/// The first culprits, and calls and dumps on one timeline; empty: there is no API dump.
std::string html_api(const ScanPage& page);

}  // namespace opdebug::report
