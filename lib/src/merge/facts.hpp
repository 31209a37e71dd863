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

/// Reports what the merged report lacks because parts without --shard and --host do not list all (part_is_ordinary).
void report_ordinary(const std::vector<std::shared_ptr<Part>>& parts, const std::vector<report::PartFacts>& scans,
                     std::vector<Diagnostic>& diagnostics);

struct GatheredFacts {
    std::vector<report::PartFacts> scans;  ///< each once
    std::uint64_t cut = 0;                 ///< parts that were cut, and of whose scans no other part is whole
};

/// The whole one of a scan counts before one that was cut; two different ones of one shard are
/// reported (part_repeated), and the first counts. Parts that were cut have a diagnostic of their own (part_cut).
/// `notes`: of each part.
GatheredFacts gather_facts(const std::vector<std::shared_ptr<Part>>& parts, const std::vector<PartNotes>& notes,
                           std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::merge
