// The report on API dumps that are already listed.
#pragma once

#include <string>
#include <vector>

#include <opdebug/api.hpp>

#include "api_culprits/file_facts.hpp"
#include "api_dump/dump_files.hpp"

namespace opdebug::api_culprits {

/// The report on judged files. The same limits as culprits_in().
ApiReport report_on(const api_dump::FoundDumps& dumps, std::vector<Result<FileFacts>>&& judged,
                    const std::vector<std::string>& inputs, const ApiOptions& options);

/// See find_api_culprits(). Never fails: unreadable files are failures in the report, and a stopped report is not
/// complete.
ApiReport culprits_in(const api_dump::FoundDumps& dumps, const std::vector<std::string>& inputs,
                      const ApiOptions& options);

}  // namespace opdebug::api_culprits
