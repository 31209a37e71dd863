// The tensors of an operator's dump as a table for people.
#pragma once

#include <string>
#include <vector>

#include <opdebug/report.hpp>
#include <opdebug/tensor.hpp>

namespace opdebug::report {

/// A heading line, a line for each tensor, and below it what is to be known about it. Counts that are 0 are left empty,
/// and columns without any content are left out. Empty without tensors.
std::string tensors_table(const std::vector<DumpedTensor>& tensors, const ReportOptions& options);

}  // namespace opdebug::report
