#include "stages.hpp"

#include <iterator>

namespace opdebug::bench {

std::vector<Stage> all_stages() {
    std::vector<Stage> all;
    for (const auto& stages :
         {dump_stages, tree_stages, api_dump_stages, line_stages, task_map_stages, locate_stages, report_stages}) {
        std::vector<Stage> more = stages();
        all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
    return all;
}

}  // namespace opdebug::bench
