// Paths → task map: which files are logs, and their lines.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <opdebug/task_map.hpp>
#include <opdebug/tree.hpp>

#include "logs/builder.hpp"
#include "logs/line_source.hpp"
#include "tree/folder.hpp"

namespace opdebug {
namespace {

bool ends_with(std::string_view name, std::string_view ending) {
    return name.size() >= ending.size() && name.substr(name.size() - ending.size()) == ending;
}

bool is_folder(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

/// Adds the logs below a folder in path order. Links to folders are not followed: a log folder has no need of them.
void add_logs_below(const std::string& folder, std::vector<std::string>& files, std::vector<Error>& failures) {
    std::vector<std::string> waiting{folder};
    while (!waiting.empty()) {
        const std::string current = std::move(waiting.back());
        waiting.pop_back();
        const auto entries = tree::list_folder(current);
        if (!entries) {
            failures.push_back(entries.error());
            continue;
        }
        for (const tree::FolderEntry& entry : *entries) {
            const std::string path = tree::join_path(current, entry.name);
            struct stat status {};
            if (::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
                waiting.push_back(path);
            } else if (ends_with(entry.name, ".log") || ends_with(entry.name, ".txt")) {
                files.push_back(path);
            }
        }
    }
}

}  // namespace

Result<ReadLogs> read_logs(const std::vector<std::string>& paths) {
    ReadLogs result;
    std::vector<std::string> files;
    for (const std::string& path : paths) {
        struct stat status {};
        if (::stat(path.c_str(), &status) != 0) {
            return Error{errno == EACCES ? ErrorCode::permission_denied : ErrorCode::file_not_found,
                         std::string("cannot find the log file or folder: ") + std::strerror(errno), path,
                         std::nullopt};
        }
        if (is_folder(path)) {
            add_logs_below(path, files, result.failures);
        } else {
            files.push_back(path);
        }
    }
    std::sort(files.begin(), files.end());
    files.erase(std::unique(files.begin(), files.end()), files.end());
    logs::TaskMapBuilder builder(logs::built_in_log_formats());
    for (const std::string& file : files) {
        builder.begin_file(file);
        const auto lines = logs::for_each_line(
            file, [&builder](std::string_view line, std::uint64_t number) { builder.add_line(line, number); });
        if (lines) {
            ++result.files;
            result.lines += *lines;
        } else {
            result.failures.push_back(lines.error());
        }
    }
    if (result.files == 0) {
        return result.failures.empty()
                   ? Error{ErrorCode::log_unreadable, "no log was found: files ending in .log or .txt were expected",
                           paths.empty() ? std::string() : paths.front(), std::nullopt}
                   : result.failures.front();
    }
    result.task_map = builder.finish();
    result.diagnostics = builder.diagnostics();
    return result;
}

}  // namespace opdebug
