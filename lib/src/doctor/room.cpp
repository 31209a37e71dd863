// Rights and room of a folder.
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "bytes/counted.hpp"
#include "doctor/checks.hpp"
#include "tree/folder.hpp"

namespace opdebug::doctor {
namespace {

/// A run's logs alone are 200 MB for each process by default.
constexpr std::uint64_t kEnoughBytes = std::uint64_t{1} << 30U;
constexpr std::uint64_t kEnoughFreeFiles = 10'000;

/// File systems of the kernel in which nobody can make a folder, whatever rights say.
constexpr std::array<unsigned long, 3> kOfKernel{PROC_SUPER_MAGIC, SYSFS_MAGIC, DEVPTS_SUPER_MAGIC};

bool is_of_kernel(const std::string& path) {
    struct statfs system {};
    return ::statfs(path.c_str(), &system) == 0 &&
           std::find(kOfKernel.begin(), kOfKernel.end(), static_cast<unsigned long>(system.f_type)) != kOfKernel.end();
}

bool is_folder(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

/// The folder, or the nearest above it that is there; empty when there is none.
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

}  // namespace

void check_room(const std::string& folder, Findings& findings) {
    const std::string there = nearest_there(folder);
    if (there.empty()) {
        return;  // an unreadable folder above is told where the path itself is read
    }
    if (!is_folder(there)) {
        findings.add("not_a_folder", there);
        return;
    }
    if (is_of_kernel(there)) {
        findings.add("folder_of_kernel", folder);
        return;
    }
    struct statvfs room {};
    if (::statvfs(there.c_str(), &room) == 0) {
        const std::uint64_t free = static_cast<std::uint64_t>(room.f_bavail) * room.f_frsize;
        if ((room.f_flag & ST_RDONLY) != 0) {
            findings.add("file_system_read_only", folder);
            return;
        }
        if (room.f_blocks != 0 && free < room.f_frsize) {
            findings.add("no_space", folder, {{"free", show_bytes(free)}});
        } else if (room.f_blocks != 0 && free < kEnoughBytes) {
            findings.add("little_space", folder, {{"free", show_bytes(free)}, {"needed", show_bytes(kEnoughBytes)}});
        }
        // File systems without a fixed number of files say 0 of both.
        if (room.f_files != 0 && room.f_favail < kEnoughFreeFiles) {
            findings.add("few_inodes", folder, {{"files", bytes::counted(room.f_favail, "more file")}});
        }
    }
    if (::access(there.c_str(), W_OK | X_OK) != 0) {
        findings.add("folder_not_writable", there);
    }
}

}  // namespace opdebug::doctor
