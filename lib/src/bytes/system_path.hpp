// Paths for system calls, which read up to the first NUL.
#pragma once

#include <string>

namespace opdebug::bytes {

/// The path for a system call, valid as long as `path`. A path with a NUL inside becomes the empty path (ENOENT), so
/// the part before the NUL is never opened.
inline const char* system_path(const std::string& path) noexcept {
    return path.find('\0') == std::string::npos ? path.c_str() : "";
}

}  // namespace opdebug::bytes
