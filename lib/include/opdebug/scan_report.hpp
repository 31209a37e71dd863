// The report of a scan, "opdebug.report/1": JSON, JSON lines, CSV, text and HTML.
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
#include <opdebug/report.hpp>
#include <opdebug/result.hpp>
#include <opdebug/scan_overview.hpp>

namespace opdebug {
inline namespace v0 {

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
    /// Data to keep for the writers: documents for write_json(), rows for write_csv(), both for write_json_lines().
    /// These return the error invalid_argument without their data.
    bool keep_documents = true, keep_rows = true;
    /// write_json_lines() lists all dumps and names the scan: a part for opdebug/merge.hpp.
    bool partial = false;
    /// Options for ties between API calls and overflows.
    ApiTieOptions ties = ApiTieOptions();
    /// Folder of the temporary file. The library reads no environment variable.
    std::string temporary_folder = "/tmp";
    /// Threads of write_json_lines(); 0: one for each core. The report does not depend on it.
    unsigned threads = 0;
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

}  // namespace v0
}  // namespace opdebug
