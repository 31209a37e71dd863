// Dumps on their way into a report.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "report/entries/scan_entry.hpp"
#include "report/json/json_writer.hpp"
#include "report/scan/scan_contents.hpp"
#include "scan/dump_batch.hpp"

namespace opdebug::report {

/// What the report keeps of some dumps is written at once, by whatever thread; take() alone changes the report.
class AddedDumps : public scan_stage::DumpBatch {
public:
    explicit AddedDumps(ScanReport::Contents& contents);
    ~AddedDumps() override;

    /// Writes what is kept of a dump.
    void write(const ScannedDump& scanned);

    /// The same, for the report's first overflow as well.
    void add(ScannedDump&& scanned) override;

    /// Adds them to the report.
    void take() override;

private:
    void keep(std::string_view texts, DocumentStore::Place ScanEntry::*kept);

    ScanReport::Contents& contents_;
    std::unique_ptr<JsonWriter> documents_;
    std::string rows_;
    std::vector<ScanEntry> entries_;  ///< their texts still count from the begin of these
    std::optional<ScannedDump> first_;
    std::size_t first_place_ = 0;  ///< in entries_
};

}  // namespace opdebug::report
