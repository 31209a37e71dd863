#include "output_place.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace opdebug::tool {

bool is_device_or_pipe(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
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
    if (is_device_or_pipe(path)) {
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
    return ::access(folder.c_str(), W_OK | X_OK) == 0 ? std::nullopt : std::optional(refused(folder));
}

}  // namespace opdebug::tool
