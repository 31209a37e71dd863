// Environment variables (levels and files of logs); permissions and disk space of folders.
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include "doctor/checks.hpp"
#include "tree/folder.hpp"

namespace opdebug::doctor {
namespace {

/// Logs of a run need up to 200 MB for each process by default.
constexpr std::uint64_t kEnoughBytes = std::uint64_t{1} << 30U;

bool is_folder(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

/// The folder or its nearest existing parent; empty if there is none.
std::string nearest_there(std::string folder) {
    struct stat status {};
    while (::stat(folder.c_str(), &status) != 0) {
        const std::string above = tree::folder_of(folder);
        if (above == folder || (errno != ENOENT && errno != ENOTDIR)) {
            return {};
        }
        folder = above;
    }
    return folder;
}

constexpr int kDebug = 0, kInfo = 1, kError = 3, kNull = 4;
constexpr int kDefaultLevel = kError;
constexpr int kDefaultFiles = 10, kMostFiles = 1000;
constexpr int kEnoughOpenFiles = 100;  ///< 2 GB for each process; chosen for this check

/// Of the variables without rules.
constexpr std::array kVariables{"ASCEND_MODULE_LOG_LEVEL", "ASCEND_HOST_LOG_FILE_NUM", "ASCEND_LOG_SYNC_SAVE",
                                "ASCEND_PROCESS_LOG_PATH", "ASCEND_WORK_PATH",         "HOME"};

/// The value of a variable; empty if it is not set or empty.
std::optional<std::string> value_of(const Environment& environment, std::string_view name) {
    const auto found = std::find_if(environment.begin(), environment.end(),
                                    [name](const auto& variable) { return variable.first == name; });
    return found == environment.end() || found->second.empty() ? std::nullopt : std::optional(found->second);
}

std::optional<int> number_in(std::string_view text, int least, int most) {
    int number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && number >= least && number <= most
               ? std::optional(number)
               : std::nullopt;
}

std::string level_name(int level) {
    constexpr std::array kNames{"DEBUG", "INFO", "WARNING", "ERROR", "NULL"};
    return kNames.at(static_cast<std::size_t>(level));
}

/// The level of each module; "" is for all others.
using Levels = std::map<std::string, int, std::less<>>;

int level_of(const Levels& levels, std::string_view module) {
    const auto own = levels.find(module);
    return own != levels.end() ? own->second : levels.find("")->second;
}

void read_module_levels(const std::string& text, Levels& levels, Findings& findings) {
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(':', begin), text.size());
        const std::string entry = text.substr(begin, end - begin);
        const std::size_t equals = entry.find('=');
        const auto level = equals == std::string::npos || equals == 0
                               ? std::nullopt
                               : number_in(std::string_view(entry).substr(equals + 1), kDebug, kNull);
        if (level) {
            levels[entry.substr(0, equals)] = *level;
        } else if (!entry.empty()) {
            findings.add("module_level_unreadable", "", {{"value", entry}});
        }
        begin = end + 1;
    }
}

Levels levels_of(const Environment& environment, Findings& findings) {
    Levels levels{{"", kDefaultLevel}};
    if (const auto value = value_of(environment, "ASCEND_GLOBAL_LOG_LEVEL")) {
        levels[""] = number_in(*value, kDebug, kNull).value_or(kDefaultLevel);
    }
    if (const auto value = value_of(environment, "ASCEND_MODULE_LOG_LEVEL")) {
        read_module_levels(*value, levels, findings);
    }
    return levels;
}

/// The modules with a level above INFO, and their common level, if any.
struct Hidden {
    std::string modules, levels;
    std::size_t count = 0;
};

Hidden hidden_of(const Levels& levels, std::initializer_list<const char*> modules) {
    Hidden hidden;
    for (const char* module : modules) {
        const int level = level_of(levels, module);
        if (level > kInfo) {
            hidden.modules += (hidden.count++ == 0 ? "" : ", ") + std::string(module);
            if (hidden.levels.find(level_name(level)) == std::string::npos) {
                hidden.levels += (hidden.levels.empty() ? "" : ", ") + level_name(level);
            }
        }
    }
    return hidden;
}

void check_levels(const Environment& environment, Findings& findings) {
    const Levels levels = levels_of(environment, findings);
    const auto tell = [&findings](std::string_view code, const Hidden& hidden) {
        findings.add(code, "", {{"modules", hidden.modules}, {"count", hidden.count}, {"level", hidden.levels}});
    };
    const Hidden runtime = hidden_of(levels, {"RUNTIME"}), ge = hidden_of(levels, {"GE"});
    // Each of the two modules names tasks; without both, no module does.
    if (runtime.count != 0 && ge.count != 0) {
        tell("log_level_hides_operators", hidden_of(levels, {"RUNTIME", "GE"}));
    } else if (ge.count != 0) {
        tell("log_level_hides_nodes", ge);
    } else if (runtime.count != 0) {
        tell("log_level_hides_kernels", runtime);
    } else if (const Hidden rest = hidden_of(levels, {"CCECPU", "IDEDD"}); rest.count != 0) {
        tell("log_level_hides_types", rest);
    } else {
        findings.pass("log_levels", "");
    }
    const bool written_at_once =
        value_of(environment, "ASCEND_LOG_SYNC_SAVE") == "1" || levels.find("")->second < kError;
    if (!written_at_once && (runtime.count == 0 || ge.count == 0)) {
        findings.add("log_lines_may_be_lost", "");
    }
}

void check_log_files(const Environment& environment, Findings& findings) {
    const auto value = value_of(environment, "ASCEND_HOST_LOG_FILE_NUM");
    const auto number = value ? number_in(*value, 1, kMostFiles) : std::nullopt;
    if (number.value_or(kDefaultFiles) >= kEnoughOpenFiles) {
        findings.pass("log_files", "");
    } else {
        findings.add("log_files_rotate_away", "",
                     {{"files", number.value_or(kDefaultFiles)}, {"by_default", number ? "" : " by default"}});
    }
    struct Root {
        const char *variable, *below;
    };
    for (const Root root :
         {Root{"ASCEND_PROCESS_LOG_PATH", ""}, Root{"ASCEND_WORK_PATH", "/log"}, Root{"HOME", "/ascend/log"}}) {
        if (const auto folder = value_of(environment, root.variable)) {
            const std::string path = *folder + root.below;
            findings.add("log_folder", path, {{"variable", root.variable}});
            check_room(path, findings);
            return;
        }
    }
    findings.add("log_folder_unknown", "");
}

}  // namespace

