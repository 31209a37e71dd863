// The fixed words of reports on API dumps, in both languages.
#pragma once

#include <string_view>

#include <opdebug/api_culprits.hpp>
#include <opdebug/status.hpp>

namespace opdebug::report {

struct ApiLabels {
    std::string_view title_format, none_format, first, first_of_several, findings, failures, remarks, incomplete;
    std::string_view verdict, place, file, stack, no_stack, next;
    std::string_view value, type, shape, max, min, state, step, rank, position, api, because;
    std::string_view position_format, more_format, unknown_rank, process;
};

const ApiLabels& api_labels_in(Language language);

std::string_view api_verdict_label(ApiVerdict verdict, Language language);

/// What to do next, after the vendor's guide to finding NaN (train_debug_guide 2.3.1.1); empty: nothing.
std::string_view api_next_step(ApiVerdict verdict, Language language);

}  // namespace opdebug::report
