// Results as documents: JSON, text, HTML and CSV, of one dump, of a scan, and of several scans merged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/api.hpp>
#include <opdebug/doctor.hpp>
#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/logs.hpp>
#include <opdebug/result.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/tensor.hpp>

namespace opdebug {
inline namespace v0 {

// Results as documents: JSON (docs/reference/json.md), text, and the JSON of the official converter. Names from files
// are made safe: in JSON invalid UTF-8 becomes U+FFFD and control characters are escaped; text shows them as \xNN. The
// functions are thread-safe.

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

/// Log formats as a definition file (docs/reference/log-formats.md), which list_log_formats() accepts.
OPDEBUG_API std::string log_formats_to_json(const std::vector<LogFormatInfo>& formats,
                                            const ReportOptions& options = {});

/// Log formats as a table, one line each, cut at the width of the page. Ends with a line break.
OPDEBUG_API std::string log_formats_to_text(const std::vector<LogFormatInfo>& formats,
                                            const ReportOptions& options = {});

/// One log format as text, each member on a line of its own. Ends with a line break.
OPDEBUG_API std::string log_format_to_text(const LogFormatInfo& format, const ReportOptions& options = {});

/// The document "opdebug.logs/1": read logs and failures.
OPDEBUG_API std::string logs_to_json(const ReadLogs& logs, const ReportOptions& options = {});

/// The document "opdebug.doctor/1".
OPDEBUG_API std::string doctor_to_json(const DoctorReport& report, const ReportOptions& options = {});

/// A checklist: findings with their settings, most severe first, and checks that passed. Ends with a line break.
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

/// Escapes control characters (line breaks and tabs included), invisible characters and invalid UTF-8 as \xNN. So
/// names and log lines cannot send escape sequences to a terminal.
OPDEBUG_API std::string printable(std::string_view text);

// The report on API dumps as a document and as a page for people. The functions are thread-safe.

/// The document "opdebug.api_report/1" of what API dumps show.
OPDEBUG_API std::string api_report_to_json(const ApiReport& report, const ReportOptions& options = {});

/// Options of the page on API dumps.
struct ApiPageOptions {
    ReportOptions report = ReportOptions();
    ScanFilter filter = ScanFilter();  ///< of the lists; the first culprits do not depend on it
    bool all = false;                  ///< lists all findings
    std::size_t top = 10;              ///< other culprits in the list
};

/// The same as a page for people: the first culprits with evidence, call stack and next step, then the first bad call
/// of each rank, then other culprits. Ends with a line break.
OPDEBUG_API std::string api_report_to_text(const ApiReport& report, const ApiPageOptions& options = {});

// The report of a scan, "opdebug.report/1": JSON, JSON lines, CSV, text and HTML.

/// Lists in the text of a scan: ranks in the order of their overflows, doubts about the first overflow, failed dumps.
struct ScanLists {
    bool ranks = false, uncertain = false, unreadable = false;
};

/// Options of a report.
struct ScanReportOptions {
    ReportOptions report = ReportOptions();
    bool all = false;                    ///< the timeline contains clean dumps, too
    std::optional<std::uint64_t> first;  ///< the timeline contains only the first N
    ScanLists lists = ScanLists();       ///< text: additional lists
    /// Filter of the timeline in every form, and of spread and operators in text. The first overflow, counts and groups
    /// do not depend on it.
    ScanFilter filter = ScanFilter();
    std::size_t top = 10;  ///< text: number of operators
    /// Whether to keep the documents of dumps for write_json(), write_json_lines() and write_csv(). These return the
    /// error invalid_argument without them.
    bool keep_documents = true;
    /// write_json_lines() lists all dumps, also those that the timeline does not contain.
    bool partial = false;
    /// Options for ties between API calls and overflows.
    ApiTieOptions ties = ApiTieOptions();
    /// Folder of the temporary file. The library reads no environment variable.
    std::string temporary_folder = "/tmp";
};

/// A dump in one line: time, step, rank, device, causes, operator, file. No line break. Thread-safe.
OPDEBUG_API std::string item_to_line(const ScanItem& item, Language language = Language::english);

/// A group in one line: cause, operator, model, as far as known. No line break. Thread-safe.
OPDEBUG_API std::string group_to_line(const ScanGroup& group, Language language = Language::english);

/// Receives a piece of the output. false: the writer stops without an error.
using TextSink = std::function<bool(std::string_view)>;

/// Collects the dumps of a scan and writes the report. Many documents are kept in a temporary file, so memory does not
/// grow with them. Not thread-safe; writing does not change it. A moved-from object may only be assigned to or
/// destroyed.
class OPDEBUG_API ScanReport {
public:
    explicit ScanReport(ScanReportOptions options = {});
    ~ScanReport();
    ScanReport(ScanReport&&) noexcept;
    ScanReport& operator=(ScanReport&&) noexcept;

    /// Reads logs of the training run, plain or compressed: the report contains their verdict, and the training step of
    /// each overflow by its time. `utc_offset_minutes`: of the times in the logs; empty: those that the dumps show,
    /// else those of ReportOptions, if they fit. Call before finish(). Reading ends early when `stop` returns true.
    /// Returns an error for each log that could not be read to its end.
    [[nodiscard]] std::vector<Diagnostic> read_training_logs(const std::vector<std::string>& paths,
                                                             std::optional<int> utc_offset_minutes = {},
                                                             const std::function<bool()>& stop = {});
    /// Adds a dump, in any order.
    void add(const ScannedDump& scanned);
    /// Scans and adds every dump. Faster than a scan that calls add(), because the decoding threads prepare the data.
    /// The functions of `options` may not use the report; after an exception of such a function, the report contains a
    /// part of the dumps.
    Scan add_all(const DumpTree& tree, const ScanOptions& options = {});
    /// Call after the last dump. Error: write_failed if the temporary file cannot be written or read.
    [[nodiscard]] std::optional<Error> finish(const Scan& scan);

    /// Each writes the complete report. Call after finish(). Errors: read_failed if the temporary file cannot be read;
    /// invalid_argument if the options keep too little.
    [[nodiscard]] std::optional<Error> write_json(const TextSink& sink) const;
    [[nodiscard]] std::optional<Error> write_json_lines(const TextSink& sink) const;
    [[nodiscard]] std::optional<Error> write_csv(const TextSink& sink) const;
    [[nodiscard]] std::optional<Error> write_text(const TextSink& sink) const;
    [[nodiscard]] std::optional<Error> write_html(const TextSink& sink) const;

    /// Diagnostics about API dumps and ties; error: a truncated dump or an unused trace. Call after finish().
    std::vector<Diagnostic> api_diagnostics() const;

    struct Contents;
    /// Both are used by the library's own stages.
    const Contents& contents() const noexcept { return *contents_; }
    explicit ScanReport(std::unique_ptr<Contents> contents);

private:
    std::unique_ptr<Contents> contents_;
};

// The summary of the first overflows of a tree in the form of msaccucmp overflow (docs/reference/commands.md,
// "overflow"): the records, their causes, and the tensors of the operator's dump.

/// Keeps the first overflows of a scan in the order of reports (comes_before); memory is bound by their number. Not
/// thread-safe.
class OPDEBUG_API FirstOverflows {
public:
    explicit FirstOverflows(std::uint64_t count);
    ~FirstOverflows();
    FirstOverflows(const FirstOverflows&) = delete;
    FirstOverflows& operator=(const FirstOverflows&) = delete;

    /// Dumps that did not overflow are left out.
    void add(ScannedDump&& dump);

    /// The first ones in order; nothing is kept.
    std::vector<ScannedDump> take();

private:
    struct Dumps;
    std::uint64_t count_;
    std::unique_ptr<Dumps> dumps_;
};

/// One overflow of the summary.
struct SummarizedOverflow {
    std::uint64_t number = 1;  ///< from 1
    Dump dump;
    Location location;
    TensorEvidence evidence;  ///< of measure_operator(location)
    /// For each tensor of `evidence.op_dump` the .npy file that was written, below the folder of results; empty: none
    /// was.
    std::vector<std::string> npy_files;
};

/// The block of one overflow; a summary is its blocks one after the other. The lines of msaccucmp, with the causes of
/// each record on a line of their own below the time. Names are made printable. Ends with a line break.
/// Thread-safe.
OPDEBUG_API std::string overflow_summary_to_text(const SummarizedOverflow& overflow, const ReportOptions& options = {});

// One report of several: the shards of a scan, or the scans of several hosts.

/// A report as JSON lines in a regular file: plain, gzip or Zstandard, as its first bytes show. A part
/// (ScanReportOptions::partial) lists all dumps. In other reports, dumps that are counted but not listed are in no
/// group.
struct MergeInput {
    std::string path;
    std::string name = {};  ///< what messages call it; empty: the path
};

/// How the merged report is written.
struct MergeOptions {
    /// language, color, temporary_folder; `first` narrows the timeline. Whether clean dumps and tensors are shown, the
    /// parts decide.
    ScanReportOptions report;
};

/// How many parts there were. given == merged + repeated + unusable.
struct MergeCounts {
    std::uint64_t given = 0;
    std::uint64_t merged = 0;    ///< those that were cut included
    std::uint64_t repeated = 0;  ///< all that they hold is in other parts
    std::uint64_t unusable = 0;  ///< cannot be read, no report, or of another version
    std::uint64_t cut = 0;       ///< of the merged ones: ends are missing, or lines damaged, of them or their parts
    std::uint64_t missing = 0;   ///< shards that no part is of
    std::uint64_t repeated_dumps = 0;
};

/// The merged report, and what became of the parts.
struct Merge {
    ScanReport report;  ///< finished
    Scan scan;          ///< counts, failures, diagnostics and the report on API dumps of all parts
    MergeCounts counts;
};

/// Merges. The report of parts is that of one scan over all that they scanned, byte for byte in every form. What
/// is wrong with a part is reported in the diagnostics (part_unusable, part_cut, part_repeated, part_missing,
/// trees_differ, dumps_repeated, parts_differ, part_is_ordinary), and costs only that part. The parts are read when the
/// report is written, too, so they must stay; compressed ones are unpacked into the temporary folder. Memory: some 50
/// MB for the reading of however many parts, and what groups need; with tensors, and for the page of HTML, also the
/// items of all overflowed dumps; and the findings in API dumps. Error: invalid_argument when there is no usable part;
/// write_failed for the temporary folder. Thread-safe.
OPDEBUG_API Result<Merge> merge_reports(const std::vector<MergeInput>& inputs, const MergeOptions& options = {});

}  // namespace v0
}  // namespace opdebug
