#include "logs/map_file/joined_ids.hpp"

#include <utility>

#include <fmt/format.h>

#include "logs/files/log_name.hpp"
#include "logs/processes/process_facts.hpp"

namespace opdebug::logs {
namespace {

/// Of one id: each process is held against all that are known. Further ones are taken for known ones.
constexpr std::size_t kMostOfId = 4096;

}  // namespace

FilesOfMap::FilesOfMap(const std::vector<std::string>& files, std::size_t begin_file) : files_(files) {
    for (std::size_t file = begin_file; file < files.size(); ++file) {
        if (const auto pid = process_of_log_path(files[file])) {
            by_pid_[*pid].push_back(static_cast<std::uint32_t>(file));
        }
    }
}

OwnLogs FilesOfMap::of(const Process& process) const {
    if (process.own_logs_are_known) {
        return {process.own_logs, files_};
    }
    std::vector<OwnLog> logs;
    const auto of_pid = by_pid_.find(process.pid);
    if (of_pid != by_pid_.end() && !process.on_device && process.last_time_us != 0) {
        for (const std::uint32_t file : of_pid->second) {
            if (root_of(files_[file]) == process.root) {
                logs.push_back({file, process.first_time_us, process.last_time_us});
            }
        }
    }
    return {logs, files_};
}

void JoinedIds::add(const Process& process, OwnLogs logs, std::size_t place) {
    known_[key_of(process)].push_back({place, std::move(logs), process.own_logs_are_known, process.first_time_us});
}

/// Null where all of them were written to at the same time.
JoinedIds::Known* JoinedIds::find_by_logs(std::vector<Known>& known, const Process& process, const OwnLogs& logs) {
    using Distance = std::pair<std::uint64_t, std::uint64_t>;
    Known* nearest = nullptr;
    Distance of_nearest;
    std::size_t possible = 0;
    for (Known& other : known) {
        const OwnLogs::Relation relation = other.logs.relation_to(logs);
        if (relation.kinship == OwnLogs::Kinship::one_log) {
            return &other;
        }
        if (relation.kinship == OwnLogs::Kinship::at_once) {
            continue;
        }
        ++possible;
        const Distance away{relation.distance_us, distance_us(other.first_us, process.first_time_us)};
        if (nearest == nullptr || away < of_nearest) {
            nearest = &other;
            of_nearest = away;
        }
    }
    if (possible > 1 && !guessed_) {
        guessed_ = process.pid;
    }
    return nearest;
}

/// When the files were written is not known of all: one that both have tells that they are one process's.
JoinedIds::Known* JoinedIds::find_by_names(std::vector<Known>& known, const Process& process, const OwnLogs& logs) {
    for (Known& other : known) {
        if (other.logs.shares_name_with(logs)) {
            return &other;
        }
    }
    if (!unclear_ && known.front().logs.relation_to(logs).kinship == OwnLogs::Kinship::at_once) {
        unclear_ = process.pid;
    }
    return &known.front();
}

std::optional<std::size_t> JoinedIds::find(const Process& process, const OwnLogs& logs) {
    const auto of_id = known_.find(key_of(process));
    if (of_id == known_.end()) {
        return std::nullopt;
    }
    std::vector<Known>& known = of_id->second;
    bool are_logs_known = process.own_logs_are_known;
    for (const Known& other : known) {
        are_logs_known = are_logs_known && other.are_logs_known;
    }
    Known* found = process.on_device ? &known.front()
                   : are_logs_known  ? find_by_logs(known, process, logs)
                                     : find_by_names(known, process, logs);
    if (found == nullptr && known.size() < kMostOfId) {
        return std::nullopt;
    }
    if (found == nullptr) {
        found = &known.front();
        guessed_ = process.pid;
    }
    found->logs.add(logs);
    found->are_logs_known = found->are_logs_known && process.own_logs_are_known;
    return found->place;
}

std::vector<Diagnostic> JoinedIds::remarks() const {
    std::vector<Diagnostic> remarks;
    if (unclear_) {
        remarks.push_back(
            {Severity::warning, "process_id_unclear",
             fmt::format(
                 "the saved maps tell of process {} in other files of one folder at the same time, so it may be "
                 "one process on each of several hosts; they are taken for one, for maps of older versions do "
                 "not tell when a file was written: make the maps anew from the logs (opdebug index)",
                 *unclear_)});
    }
    if (guessed_) {
        remarks.push_back(
            {Severity::warning, "process_id_shared",
             fmt::format("the saved maps tell of several processes {} of one log folder, and which of them a further "
                         "map tells of is inferred from when its files begin: make one map of all logs of a host "
                         "(opdebug index)",
                         *guessed_)});
    }
    return remarks;
}

}  // namespace opdebug::logs
