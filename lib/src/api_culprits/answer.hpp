// The first culprits of runs, and what is to be said of how sure they are.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>
#include <opdebug/result.hpp>

#include "api_culprits/timelines.hpp"

namespace opdebug::api_culprits {

/// A finding that is among the first.
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

/// Settles the verdicts of the run and gives its earliest culprits: those of the first step that has any, which nothing
/// bad happened before. Calls that made a bad value go before calls that only show one.
Answer answer_of(Run& run);

/// What the device's mode seems to be, by the values of all files.
std::vector<Diagnostic> mode_remarks(const std::vector<FileFacts>& files);

/// Those of known steps are first, and `count` of an unknown one, the first of them `api`, may be earlier.
Diagnostic report_unknown_step(std::uint64_t count, std::string_view api, std::uint64_t first_step);

}  // namespace opdebug::api_culprits