void check_room(const std::string& folder, Findings& findings) {
    const std::size_t faults = findings.faults();
    const std::string there = nearest_there(folder);
    if (there.empty()) {
        return;  // the check of the path itself reports unreadable parents
    }
    if (!is_folder(there)) {
        findings.add("not_a_folder", there);
        return;
    }
    struct statvfs room {};
    const bool has_blocks = ::statvfs(there.c_str(), &room) == 0 && room.f_blocks != 0;  // /proc has none
    const std::uint64_t free = static_cast<std::uint64_t>(room.f_bavail) * room.f_frsize;
    if ((room.f_flag & ST_RDONLY) != 0) {
        findings.add("file_system_read_only", folder);
        return;
    }
    if (has_blocks && free < room.f_frsize) {
        findings.add("no_space", folder, {{"free", show_bytes(free)}});
    } else if (has_blocks && free < kEnoughBytes) {
        findings.add("little_space", folder, {{"free", show_bytes(free)}, {"needed", show_bytes(kEnoughBytes)}});
    }
    if (::access(there.c_str(), W_OK | X_OK) != 0) {
        findings.add("folder_not_writable", there);
    } else if (has_blocks && findings.faults() == faults) {
        findings.pass("folder", there);
    }
}

void check_environment(const Environment& environment, Findings& findings) {
    check_levels(environment, findings);
    check_log_files(environment, findings);
    check_variables(environment, findings);
}

}  // namespace opdebug::doctor

namespace opdebug {
inline namespace v0 {

std::vector<std::string> doctor_variables() {
    std::vector<std::string> names = doctor::variables_with_rules();
    names.insert(names.end(), doctor::kVariables.begin(), doctor::kVariables.end());
    return names;
}

}  // namespace v0
}  // namespace opdebug
