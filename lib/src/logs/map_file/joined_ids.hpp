// Process ids of which several saved maps, or maps and logs, tell: whose processes they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "logs/facts/task_map.hpp"
#include "logs/processes/own_logs.hpp"

namespace opdebug::logs {

/// The files of one map, or of the logs, among those of all, that are called by processes.
class FilesOfMap {
public:
    FilesOfMap(const std::vector<std::string>& files, std::size_t begin_file);
    /// The own logs of a process. Of a map that does not know when they were written, each as long as the process.
    OwnLogs of(const Process& process) const;

private:
    const std::vector<std::string>& files_;
    std::map<std::int64_t, std::vector<std::uint32_t>> by_pid_;
};

/// Knows the processes that are put together. Hosts have equal process ids, as containers have, and log folders are
/// called alike on all of them: a process of another map is the same one where a file of both is the same, or where one
/// process may have written all files (own_logs.hpp).
class JoinedIds {
public:
    /// Where the process goes on that is known already; none: nowhere.
    std::optional<std::size_t> find(const Process& process, const OwnLogs& logs);
    /// A process of its own, at this place.
    void add(const Process& process, OwnLogs logs, std::size_t place);
    std::vector<Diagnostic> remarks() const;

private:
    using Key = std::tuple<std::int64_t, bool, std::string, std::optional<std::uint64_t>, std::optional<std::int64_t>>;
    struct Known {
        std::size_t place = 0;
        OwnLogs logs;
        bool are_logs_known = true;
        std::int64_t first_us = 0;
    };
    static Key key_of(const Process& process) {
        return {process.pid, process.on_device, process.root, process.device_id, process.host_pid};
    }
    Known* find_by_logs(std::vector<Known>& known, const Process& process, const OwnLogs& logs);
    Known* find_by_names(std::vector<Known>& known, const Process& process, const OwnLogs& logs);

    std::map<Key, std::vector<Known>> known_;
    std::optional<std::int64_t> unclear_;  ///< the first process id that may be another process's
    std::optional<std::int64_t> guessed_;  ///< the first one of several processes, of which one was taken
};

}  // namespace opdebug::logs
