// The first culprits of runs, and remarks on their certainty.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>
#include <opdebug/result.hpp>

#include "api_culprits/timelines.hpp"

namespace opdebug::api_culprits {

/// One of the first findings.
struct First {
    const Step* step = nullptr;
    const TimeLine* line = nullptr;
    const FileFacts* file = nullptr;
    DraftFinding* draft = nullptr;
};

struct Answer {
    std::vector<First> first;
    std::vector<Diagnostic> diagnostics;
};

/// Settles the verdicts of the run and returns its earliest culprits: those of the first step with a culprit, with no
/// bad value before them. Calls that made a bad value precede calls that only show one.
Answer answer_of(Run& run);

/// The probable mode of the device, from the values of all files.
std::vector<Diagnostic> mode_remarks(const std::vector<FileFacts>& files);

/// Reports that the first culprits are of known steps, but `count` of an unknown step, starting with `api`, may be
/// earlier.
Diagnostic report_unknown_step(std::uint64_t count, std::string_view api, std::uint64_t first_step);

}  // namespace opdebug::api_culprits
