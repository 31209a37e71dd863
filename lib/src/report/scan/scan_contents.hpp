// Inside of a scan report: dumps in report order, what they show together, documents of the single dumps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

#include "report/entries/document_store.hpp"
#include "report/entries/scan_entry.hpp"
#include "report/parts/part_lines.hpp"
#include "report/scan/scan_api.hpp"
#include "report/scan/scan_training.hpp"

namespace opdebug::report {

/// The record document of a dump in one line, of one that could not be decoded too.
std::string document_of(const ScannedDump& scanned, const ReportOptions& options);

/// The entries of the timeline in order. `entries`: all dumps in report order; they must outlive the timeline.
std::vector<const ScanEntry*> timeline_of(const ScanEntries& entries, const ScanReportOptions& options);

/// Hands out every dump of a finished report. Error: read_failed.
std::optional<Error> each_dump(const ScanReport::Contents& contents, const UseDump& use);

/// The first overflow in words of a language; empty if there is none.
using FirstText = std::function<FirstWords(Language)>;

}  // namespace opdebug::report

struct opdebug::ScanReport::Contents {
    explicit Contents(ScanReportOptions given) : options(std::move(given)), documents(options.temporary_folder) {}

    ScanReportOptions options;
    Scan scan;
    report::ScanEntries entries;                         ///< all dumps, in report order once finished
    std::shared_ptr<const report::DumpsInOrder> merged;  ///< of a merged report instead of the entries
    ScanOverview overview;
    OverflowChains chains;             ///< with options.report.tensors
    std::optional<ScannedDump> first;  ///< the first overflow, whole: text shows it with its evidence
    ScanItem first_item;
    report::FirstText first_text;          ///< of a merged report instead of `first`
    std::vector<report::PartFacts> parts;  ///< what a partial report is made of
    std::optional<report::ScanApi> api;    ///< nothing: no part saw an API dump
    std::optional<report::ScanTraining> training;
    report::DocumentStore documents;
    std::optional<Error> lost;  ///< the first error of the store: documents are missing
};
