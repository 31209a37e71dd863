// A dump and the task map to the operator.
#include <opdebug/locate.hpp>

#include "samples.hpp"
#include "stages.hpp"

namespace opdebug::bench {
namespace {

Run prepare_locating() {
    LocateOptions options;
    options.task_map = sample_task_map();
    options.use_op_dumps = false;
    return [options] {
        std::uint64_t located = 0;
        for (const SampleDump& dump : sample_dumps()) {
            located += locate(dump.decoded, options).op.has_value();
        }
        return located;
    };
}

}  // namespace

std::vector<Stage> locate_stages() {
    return {{"locate.in_logs", prepare_locating}};
}

}  // namespace opdebug::bench
