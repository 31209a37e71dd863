// The reference dumps with known answers, outside the repository: the folder that OPDEBUG_REFERENCE_DATA names.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/dump.hpp>

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

/// Decodes each reference dump that the official converter made JSON of, and lets `check` look at it. Fails where one
/// cannot be decoded, or where there are fewer than 50.
void each_converted_reference_dump(const std::function<void(const ReferenceDump&, const Dump&)>& check);

}  // namespace opdebug::test
