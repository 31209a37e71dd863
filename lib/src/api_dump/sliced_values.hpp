// Settings of msprobe that make statistics those of a slice.
#pragma once

#include <optional>
#include <string>

#include <opdebug/result.hpp>

namespace opdebug::api_dump {

/// What config.json next to a dump or above it states on slices; nothing without such a file or member. dump.json
/// itself does not show it.
std::optional<Diagnostic> sliced_values(const std::string& dump);

}  // namespace opdebug::api_dump
