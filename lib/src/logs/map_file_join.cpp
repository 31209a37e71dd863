// Logs and saved maps as one task map.
#include <algorithm>
#include <iterator>
#include <utility>

#include "logs/map_file.hpp"
#include "logs/map_file_layout.hpp"
#include "logs/process_facts.hpp"

namespace opdebug::logs {
namespace {

void shift_files(Process& process, std::uint32_t shift) {
    for (StoredFact& stored : process.facts) {
        stored.place.file += shift;
        for (const map_file::PlaceMember& further : map_file::kPlaces) {
            if (auto& place = stored.*further.member) {
                place->file += shift;
            }
        }
    }
}

/// The map of an earlier hour and the log of the next are of one process: what began in the one ends in the other.
void add_process(Process&& process, std::vector<Process>& processes) {
    const auto same = std::find_if(processes.begin(), processes.end(), [&process](const Process& known) {
        return known.pid == process.pid && known.on_device == process.on_device && known.root == process.root &&
               known.device_id == process.device_id && known.host_pid == process.host_pid;
    });
    if (same == processes.end()) {
        processes.push_back(std::move(process));
        return;
    }
    append(*same, std::move(process));
    index_facts(*same);
}

void add_contents(TaskMap::Contents&& further, TaskMap::Contents& contents) {
    const auto shift = static_cast<std::uint32_t>(contents.files.size());
    std::move(further.files.begin(), further.files.end(), std::back_inserter(contents.files));
    for (Process& process : further.processes) {
        shift_files(process, shift);
        add_process(std::move(process), contents.processes);
    }
    contents.runtime_info_lines += further.runtime_info_lines;
    contents.ge_info_lines += further.ge_info_lines;
}

}  // namespace

std::shared_ptr<const TaskMap> join_maps(std::shared_ptr<const TaskMap> logs, std::vector<TaskMap::Contents> saved) {
    if (saved.empty()) {
        return logs;
    }
    auto contents = std::make_unique<TaskMap::Contents>();
    if (logs != nullptr) {
        *contents = logs->contents();
    }
    for (TaskMap::Contents& further : saved) {
        add_contents(std::move(further), *contents);
    }
    std::stable_sort(contents->processes.begin(), contents->processes.end(), [](const Process& a, const Process& b) {
        return std::pair(a.pid, a.on_device) < std::pair(b.pid, b.on_device);
    });
    return std::make_shared<const TaskMap>(std::move(contents));
}

}  // namespace opdebug::logs
