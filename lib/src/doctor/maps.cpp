// Saved maps of logs: whether they can be read, and what they hold.
#include <optional>

#include "bytes/counted.hpp"
#include "doctor/checks.hpp"
#include "logs/map_file/map_file.hpp"

namespace opdebug::doctor {

void check_maps(const Survey& survey, Findings& findings) {
    for (const std::string& file : survey.maps) {
        const Result<TaskMap::Contents> map = logs::read_map_file(file, std::nullopt);
        if (!map) {
            findings.add("map_unusable", file, {{"reason", map.error().message}});
            continue;
        }
        findings.add("map_read", file, {{"files", bytes::counted(map->files.size(), "log file")}});
        if (map->runtime_info_lines == 0 && map->ge_info_lines == 0) {
            findings.add("no_info_lines", file,
                         {{"files", bytes::counted(map->files.size(), "log file was", "log files were")},
                          {"unreadable", ""},
                          {"levels", "unknown, a map does not keep them"}});
        } else if (map->ge_info_lines == 0) {
            findings.add("no_ge_lines", file);
        }
    }
}

}  // namespace opdebug::doctor
