// What parts tell of their scans → the scan of which all are parts.
#pragma once

#include <vector>

#include <opdebug/scan.hpp>

#include "report/parts/part_lines.hpp"

namespace opdebug::merge {

/// Adds to what the dumps of the parts gave: counts of what is no dump, inputs, failures and remarks.
void put_together(const std::vector<report::PartFacts>& parts, Scan& scan);

}  // namespace opdebug::merge
