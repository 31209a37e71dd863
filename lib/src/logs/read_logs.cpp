// Paths → task map: which files are logs, and their lines.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include <opdebug/task_map.hpp>
#include <opdebug/tree.hpp>

#include "logs/builder.hpp"
#include "logs/line_source.hpp"
#include "logs/map_file.hpp"
#include "tree/folder.hpp"

namespace opdebug {
namespace {

bool ends_with(std::string_view name, std::string_view ending) {
    return name.size() >= ending.size() && name.substr(name.size() - ending.size()) == ending;
}

bool is_compressed(std::string_view name) {
    return ends_with(name, ".gz") || ends_with(name, ".zst") || ends_with(name, ".tgz") || ends_with(name, ".zip");
}

Error compressed_error(const std::string& path) {
    return {ErrorCode::log_unreadable, "compressed logs are not read by this version: unpack the file first", path,
            std::nullopt};
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
            } else if (is_compressed(entry.name)) {
                failures.push_back(compressed_error(path));
            }
        }
    }
}

void add_path(const std::string& path, std::vector<std::string>& files, std::vector<Error>& failures) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        failures.push_back({errno == EACCES ? ErrorCode::permission_denied : ErrorCode::file_not_found,
                            std::string("cannot find the log file or folder: ") + std::strerror(errno), path,
                            std::nullopt});
    } else if (S_ISDIR(status.st_mode)) {
        add_logs_below(path, files, failures);
    } else if (is_compressed(path)) {
        failures.push_back(compressed_error(path));
    } else {
        files.push_back(path);
    }
}

/// Two paths may lead to one file.
void drop_same_files(std::vector<std::string>& files) {
    std::set<std::pair<dev_t, ino_t>> seen;
    const auto is_same = [&seen](const std::string& file) {
        struct stat status {};
        return ::stat(file.c_str(), &status) == 0 && !seen.insert({status.st_dev, status.st_ino}).second;
    };
    files.erase(std::remove_if(files.begin(), files.end(), is_same), files.end());
}

Result<std::shared_ptr<const logs::LogFormats>> formats_of(const std::vector<NamedText>& further) {
    if (further.empty()) {
        return logs::built_in_log_formats();
    }
    std::vector<NamedText> all = logs::built_in_log_format_files();
    all.insert(all.end(), further.begin(), further.end());
    return logs::LogFormats::load(all);
}

void add_saved_map(const std::string& path, const std::optional<WantedTasks>& wanted,
                   std::vector<TaskMap::Contents>& saved, ReadLogs& result) {
    Result<TaskMap::Contents> map = logs::read_map_file(path, wanted);
    if (map) {
        ++result.files;
        saved.push_back(std::move(*map));
    } else {
        result.failures.push_back(std::move(map.error()));
    }
}

}  // namespace

Result<ReadLogs> read_logs(const std::vector<std::string>& paths, const ReadLogsOptions& options) {
    ReadLogs result;
    std::vector<std::string> files;
    for (const std::string& path : paths) {
        add_path(path, files, result.failures);
    }
    std::sort(files.begin(), files.end());
    drop_same_files(files);
    const auto formats = formats_of(options.log_formats);
    if (!formats) {
        return formats.error();
    }
    logs::TaskMapBuilder builder;
    std::vector<TaskMap::Contents> saved;
    for (const std::string& file : files) {
        if (logs::is_map_file(file)) {
            add_saved_map(file, options.wanted, saved, result);
            continue;
        }
        builder.begin_file(file);
        const auto lines = logs::for_each_line(file, [&](std::string_view line, std::uint64_t number) {
            builder.add(match_lines(line, number, **formats));
        });
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
    result.task_map = logs::join_maps(builder.finish(), std::move(saved));
    result.diagnostics = builder.diagnostics();
    return result;
}

}  // namespace opdebug
