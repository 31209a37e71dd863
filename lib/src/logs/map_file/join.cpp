// Logs and saved maps as one task map.
#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "bytes/passed_limit.hpp"
#include "logs/facts/fact_members.hpp"
#include "logs/map_file/joined_runs.hpp"
#include "logs/map_file/map_file.hpp"
#include "logs/processes/process_facts.hpp"
#include "tree/folder.hpp"

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

/// What the files from one on tell, without its times.
PieceOfProcess piece_of_files(const std::vector<std::string>& files, std::uint32_t begin_file) {
    std::set<std::string> folders;
    for (std::size_t file = begin_file; file < files.size(); ++file) {
        folders.insert(tree::folder_of(files[file]));
    }
    return {begin_file, 0, 0, std::make_shared<const std::set<std::string>>(std::move(folders))};
}

/// Puts processes together: the map of an earlier hour and the log of the next are of one process, and what began in
/// the one ends in the other.
class JoinedProcesses {
public:
    /// `files`: of all processes that there are.
    JoinedProcesses(std::vector<Process>& processes, const std::vector<std::string>& files, std::uint64_t most)
        : processes_(processes), most_(most) {
        const PieceOfProcess piece = piece_of_files(files, 0);
        for (std::size_t i = 0; i < processes.size(); ++i) {
            known_.emplace(key_of(processes[i]), i);
            pieces_.push_back({of_process(processes[i], piece)});
        }
    }

    void add(Process&& process, const PieceOfProcess& of_files) {
        Key key = key_of(process);
        const PieceOfProcess piece = of_process(process, of_files);
        if (const auto same = known_.find(key); same != known_.end()) {
            append(processes_[same->second], std::move(process));
            pieces_[same->second].push_back(piece);
        } else if (processes_.size() < most_) {
            known_.emplace(std::move(key), processes_.size());
            processes_.push_back(std::move(process));
            pieces_.push_back({piece});
        } else {
            leaves_out_ = true;
        }
    }
    bool leaves_out() const noexcept { return leaves_out_; }  ///< there were too many

    void finish(const std::vector<std::string>& files) {
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            if (pieces_[i].size() > 1) {
                find_joined_runs(processes_[i], std::move(pieces_[i]), files);
                index_facts(processes_[i]);
            }
        }
    }

private:
    using Key = std::tuple<std::int64_t, bool, std::string, std::optional<std::uint64_t>, std::optional<std::int64_t>>;
    static Key key_of(const Process& process) {
        return {process.pid, process.on_device, process.root, process.device_id, process.host_pid};
    }
    static PieceOfProcess of_process(const Process& process, PieceOfProcess piece) {
        piece.first_us = process.first_time_us;
        piece.last_us = process.last_time_us;
        return piece;
    }

    std::vector<Process>& processes_;
    std::uint64_t most_;
    bool leaves_out_ = false;
    std::map<Key, std::size_t> known_;
    std::vector<std::vector<PieceOfProcess>> pieces_;  ///< of each process
};

void add_contents(TaskMap::Contents&& further, TaskMap::Contents& contents, JoinedProcesses& processes) {
    const auto shift = static_cast<std::uint32_t>(contents.files.size());
    std::move(further.files.begin(), further.files.end(), std::back_inserter(contents.files));
    const PieceOfProcess piece = piece_of_files(contents.files, shift);
    for (Process& process : further.processes) {
        shift_files(process, shift);
        processes.add(std::move(process), piece);
    }
    contents.runtime_info_lines += further.runtime_info_lines;
    contents.ge_info_lines += further.ge_info_lines;
}

void tell_left_out(const Limits& limits, std::vector<Diagnostic>& diagnostics) {
    constexpr std::string_view kCode = "too_many_processes";
    const bool is_told = std::any_of(diagnostics.begin(), diagnostics.end(),
                                     [&](const Diagnostic& diagnostic) { return diagnostic.code == kCode; });
    if (!is_told) {
        diagnostics.push_back(
            {Severity::warning, std::string(kCode),
             fmt::format("the saved task maps tell of more than {}; what they say of further ones is left "
                         "out; {}",
                         bytes::counted(limits.processes, "process", "processes"),
                         bytes::passed_limit(limits, &Limits::processes))});
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
    JoinedProcesses processes(contents->processes, contents->files, limits.processes);
    for (TaskMap::Contents& further : saved) {
        add_contents(std::move(further), *contents, processes);
    }
    processes.finish(contents->files);
    if (processes.leaves_out()) {
        tell_left_out(limits, diagnostics);
    }
    std::stable_sort(contents->processes.begin(), contents->processes.end(), [](const Process& a, const Process& b) {
        return std::pair(a.pid, a.on_device) < std::pair(b.pid, b.on_device);
    });
    return std::make_shared<const TaskMap>(std::move(contents));
}

}  // namespace opdebug::logs
