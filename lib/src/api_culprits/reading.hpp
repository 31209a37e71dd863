// Files judged one by one, several at a time.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include <opdebug/api_culprits.hpp>

#include "api_culprits/found.hpp"
#include "api_dump/dump_files.hpp"

namespace opdebug::api_culprits {

/// What became of each file, in their order; the number of threads changes nothing.
std::vector<Result<FileFacts>> judge_files(const std::vector<api_dump::FoundDump>& dumps, const ApiOptions& options);

}  // namespace opdebug::api_culprits
