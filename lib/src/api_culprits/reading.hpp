// Files judged one by one, several at a time.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include <opdebug/api_culprits.hpp>

#include "api_culprits/found.hpp"

namespace opdebug::api_culprits {

/// What became of each file, in the order of the paths; the number of threads changes nothing.
std::vector<Result<FileFacts>> judge_files(const std::vector<std::string>& paths, const ApiOptions& options);

}  // namespace opdebug::api_culprits
