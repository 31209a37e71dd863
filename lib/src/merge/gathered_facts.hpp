// What the parts of a merge tell of the scans that they hold, beside the dumps.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <opdebug/result.hpp>

#include "merge/part.hpp"
#include "report/parts/part_lines.hpp"

namespace opdebug::merge {

struct GatheredFacts {
    std::vector<report::PartFacts> scans;  ///< each once
    std::uint64_t cut = 0;                 ///< parts that were cut, and of whose scans no other part is whole
};

/// The whole one of a scan counts before one that was cut; two of one shard that are not the same are told
/// (part_repeated), and the first counts. Parts that were cut say so among their own remarks (part_cut). `notes`: of
/// each part. `known`: remarks on the dumps of all, which ordinary reports need not repeat.
GatheredFacts gather_facts(const std::vector<std::shared_ptr<Part>>& parts, const std::vector<PartNotes>& notes,
                           const std::vector<Diagnostic>& known, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::merge
