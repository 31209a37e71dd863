// The first culprits of runs, and remarks on their certainty.
#pragma once

#include <vector>

#include <opdebug/api.hpp>
#include <opdebug/result.hpp>

#include "api_culprits/exchanges.hpp"

namespace opdebug::api_culprits {

struct Answer {
    std::vector<First> first;
    std::vector<Diagnostic> diagnostics;
};

/// Settles the verdicts of the run and returns its earliest culprits: those of the first step with a culprit, with no
/// bad value before them. Calls that made a bad value precede calls that only show one.
Answer answer_of(Run& run);

/// The probable mode of the device, from the values of all files.
std::vector<Diagnostic> mode_remarks(const std::vector<FileFacts>& files);

}  // namespace opdebug::api_culprits
