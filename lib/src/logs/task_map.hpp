// Inside of a task map: the facts of each process, in time order.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/task_map.hpp>

#include "logs/fact.hpp"

namespace opdebug::logs {

/// A line of a log.
struct LogPlace {
    std::uint32_t file = 0;        ///< index into TaskMap::Contents::files
    std::uint64_t line = 0;        ///< from 1
    std::string text;              ///< the line, cut to a sane length
    std::optional<LogKind> log{};  ///< of a line that completes a fact, where it differs from the fact's
};

/// A fact with the line that states it.
struct StoredFact {
    Fact fact;
    std::int64_t tid = -1;
    std::int64_t time_us = 0;  ///< local wall clock of the writer; of the line before when the line has none
    LogPlace place;
    std::optional<LogPlace> submit;        ///< the submit line that gave a launch its final task id
    std::optional<LogPlace> completed_by;  ///< the earlier line of the thread that told what this one lacks
    bool from_saved_map = false;           ///< the line was not read now: the file may be gone
};

using TaskKey = std::pair<std::uint64_t, std::uint64_t>;  ///< stream id, task id

/// A device that the facts must not contradict; nothing: any. Stream ids are given out per device.
using DeviceFilter = std::optional<std::uint64_t>;

/// Everything one process says. Device-side processes (CCECPU) have pids and a clock of their own.
struct Process {
    std::int64_t pid = -1;
    bool on_device = false;
    /// Device-side only, from the path of its log, "device-<device>/device-<host process>_<time>.log".
    std::optional<std::uint64_t> device_id;
    std::optional<std::int64_t> host_pid;
    std::string root;                 ///< folder above debug, run, plog, ...: the logs of one container or host
    bool without_host_lines = false;  ///< no line of the runtime, GE or AscendCL, and none that states anything
    bool states_anything = false;     ///< also when none of its facts was kept, because others were wanted
    std::int64_t first_time_us = 0;
    std::int64_t last_time_us = 0;
    std::vector<StoredFact> facts;  ///< by time, then in file order
    std::map<TaskKey, std::vector<std::size_t>> of_task;
    std::map<std::uint64_t, std::vector<std::size_t>> of_stream;  ///< facts with a stream but no task
    std::vector<std::size_t> of_model_end;                        ///< facts that say that a model is gone
    std::vector<std::int64_t> run_begins;                         ///< when the process id became a new process's
};

}  // namespace opdebug::logs

struct opdebug::TaskMap::Contents {
    std::vector<std::string> files;
    std::set<std::string> damaged_files;   ///< of `files`; not kept in saved maps
    std::vector<logs::Process> processes;  ///< by pid
    std::uint64_t runtime_info_lines = 0;  ///< to explain why nothing was found
    std::uint64_t ge_info_lines = 0;
};
