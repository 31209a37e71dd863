// The dumps of one part, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "merge/part.hpp"
#include "report/entries/scan_entry.hpp"

namespace opdebug::merge {

/// Its lines are checked where that was not done yet (Part::checked): documents are copied as they stand.
class PartReader {
public:
    /// The part must outlive its run. It is read in pieces of so many bytes. `tensors`: the rows of ordinary reports,
    /// which are made here, have the column of tensors.
    PartReader(const Part& part, std::size_t piece, bool tensors)
        : part_(part), lines_(part.text, part.dumps_begin, part.dumps_end, piece), tensors_(tensors) {}

    /// Goes on to the next dump; false at the end, and where a line is not what it should be.
    bool advance();
    const report::ScanEntry& entry() const noexcept { return dump_.entry; }
    /// Empty: there is none. Until the next advance().
    Result<std::string_view> text(report::KeptText which);

    /// Of the dumps so far, and why it ended before its end.
    const PartNotes& notes() const noexcept { return notes_; }

private:
    bool read_partial();
    bool read_ordinary();
    bool look_ahead();
    bool read_texts();
    bool ends_well();
    bool fail(std::string_view why);
    bool fail_in_line(std::string_view line);
    std::string made_rows() const;

    const Part& part_;
    PartLines lines_;
    bool tensors_;
    report::DumpLine dump_;
    std::string rows_line_, rows_, document_;
    PartNotes notes_;

    // Of an ordinary report. Failed dumps stand at its end, and come where they belong in the order.
    report::DocumentedDump documented_;  ///< the dump whose turn it is, unless it failed
    std::optional<report::DocumentedDump> next_;
    std::string next_document_;
    std::size_t failed_ = 0;  ///< of the failed ones were used
};

/// Reads the whole part once.
PartNotes checked(const Part& part);

}  // namespace opdebug::merge
