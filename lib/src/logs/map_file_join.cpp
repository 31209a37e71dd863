// Logs and saved maps as one task map.
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
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

/// Puts processes together: the map of an earlier hour and the log of the next are of one process, and what began in
/// the one ends in the other.
class JoinedProcesses {
public:
    explicit JoinedProcesses(std::vector<Process>& processes) : processes_(processes) {
        for (std::size_t i = 0; i < processes.size(); ++i) {
            known_.emplace(key_of(processes[i]), i);
        }
    }

    void add(Process&& process) {
        const auto [same, is_new] = known_.try_emplace(key_of(process), processes_.size());
        if (is_new) {
            processes_.push_back(std::move(process));
            return;
        }
        append(processes_[same->second], std::move(process));
        grown_.insert(same->second);
    }

    void finish() {
        for (const std::size_t process : grown_) {
            index_facts(processes_[process]);
        }
    }

private:
    using Key = std::tuple<std::int64_t, bool, std::string, std::optional<std::uint64_t>, std::optional<std::int64_t>>;
    static Key key_of(const Process& process) {
        return {process.pid, process.on_device, process.root, process.device_id, process.host_pid};
    }

    std::vector<Process>& processes_;
    std::map<Key, std::size_t> known_;
    std::set<std::size_t> grown_;
};

void add_contents(TaskMap::Contents&& further, TaskMap::Contents& contents, JoinedProcesses& processes) {
    const auto shift = static_cast<std::uint32_t>(contents.files.size());
    std::move(further.files.begin(), further.files.end(), std::back_inserter(contents.files));
    for (Process& process : further.processes) {
        shift_files(process, shift);
        processes.add(std::move(process));
    }
    contents.runtime_info_lines += further.runtime_info_lines;
    contents.ge_info_lines += further.ge_info_lines;
}

}  // namespace

std::shared_ptr<const TaskMap> join_maps(TaskMap::Contents logs, std::vector<TaskMap::Contents> saved) {
    auto contents = std::make_unique<TaskMap::Contents>(std::move(logs));
    if (!saved.empty()) {
        JoinedProcesses processes(contents->processes);
        for (TaskMap::Contents& further : saved) {
            add_contents(std::move(further), *contents, processes);
        }
        processes.finish();
        std::stable_sort(contents->processes.begin(), contents->processes.end(),
                         [](const Process& a, const Process& b) {
                             return std::pair(a.pid, a.on_device) < std::pair(b.pid, b.on_device);
                         });
    }
    return std::make_shared<const TaskMap>(std::move(contents));
}

}  // namespace opdebug::logs
