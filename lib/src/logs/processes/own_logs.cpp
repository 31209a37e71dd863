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

OwnLogs::OwnLogs(const std::vector<OwnLog>& logs, const std::vector<std::string>& files) {
    for (const OwnLog& log : logs) {
        const std::string& path = files[log.file];
        const std::string_view name = read_log_name(file_name_of(path)).stem;
        of_folder_[tree::folder_of(path)].push_back({log.first_us, std::string(name), log.last_us});
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

namespace {

struct LogInFolder {
    std::string_view folder;
    std::int64_t first_us = 0;
    std::int64_t last_us = 0;
    std::string_view path;

    bool operator<(const LogInFolder& other) const {
        return std::tie(folder, first_us, path) < std::tie(other.folder, other.first_us, other.path);
    }
};

using Pair = std::pair<std::string_view, std::string_view>;

std::string_view log_name(std::string_view path) {
    return read_log_name(path.substr(path.rfind('/') + 1)).stem;
}

/// Of a process that has one file open in a folder none: the later one, and the one that was still written.
std::optional<Pair> written_at_once(const Process& process, const std::vector<std::string>& files) {
    std::vector<LogInFolder> logs;
    for (const OwnLog& log : process.own_logs) {
        const std::string_view path = files[log.file];
        logs.push_back({path.substr(0, path.rfind('/')), log.first_us, log.last_us, path});
    }
    std::sort(logs.begin(), logs.end());
    const LogInFolder* last = nullptr;  // that ends last of those that began until then in the folder
    for (const LogInFolder& log : logs) {
        const bool is_first = last == nullptr || last->folder != log.folder;
        // a file that was read twice, or is in a map as well, is one
        if (!is_first && begins_within(log.first_us, last->last_us) && log_name(log.path) != log_name(last->path)) {
            return Pair{log.path, last->path};
        }
        last = is_first || last->last_us < log.last_us ? &log : last;
    }
    return std::nullopt;
}

}  // namespace

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
