#include "output/output_place.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string_view>

#include "command_line/arguments.hpp"

namespace opdebug::tool {

std::optional<int> descriptor_named(const std::string& path) {
    if (path == "/dev/stdout" || path == "/dev/stderr") {
        return path == "/dev/stdout" ? STDOUT_FILENO : STDERR_FILENO;
    }
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (path.compare(0, folder.size(), folder) == 0) {
            const auto number = parse_count(path.substr(folder.size()));
            return number && *number <= std::numeric_limits<int>::max() ? std::optional(static_cast<int>(*number))
                                                                        : std::nullopt;
        }
    }
    return std::nullopt;
}

bool is_name_of_system(const std::string& path) {
    return path.compare(0, 5, "/dev/") == 0 || path.compare(0, 6, "/proc/") == 0;
}

namespace {

/// Nobody can make a file there, whatever the rights say.
bool is_of_kernel(const std::string& folder) {
    struct statfs system {};
    return ::statfs(folder.c_str(), &system) == 0 &&
           (system.f_type == PROC_SUPER_MAGIC || system.f_type == SYSFS_MAGIC || system.f_type == DEVPTS_SUPER_MAGIC);
}

}  // namespace

bool is_written_in_place(const std::string& path) {
    struct stat status {};
    const int found = is_name_of_system(path) ? ::stat(path.c_str(), &status) : ::lstat(path.c_str(), &status);
    return descriptor_named(path) ||
           (found == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode) && !S_ISLNK(status.st_mode));
}

std::optional<std::string> refuse_output_place(const std::string& path) {
    if (path.empty()) {
        return "-o is the name of a file, not an empty text";
    }
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
        return "-o " + path + " is a folder: name a file";
    }
    const auto refused = [&path](const std::string& place) {
        return "-o " + path + " cannot be written: " + place + ": " + std::strerror(errno);
    };
    if (const auto named = descriptor_named(path)) {
        // Not access(): a terminal may be another user's (su) and be written to by its open descriptor all the same.
        return ::fcntl(*named, F_GETFD) >= 0 ? std::nullopt : std::optional(refused("the descriptor"));
    }
    if (is_written_in_place(path)) {
        return ::access(path.c_str(), W_OK) == 0 ? std::nullopt : std::optional(refused(path));
    }
    if (::lstat(path.c_str(), &status) != 0 && errno == ENAMETOOLONG) {
        return refused("its name");
    }
    const std::string parent = std::filesystem::path(path).parent_path().string();
    const std::string folder = parent.empty() ? "." : parent;
    if (::stat(folder.c_str(), &status) != 0) {
        return refused(folder);
    }
    if (!S_ISDIR(status.st_mode)) {
        return "-o " + path + " cannot be written: " + folder + " is no folder";
    }
    if (is_of_kernel(folder)) {
        return "-o " + path + " cannot be written: " + folder +
               " is a folder of the kernel, in which no file can be made";
    }
    return ::access(folder.c_str(), W_OK | X_OK) == 0 ? std::nullopt : std::optional(refused(folder));
}

std::optional<std::string> refuse_output_folder(const std::string& option, const std::string& path) {
    namespace fs = std::filesystem;
    const auto refused = [&](const std::string& why) { return option + " " + path + " cannot be written: " + why; };
    struct stat status {};
    fs::path there = path;  // the nearest folder that is there: the others are made below it
    while (::stat(there.empty() ? "." : there.c_str(), &status) != 0) {
        if (errno != ENOENT || !there.has_relative_path()) {
            return refused(there.string() + ": " + std::strerror(errno));
        }
        struct stat link {};
        if (::lstat(there.c_str(), &link) == 0) {
            return refused(there.string() + " is a link that leads nowhere");
        }
        there = there.parent_path();
    }
    const std::string folder = there.empty() ? "." : there.string();
    if (!S_ISDIR(status.st_mode)) {
        return refused(folder + " is no folder");
    }
    if (is_of_kernel(folder)) {
        return refused(folder + " is a folder of the kernel, in which no file can be made");
    }
    return ::access(folder.c_str(), W_OK | X_OK) == 0 ? std::nullopt
                                                      : std::optional(refused(folder + ": " + std::strerror(errno)));
}

}  // namespace opdebug::tool
