// What `opdebug scan` says on standard error beside its report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <opdebug/scan.hpp>

namespace opdebug::tool {

/// One line: how many dumps, and what is wrong with them; of a stopped scan how many of those found were read.
/// `damaged`: dumps that count although they are damaged.
std::string scan_summary(const Scan& scanned, std::uint64_t damaged);

/// What there is where no overflow dump is: "" or "; found there: 2 op dumps ('opdebug tensors' reads such), 1
/// other file".
std::string what_is_there(const ScanCounts& counts);

/// Its part behind the number of dumps: "" or ", 3 overflowed, 1 failed".
std::string findings_of(const Scan& scanned, std::uint64_t damaged);

/// Whether API dumps could not be read, are cut, or a trace was not used. `remarks`: those of the report on them.
bool has_damaged_api_dumps(const Scan& scanned, const std::vector<Diagnostic>& remarks);

/// Traces that are not there. Where there are no API dumps nobody else looks for them, and a
/// wrong name would stay unseen.
std::vector<Error> missing_traces(const std::vector<std::string>& traces);

/// Whether API dumps show where a bad value was born.
bool has_api_culprit(const Scan& scanned);

/// Says which paths and folders could not be read.
void say_failures(const Scan& scanned);

/// The same, and the remarks on the scan: where no report is written, and for a form that has no place for them.
/// `said`: remarks that were said before.
void say_what_is_missing(const Scan& scanned, const std::vector<Diagnostic>& said = {});

/// One line where API dumps have findings: a table of overflow dumps has no place for them.
void say_what_csv_leaves_out(const Scan& scanned);

}  // namespace opdebug::tool
