// Checks of logs: levels, folders, and rotation of the oldest files; saved maps.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/logs.hpp>
#include <opdebug/tree.hpp>

#include "doctor/checks.hpp"
#include "logs/facts/task_map.hpp"
#include "logs/files/byte_source.hpp"
#include "logs/lines/line.hpp"
#include "tree/folder.hpp"

namespace opdebug::doctor {
namespace {

constexpr std::size_t kLogsLookedAt = 256;
constexpr std::size_t kBytesLookedAt = std::size_t{1} << 20U;
constexpr std::size_t kFilesByDefault = 10;  ///< ASCEND_HOST_LOG_FILE_NUM

/// Facts in the lines of some logs.
struct Lines {
    std::set<std::string, std::less<>> levels;  ///< of debug logs
    bool any = false, runtime_info = false, ge_info = false;
    LoggedTime time;
};

/// Lines in run/ have level INFO whatever the settings.
bool is_run_log(std::string_view path) {
    return path.find("/run/") != std::string_view::npos || path.substr(0, 4) == "run/";
}

void add_line(std::string_view text, bool of_run, Lines& lines) {
    const auto line = logs::parse_line_prefix(text);
    if (!line || line->module.empty()) {
        return;
    }
    lines.any = true;
    if (line->local_time_us) {
        lines.time.add(*line->local_time_us);
    }
    if (of_run) {
        return;
    }
    lines.levels.emplace(line->level);
    const bool info = line->level == "INFO" || line->level == "DEBUG";
    lines.runtime_info = lines.runtime_info || (info && line->module == "RUNTIME");
    lines.ge_info = lines.ge_info || (info && line->module == "GE");
}

void add_lines(std::string_view text, bool of_run, Lines& lines) {
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        add_line(text.substr(0, end), of_run, lines);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
}

/// Reads the beginning of a log, and the end of an uncompressed one for its last time. Returns false if it is
/// unreadable.
bool look_at(const std::string& file, Lines& lines, Findings& findings) {
    Result<logs::ByteSource> source = logs::ByteSource::open(file);
    if (!source) {
        findings.add("log_unreadable", file, {{"reason", source.error().message}});
        return false;
    }
    std::string text(kBytesLookedAt, '\0');
    std::size_t size = 0;
    while (size < text.size()) {
        const Result<std::size_t> count = source->read(text.data() + size, text.size() - size);
        if (!count) {
            findings.add(size == 0 ? "log_unreadable" : "log_damaged", file, {{"reason", count.error().message}});
            if (size == 0) {
                return false;
            }
            break;
        }
        if (*count == 0) {
            break;
        }
        size += *count;
    }
    add_lines(std::string_view(text).substr(0, size), is_run_log(file), lines);
    const Result<bytes::FileReader> plain = bytes::FileReader::open(file);
    const std::uint64_t length = plain ? plain->size() : 0;
    if (size == text.size() && length > size) {
        // The end of a compressed file contains no readable lines.
        if (const auto end = plain->read_at(length - std::min<std::uint64_t>(length, 65536), 65536)) {
            const std::string tail(end->begin(), end->end());
            add_lines(std::string_view(tail).substr(std::min(tail.find('\n'), tail.size())), is_run_log(file), lines);
        }
    }
    return true;
}

/// "4711" in "plog-4711_20261012092958123.log"; empty for other names.
std::string_view process_in(std::string_view name) {
    constexpr std::string_view kBegin = "plog-";
    if (name.substr(0, kBegin.size()) != kBegin) {
        return {};
    }
    name.remove_prefix(kBegin.size());
    return name.substr(0, std::min(name.find('_'), name.size()));
}

void check_rotation(const Survey& survey, Findings& findings) {
    std::map<std::pair<std::string, std::string>, std::size_t> files;
    for (const std::string& file : survey.logs) {
        const std::string_view process = process_in(file_name_of(file));
        if (!process.empty()) {
            ++files[{tree::folder_of(file), std::string(process)}];
        }
    }
    for (const auto& [place, count] : files) {
        if (count >= kFilesByDefault) {
            findings.add("logs_reached_rotation", place.first,
                         {{"process", place.second}, {"count", std::to_string(count)}});
            return;  // one finding is enough: all processes have the same setting
        }
    }
}

void check_folders(const std::string& path, const Survey& survey, Findings& findings) {
    for (const std::string& parent : survey.debug_parents) {
        if (!survey.run_parents.contains(parent)) {
            findings.add("run_folder_missing", parent);
        }
    }
    for (const std::string& parent : survey.run_parents) {
        if (!survey.debug_parents.contains(parent)) {
            findings.add("debug_folder_missing", parent);
        }
    }
    if (!survey.debug_parents.empty() && survey.device_parents.empty()) {
        findings.add("device_logs_missing", path);
    } else if (!survey.debug_parents.empty() && survey.debug_parents == survey.run_parents) {
        findings.pass("log_folders", path);
    }
}

}  // namespace

void LoggedTime::add(std::int64_t time) noexcept {
    begin = known ? std::min(begin, time) : time;
    end = known ? std::max(end, time) : time;
    known = true;
}

bool may_be_log(const std::string& file) {
    Lines lines;
    Findings told_by_check_logs;
    return !look_at(file, lines, told_by_check_logs) || lines.any;
}

LoggedTime check_logs(const std::string& path, const Survey& survey, const DoctorOptions& options, Findings& findings) {
    check_folders(path, survey, findings);
    check_rotation(survey, findings);
    Lines lines;
    const std::size_t count = std::min(survey.logs.size(), kLogsLookedAt);
    std::size_t looked_at = 0, unreadable = 0;
    for (std::size_t i = 0; i < count && !(options.stop && options.stop()); ++i) {
        const std::string& file = survey.logs[count == 1 ? 0 : i * (survey.logs.size() - 1) / (count - 1)];
        ++(look_at(file, lines, findings) ? looked_at : unreadable);
    }
    if (!lines.any) {
        return lines.time;  // other text files next to dumps
    }
    if (!lines.runtime_info && !lines.ge_info) {
        findings.add("no_info_lines", path,
                     {{"files", looked_at},
                      {"unreadable", unreadable == 0 ? "" : fmt::format("; {} more cannot be read", unreadable)},
                      {"levels", lines.levels.empty() ? "none" : fmt::format("{}", fmt::join(lines.levels, ", "))}});
    } else if (!lines.ge_info) {
        findings.add("no_ge_lines", path);
    } else if (lines.runtime_info) {
        findings.pass("log_lines", path);
    }
    return lines.time;
}

void check_maps(const Survey& survey, Findings& findings) {
    for (const std::string& file : survey.maps) {
        const Result<ReadLogs> map = read_logs({file});
        if (!map || !map->failures.empty()) {
            findings.add("map_unusable", file, {{"reason", map ? map->failures.front().message : map.error().message}});
            continue;
        }
        const TaskMap::Contents& contents = map->task_map->contents();
        findings.add("map_read", file, {{"files", contents.files.size()}});
        if (contents.runtime_info_lines == 0 && contents.ge_info_lines == 0) {
            findings.add("no_info_lines", file,
                         {{"files", contents.files.size()},
                          {"unreadable", ""},
                          {"levels", "unknown, a map does not keep them"}});
        } else if (contents.ge_info_lines == 0) {
            findings.add("no_ge_lines", file);
        }
    }
}

}  // namespace opdebug::doctor
