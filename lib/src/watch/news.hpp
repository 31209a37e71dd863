// What is new about an overflow: its rank, its groups.
#pragma once

#include <set>
#include <string>
#include <tuple>

#include <opdebug/watch.hpp>

#include "scan/place.hpp"

namespace opdebug::watch {

/// Remembers the ranks and groups that were seen.
class News {
public:
    /// Completes a dump whose `scanned` and `item` are there.
    void judge(WatchedDump& dump);

private:
    std::set<scan_stage::Place> places_;
    std::set<std::tuple<std::string, std::string, std::string, std::string>> groups_;
};

}  // namespace opdebug::watch
