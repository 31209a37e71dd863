// The whole library, and explain(): one dump in one call. Include single headers if they are enough.
//
// Rules for all functions, unless they state otherwise:
// * Several threads may call them at once, if no thread changes an object that another one uses.
// * They read arguments only during the call. The caller owns results.
// * Errors are values (result.hpp). The only exceptions are std::bad_alloc and those of the caller's own functions.
// * Names that end in _us are microseconds since 1970-01-01 UTC.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/api.hpp>
#include <opdebug/doctor.hpp>
#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/logs.hpp>
#include <opdebug/report.hpp>
#include <opdebug/result.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/tensor.hpp>
#include <opdebug/tree.hpp>
#include <opdebug/version.hpp>

namespace opdebug {
inline namespace v0 {

/// How explain() works.
struct ExplainOptions {
    std::vector<std::string> logs;  ///< logs, folders of logs, saved maps; may be empty
    Language language = Language::english;
    bool tensors = false;                   ///< measure the operator's own dump
    bool verbose = false;                   ///< text with all details, whole lines and paths
    std::optional<int> utc_offset_minutes;  ///< minutes that the logs' local time is ahead of UTC, if known
    bool system_time_zone = true;           ///< this machine's zone, if nothing better shows the zone; false: UTC
    Limits limits;
};

/// One dump explained.
struct Explanation {
    Dump dump;
    Location location;                ///< operator and model
    TensorEvidence evidence;          ///< with ExplainOptions::tensors
    std::vector<Error> log_failures;  ///< logs that could not be read
    std::string text;                 ///< for people, as `opdebug decode --format text`
};

/// Decodes a dump, reads the logs for it, finds its operator and writes the text. Error: that of decode_file().
OPDEBUG_API Result<Explanation> explain(const std::string& path, const ExplainOptions& options = {});

}  // namespace v0
}  // namespace opdebug
