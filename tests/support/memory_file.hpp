// A file in memory, for functions that take a path.
#pragma once

#include <cstdlib>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include <opdebug/result.hpp>

namespace opdebug::test {

/// Ends the program where the system gives none. Thousands of files are not to be written to a disk.
class MemoryFile {
public:
    explicit MemoryFile(Bytes content) : descriptor_(memfd_create("test", MFD_CLOEXEC)) {
        const ssize_t written = content.empty() ? 0 : write(descriptor_, content.data(), content.size());
        if (descriptor_ < 0 || static_cast<std::size_t>(written) != content.size()) {
            std::abort();
        }
    }
    ~MemoryFile() { close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
    int descriptor_;
};

}  // namespace opdebug::test
