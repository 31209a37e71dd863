// Hosts that share the work on one tree, and hosts with trees of their own.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "merge/part.hpp"

namespace opdebug::merge {

/// Hosts that scanned shares of a tree of which other hosts scanned shares, too, and nothing else: where a dump was
/// written they do not tell.
std::set<std::string, std::less<>> sharing_hosts(const std::vector<std::shared_ptr<Part>>& parts);

}  // namespace opdebug::merge
