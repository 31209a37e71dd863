// The arithmetic mode that torch_npu reads from the environment. The chip is unknown here, so findings name the case of
// each generation.
#include <charconv>
#include <filesystem>
#include <fstream>
#include <regex>
#include <utility>

#include "doctor/checks.hpp"

namespace opdebug::doctor {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnable = "INF_NAN_MODE_ENABLE";
constexpr const char* kForceDisable = "INF_NAN_MODE_FORCE_DISABLE";
constexpr const char* kForceCheck = "FORCE_OVERFLOW_CHECK";

/// A CANN version in files and folder names: "8.5.0", "9.1.0-beta.1", "8.2.RC1".
struct CannVersion {
    std::string text;
    int major = 0, minor = 0;
    /// Whether this version is certainly too old for FORCE_OVERFLOW_CHECK. It is unknown for early builds of 9.1.
    bool is_below_9_1() const { return std::pair(major, minor) < std::pair(9, 1); }
};

std::optional<CannVersion> version_in(const std::string& text) {
    static const std::regex pattern(R"((?:cann-)?((\d{1,4})\.(\d{1,4})(?:\.[A-Za-z0-9.-]+)?))");
    std::smatch parts;
    if (!std::regex_match(text, parts, pattern)) {
        return std::nullopt;
    }
    return CannVersion{parts[1], std::stoi(parts[2]), std::stoi(parts[3])};
}

/// Reads version=... of ascend_{package}_install.info in the folder.
std::optional<CannVersion> installed_version(const fs::path& folder) {
    static const std::regex name(R"(ascend_.*_install\.info)");
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        if (!std::regex_match(entry->path().filename().string(), name) || !entry->is_regular_file(error)) {
            continue;
        }
        std::ifstream file(entry->path());
        for (std::string line; std::getline(file, line);) {
            if (line.rfind("version=", 0) == 0) {
                return version_in(line.substr(line.find('=') + 1));
            }
        }
    }
    return std::nullopt;
}

/// The CANN version of a folder: from its install file, as torch_npu reads it, otherwise from the folder name.
std::optional<CannVersion> cann_version(const std::string& home) {
    std::error_code error;
    const fs::path real = fs::canonical(home, error);
    const fs::path folder = error ? fs::path(home) : real;
    for (const fs::path& place : {folder, folder / "x86_64-linux", folder / "aarch64-linux"}) {
        if (auto version = installed_version(place)) {
            return version;
        }
    }
    return version_in((folder.has_filename() ? folder : folder.parent_path()).filename().string());
}

/// 0 or 1; `unset` if the variable is not set. Other values: empty, with a finding.
std::optional<bool> switch_of(const Environment& environment, const char* variable, bool unset, Findings& findings) {
    const auto value = value_of(environment, variable);
    if (!value) {
        return unset;
    }
    int number = -1;
    const char* const end = value->data() + value->size();
    const auto parsed = std::from_chars(value->data(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end && (number == 0 || number == 1)) {
        return number == 1;
    }
    findings.add("inf_nan_mode_unreadable", "", {{"variable", variable}, {"value", *value}});
    return std::nullopt;
}

void check_mode(const Environment& environment, Findings& findings) {
    const auto enabled = switch_of(environment, kEnable, true, findings);
    const auto disabled_by_force = switch_of(environment, kForceDisable, false, findings);
    if (!enabled || !disabled_by_force) {
        return;  // torch_npu stops
    }
    if (*disabled_by_force) {
        findings.add("saturation_mode", "");
    } else if (*enabled) {
        findings.add("inf_nan_mode", "");
    } else {
        findings.add("inf_nan_mode_refused", "");
    }
    if (!*enabled || *disabled_by_force) {
        std::string variables = *enabled ? "" : kEnable;
        variables += !*enabled && *disabled_by_force ? " and " : "";
        variables += *disabled_by_force ? kForceDisable : "";
        findings.add("inf_nan_variables_ignored", "", {{"variables", variables}});
    }
}

void check_registers(const Environment& environment, Findings& findings) {
    const auto value = value_of(environment, kForceCheck);
    if (!value) {
        return;
    }
    if (*value != "1") {
        findings.add("force_overflow_check_value", "", {{"value", *value}});
        return;
    }
    const auto home = value_of(environment, "ASCEND_HOME_PATH");
    const auto version = home ? cann_version(*home) : std::nullopt;
    if (version && version->is_below_9_1()) {
        findings.add("force_overflow_check_ignored", "", {{"home", *home}, {"version", version->text}});
    } else {
        findings.add("force_overflow_check", "");
    }
}

}  // namespace

void check_arithmetic(const Environment& environment, Findings& findings) {
    check_mode(environment, findings);
    check_registers(environment, findings);
}

}  // namespace opdebug::doctor
