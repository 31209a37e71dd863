// Folders of logs near the dumps.
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "command_line/options.hpp"
#include "output/messages.hpp"

namespace opdebug::tool {
namespace {

namespace fs = std::filesystem;

/// As CANN writes it: debug/plog, run/plog or plog.
bool is_log_folder(const fs::path& folder) {
    std::error_code absent;
    return fs::is_directory(folder / "debug/plog", absent) || fs::is_directory(folder / "run/plog", absent) ||
           fs::is_directory(folder / "plog", absent);
}

/// The input, a folder above it, or "log" or "logs" in one of them.
std::optional<fs::path> log_folder_near(const std::string& input) {
    constexpr int kMostSteps = 8;
    std::error_code unknown;
    fs::path folder = fs::absolute(fs::path(input) / ".", unknown).lexically_normal().parent_path();
    for (int step = 0; step < kMostSteps && folder != folder.parent_path(); ++step, folder = folder.parent_path()) {
        for (const char* name : {"", "logs", "log", "ascend/log"}) {
            const fs::path logs = *name == '\0' ? folder : folder / name;
            if (is_log_folder(logs)) {
                return fs::path(input).is_absolute() ? logs : logs.lexically_proximate(fs::current_path(unknown));
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
    for (const std::string& input : inputs) {
        found = found ? found : log_folder_near(input);
    }
    found = found ? found : log_folder_of_cann();
    if (found) {
        const std::string path = found->string();
        const bool is_word = path.find_first_of(" \t'\"\\$&();<>|*?[]`") == std::string::npos;
        print_phrase("logs.found", {{"path", is_word ? path : "'" + path + "'"}});
    }
}

}  // namespace opdebug::tool
