// What is missing before or after a run, so that overflows can be explained: levels of logs, switches of dumps, rights,
// space, layout, clocks. Nothing is written, and nothing is decoded beyond what the checks need.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/limits.hpp>
#include <opdebug/result.hpp>

namespace opdebug {
inline namespace v0 {

/// One thing that is or will be missing, or is good to know. error: operators, dumps or logs will be missing; warning:
/// some of them may be; info: nothing to do.
struct DoctorFinding {
    Severity severity = Severity::info;
    std::string code;                               ///< a stable snake_case name; all of them: docs/cli.md, doctor
    std::string message;                            ///< a whole English sentence
    std::string setting;                            ///< what to change; empty: nothing
    std::string source;                             ///< where the fact comes from, and what of it is inferred
    std::string path;                               ///< the file or folder it is about; empty: the environment
    std::string message_zh, setting_zh, source_zh;  ///< the texts in Chinese
};

/// Variables of the environment by name.
using Environment = std::vector<std::pair<std::string, std::string>>;

/// What is examined, and beside which facts that the library does not ask for itself.
struct DoctorOptions {
    std::vector<std::string> paths;  ///< dump paths, logs, saved maps, dump settings (.json); may be empty
    /// The environment in which the job runs or will run; nothing: it is not known and not examined. The library reads
    /// none itself.
    std::optional<Environment> environment;
    std::uint64_t now_us = 0;         ///< this machine's time, UTC microseconds; 0: clocks are not compared with it
    int host_utc_offset_minutes = 0;  ///< minutes that this machine's zone is ahead of UTC
    Limits limits;                    ///< of what is read
    std::function<bool()> stop;       ///< asked now and then; true ends the examination with what is known
};

/// What was found below the paths. Dumps and logs are counted by their names (of dumps called by numbers, those of
/// mapping.csv), files that were given themselves by their content where the name says nothing.
struct DoctorCounts {
    std::uint64_t dumps = 0, op_dumps = 0, logs = 0, api_dumps = 0, settings = 0;
};

/// What an examination found.
struct DoctorReport {
    std::vector<std::string> paths;
    bool environment_examined = false;
    DoctorCounts counts;
    std::vector<DoctorFinding> findings;  ///< the environment's first, then path by path
    bool complete = true;                 ///< false: stopped

    /// How many findings have this severity.
    OPDEBUG_API std::uint64_t count(Severity severity) const noexcept;
};

/// The variables that the examination knows, in the order in which it asks for them. Thread-safe.
OPDEBUG_API std::vector<std::string> doctor_variables();

/// Examines. Never fails: what cannot be read is a finding. Of a large tree every name is read, and of its dumps and
/// logs some: up to 1,000 dumps and the first megabyte of up to 256 logs for each path. Thread-safe.
OPDEBUG_API DoctorReport examine(const DoctorOptions& options);

}  // namespace v0
}  // namespace opdebug
