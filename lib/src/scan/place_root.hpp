// The folder that a dump's place lies in: equal ranks, devices and times below two of them are two places.
#pragma once

#include <optional>
#include <string_view>

#include <opdebug/scan_overview.hpp>

namespace opdebug::scan_stage {

/// The path above the folder of the rank, or without one of the time, and above the step's folder where that lies
/// directly above it. Without both, the folder of the dump. Where a link or the working folder hides the folder, it is
/// the path above what its layout has below it, so links side by side are several; empty where these do not show it.
std::string_view root_of(const ScanItem& item);

/// The folder of a run: {time}, which each process has, or msprobe's {time stamp} in rank_{r}/{time stamp}/step_{s}.
std::optional<std::string_view> run_folder_of(const ScanItem& item);

}  // namespace opdebug::scan_stage
