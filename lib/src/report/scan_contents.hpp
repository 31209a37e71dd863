// Inside of a scan report: the dumps in report order, what they show together, and the documents of the single dumps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/chains.hpp>
#include <opdebug/scan_report.hpp>

#include "report/document_store.hpp"

namespace opdebug::report {

/// One dump of the report.
struct ScanEntry {
    ScanItem item;
    DocumentStore::Place document;  ///< its record document in one line; failed dumps have one, clean ones of `all`
    DocumentStore::Place rows;      ///< its rows of the CSV form, where it has a document
    std::string failure_code, failure_message;  ///< state failed
};

/// The record document of a dump in one line, of one that could not be decoded too.
std::string document_of(const ScannedDump& scanned, ReportOptions options);

/// The entries of the timeline in order: overflowed dumps, with `all` the clean ones too, at most `first` of them.
/// `entries`: all dumps in report order; they must outlive the timeline.
std::vector<const ScanEntry*> timeline_of(const std::vector<ScanEntry>& entries, const ScanReportOptions& options);

}  // namespace opdebug::report

struct opdebug::ScanReport::Contents {
    explicit Contents(ScanReportOptions given) : options(std::move(given)), documents(options.temporary_folder) {}

    ScanReportOptions options;
    Scan scan;
    std::vector<report::ScanEntry> entries;  ///< all dumps, in report order once finished
    ScanOverview overview;
    OverflowChains chains;             ///< with options.report.tensors
    std::optional<ScannedDump> first;  ///< the first overflow, whole: text shows it with its evidence
    ScanItem first_item;
    report::DocumentStore documents;
    std::optional<Error> lost;  ///< the first error of the store: documents are missing
};
