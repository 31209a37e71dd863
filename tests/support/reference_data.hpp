// The reference dumps with known answers, outside the repository: the folder that OPDEBUG_REFERENCE_DATA names.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace opdebug::test {

/// The folder, or nothing after printing the line that makes the test count as skipped.
std::optional<std::filesystem::path> reference_data();

/// One entry of dumps/manifest.json.
struct ReferenceDump {
    std::filesystem::path path;
    std::string relative;  ///< path below dumps/
    std::string kind;      ///< "opdebug", "op" or "bad"
    std::string what;
    std::optional<std::string> json;  ///< the exact text of the official converter
};

std::vector<ReferenceDump> reference_dumps(const std::filesystem::path& reference);

}  // namespace opdebug::test
