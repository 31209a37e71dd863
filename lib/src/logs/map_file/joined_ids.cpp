#include "logs/map_file/joined_ids.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "logs/files/log_name.hpp"
#include "logs/processes/process_facts.hpp"

namespace opdebug::logs {
namespace {

/// Logs that are held against others, which takes some seconds: two thousand hosts that have eight processes of the
/// same ids each need less. Further ones are taken for known ones.
constexpr std::uint64_t kMostCompared = std::uint64_t{64} << 20U;

}  // namespace

FilesOfMap::FilesOfMap(const std::vector<std::string>& files, std::size_t begin_file) : files_(files) {
    for (std::size_t file = begin_file; file < files.size(); ++file) {
        if (const auto pid = process_of_log_path(files[file])) {
            by_process_[{*pid, root_of(files[file])}].push_back(static_cast<std::uint32_t>(file));
        }
    }
}

std::vector<OwnLogs> FilesOfMap::of(const std::vector<Process>& processes) {
    std::vector<OwnLogs> logs;
    logs.reserve(processes.size());
    for (const Process& process : processes) {
        logs.emplace_back(process.own_logs_are_known ? process.own_logs : take(process), files_);
    }
    return logs;
}

/// A file is one process's.
std::vector<OwnLog> FilesOfMap::take(const Process& process) {
    std::vector<OwnLog> logs;
    const auto of_process = by_process_.find({process.pid, process.root});
    if (of_process != by_process_.end() && !process.on_device && process.last_time_us != 0) {
        for (const std::uint32_t file : of_process->second) {
            logs.push_back({file, process.first_time_us, process.last_time_us});
        }
        by_process_.erase(of_process);
    }
    return logs;
}

void JoinedIds::add(const Process& process, OwnLogs logs, std::size_t place) {
    OfId& of_id = known_[key_of(process)];
    of_id.known.push_back({place, std::move(logs), process.first_time_us});
    of_id.are_logs_known = of_id.are_logs_known && process.own_logs_are_known;
}

bool JoinedIds::may_compare(std::size_t logs) noexcept {
    compared_ += 1 + std::uint64_t{logs};
    return compared_ <= kMostCompared;
}

JoinedIds::Found JoinedIds::take_first(OfId& of_id, const Process& process) {
    guessed_ = guessed_ ? guessed_ : process.pid;
    return {&of_id.known.front(), {}, false};
}

/// None where all of them were written to at the same time.
JoinedIds::Found JoinedIds::find_by_logs(OfId& of_id, const Process& process, const OwnLogs& logs) {
    Found nearest;
    std::size_t possible = 0;
    for (Known& other : of_id.known) {
        if (other.is_taken) {
            continue;
        }
        if (!may_compare(std::min(other.logs.size(), logs.size()))) {
            return take_first(of_id, process);
        }
        const OwnLogs::Relation relation = other.logs.relation_to(logs, files_);
        if (relation.kinship == OwnLogs::Kinship::one_log) {
            return {&other, {}, true};
        }
        if (relation.kinship == OwnLogs::Kinship::at_once) {
            continue;
        }
        ++possible;
        const Distance away{true, relation.distance_us, distance_us(other.first_us, process.first_time_us)};
        if (nearest.known == nullptr || away < nearest.distance) {
            nearest = {&other, away, true};
        }
    }
    if (possible > 1 && !guessed_) {
        guessed_ = process.pid;
    }
    return nearest;
}

/// When the files were written is not known of all: one that both have tells that they are one process's.
JoinedIds::Found JoinedIds::find_by_names(OfId& of_id, const Process& process, const OwnLogs& logs) {
    for (Known& other : of_id.known) {
        if (!may_compare(other.logs.size() + logs.size())) {
            return take_first(of_id, process);
        }
        if (other.logs.shares_name_with(logs, files_)) {
            return {&other, {}, false};
        }
    }
    Known& first = of_id.known.front();
    if (!unclear_ && first.logs.relation_to(logs, files_).kinship == OwnLogs::Kinship::at_once) {
        unclear_ = process.pid;
    }
    return {&first, {}, false};
}

JoinedIds::Found JoinedIds::find(OfId& of_id, const Process& process, const OwnLogs& logs) {
    if (process.on_device) {
        return {&of_id.known.front(), {}, false};
    }
    return of_id.are_logs_known && process.own_logs_are_known ? find_by_logs(of_id, process, logs)
                                                              : find_by_names(of_id, process, logs);
}

/// The nearest ones first: where two processes of the map may go on one, the other one goes on another, or on none.
std::vector<std::optional<std::size_t>> JoinedIds::find(const std::vector<Process>& processes,
                                                        const std::vector<OwnLogs>& logs) {
    std::vector<FoundOf> all;
    for (std::size_t i = 0; i < processes.size(); ++i) {
        if (const auto of_id = known_.find(key_of(processes[i])); of_id != known_.end()) {
            all.push_back({i, &of_id->second, find(of_id->second, processes[i], logs[i])});
        }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const FoundOf& a, const FoundOf& b) { return a.found.distance < b.found.distance; });
    std::vector<std::optional<std::size_t>> places(processes.size());
    for (auto& [i, of_id, found] : all) {
        if (found.known != nullptr && found.is_only && found.known->is_taken) {
            guessed_ = guessed_ ? guessed_ : processes[i].pid;
            found = find(*of_id, processes[i], logs[i]);
        }
        if (found.known != nullptr) {
            places[i] = found.known->place;
            found.known->is_taken = found.known->is_taken || found.is_only;
        }
    }
    for (const auto& [i, of_id, found] : all) {
        if (found.known != nullptr) {
            found.known->is_taken = false;
            if (may_compare(0)) {
                found.known->logs.add(logs[i], files_);
            }
            of_id->are_logs_known = of_id->are_logs_known && processes[i].own_logs_are_known;
        }
    }
    return places;
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
