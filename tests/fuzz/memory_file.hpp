// A file in memory, for functions that take a path.
#pragma once

#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include <opdebug/bytes.hpp>

#include "require.hpp"

namespace opdebug::fuzz {

class MemoryFile {
public:
    explicit MemoryFile(Bytes content) : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
        require(descriptor_ >= 0, "the system gives a file in memory");
        const ssize_t written = content.empty() ? 0 : write(descriptor_, content.data(), content.size());
        require(static_cast<std::size_t>(written) == content.size(), "the file takes all bytes");
    }
    ~MemoryFile() { close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
    int descriptor_;
};

}  // namespace opdebug::fuzz
