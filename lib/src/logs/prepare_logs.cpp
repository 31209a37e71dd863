#include <opdebug/prepare_logs.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "logs/formats/formats.hpp"
#include "logs/map_file/map_file.hpp"

namespace opdebug {
inline namespace v0 {

void prepare_to_read_logs(const std::vector<std::string>& paths, const ReadLogsOptions& options) {
    const auto is_saved_map = [](const std::string& path) {
        std::error_code none;
        return std::filesystem::is_regular_file(path, none) && logs::is_map_file(path);
    };
    if (options.log_formats.empty() && !std::all_of(paths.begin(), paths.end(), is_saved_map)) {
        logs::built_in_log_formats();
    }
}

}  // namespace v0
}  // namespace opdebug
