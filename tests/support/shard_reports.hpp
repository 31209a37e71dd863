// Reports of whole trees and of their shards, for merging.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/report.hpp>

#include "scan_items.hpp"

namespace opdebug::test {

/// What a user wants, of the whole and of its shards alike.
struct ReportRequest {
    bool all = false, tensors = false;
    std::optional<std::uint64_t> first;
    std::string host;
};

/// All forms of a report: JSON, JSON lines, CSV, text, HTML.
constexpr std::array<const char*, 5> form_names{"json", "jsonl", "csv", "text", "html"};
std::array<std::string, 5> all_forms(const ScanReport& report);

/// Scans and finishes a report; of one shard where one is given.
ScanReport scanned_report(const std::vector<std::string>& paths, const ReportRequest& request,
                          std::optional<ScanShard> shard = std::nullopt, bool partial = false);

/// The partial report of a shard, as text.
std::string part_text(const std::vector<std::string>& paths, const ReportRequest& request,
                      std::optional<ScanShard> shard);

/// Merges files; fails the test when nothing can be merged.
Merge merged(const std::vector<std::string>& files, const MergeOptions& options = {});

/// A tree with dumps of several ranks, steps, locations and states, operator dumps, links, converted dumps and files
/// that are none of these; the same for the same seed.
void write_random_tree(const std::string& root, std::uint64_t seed);

}  // namespace opdebug::test
