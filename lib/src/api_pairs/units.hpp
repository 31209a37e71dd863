// Units of the comparison: the files of one step and rank on both sides, their calls in pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/api.hpp>

#include "api_culprits/file_facts.hpp"
#include "api_dump/dump_files.hpp"
#include "api_pairs/bench.hpp"

namespace opdebug::api_pairs {

/// A finding here and its partner.
struct FindingPair {
    bool has_partner = false, by_order = false;
    bool is_random = false;
    std::string partner, partner_file;
    bool twin_differs = false;  ///< a backward whose forward has other values, or no partner
    CallPair values;            ///< without values for findings that only show a bad value
};

/// A call whose finite results are apart although its inputs agree.
struct ValueBreak {
    std::string api, file;
    std::uint64_t position = 0;
    bool is_module = false;
    FindingPair pair;
};

/// Calls by file and position. false: all bad values of the call are the same event on both sides.
using PairedBad = std::map<std::pair<std::string, std::uint64_t>, bool>;

struct Unit {
    Number step, bench_step, rank;
    std::vector<std::size_t> here, there;  ///< indices in the dumps of each side

    PairCounts counts;
    std::vector<std::string> only_here, only_there;                         ///< the first names
    std::map<std::pair<std::string, std::uint64_t>, FindingPair> findings;  ///< by file and position
    PairedBad bad_here, bad_there;                                          ///< calls with partner and bad values
    std::uint64_t different = 0;     ///< calls of both sides without partner, or whose values are not known to agree
    std::string without_values;      ///< the first call with a result whose state is unknown on a side
    std::vector<ValueBreak> breaks;  ///< the first of the unit
    std::string inputs_apart;        ///< the first call of the rank, if its inputs are apart
    std::string unpaired_run;        ///< first of many calls here in a row without partner
    std::string last_call;           ///< of the last file here, and its position
    std::uint64_t last_position = 0;
    bool has_backward = false, has_gradients = false;
    bool is_known_here = false, is_known_there = false;  ///< complete files with statistics
    bool is_ambiguous = false;                           ///< several runs have this step and rank
};

/// One side: its dumps, and after read_units() the facts of each.
struct SideDumps {
    api_dump::FoundDumps found;
    std::vector<std::optional<Result<api_culprits::FileFacts>>> facts;
};

/// The units by step and rank. Adds remarks on assumptions.
std::vector<Unit> units_of(const SideDumps& here, const SideDumps& there, std::int64_t step_offset,
                           std::vector<Diagnostic>& diagnostics);

/// Reads, judges and pairs the units in parallel.
void read_units(SideDumps& here, SideDumps& there, const ApiOptions& options, std::vector<Unit>& units);

}  // namespace opdebug::api_pairs
