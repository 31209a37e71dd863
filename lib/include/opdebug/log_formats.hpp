// The definitions of log lines (docs/log-formats.md): the built-in ones, a user's own, and whether they are sound.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/limits.hpp>
#include <opdebug/named_text.hpp>
#include <opdebug/result.hpp>

namespace opdebug {
inline namespace v0 {

/// One definition, as its file states it. What the file leaves out is empty or false.
struct LogFormatInfo {
    std::string file;  ///< name of the file that it comes from
    std::string id;
    std::string catalogue;  ///< short mark that the wordings of one message share
    std::string states;
    std::string else_states;  ///< what lines with values of `ignore` state
    std::string log;
    std::vector<std::string> modules;
    std::vector<std::string> functions;
    std::vector<std::string> patterns;
    std::vector<std::string> literals;  ///< for each pattern the text that each of its lines contains
    std::string literal;                ///< that text for all patterns, where the file has it
    std::vector<std::pair<std::string, std::vector<std::string>>> ignore;  ///< captures and values that state nothing
    bool cut_lines = false;                                                ///< only lines that may have been cut
    bool fallback = false;                                                 ///< only lines that no other format reads
    std::vector<std::pair<std::string, std::uint64_t>> constants;  ///< numbers that each line states without printing
    bool task_id_provisional = false;
    std::string remembers;
    bool once = false;
    std::string forgets;
    std::vector<std::string> completed_by;
    std::string versions;
    std::string source;
    std::vector<std::string> samples;
};

/// The built-in definitions and those of `files` (JSON texts), in this order. Error: log_format_invalid, with file,
/// entry, member, reason and remedy; those of limits. Thread-safe.
OPDEBUG_API Result<std::vector<LogFormatInfo>> list_log_formats(const std::vector<NamedText>& files = {},
                                                                const Limits& limits = {});

/// What a sound file holds.
struct LogFormatFile {
    std::uint64_t formats = 0;
    std::uint64_t samples = 0;
};

/// Whether a file is sound together with the built-in definitions and those of `beside`, of which the file itself
/// (equal name without folders, and equal text) is left out. Errors as for list_log_formats(); the fault may also be
/// that of a file of `beside`. Thread-safe.
OPDEBUG_API Result<LogFormatFile> check_log_format_file(const NamedText& file,
                                                        const std::vector<NamedText>& beside = {},
                                                        const Limits& limits = {});

/// Reads a file of definitions, or all files below a folder whose names end in .json, in the order of their names
/// (sub-folders are not read). Errors: those of opening and reading (file_not_found ...), definition_too_large, and
/// log_format_invalid for a folder without such files. Thread-safe.
OPDEBUG_API Result<std::vector<NamedText>> read_log_format_files(const std::string& path, const Limits& limits = {});

/// Those of `formats` with that id or catalogue mark. Marks may be ranges: "L4-L10" is the mark of "L7" as well.
/// Letters of marks count in either case. Thread-safe.
OPDEBUG_API std::vector<LogFormatInfo> log_formats_named(const std::vector<LogFormatInfo>& formats,
                                                         const std::string& name);

/// Ids and catalogue marks of `formats` that are spelled nearly like `name`, the nearest first, at most five.
/// Thread-safe.
OPDEBUG_API std::vector<std::string> near_log_format_names(const std::vector<LogFormatInfo>& formats,
                                                           const std::string& name);

}  // namespace v0
}  // namespace opdebug
