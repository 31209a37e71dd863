// Logs and saved maps as one task map.
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "bytes/passed_limit.hpp"
#include "logs/facts/fact_members.hpp"
#include "logs/map_file/joined_ids.hpp"
#include "logs/map_file/joined_launches.hpp"
#include "logs/map_file/joined_runs.hpp"
#include "logs/map_file/map_file.hpp"
#include "logs/processes/process_facts.hpp"
#include "logs/processes/shared_ids.hpp"
#include "tree/folder.hpp"

namespace opdebug::logs {
namespace {

void shift_files(Process& process, std::uint32_t shift) {
    for (OwnLog& log : process.own_logs) {
        log.file += shift;
    }
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
        : processes_(processes), most_(most), ids_(files) {
        const PieceOfProcess piece = piece_of_files(files, 0);
        std::vector<OwnLogs> logs = FilesOfMap(files, 0).of(processes);
        for (std::size_t i = 0; i < processes.size(); ++i) {
            ids_.add(processes[i], std::move(logs[i]), i);
            pieces_.push_back({of_process(processes[i], piece)});
        }
    }

    /// What one map tells. Its processes are different ones: they are known to each other when all of them are there.
    void add(std::vector<Process>&& processes, const std::vector<std::string>& files, std::uint32_t begin_file) {
        const PieceOfProcess of_files = piece_of_files(files, begin_file);
        std::vector<OwnLogs> logs = FilesOfMap(files, begin_file).of(processes);
        const std::vector<std::optional<std::size_t>> known = ids_.find(processes, logs);
        for (std::size_t i = 0; i < processes.size(); ++i) {
            add(std::move(processes[i]), std::move(logs[i]), known[i], of_files);
        }
    }
    bool leaves_out() const noexcept { return leaves_out_; }  ///< there were too many
    std::vector<Diagnostic> remarks() const { return ids_.remarks(); }

    void finish(const std::vector<std::string>& files) {
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            if (pieces_[i].size() > 1) {
                drop_settled_launches(processes_[i], pieces_[i], files);
                find_joined_runs(processes_[i], std::move(pieces_[i]), files);
                index_facts(processes_[i]);
            }
        }
    }

private:
    void add(Process&& process, OwnLogs&& logs, std::optional<std::size_t> same, const PieceOfProcess& of_files) {
        const PieceOfProcess piece = of_process(process, of_files);
        if (same) {
            append(processes_[*same], std::move(process));
            pieces_[*same].push_back(piece);
        } else if (processes_.size() < most_) {
            ids_.add(process, std::move(logs), processes_.size());
            processes_.push_back(std::move(process));
            pieces_.push_back({piece});
        } else {
            leaves_out_ = true;
        }
    }
    static PieceOfProcess of_process(const Process& process, PieceOfProcess piece) {
        piece.first_us = process.first_time_us;
        piece.last_us = process.last_time_us;
        return piece;
    }

    std::vector<Process>& processes_;
    std::uint64_t most_;
    bool leaves_out_ = false;
    JoinedIds ids_;
    std::vector<std::vector<PieceOfProcess>> pieces_;  ///< of each process
};

void add_contents(TaskMap::Contents&& further, TaskMap::Contents& contents, JoinedProcesses& processes) {
    const auto shift = static_cast<std::uint32_t>(contents.files.size());
    std::move(further.files.begin(), further.files.end(), std::back_inserter(contents.files));
    for (Process& process : further.processes) {
        shift_files(process, shift);
    }
    processes.add(std::move(further.processes), contents.files, shift);
    contents.runtime_info_lines += further.runtime_info_lines;
    contents.ge_info_lines += further.ge_info_lines;
}

void tell_shared_id(const TaskMap::Contents& contents, std::vector<Diagnostic>& diagnostics) {
    if (const std::optional<Diagnostic> remark = shared_id(contents.processes, contents.files)) {
        diagnostics.push_back(*remark);
    }
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
        tell_shared_id(logs.contents, diagnostics);
        return std::make_shared<const TaskMap>(std::make_unique<TaskMap::Packed>(std::move(logs)));
    }
    open_facts(logs, 1);
    auto contents = std::make_unique<TaskMap::Contents>(std::move(logs.contents));
    JoinedProcesses processes(contents->processes, contents->files, limits.processes);
    for (TaskMap::Contents& further : saved) {
        add_contents(std::move(further), *contents, processes);
    }
    processes.finish(contents->files);
    tell_shared_id(*contents, diagnostics);
    const std::vector<Diagnostic> remarks = processes.remarks();
    diagnostics.insert(diagnostics.end(), remarks.begin(), remarks.end());
    if (processes.leaves_out()) {
        tell_left_out(limits, diagnostics);
    }
    std::stable_sort(contents->processes.begin(), contents->processes.end(), [](const Process& a, const Process& b) {
        return std::pair(a.pid, a.on_device) < std::pair(b.pid, b.on_device);
    });
    return std::make_shared<const TaskMap>(std::move(contents));
}

}  // namespace opdebug::logs
