// Parts that are ordinary reports: they list the dumps of their timelines and count the others.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <opdebug/result.hpp>

#include "merge/merged_dumps.hpp"
#include "merge/part.hpp"

namespace opdebug::merge {

/// Dumps that a part counts without listing them.
struct Unlisted {
    std::uint64_t overflowed = 0, clean = 0;
};
/// Nothing where the part is none of these, or was not read to its end.
Unlisted unlisted_of(const Part& part, const PartNotes& notes);

/// What the dumps that it lists show of the options it was written with.
void learn_options(Part& part, const PartNotes& notes);

/// What the report of all lacks because of such parts (part_is_ordinary). `notes`: of each part.
void tell_ordinary(const std::vector<std::shared_ptr<Part>>& parts, const std::vector<PartNotes>& notes,
                   std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::merge
