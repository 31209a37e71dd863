// Lines → task map.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <opdebug/result.hpp>

#include "logs/facts/task_map.hpp"
#include "logs/formats/wanted.hpp"
#include "logs/processes/lines_of_tasks.hpp"
#include "logs/processes/process_collector.hpp"
#include "logs/processes/process_facts.hpp"
#include "logs/reading/part_reader.hpp"

namespace opdebug::logs {

/// Writers of one file that are of another host than the first one with their id.
using HostsOfWriters = std::map<Writer, std::uint32_t>;

/// Where the lines of a file come from.
struct FileOrigin {
    HostsOfWriters hosts{};
    bool is_saved_map = false;
};

/// Collects the facts of lines that are fed file by file. When certain tasks are wanted, only facts that can be about
/// them are held. Then the memory does not grow with the number of other tasks. For the wanted ones stream_windows(),
/// model_bindings() and uses_of_task() give the same results as in the full map.
class TaskMapBuilder {
public:
    /// `threads`: those that may work on the processes when all lines are there.
    explicit TaskMapBuilder(const std::optional<WantedTasks>& wanted = {}, const Limits& limits = {},
                            unsigned threads = 1)
        : wanted_(wanted ? Wanted(*wanted) : Wanted()), limits_(limits), threads_(threads) {}
    /// Keeps no facts, but where those on tasks are stated.
    TaskMapBuilder(LinesOfTasks& lines, const Limits& limits, unsigned threads)
        : limits_(limits), threads_(threads), lines_of_tasks_(&lines) {}

    void begin_file(const std::string& path, const FileOrigin& origin = {});
    /// The next part of the file.
    void add(StatedLines lines);
    /// What a damaged file states may be garbled.
    void mark_damaged(const std::string& path) { contents_.damaged_files.insert(path); }
    /// Decides what lines leave open; no line may follow.
    void finish_processes();
    /// The map, after finish_processes().
    TaskMap::Contents finish_contents();
    std::shared_ptr<const TaskMap> finish() {
        finish_processes();
        return std::make_shared<const TaskMap>(std::make_unique<const TaskMap::Contents>(finish_contents()));
    }
    /// What the process of a file's writer states in all files: anything, and the names of operators or kernels. Call
    /// it between finish_processes() and finish_contents().
    struct Statements {
        bool states_anything = false, states_tasks = false;
    };
    Statements statements_of(const std::string& path, const Writer& writer, std::uint32_t host);
    /// Of LinesOfTasks, after the end: how many pairs of process and task there are.
    std::uint64_t count_tasks() const { return lines_of_tasks_->count_tasks(united_); }
    const Wanted& wanted() const noexcept { return wanted_; }
    /// What was remarkable, at most one remark of each code; complete at the end.
    const std::vector<Diagnostic>& diagnostics() const noexcept { return diagnostics_; }

private:
    /// Process ids repeat between devices and between containers and hosts: logs under different roots are different
    /// processes, unless only one of them has lines on tasks. A device's process has its device and its host process in
    /// the path of its log.
    struct ProcessKey {
        std::int64_t pid = -1;
        bool on_device = false;
        DevicePath device;
        std::uint32_t host = 0;
        std::string root;
        auto one_system() const { return std::tie(pid, on_device, device.device_id, device.host_pid, host); }
        bool operator<(const ProcessKey& other) const {
            return one_system() != other.one_system() ? one_system() < other.one_system() : root < other.root;
        }
    };

    std::uint32_t file_number() const noexcept { return static_cast<std::uint32_t>(contents_.files.size() - 1); }
    std::string place_of(std::uint64_t line) const;
    void remark(std::uint64_t line, const Diagnostic& diagnostic);
    void count_long_lines(const StatedLines& lines);
    bool is_own_log_of(const Writer& writer) const noexcept { return !writer.on_device && own_pid_ == writer.pid; }
    /// Null where there are too many processes already.
    ProcessCollector* collector(const Writer& writer);
    ProcessKey key_of(const Writer& writer) const;
    void add_line(StatedLine&& line, std::uint64_t lines_before);
    void tell_passed_limits();
    void unite_roots();
    std::vector<ProcessCollector*> all_collectors();

    Wanted wanted_;
    Limits limits_;
    unsigned threads_;
    TaskMap::Contents contents_;
    std::string root_;                                  ///< of the file that is being read
    std::string folder_;                                ///< of the file that is being read
    DevicePath device_;                                 ///< of the file that is being read
    std::optional<std::int64_t> own_pid_;               ///< in the name of the file
    std::map<Writer, ProcessCollector*> of_this_root_;  ///< entries of `processes_`
    std::map<ProcessKey, ProcessCollector> processes_;
    LinesOfTasks* lines_of_tasks_ = nullptr;
    std::vector<std::uint32_t> united_;  ///< by the number of a process: that of which it became a part
    FileOrigin origin_;                  ///< of the file that is being read
    std::vector<Diagnostic> diagnostics_;
    std::uint64_t long_lines_ = 0;
    std::string first_long_line_;         ///< file and number
    std::string first_process_left_out_;  ///< its file
    std::int64_t last_time_us_ = 0;       ///< of the line before, for lines without a readable time
};

}  // namespace opdebug::logs
