// Parts of the page on API dumps, alone and on the page of a scan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/api.hpp>
#include <opdebug/report.hpp>

#include "api_pairs/bench.hpp"
#include "report/scan/scan_api.hpp"

namespace opdebug::report {

/// The page without remarks and counts: first culprits with reason, margin, next step, evidence and call stack, or that
/// there is none; the lists; files that could not be read.
/// `heading`: whether a single culprit begins with its heading.
std::string api_answer_text(const ApiReport& report, const ApiPageOptions& options, bool heading = true);

/// The end of the page: remarks, and "18572 calls in 8 files, 1 step, 8 ranks".
std::string api_end_text(const ApiReport& report, const std::vector<Diagnostic>& remarks,
                         const ApiPageOptions& options);

/// The first bad call of each rank, then other culprits or all findings. Begins with an empty line if there are any.
std::string api_lists_text(const ApiReport& report, const ApiPageOptions& options);

/// The earliest position of a bad call in other ranks of the first culprit's step; empty: there is none.
std::optional<std::uint64_t> first_of_other_ranks(const ApiReport& report);

/// Whether all ranks were read and judged in the same step: otherwise nothing is known of ranks without a finding.
bool is_whole(const ApiReport& report);

/// Whether the report has a remark of this code.
bool has_remark(std::string_view code, const ApiReport& report);

/// Overflow dumps between the calls with findings, by step and rank; empty: there is no such dump.
std::string api_timelines_text(const ScanApi& api, const std::optional<int>& utc_offset_minutes,
                               const ReportOptions& options);

/// The comparison with a benchmark, before the page on API dumps: problem step, breaks, outcome of each step, counts.
std::string bench_to_text(const api_pairs::BenchComparison& bench, const ReportOptions& options);

/// The options of the page on API dumps that belong to those of a scan.
inline ApiPageOptions api_page_options(const ScanReportOptions& options) {
    return {options.report, options.filter, options.all, options.top};
}

}  // namespace opdebug::report
