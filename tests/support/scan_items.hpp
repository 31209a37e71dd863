// Made-up dumps of a scan, for order, groups and reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

#include "payload_builder.hpp"

namespace opdebug::test {

constexpr std::uint64_t second_us = 1'000'000;
/// 2026-03-04 10:00:00 UTC: 20516 days after 1970 (56 years with 14 leap days, January, February, three days).
constexpr std::uint64_t scan_begin_us = (20516ULL * 86400 + 10ULL * 3600) * second_us;

/// An overflowed item, to be changed by the caller. `file` need not exist.
ScanItem overflowed_item(const std::string& file, std::optional<std::uint64_t> step = std::nullopt,
                         std::optional<std::uint64_t> time = std::nullopt);
/// One of {root}/rank_{rank}: another rank is another clock.
ScanItem item_of_rank(std::uint64_t rank, std::optional<std::uint64_t> step, std::optional<std::uint64_t> time);

/// overview_of() of the items brought into report order.
ScanOverview overview_in_order(std::vector<ScanItem> items);

/// The codes of remarks, with ", " between them.
std::string remark_codes(const std::vector<Diagnostic>& remarks);
/// The message of the first remark with that code; empty when there is none.
std::string message_of(const std::vector<Diagnostic>& remarks, std::string_view code);

/// Decodes an AI Core dump as if it lay at this path; overflowed or clean by its status.
ScannedDump scanned_dump(const std::string& file, std::uint64_t status);
ScannedDump scanned_dump(const std::string& file, const AcceleratorPayload& payload);
ScannedDump failed_dump(const std::string& file, ErrorCode code, const std::string& message);

/// Counts by state, with one operator dump and two other files.
Scan scan_of(const std::vector<ScannedDump>& dumps);

/// A report over the dumps, finished.
ScanReport report_of(const std::vector<ScannedDump>& dumps, ScanReportOptions options = {});
ScanReport report_of(const std::vector<ScannedDump>& dumps, const Scan& scan, ScanReportOptions options = {});

using WriteReport = std::optional<Error> (ScanReport::*)(const TextSink&) const;
/// What one of the write functions gives in whole.
std::string written(const ScanReport& report, WriteReport write);

}  // namespace opdebug::test
