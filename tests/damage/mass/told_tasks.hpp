// Tasks that whole lines of damaged logs report, and the dumps that request them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace opdebug::damage {

/// A task that one line reports; no other line has these ids but by a chance of one in many millions.
struct ToldTask {
    std::uint64_t stream;
    std::uint64_t task;
    std::string op;
    std::string line;  ///< with its line break
};
ToldTask told_task(std::uint64_t number);

/// FOLDER/tasks: a sound dump for each task; FOLDER/tasks.tsv: the name of the dump, the operator.
void write_told_tasks(const std::filesystem::path& folder, const std::vector<ToldTask>& tasks);

}  // namespace opdebug::damage
