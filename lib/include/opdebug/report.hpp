// Results as documents: JSON (docs/json-output.md), text, and the JSON of the official converter. Names from files are
// made safe: in JSON invalid UTF-8 becomes U+FFFD and control characters are escaped; text shows them as \xNN. The
// functions are thread-safe.
#pragma once

#include <cstddef>
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

/// Options of documents.
struct ReportOptions {
    Language language = Language::english;  ///< language of texts and labels
    bool one_line = false;                  ///< JSON without line breaks, as in JSON lines
    /// Include results of operator dumps: `tensors`, `origin`, chains.
    bool tensors = false;
    /// Host name of the dumps, given by the user: `host` in documents and rows. Empty: unknown.
    std::string host = {};
    bool verbose = false;       ///< text: all details, complete lines and paths
    bool color = false;         ///< text: with escape sequences of terminals
    std::size_t columns = 100;  ///< text: width of the page, 40 or more
    /// Text: time zone of the reader at a time, in minutes ahead of UTC. Null: UTC.
    std::function<int(std::optional<std::uint64_t>)> utc_offset_minutes = {};
};

/// The record document "opdebug.record/1" of a decoded dump.
OPDEBUG_API std::string record_to_json(const Dump& dump, const Location& location, const ReportOptions& options = {});

/// The same with results of the operator dump, if options.tensors is set.
OPDEBUG_API std::string record_to_json(const Dump& dump, const Location& location, const TensorEvidence& evidence,
                                       const ReportOptions& options);

/// The same document for a file that cannot be decoded: facts from the path, no records, the error as a diagnostic.
OPDEBUG_API std::string failure_to_json(const Error& error, const ReportOptions& options = {});

/// The answer as text: operator, location, causes, next steps, evidence. Ends with a line break.
OPDEBUG_API std::string record_to_text(const Dump& dump, const Location& location, const ReportOptions& options = {});

/// The same with results of the operator dump, if options.tensors is set.
OPDEBUG_API std::string record_to_text(const Dump& dump, const Location& location, const TensorEvidence& evidence,
                                       const ReportOptions& options);

/// A line about a file that cannot be decoded: code, file, location, reason. Ends with a line break.
OPDEBUG_API std::string failure_to_text(const Error& error, const ReportOptions& options = {});

/// The array of `opdebug status --format json`.
OPDEBUG_API std::string status_to_json(const std::vector<StatusExplanation>& explanations,
                                       const ReportOptions& options = {});

/// The explanation of a status as text. Ends with a line break.
OPDEBUG_API std::string status_to_text(const StatusExplanation& explanation, const ReportOptions& options = {});

/// The document "opdebug.tensors/1" of an operator dump.
OPDEBUG_API std::string tensors_to_json(const OpDump& dump, const ReportOptions& options = {});

/// The same document for a file that cannot be measured: facts from the name, no tensors, the error as a diagnostic.
OPDEBUG_API std::string tensors_failure_to_json(const Error& error, const ReportOptions& options = {});

/// The tensors as a table, then the remarks. Ends with a line break. For a file that cannot be measured, use
/// failure_to_text().
OPDEBUG_API std::string tensors_to_text(const OpDump& dump, const ReportOptions& options = {});

/// Log formats as a definition file (docs/log-formats.md), which list_log_formats() accepts.
OPDEBUG_API std::string log_formats_to_json(const std::vector<LogFormatInfo>& formats,
                                            const ReportOptions& options = {});

/// Log formats as a table. Ends with a line break.
OPDEBUG_API std::string log_formats_to_text(const std::vector<LogFormatInfo>& formats);

/// One log format as text, one member in each line. Ends with a line break.
OPDEBUG_API std::string log_format_to_text(const LogFormatInfo& format);

/// The document "opdebug.logs/1": read logs and failures.
OPDEBUG_API std::string logs_to_json(const ReadLogs& logs, const ReportOptions& options = {});

/// The document "opdebug.doctor/1".
OPDEBUG_API std::string doctor_to_json(const DoctorReport& report, const ReportOptions& options = {});

/// The findings as text, most severe first, each with its setting. Ends with a line break.
OPDEBUG_API std::string doctor_to_text(const DoctorReport& report, const ReportOptions& options = {});

/// Result of checking one definition file.
struct LogFormatCheck {
    std::string file;
    Result<LogFormatFile> result;
};

/// The array of `opdebug formats check --format json`.
OPDEBUG_API std::string log_format_checks_to_json(const std::vector<LogFormatCheck>& checks,
                                                  const ReportOptions& options = {});

/// A line about one checked file: number of formats, or its error. Ends with a line break.
OPDEBUG_API std::string log_format_check_to_text(const LogFormatCheck& check);

/// One output of a dump as JSON of the official converter.
struct ConvertedOutput {
    std::uint64_t output_index = 0;  ///< in the file name of the converter: {dump}.output.{index}.json
    std::string json;                ///< 4-space indent, fixed order of keys, no line break at the end
};

/// The JSON of the official converter (msaccucmp convert), byte for byte. Like the converter, it uses only the first
/// dump of a file and the first entry of an accelerator payload; if this dump is damaged, the result is empty. Error:
/// payload_truncated.
OPDEBUG_API Result<std::vector<ConvertedOutput>> dump_to_converter_json(const Dump& dump);

/// Escapes control characters (line breaks and tabs included), invisible characters and invalid UTF-8 as \xNN, so that
/// names and log lines cannot send escape sequences to a terminal.
OPDEBUG_API std::string printable(std::string_view text);

}  // namespace v0
}  // namespace opdebug
