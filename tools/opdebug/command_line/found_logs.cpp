// Folders of logs near the dumps.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "command_line/options.hpp"
#include "output/messages.hpp"

namespace opdebug::tool {
namespace {

namespace fs = std::filesystem;

/// A folder has the name before the slash.
std::string without_slash(const std::string& path) {
    return path.substr(0, std::max<std::size_t>(path.find_last_not_of('/') + 1, 1));
}

/// As CANN writes it: debug/plog, run/plog or plog.
bool is_log_folder(const fs::path& folder) {
    std::error_code absent;
    return fs::is_directory(folder / "debug/plog", absent) || fs::is_directory(folder / "run/plog", absent) ||
           fs::is_directory(folder / "plog", absent);
}

/// The folder of all logs, where "debug" and "run" are its parts.
fs::path whole_log_folder(const fs::path& folder) {
    const fs::path name = folder.filename();
    std::error_code absent;
    const bool is_part = (name == "debug" || name == "run") && fs::is_directory(folder / "plog", absent);
    return !is_part ? folder : folder.has_parent_path() ? folder.parent_path() : fs::path(".");
}

fs::path common_folder(const fs::path& one, const fs::path& other) {
    const auto differing = std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first;
    fs::path common;
    std::for_each(one.begin(), differing, [&common](const fs::path& name) { common /= name; });
    return common.empty() ? fs::path(".") : common;
}

/// The folder with all logs below this one: of several hosts or ranks, what is above them.
std::optional<fs::path> log_folder_below(const fs::path& folder) {
    constexpr int kDeepest = 2, kMostEntries = 2000;
    std::error_code failed;
    if (is_log_folder(folder)) {
        return whole_log_folder(folder);
    }
    std::optional<fs::path> found;
    int entries = 0;
    for (fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, failed), end;
         !failed && entry != end && ++entries < kMostEntries; entry.increment(failed)) {
        std::error_code unknown;
        if (entry.depth() >= kDeepest || !entry->is_directory(unknown)) {
            entry.disable_recursion_pending();
        } else if (is_log_folder(entry->path())) {
            const fs::path logs = whole_log_folder(entry->path());
            entry.disable_recursion_pending();
            found = found ? common_folder(*found, logs) : logs;
        }
    }
    return found;
}

/// "log" or "logs" next to the dumps, or next to a folder above them. Relative as `input`.
std::optional<fs::path> log_folder_above(const fs::path& input) {
    constexpr int kMostSteps = 6;
    std::error_code unknown;
    fs::path folder = fs::absolute(input / ".", unknown).lexically_normal().parent_path();
    for (int step = 0; step < kMostSteps && !folder.empty(); ++step, folder = folder.parent_path()) {
        for (const char* name : {"logs", "log", "ascend/log"}) {
            if (is_log_folder(folder / name)) {
                return input.is_absolute() ? folder / name
                                           : (folder / name).lexically_proximate(fs::current_path(unknown));
            }
        }
    }
    return std::nullopt;
}

/// Where CANN writes logs by default.
std::optional<fs::path> log_folder_of_cann() {
    for (const auto& [variable, below] : {std::pair("ASCEND_PROCESS_LOG_PATH", ""),
                                          std::pair("ASCEND_WORK_PATH", "log"), std::pair("HOME", "ascend/log")}) {
        const char* const root = std::getenv(variable);
        if (root != nullptr && *root != '\0' && is_log_folder(fs::path(root) / below)) {
            return fs::path(root) / below;
        }
    }
    return std::nullopt;
}

}  // namespace

void suggest_logs(const std::vector<std::string>& inputs) {
    std::optional<fs::path> found;
    for (const std::string& given : inputs) {
        const std::string input = without_slash(given);
        std::error_code absent;
        const bool is_folder = fs::is_directory(input, absent);
        found = found || !is_folder ? found : log_folder_below(input);
        found = found ? found : log_folder_above(is_folder ? fs::path(input) : fs::path(input).parent_path());
    }
    found = found ? found : log_folder_of_cann();
    if (found) {
        const std::string path = found->string();
        const bool is_word = path.find_first_of(" \t'\"\\$&();<>|*?[]`") == std::string::npos;
        print_phrase("logs.found", {{"path", is_word ? path : "'" + path + "'"}});
    }
}

}  // namespace opdebug::tool
