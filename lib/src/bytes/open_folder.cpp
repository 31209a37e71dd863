#include "bytes/open_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <utility>

#include "bytes/system_path.hpp"

namespace opdebug::bytes {
namespace {

// O_NONBLOCK: opening a FIFO must not wait for a writer; it has no effect on regular files.
constexpr int kForReading = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

}  // namespace

int open_path(const std::string& path) noexcept {
    return ::open(system_path(path), kForReading);
}

OpenFolder::OpenFolder(std::string prefix) : prefix_(std::move(prefix)) {
    if (!prefix_.empty()) {
        descriptor_ = ::open(prefix_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    }
}

OpenFolder::OpenFolder(OpenFolder&& other) noexcept
    : prefix_(std::move(other.prefix_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

OpenFolder::~OpenFolder() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

/// A path that is too long for the system stays so.
bool OpenFolder::holds(const std::string& path) const noexcept {
    return descriptor_ >= 0 && path.size() < PATH_MAX && path.starts_with(prefix_) &&
           path.find('/', prefix_.size()) == std::string::npos;
}

int OpenFolder::open_file(const std::string& path) const noexcept {
    if (holds(path)) {
        const int file = ::openat(descriptor_, path.c_str() + prefix_.size(), kForReading);
        if (file >= 0 || (errno != ENOENT && errno != ESTALE && errno != EACCES)) {
            return file;
        }
    }
    return open_path(path);
}

}  // namespace opdebug::bytes
