#include "logs/processes/own_logs.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>

#include <opdebug/tree.hpp>

#include "logs/files/log_files.hpp"
#include "remarks/diagnose.hpp"
#include "tree/folder.hpp"

namespace opdebug::logs {
namespace {

std::string_view log_name(std::string_view path) {
    return read_log_name(file_name_of(path)).stem;
}

using Pair = std::pair<std::string_view, std::string_view>;

/// Of a process that has one file open in a folder none: the later one, and the one that was still written.
std::optional<Pair> written_at_once(const Process& process, const std::vector<std::string>& files) {
    std::vector<OwnLog> logs = process.own_logs;
    std::sort(logs.begin(), logs.end(), [&files](const OwnLog& a, const OwnLog& b) {
        return std::tie(a.first_us, files[a.file]) < std::tie(b.first_us, files[b.file]);
    });
    std::map<std::string_view, const OwnLog*> ends_last;  // by folder, of the logs so far
    for (const OwnLog& log : logs) {
        const std::string_view path = files[log.file];
        const OwnLog*& last = ends_last.try_emplace(path.substr(0, path.rfind('/')), &log).first->second;
        const std::string_view earlier = files[last->file];
        // A file that was read twice, or is in a map as well, is one.
        if (begins_within(log.first_us, last->last_us) && log_name(path) != log_name(earlier)) {
            return Pair{path, earlier};
        }
        last = last->last_us < log.last_us ? &log : last;
    }
    return std::nullopt;
}

}  // namespace

OwnLogs::OwnLogs(const std::vector<OwnLog>& logs, const std::vector<std::string>& files) {
    for (const OwnLog& log : logs) {
        const std::string& path = files[log.file];
        of_folder_[tree::folder_of(path)].push_back({log.first_us, std::string(log_name(path)), log.last_us});
    }
}

void OwnLogs::add(const OwnLogs& further) {
    for (const auto& [folder, logs] : further.of_folder_) {
        std::vector<Log>& all = of_folder_[folder];
        all.insert(all.end(), logs.begin(), logs.end());
    }
}

std::uint64_t OwnLogs::pairs_with(const OwnLogs& other) const {
    std::uint64_t pairs = 0;
    for (const auto& [folder, logs] : of_folder_) {
        const auto same = other.of_folder_.find(folder);
        pairs += same != other.of_folder_.end() ? std::uint64_t{logs.size()} * same->second.size() : 0U;
    }
    return pairs;
}

OwnLogs::Relation OwnLogs::relation_to(const OwnLogs& other) const {
    Relation relation;
    for (const auto& [folder, logs] : of_folder_) {
        const auto same = other.of_folder_.find(folder);
        if (same == other.of_folder_.end()) {
            continue;
        }
        for (const Log& log : logs) {
            for (const Log& others : same->second) {
                if (log.begin() == others.begin()) {
                    return {Kinship::one_log, 0};
                }
                const auto& [earlier, later] =
                    log.begin() < others.begin() ? std::tie(log, others) : std::tie(others, log);
                const bool at_once = begins_within(later.first_us, earlier.last_us);
                relation.kinship = at_once ? Kinship::at_once : relation.kinship;
                relation.distance_us = std::min(relation.distance_us, distance_us(later.first_us, earlier.last_us));
            }
        }
    }
    return relation;
}

std::optional<Diagnostic> shared_id(const std::vector<Process>& processes, const std::vector<std::string>& files) {
    for (const Process& process : processes) {
        if (const auto both = written_at_once(process, files)) {
            return remarks::diagnose("process_id_shared",
                                     {{"later", both->first}, {"earlier", both->second}, {"pid", process.pid}});
        }
    }
    return std::nullopt;
}

}  // namespace opdebug::logs
