// Inside of a scan report: the dumps in report order, what they show together, and the documents of the single dumps.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/chains.hpp>
#include <opdebug/scan_report.hpp>

#include "report/entries/document_store.hpp"
#include "report/entries/dumps_in_order.hpp"
#include "report/entries/scan_entry.hpp"
#include "report/json/json_writer_pool.hpp"
#include "report/parts/part_facts.hpp"
#include "report/scan/late_overview.hpp"
#include "report/scan/scan_api.hpp"

namespace opdebug::report {

/// The record document of a dump in one line, of one that could not be decoded too.
std::string document_of(const ScannedDump& scanned, const ReportOptions& options);

/// The entries of the timeline in order. `entries`: all dumps in report order; they must outlive the timeline.
std::vector<const ScanEntry*> timeline_of(const ScanEntries& entries, const ScanReportOptions& options);

/// Hands out every dump of a finished report. Error: read_failed.
std::optional<Error> each_dump(const ScanReport::Contents& contents, const UseDump& use);

/// The first overflow for people, in a language; an empty text when there is none.
using FirstText = std::function<std::string(Language)>;

}  // namespace opdebug::report

struct opdebug::ScanReport::Contents {
    explicit Contents(ScanReportOptions given) : options(std::move(given)), documents(options.temporary_folder) {}

    ScanReportOptions options;
    Scan scan;
    report::ScanEntries entries;                         ///< all dumps, in report order once finished
    std::shared_ptr<const report::DumpsInOrder> merged;  ///< of a merged report instead of the entries
    report::LateOverview late_overview;
    const ScanOverview& overview() const { return late_overview.of(entries); }
    OverflowChains chains;             ///< with options.report.tensors
    std::optional<ScannedDump> first;  ///< the first overflow, whole: text shows it with its evidence
    ScanItem first_item;
    report::FirstText first_text;          ///< of a merged report instead of `first`
    std::vector<report::PartFacts> parts;  ///< what a partial report is made of
    std::optional<report::ScanApi> api;    ///< nothing: no part saw an API dump
    report::DocumentStore documents;
    report::JsonWriterPool writers;  ///< of documents
    std::optional<Error> lost;       ///< the first error of the store: documents are missing
};
