// A log, the map that is saved of it, and one of its tasks.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/logs.hpp>

#include "log_builder.hpp"

namespace opdebug::test {

/// One process with a model of two operators, and a launch next to it.
inline LogText training_log() {
    LogText log;
    log.at(0).set_up_stream(7).at(10).bind(36, 7, "tiny");
    log.at(20).save_dump_task("net/mul_1", 7, 57).at(21).launch(9, 0, "0_1_net/add_2").at(22).sent(9, 12);
    log.at(30).save_dump_task("net/conv_3", 8, 3).at(40).unbind(36, 7, "tiny").at(50).free_stream(7);
    return log;
}

/// The bytes of the saved map of these logs and maps; throws where there are none. Programs without test cases call it.
inline std::string saved(const std::vector<std::string>& paths) {
    Result<IndexedLogs> indexed = index_logs(paths);
    if (!indexed) {
        throw std::runtime_error(to_string(indexed.error()));
    }
    return std::move(indexed->map);
}

/// What is requested: one task.
inline WantedTasks task(std::uint64_t stream, std::uint64_t task) {
    WantedTasks wanted;
    wanted.tasks.emplace_back(stream, task);
    return wanted;
}

}  // namespace opdebug::test
