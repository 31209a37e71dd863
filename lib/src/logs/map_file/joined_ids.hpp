// Process ids of which several saved maps, or maps and logs, tell: whose processes they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "logs/facts/task_map.hpp"
#include "logs/processes/own_logs.hpp"

namespace opdebug::logs {

/// The files of one map, or of the logs, among those of all, that are called by processes.
class FilesOfMap {
public:
    FilesOfMap(const std::vector<std::string>& files, std::size_t begin_file);
    /// The own logs of each. Of a map that does not know when they were written, each as long as the process.
    std::vector<OwnLogs> of(const std::vector<Process>& processes);

private:
    std::vector<OwnLog> take(const Process& process);

    const std::vector<std::string>& files_;
    std::map<std::pair<std::int64_t, std::string>, std::vector<std::uint32_t>> by_process_;  ///< and its root
};

/// Knows the processes that are put together. Hosts have equal process ids, as containers have, and log folders are
/// called alike on all of them: a process of another map is the same one where a file of both is the same, or where one
/// process may have written all files (own_logs.hpp). Those of one map are different ones.
class JoinedIds {
public:
    /// `files`: of all processes; further ones may come.
    explicit JoinedIds(const std::vector<std::string>& files) noexcept : files_(files) {}
    /// Where each process of one map goes on that is known already; none: nowhere.
    std::vector<std::optional<std::size_t>> find(const std::vector<Process>& processes,
                                                 const std::vector<OwnLogs>& logs);
    /// A process of its own, at this place.
    void add(const Process& process, OwnLogs logs, std::size_t place);
    std::vector<Diagnostic> remarks() const;

private:
    using Key = std::tuple<std::int64_t, bool, std::string, std::optional<std::uint64_t>, std::optional<std::int64_t>>;
    struct Known {
        std::size_t place = 0;
        OwnLogs logs;
        std::int64_t first_us = 0;
        bool is_taken = false;  ///< by a process of the map that is looked at
    };
    struct OfId {
        std::vector<Known> known;
        bool are_logs_known = true;  ///< of all of them
    };
    /// The same log, then how far logs and begins of processes lie apart.
    using Distance = std::tuple<bool, std::uint64_t, std::uint64_t>;
    struct Found {
        Known* known = nullptr;
        Distance distance;
        bool is_only = false;  ///< no other process of the map may go on it
    };
    struct FoundOf {
        std::size_t process = 0;
        OfId* of_id = nullptr;
        Found found;
    };
    static Key key_of(const Process& process) {
        return {process.pid, process.on_device, process.root, process.device_id, process.host_pid};
    }
    bool may_compare(std::size_t logs) noexcept;
    Found find(OfId& of_id, const Process& process, const OwnLogs& logs);
    Found find_by_logs(OfId& of_id, const Process& process, const OwnLogs& logs);
    Found find_by_names(OfId& of_id, const Process& process, const OwnLogs& logs);
    Found take_first(OfId& of_id, const Process& process);

    const std::vector<std::string>& files_;
    std::map<Key, OfId> known_;
    std::uint64_t compared_ = 0;
    std::optional<std::int64_t> unclear_;  ///< the first process id that may be another process's
    std::optional<std::int64_t> guessed_;  ///< the first one of several processes, of which one was taken
};

}  // namespace opdebug::logs
