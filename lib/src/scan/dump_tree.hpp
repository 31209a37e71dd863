// Inside of a DumpTree: what the walk found.
#pragma once

#include <string>
#include <vector>

#include <opdebug/scan.hpp>

#include "tree/walk.hpp"

struct opdebug::DumpTree::Contents {
    std::vector<std::string> inputs;
    tree::Walk found;
};

namespace opdebug::scan_stage {

/// The files of the dumps in path order, each as ScannedDump::file will name it.
std::vector<std::string> files_of(const DumpTree& tree);

}  // namespace opdebug::scan_stage
