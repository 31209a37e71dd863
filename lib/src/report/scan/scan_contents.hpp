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

/// The rows of a dump and its item, each with a line break. One that failed, or holds no record, has one row.
std::string scan_rows(const ScannedDump& scanned, const ScanItem& item, std::string_view failure_code, bool tensors);

/// A cell that holds any text. Control characters and bytes that are not UTF-8 are written as \xNN, so a row is one
/// line. Text that a spreadsheet would read as a formula gets a ' in front. Such text has = + - @, a tab or CR, or the
/// wide forms of these signs, at the begin of the cell or after a semicolon. Spaces and quotation marks may precede the
/// sign. Quoted where it holds a comma, a semicolon or a quote.
std::string csv_cell(std::string_view text);

/// Appends the cell to a row.
void add_csv_cell(std::string_view text, std::string& row);

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
    report::FirstText first_text;        ///< of a merged report instead of `first`
    report::PartFacts facts;             ///< for the lines of a partial report
    std::optional<report::ScanApi> api;  ///< nothing: no part saw an API dump
    std::optional<report::ScanTraining> training;
    report::DocumentStore documents;
    std::optional<Error> lost;  ///< the first error of the store: documents are missing
};

namespace opdebug::report {

using ScanContents = ScanReport::Contents;

}  // namespace opdebug::report
