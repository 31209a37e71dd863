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
