// The one order in which dumps are handed out: that of the bytes of their paths.
#pragma once

#include <vector>

#include "tree/walk.hpp"

namespace opdebug::tree {

/// The places of all dumps of the folders, in path order.
std::vector<DumpPlace> places_in_path_order(const std::vector<WalkedFolder>& folders);

}  // namespace opdebug::tree
