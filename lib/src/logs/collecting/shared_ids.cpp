#include "logs/collecting/shared_ids.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include <opdebug/tree.hpp>

#include "logs/files/log_name.hpp"
#include "logs/processes/own_logs.hpp"
#include "tree/folder.hpp"

namespace opdebug::logs {
namespace {

std::string_view log_name(const std::string& path) {
    return read_log_name(file_name_of(path)).stem;
}

/// Of one id: for each file they are gone through. Files of further ones are taken for known ones'.
constexpr std::size_t kMostOfId = 1024;

bool lies_in(std::string_view folder, std::string_view path) noexcept {
    return path.substr(0, path.rfind('/')) == folder;
}

/// The one that was begun last in the folder; files of a folder follow each other.
const OwnLog* last_in(std::string_view folder, const Process& process, const std::vector<std::string>& files) {
    const auto last = std::find_if(process.own_logs.rbegin(), process.own_logs.rend(),
                                   [&](const OwnLog& log) { return lies_in(folder, files[log.file]); });
    return last != process.own_logs.rend() ? &*last : nullptr;
}

const OwnLog* first_in(std::string_view folder, const Process& process, const std::vector<std::string>& files) {
    const auto first = std::find_if(process.own_logs.begin(), process.own_logs.end(),
                                    [&](const OwnLog& log) { return lies_in(folder, files[log.file]); });
    return first != process.own_logs.end() ? &*first : nullptr;
}

/// When a process that has logs in another folder only may begin one in this folder: as long after that as others did.
std::optional<std::int64_t> expected_begin(std::string_view folder, const Process& process,
                                           const std::vector<const Process*>& of_id,
                                           const std::vector<std::string>& files) {
    if (process.own_logs.empty()) {
        return std::nullopt;  // lines of it stand elsewhere only
    }
    const OwnLog& begun = process.own_logs.front();
    const std::string begun_in = tree::folder_of(files[begun.file]);
    for (const Process* const other : of_id) {
        const OwnLog* const there = first_in(begun_in, *other, files);
        const OwnLog* const here = first_in(folder, *other, files);
        if (there != nullptr && here != nullptr) {
            return begun.first_us + (here->first_us - there->first_us);
        }
    }
    return begun.first_us;
}

}  // namespace

std::size_t process_of_log(const std::vector<const Process*>& of_id, const std::vector<std::string>& files,
                           std::int64_t first_us) {
    const std::string folder = tree::folder_of(files.back());
    std::size_t nearest = of_id.size() < kMostOfId ? of_id.size() : 0;
    std::optional<std::uint64_t> nearest_us;
    const auto consider = [&](std::size_t process, std::int64_t time_us) {
        const std::uint64_t away_us = distance_us(first_us, time_us);
        if (!nearest_us || away_us < *nearest_us) {
            nearest = process;
            nearest_us = away_us;
        }
    };
    for (std::size_t i = 0; i < of_id.size(); ++i) {
        const OwnLog* const last = last_in(folder, *of_id[i], files);
        if (last == nullptr) {
            consider(i, expected_begin(folder, *of_id[i], of_id, files).value_or(first_us));
        } else if (log_name(files[last->file]) == log_name(files.back())) {
            return i;
        } else if (is_gap(first_us, last->first_us, kLongerThanDisorderUs) ||  // its name is no time then
                   !begins_within(first_us, last->last_us)) {
            consider(i, last->last_us);
        }
    }
    return nearest;
}

void add_to_own_log(Process& process, const OwnLog& lines) {
    if (process.own_logs.empty() || process.own_logs.back().file != lines.file) {
        process.own_logs.push_back(lines);
        return;
    }
    OwnLog& log = process.own_logs.back();
    log.first_us = std::min(log.first_us, lines.first_us);
    log.last_us = std::max(log.last_us, lines.last_us);
}

Diagnostic shared_id(const Process& process, const Process& further, const std::vector<std::string>& files) {
    const std::string& of_further = files[further.own_logs.front().file];
    const OwnLog* const beside = last_in(tree::folder_of(of_further), process, files);
    return {Severity::warning, "process_id_shared",
            fmt::format("{} was written while {} was: the process id {} is taken for that of several processes, as "
                        "containers have them that log into one folder; which files of debug and run belong together "
                        "is inferred from the order in which they begin. Give each container a log folder of its own "
                        "(ASCEND_PROCESS_LOG_PATH)",
                        of_further, beside != nullptr ? files[beside->file] : "another one", process.pid)};
}

}  // namespace opdebug::logs
