// Lines → task map.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "logs/matched_lines.hpp"
#include "logs/task_map.hpp"

namespace opdebug::logs {

/// Collects the facts of lines that are fed file by file.
class TaskMapBuilder {
public:
    void begin_file(const std::string& path);
    /// The next part of the file.
    void add(MatchedLines&& lines);
    std::shared_ptr<const TaskMap> finish();
    /// What was remarkable, at most one remark of each code.
    const std::vector<Diagnostic>& diagnostics() const noexcept { return diagnostics_; }

private:
    void remark(std::uint64_t line, const Diagnostic& diagnostic);

    /// Process ids repeat between containers and hosts: logs under different roots are different processes, unless only
    /// one of them tells of tasks.
    struct ProcessKey {
        std::int64_t pid = -1;
        bool on_device = false;
        std::string root;
        bool operator<(const ProcessKey& other) const {
            return std::tie(pid, on_device, root) < std::tie(other.pid, other.on_device, other.root);
        }
    };
    using Thread = std::pair<ProcessKey, std::int64_t>;  ///< with tid

    void add_writer(const Writer& writer, const WriterLines& lines);
    void unite_roots();
    void keep_unsubmitted();
    void add_fact(Process& process, const Thread& thread, StoredFact stored);

    std::unique_ptr<TaskMap::Contents> contents_ = std::make_unique<TaskMap::Contents>();
    std::string root_;  ///< of the file that is being read
    std::map<ProcessKey, Process> processes_;
    std::map<Thread, StoredFact> launches_;                      ///< launch lines whose task id is not final yet
    std::map<ProcessKey, std::vector<StoredFact>> unsubmitted_;  ///< launches that no submit line followed
    std::set<ProcessKey> with_submit_lines_;
    std::vector<Diagnostic> diagnostics_;
    std::int64_t last_time_us_ = 0;  ///< of the line before, for lines without a readable time
};

}  // namespace opdebug::logs
