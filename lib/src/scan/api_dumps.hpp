// Dumps of single API calls among the files of a tree.
#pragma once

#include <memory>
#include <optional>

#include <opdebug/scan.hpp>

#include "tree/walk.hpp"

namespace opdebug::scan_stage {

/// What the walk found that is a dump of API calls by its content. One that was given itself is no overflow dump any
/// more, but one of the other files. Nothing: there is none.
std::optional<ApiTree> take_api_dumps(tree::Walk& found, const ScanOptions& options);

/// Reads and judges them. Never fails: what cannot be read is among the failures of the report.
std::shared_ptr<const ApiReport> judge_api_dumps(const ApiTree& tree, const std::vector<std::string>& inputs,
                                                 const ScanOptions& options);

}  // namespace opdebug::scan_stage
