// One part of a merge: its first line, its last line, and where its dumps lie between them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <opdebug/merge.hpp>

#include "merge/part_text.hpp"
#include "report/parts/part_lines.hpp"

namespace opdebug::merge {

/// What the dumps of one part gave.
struct PartNotes {
    std::uint64_t dumps = 0, overflowed = 0, clean = 0;  ///< those that other parts have as well included
    std::string fault;                                   ///< why it was not read to its end; empty: it was
    bool holds_another = false;                          ///< the fault: another report begins
};

struct Part {
    std::string name;
    PartText text;
    report::PartHead head;
    std::uint64_t dumps_begin = 0, dumps_end = 0;
    std::optional<report::PartEnd> end;  ///< nothing: the part was cut
    report::OrdinaryEnd ordinary_end;    ///< of an ordinary report that was not cut
    std::string damage;                  ///< why it was cut, where that is known
    std::optional<PartNotes> checked;    ///< once all its lines were looked at: no more than these dumps are used
    bool is_completed = false;           ///< it holds dumps of a scan that was cut, and so does another part
};

/// Error: why it is no part that can be merged, in a sentence that tells what to do.
Result<Part> open_part(const MergeInput& input, const std::shared_ptr<report::DocumentStore>& unpacked);

}  // namespace opdebug::merge
