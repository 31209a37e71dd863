#include "logs/processes/shared_ids.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <opdebug/tree.hpp>

#include "logs/files/log_name.hpp"
#include "logs/processes/own_logs.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::logs {
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
