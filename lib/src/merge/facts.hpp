// What the parts of a merge report of their scans, besides the dumps.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include <opdebug/result.hpp>

#include "merge/part.hpp"
#include "report/parts/part_lines.hpp"
#include "report/scan/scan_api.hpp"
#include "scan/kernel_overflows.hpp"

namespace opdebug::merge {

/// The overflows that ties to API calls need, of all parts: bounded, however many parts there are.
class ApiOverflows {
public:
    /// Moves them out of the facts of the part.
    void extract(Part& part);

    /// The first part of each scan gets those of all its parts.
    void distribute(std::vector<report::PartFacts>& scans);

private:
    std::map<report::ScanKey, scan_stage::KernelOverflows> by_scan_;
    std::size_t in_memory_ = 0;
};

/// Dumps that a part counts without listing them.
struct Unlisted {
    std::uint64_t overflowed = 0, clean = 0;
};
/// Nothing where the part is none of these, or was not read to its end.
Unlisted unlisted_of(const Part& part, const PartNotes& notes);

/// What the dumps that it lists show of the options it was written with.
void learn_options(Part& part, const PartNotes& notes);

/// What the report of all lacks because of such parts (part_is_ordinary). `notes`: of each part.
void report_ordinary(const std::vector<std::shared_ptr<Part>>& parts, const std::vector<PartNotes>& notes,
                     std::vector<Diagnostic>& diagnostics);

struct GatheredFacts {
    std::vector<report::PartFacts> scans;  ///< each once
    std::uint64_t cut = 0;                 ///< parts that were cut, and of whose scans no other part is whole
};

/// The whole one of a scan counts before one that was cut; two different ones of one shard are
/// reported (part_repeated), and the first counts. Parts that were cut have a diagnostic of their own (part_cut).
/// `notes`: of each part. `known`: remarks on the dumps of all, which ordinary reports need not repeat.
GatheredFacts gather_facts(const std::vector<std::shared_ptr<Part>>& parts, const std::vector<PartNotes>& notes,
                           const std::vector<Diagnostic>& known, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::merge
