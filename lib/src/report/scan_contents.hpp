// Inside of a scan report: the dumps in report order, what they show together, and the documents of the single dumps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/scan_report.hpp>

#include "report/document_store.hpp"

namespace opdebug::report {

/// One dump of the report.
struct ScanEntry {
    ScanItem item;
    DocumentStore::Place document;              ///< its record document in one line; failed dumps have one as well
    std::string failure_code, failure_message;  ///< state failed
};

}  // namespace opdebug::report

struct opdebug::ScanReport::Contents {
    ScanReportOptions options;
    Scan scan;
    std::vector<report::ScanEntry> entries;  ///< all dumps, in report order once finished
    ScanOverview overview;
    std::optional<ScannedDump> first;  ///< the first overflow, whole: text shows it with its evidence
    report::DocumentStore documents;
};
