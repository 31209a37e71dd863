// Checks before or after a run: log levels, dump switches, permissions, disk space, layout, clocks. Writes nothing, and
// decodes only what the checks need.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/result.hpp>

namespace opdebug {
inline namespace v0 {

/// A finding. error: operators, dumps or logs will be missing. warning: some of them may be missing. info: nothing to
/// do.
struct DoctorFinding {
    Severity severity = Severity::info;
    std::string code;                               ///< stable snake_case name; list: `opdebug explain`
    std::string message;                            ///< English sentences; the first one states the fact
    std::string setting;                            ///< setting to change; empty: none
    std::string source;                             ///< source of the fact, and which part is inferred
    std::string path;                               ///< file or folder; empty: the environment
    std::string message_zh, setting_zh, source_zh;  ///< the texts in Chinese
    std::string subject;                            ///< the given path that was examined; empty: the environment
    std::string summary, summary_zh;                ///< first sentence of the message, without its full stop
};

/// Environment variables: names and values.
using Environment = std::vector<std::pair<std::string, std::string>>;

/// Input of an examination. The library reads no environment and no clock itself.
struct DoctorOptions {
    std::vector<std::string> paths;  ///< dump paths, logs, saved maps, dump settings (.json); may be empty
    /// Environment of the job; empty: unknown and not examined.
    std::optional<Environment> environment;
    Limits limits;               ///< of all input
    std::function<bool()> stop;  ///< called from time to time; true: stop
};

/// Numbers of files below the paths. Dumps and logs are counted by name (or the name in mapping.csv). The type of a
/// file that is given as a path is read from its content if the name is unknown.
struct DoctorCounts {
    std::uint64_t dumps = 0, op_dumps = 0, logs = 0, api_dumps = 0, settings = 0;
};

/// Result of an examination.
struct DoctorReport {
    std::vector<std::string> paths;
    bool environment_examined = false;
    DoctorCounts counts;
    std::vector<DoctorFinding> findings;  ///< of the environment, then of each path
    std::vector<DoctorFinding> passed;    ///< checks without a fault: code of the check, path, subject, summary
    bool complete = true;                 ///< false: stopped

    /// Number of findings with this severity.
    OPDEBUG_API std::uint64_t count(Severity severity) const noexcept;
};

/// The environment variables that are examined. Thread-safe.
OPDEBUG_API std::vector<std::string> doctor_variables();

/// Examines. Never fails: an unreadable file is a finding. Reads all names, up to 1,000 dumps, and the first megabyte
/// of up to 256 logs for each path. Thread-safe.
OPDEBUG_API DoctorReport examine(const DoctorOptions& options);

}  // namespace v0
}  // namespace opdebug
