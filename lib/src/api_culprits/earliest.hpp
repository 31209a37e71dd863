// Which findings of a step are the earliest: those that no other happened before, as far as calls between ranks order
// them.
#pragma once

#include <vector>

#include "api_culprits/exchanges.hpp"
#include "api_culprits/timelines.hpp"

namespace opdebug::api_culprits {

struct Earliest {
    struct Place {
        const TimeLine* line;
        const Event* event;
    };
    std::vector<Place> places;   ///< by rank
    bool contradiction = false;  ///< the ranks' calls wait for each other in a circle: an order is missing
};

/// Linear in the number of events.
Earliest earliest_of(const Step& step, const Exchanges& exchanges, bool (*counts)(const Found&));

}  // namespace opdebug::api_culprits
