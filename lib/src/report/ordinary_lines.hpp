// The lines of an ordinary report, one that is not partial, read again for a merged one. What a partial report tells of
// a dump is taken from its record document; bytes that were not UTF-8 stay U+FFFD.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <opdebug/scan.hpp>

#include "report/part_facts.hpp"
#include "report/scan_entry.hpp"

namespace opdebug::report {

/// A dump of the timeline, as its record document tells it.
struct DocumentedDump {
    /// All remarks are the dump's own; the tensors are not there, and a further dump in the file has no time of its
    /// own.
    ScannedDump scanned;
    ScanItem item;
    bool tensors = false;  ///< it was scanned with tensors
};
/// Nothing when the line is no record document of a dump that overflowed or is clean.
std::optional<DocumentedDump> read_record_document(std::string_view line);

/// What the last line says.
struct OrdinaryEnd {
    ScanCounts counts;
    bool tensors = false;
    std::vector<ScanEntry> failed;  ///< in report order
    /// Remarks on the order are left out: they are found again in all dumps. Those on damage stay, for its numbers are
    /// not known.
    PartFacts facts;
};
std::optional<OrdinaryEnd> read_ordinary_end(std::string_view line);

}  // namespace opdebug::report
