// The fixed words of reports on API dumps, in both languages.
#pragma once

#include <cstdint>
#include <string_view>

#include <opdebug/api_culprits.hpp>
#include <opdebug/api_ties.hpp>
#include <opdebug/status.hpp>

namespace opdebug::report {

/// A word for one and for several.
struct Counted {
    std::string_view one, several;

    std::string_view of(std::uint64_t number) const { return number == 1 ? one : several; }
};

struct ApiLabels {
    std::string_view title_format, counts_format;
    Counted calls, files, steps, ranks;
    std::string_view none, none_in_slice, none_judged, first, first_of_several, first_of_runs, first_of_exchange,
        findings, failures, remarks, incomplete;
    std::string_view verdict, verdict_of_rows, place, file, stack, no_stack, unread_stack, next;
    std::string_view value, type, shape, max, min, state, run, step, rank, position, api, because;
    std::string_view position_format, more_format, unknown_rank, process;
    std::string_view section, timeline, kind, call, dump, what, place_or_time, tie, not_tied;
};

const ApiLabels& api_labels_in(Language language);

std::string_view api_verdict_label(ApiVerdict verdict, Language language);

/// How sure a tie is.
std::string_view api_tie_label(ApiTieLevel level, Language language);

}  // namespace opdebug::report
