// The report of a scan, "opdebug.report/1", in every form: JSON, JSON lines, CSV, text and HTML.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/report.hpp>
#include <opdebug/result.hpp>
#include <opdebug/scan_overview.hpp>

namespace opdebug {
inline namespace v0 {

/// How the report is written, and what is kept for that.
struct ScanReportOptions {
    ReportOptions report = ReportOptions();
    bool all = false;                    ///< the timeline holds the clean dumps as well
    std::optional<std::uint64_t> first;  ///< the timeline holds only so many of the earliest
    bool color = false;                  ///< text: escape sequences of terminals
    /// What is kept of each dump for writers that will be called: documents for write_json() and write_json_lines(),
    /// rows for write_csv(). These give the error invalid_argument where it was not kept.
    bool keep_documents = true, keep_rows = true;
    /// write_json_lines() writes a partial report: with lines that opdebug/merge.hpp needs to make one report of
    /// several. Both of the above are to be kept for it.
    bool partial = false;
    /// How API calls and overflows are tied, where the scan saw dumps of both.
    ApiTieOptions ties = ApiTieOptions();
    /// Where the temporary file goes. The library reads no environment variable; programs may give theirs.
    std::string temporary_folder = "/tmp";
    /// write_json_lines() finds the groups in a thread of its own while it writes the dumps, unless this is 1; it ends
    /// when that thread has ended. 0: as many as the machine runs at once. The report does not depend on it.
    unsigned threads = 0;
};

/// A dump of a scan or watch in one line for people: time, step, rank, device, causes, operator, file. No line break.
/// Thread-safe.
OPDEBUG_API std::string item_to_line(const ScanItem& item, Language language = Language::english);

/// A group in one line for people: cause, operator, model, where they are known. No line break. Thread-safe.
OPDEBUG_API std::string group_to_line(const ScanGroup& group, Language language = Language::english);

/// Takes a piece of the output; false: stop. The writer then ends without an error: why, the sink's owner knows.
using TextSink = std::function<bool(std::string_view)>;

/// Collects the dumps of a scan and writes the report. Record documents are kept in a temporary file once they are
/// many, so memory does not grow with them. Not thread-safe; writing does not change it. One that was moved from may
/// only be assigned to or destroyed.
class OPDEBUG_API ScanReport {
public:
    explicit ScanReport(ScanReportOptions options = {});
    ~ScanReport();
    ScanReport(ScanReport&&) noexcept;
    ScanReport& operator=(ScanReport&&) noexcept;

    /// Adds a dump; any order.
    void add(const ScannedDump& scanned);
    /// As scan(), with every dump added. What is kept of a dump is written by the thread that decodes it, so this is
    /// faster than a scan whose function adds them. The functions of `options` may not use the report; where one of
    /// them throws, some of the dumps are in it.
    Scan add_all(const DumpTree& tree, const ScanOptions& options = {});
    /// Everything was added. Error: write_failed when the temporary file could not be written or read.
    [[nodiscard]] std::optional<Error> finish(const Scan& scan);

    /// Each writes the whole report; to be called behind finish(), and with a sink. Errors: read_failed when the
    /// temporary file cannot be read; invalid_argument when the options keep too little.
    [[nodiscard]] std::optional<Error> write_json(const TextSink& sink) const;
    [[nodiscard]] std::optional<Error> write_json_lines(const TextSink& sink) const;
    [[nodiscard]] std::optional<Error> write_csv(const TextSink& sink) const;
    [[nodiscard]] std::optional<Error> write_text(const TextSink& sink) const;
    [[nodiscard]] std::optional<Error> write_html(const TextSink& sink) const;

    /// Remarks on the API dumps of the scan and on the ties to them; error: a dump is cut, or a trace was not used.
    /// To be called behind finish().
    std::vector<Diagnostic> api_diagnostics() const;

    struct Contents;
    /// Both are used by the library's own stages.
    const Contents& contents() const noexcept { return *contents_; }
    explicit ScanReport(std::unique_ptr<Contents> contents);

private:
    std::unique_ptr<Contents> contents_;
};

}  // namespace v0
}  // namespace opdebug
