// Parts of the page on API dumps, alone and on the page of a scan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/api.hpp>
#include <opdebug/report.hpp>

#include "report/scan/scan_api.hpp"
#include "report/text/labels.hpp"

namespace opdebug::report {

/// "18572 calls in 8 files, 1 step, 8 ranks".
std::string api_counts_text(const ApiReport& report, const ReportOptions& options);

/// The first culprits with reason, margin, next step, evidence and call stack, or that there is none.
std::string api_first_text(const ApiReport& report, const ReportOptions& options);

/// The first bad call of each rank, then other culprits or all findings. Begins with an empty line if there are any.
std::string api_lists_text(const ApiReport& report, const ApiPageOptions& options);

/// The earliest position of a bad call in other ranks of the first culprit's step; empty: there is none.
std::optional<std::uint64_t> first_of_other_ranks(const ApiReport& report);

/// Whether all ranks were read and judged in the same step: otherwise nothing is known of ranks without a finding.
bool is_whole(const ApiReport& report);

/// Whether the report has a remark of this code.
bool has_remark(std::string_view code, const ApiReport& report);

/// Files that could not be read; empty: none.
std::string api_failures_text(const ApiReport& report, const ReportOptions& options);

/// Without a heading.
std::string scan_api_to_text(const ScanApi& api, const ReportOptions& options);

/// The culprits alone, with what could not be read.
std::string scan_api_culprits(const ScanApi& api, const ReportOptions& options);

/// "step 3, rank 0"; what is unknown is said.
std::string api_timeline_place(const ApiTimeline& timeline, Language language);

}  // namespace opdebug::report
