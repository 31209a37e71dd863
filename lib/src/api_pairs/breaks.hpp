// Bad values of both sides, the calls that explain the difference in one step, and whether they mattered.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <opdebug/api.hpp>

#include "api_pairs/bench.hpp"
#include "api_pairs/units.hpp"

namespace opdebug::api_pairs {

using StepUnits = std::span<const Unit>;

/// The findings of one side that count as bad. With a partner, the pair decides; without one, only certain ones count.
class BadCalls {
public:
    explicit BadCalls(const ApiReport& report);

    using Findings = std::vector<const ApiFinding*>;
    /// Of the files with these indices, by position.
    Findings of(const std::vector<std::size_t>& files, const SideDumps& side, const PairedBad& paired) const;

private:
    std::unordered_map<std::string, Findings> by_file_;
};

/// What the breaks of a step are found in.
struct StepEvidence {
    StepUnits units;       ///< of the step
    StepUnits next_units;  ///< of the next step here; may be empty
    const SideDumps& here;
    const SideDumps& there;
    const BadCalls& bad_here;
    const ApiOptions& options;
};

/// "step 2 rank 1".
LocalizedText location_words(const Number& step, const Number& rank);

/// The culprits of the step by the rules of `api`, each next to its partner; then calls with other finite values.
/// `with_culprits`: the step has bad values here only.
std::vector<Break> breaks_of(const StepEvidence& evidence, bool with_culprits, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::api_pairs
