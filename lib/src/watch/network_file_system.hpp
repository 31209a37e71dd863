// File systems on which other hosts write: the system tells this host nothing of what they do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace opdebug::watch {

/// The name of a file system by its number in statfs(), where it is one that other hosts may write to.
std::optional<std::string_view> network_file_system_name(std::uint32_t magic) noexcept;

/// The same of a path; nothing for local ones, and when the system does not tell.
std::optional<std::string_view> network_file_system_of(const std::string& path);

}  // namespace opdebug::watch
