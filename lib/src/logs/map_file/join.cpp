// Logs and saved maps as one task map.
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "bytes/passed_limit.hpp"
#include "logs/facts/fact_members.hpp"
#include "logs/map_file/map_file.hpp"
#include "logs/processes/process_facts.hpp"

namespace opdebug::logs {
namespace {

void shift_files(Process& process, std::uint32_t shift) {
    for (StoredFact& stored : process.facts) {
        stored.place.file += shift;
        for (const PlaceMember& further : kPlaces) {
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
    JoinedProcesses(std::vector<Process>& processes, std::uint64_t most) : processes_(processes), most_(most) {
        for (std::size_t i = 0; i < processes.size(); ++i) {
            known_.emplace(key_of(processes[i]), i);
        }
    }

    void add(Process&& process) {
        Key key = key_of(process);
        if (const auto same = known_.find(key); same != known_.end()) {
            append(processes_[same->second], std::move(process));
            grown_.insert(same->second);
        } else if (processes_.size() < most_) {
            known_.emplace(std::move(key), processes_.size());
            processes_.push_back(std::move(process));
        } else {
            leaves_out_ = true;
        }
    }
    bool leaves_out() const noexcept { return leaves_out_; }  ///< there were too many

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
    std::uint64_t most_;
    bool leaves_out_ = false;
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

void tell_left_out(const Limits& limits, std::vector<Diagnostic>& diagnostics) {
    constexpr std::string_view kCode = "too_many_processes";
    const bool is_told = std::any_of(diagnostics.begin(), diagnostics.end(),
                                     [&](const Diagnostic& diagnostic) { return diagnostic.code == kCode; });
    if (!is_told) {
        diagnostics.push_back({Severity::warning, std::string(kCode),
                               fmt::format("the saved task maps tell of more than {} processes; what they say of "
                                           "further ones is left out; {}",
                                           limits.processes, bytes::passed_limit(limits, &Limits::processes))});
    }
}

}  // namespace

std::shared_ptr<const TaskMap> join_maps(TaskMap::Packed logs, std::vector<TaskMap::Contents> saved,
                                         const Limits& limits, std::vector<Diagnostic>& diagnostics) {
    if (saved.empty()) {
        return std::make_shared<const TaskMap>(std::make_unique<TaskMap::Packed>(std::move(logs)));
    }
    open_facts(logs, 1);
    auto contents = std::make_unique<TaskMap::Contents>(std::move(logs.contents));
    JoinedProcesses processes(contents->processes, limits.processes);
    for (TaskMap::Contents& further : saved) {
        add_contents(std::move(further), *contents, processes);
    }
    processes.finish();
    if (processes.leaves_out()) {
        tell_left_out(limits, diagnostics);
    }
    std::stable_sort(contents->processes.begin(), contents->processes.end(), [](const Process& a, const Process& b) {
        return std::pair(a.pid, a.on_device) < std::pair(b.pid, b.on_device);
    });
    return std::make_shared<const TaskMap>(std::move(contents));
}

}  // namespace opdebug::logs
