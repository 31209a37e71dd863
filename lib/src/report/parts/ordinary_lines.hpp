// The lines of an ordinary report, one that is not partial, read again for a merged one. What a partial report tells of
// a dump is taken from its record document; bytes that were not UTF-8 stay U+FFFD.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <opdebug/scan_overview.hpp>

#include "report/entries/scan_entry.hpp"
#include "report/parts/part_facts.hpp"

namespace opdebug::report {

/// A dump of the timeline, as its record document tells it.
struct DocumentedDump {
    /// Remarks are the dump's own or its tensors'. The tensors are not there, nor the time of a further dump in the
    /// file.
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
    std::vector<ScanEntry> failed;   ///< in report order
    std::vector<Diagnostic> doubts;  ///< first_uncertain: found again where all overflowed dumps are listed
    PartFacts facts;                 ///< remarks on damage stay as they are, for its numbers are not known
};
std::optional<OrdinaryEnd> read_ordinary_end(std::string_view line);

}  // namespace opdebug::report
