// Results as documents: JSON (docs/json-output.md), text for people, and the official converter's JSON.
// Everything is returned as a string; names from files are made safe for the form (invalid UTF-8 becomes U+FFFD in
// JSON, and control and hidden characters are escaped there; all of these become visible in text).
// The functions are thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/doctor.hpp>
#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/log_formats.hpp>
#include <opdebug/origin.hpp>
#include <opdebug/result.hpp>
#include <opdebug/status.hpp>
#include <opdebug/task_map.hpp>
#include <opdebug/tensor.hpp>

namespace opdebug {
inline namespace v0 {

/// How a document is written.
struct ReportOptions {
    Language language = Language::english;  ///< of the texts of causes, and of the labels in text
    bool one_line = false;                  ///< JSON without line breaks, as in JSON lines
    /// Record documents and reports of scans say what the operators' dumps show: `tensors`, `origin`, chains.
    bool tensors = false;
    /// The machine that holds the dumps, as the user names it: `host` of record documents and rows. Empty: unknown.
    std::string host = {};
    bool verbose = false;  ///< text: with all details, whole lines and paths
    /// Text: minutes that the reader's zone is ahead of UTC at a time, where the logs' zone is not known; empty: UTC.
    std::function<int(std::optional<std::uint64_t>)> utc_offset_minutes = {};
};

/// The record document "opdebug.record/1" of a decoded dump.
OPDEBUG_API std::string record_to_json(const Dump& dump, const Location& location, const ReportOptions& options = {});

/// The same with what the operator's dump shows, where options.tensors asks for it.
OPDEBUG_API std::string record_to_json(const Dump& dump, const Location& location, const TensorEvidence& evidence,
                                       const ReportOptions& options);

/// The same document for a file that could not be decoded: what the path tells, no records, the error as diagnostic.
OPDEBUG_API std::string failure_to_json(const Error& error, const ReportOptions& options = {});

/// A page for people: operator, location, causes, next steps, evidence. Ends with a line break.
OPDEBUG_API std::string record_to_text(const Dump& dump, const Location& location, const ReportOptions& options = {});

/// The same with what the operator's dump shows, where options.tensors asks for it.
OPDEBUG_API std::string record_to_text(const Dump& dump, const Location& location, const TensorEvidence& evidence,
                                       const ReportOptions& options);

/// The line for people about a file that could not be decoded: code, file, place, reason. Ends with a line break.
OPDEBUG_API std::string failure_to_text(const Error& error, const ReportOptions& options = {});

/// The array of `opdebug status --format json`.
OPDEBUG_API std::string status_to_json(const std::vector<StatusExplanation>& explanations,
                                       const ReportOptions& options = {});

/// The explanation with its working, for people. Ends with a line break.
OPDEBUG_API std::string status_to_text(const StatusExplanation& explanation, const ReportOptions& options = {});

/// The document "opdebug.tensors/1" of an operator's dump.
OPDEBUG_API std::string tensors_to_json(const OpDump& dump, const ReportOptions& options = {});

/// The same document for a file that could not be measured: what its name tells, no tensors, the error as diagnostic.
OPDEBUG_API std::string tensors_failure_to_json(const Error& error, const ReportOptions& options = {});

/// The tensors as a table for people, then the remarks. Ends with a line break. For a file that could not be measured:
/// failure_to_text().
OPDEBUG_API std::string tensors_to_text(const OpDump& dump, const ReportOptions& options = {});

/// Log formats in the form of a definition file (docs/log-formats.md), which list_log_formats() could read again.
OPDEBUG_API std::string log_formats_to_json(const std::vector<LogFormatInfo>& formats,
                                            const ReportOptions& options = {});

/// Log formats for people: one line each, in columns. Each line ends with a line break.
OPDEBUG_API std::string log_formats_to_text(const std::vector<LogFormatInfo>& formats);

/// One log format for people, a member of its definition in each line. Ends with a line break.
OPDEBUG_API std::string log_format_to_text(const LogFormatInfo& format);

/// What was read of logs and what could not be, "opdebug.logs/1".
OPDEBUG_API std::string logs_to_json(const ReadLogs& logs, const ReportOptions& options = {});

/// The document "opdebug.doctor/1".
OPDEBUG_API std::string doctor_to_json(const DoctorReport& report, const ReportOptions& options = {});

/// The findings for people, the gravest first, each with the setting to change. Ends with a line break.
OPDEBUG_API std::string doctor_to_text(const DoctorReport& report, const ReportOptions& options = {});

/// What the check of one definition file gave.
struct LogFormatCheck {
    std::string file;
    Result<LogFormatFile> result;
};

/// The array of `opdebug formats check --format json`.
OPDEBUG_API std::string log_format_checks_to_json(const std::vector<LogFormatCheck>& checks,
                                                  const ReportOptions& options = {});

/// The line for people about one checked file: how much it holds, or its fault. Ends with a line break.
OPDEBUG_API std::string log_format_check_to_text(const LogFormatCheck& check);

/// One output of a dump in the official converter's form.
struct ConvertedOutput {
    std::uint64_t output_index = 0;  ///< part of the converter's file name: {dump}.output.{index}.json
    std::string json;                ///< 4-space indent, fixed order of keys, no line break at the end
};

/// The texts that the official converter (msaccucmp convert) writes for a dump, byte for byte. Like it, only the first
/// dump of a file and the first entry of an accelerator payload count; when that dump is damaged there is nothing.
/// Error: payload_truncated.
OPDEBUG_API Result<std::vector<ConvertedOutput>> dump_to_converter_json(const Dump& dump);

/// The text with control characters, characters that nobody sees (of no width, marks of the writing direction, line
/// separators) and bytes that are not UTF-8 written as \xNN, byte by byte: an escape sequence in a file name or a log
/// line must not reach the terminal. Line breaks and tabs count as control characters.
OPDEBUG_API std::string printable(std::string_view text);

}  // namespace v0
}  // namespace opdebug
