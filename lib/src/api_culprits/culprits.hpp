// The report on dumps of API calls that were found already.
#pragma once

#include <string>
#include <vector>

#include <opdebug/api.hpp>

#include "api_dump/dump_files.hpp"

namespace opdebug::api_culprits {

/// As find_api_culprits(). Never fails: what cannot be read is among the failures, and what was stopped is not
/// complete.
ApiReport culprits_in(const api_dump::FoundDumps& dumps, const std::vector<std::string>& inputs,
                      const ApiOptions& options);

}  // namespace opdebug::api_culprits
