// Dumps of single API calls among the files of a tree.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/scan.hpp>

#include "api_dump/dump_files.hpp"
#include "tree/walk.hpp"

namespace opdebug::scan_stage {

/// Every shard is to know whether there are API dumps, but shard 0 alone reads them.
bool reads_api_dumps(const std::optional<ScanShard>& shard);

/// What the walk found that is a dump of API calls by its content; the first of them where they are not read. One that
/// was given itself is no overflow dump any more, but one of the other files. Nothing: there is none.
std::optional<api_dump::FoundDumps> take_api_dumps(tree::Walk& found, const ScanOptions& options);

/// Reads and judges them. Never fails: what cannot be read is among the failures of the report.
std::shared_ptr<const ApiReport> judge_api_dumps(const api_dump::FoundDumps& dumps,
                                                 const std::vector<std::string>& inputs, const ScanOptions& options);

}  // namespace opdebug::scan_stage
