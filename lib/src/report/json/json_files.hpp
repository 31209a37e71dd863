// The document of the dumps below some paths.
#pragma once

#include <string>
#include <vector>

#include <opdebug/report.hpp>

namespace opdebug::report {

/// "opdebug.files/1". `failures`: given paths and folders that could not be read; `diagnostics`: remarks on names and
/// links.
std::string files_to_json(const std::vector<std::string>& files, const std::vector<Error>& failures,
                          const std::vector<Diagnostic>& diagnostics, const ReportOptions& options);

}  // namespace opdebug::report
