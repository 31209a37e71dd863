// The calls that explain the difference in one step, and whether they mattered.
#pragma once

#include <span>
#include <vector>

#include <opdebug/api.hpp>

#include "api_pairs/bench.hpp"
#include "api_pairs/findings.hpp"
#include "api_pairs/units.hpp"

namespace opdebug::api_pairs {

using StepUnits = std::span<const Unit>;

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
