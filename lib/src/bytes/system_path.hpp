// Paths as the system takes them: up to the first NUL.
#pragma once

#include <string>

namespace opdebug::bytes {

/// The path for a call of the system. One with a NUL inside leads nowhere, not to what stands in front of the NUL: of
/// that the system knows no file or folder (ENOENT), as of an empty path. It lives as long as `path`.
inline const char* system_path(const std::string& path) noexcept {
    return path.find('\0') == std::string::npos ? path.c_str() : "";
}

}  // namespace opdebug::bytes
