// A file as it was at a time: another size or time shows that it was written since, or is another one.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace opdebug::watch {

struct FileVersion {
    std::pair<dev_t, ino_t> number;
    std::int64_t size = -1;
    std::int64_t changed_ns = 0;  ///< the file's own time of change, UTC

    /// Numbers are not compared: some file systems in user space give a file a new one now and then.
    friend bool operator==(const FileVersion& a, const FileVersion& b) noexcept {
        return a.size == b.size && a.changed_ns == b.changed_ns;
    }
};

inline FileVersion version_in(const struct stat& status) noexcept {
    return {{status.st_dev, status.st_ino},
            status.st_size,
            std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
}

/// Of what a path leads to; nothing when the system does not tell.
inline std::optional<FileVersion> version_of(const std::string& path) noexcept {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? std::optional(version_in(status)) : std::nullopt;
}

}  // namespace opdebug::watch
