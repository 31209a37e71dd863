// A scan as a page that a person reads in a terminal.
#pragma once

#include <string>

#include <opdebug/scan.hpp>

#include "report/scan/scan_answer.hpp"
#include "report/scan/scan_page.hpp"

namespace opdebug::report {

/// Writes the page piece by piece; ends early when the sink wants no more.
void scan_text(const ScanContents& page, const TextSink& sink);

/// The first overflow: operator, location, margin, causes, file, next step. Empty: there is none.
std::string first_overflow_text(const ScanContents& page, const ScanAnswer& answer);

/// A new overflow of a running job. The first of its rank has location, time, causes and file; others have a line for
/// each new group.
std::string watched_overflow_text(const WatchedOverflow& overflow, const ReportOptions& options);

/// How the overflow reached the other ranks or devices of its step; with ScanLists::ranks all of them.
std::string spread_text(const ScanContents& page, const ScanAnswer& answer);

/// The table of operators.
std::string operators_text(const ScanContents& page, const ScanAnswer& answer);

/// The line of counts, which ends the page.
std::string counts_text(const ScanContents& page, const ScanAnswer& answer);

/// The first 20 chains of which something was measured: a line on the chain, its first dumps and the one that shows the
/// first bad value, marked with '>', and the remarks. Empty without chains.
std::string chains_to_text(const OverflowChains& chains, const ReportOptions& options);

}  // namespace opdebug::report
