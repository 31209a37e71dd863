// Labels of verdicts, for people.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <opdebug/api.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/tensor.hpp>

#include "remarks/diagnose.hpp"
#include "remarks/word.hpp"

namespace opdebug::report {

inline std::string_view verdict_label(OriginVerdict verdict, Language language) {
    return remarks::word(fmt::format("page.{}", to_string(verdict)), language);
}

inline std::string_view api_verdict_label(ApiVerdict verdict, Language language) {
    return remarks::word(fmt::format("api_verdict.{}", to_string(verdict)), language);
}

/// How sure a tie is.
inline std::string_view api_tie_label(ApiTieLevel level, Language language) {
    return remarks::word(fmt::format("api_tie.{}", to_string(level)), language);
}

/// Of a dump in a chain: the verdict, or why there is none. The label also shows that the operator's dump is damaged,
/// or that the origin of a bad value is not visible.
inline std::string_view chain_label(const std::optional<Origin>& origin, OpDumpState op_dump, Language language) {
    const bool is_damaged = op_dump == OpDumpState::damaged;
    if (!origin) {
        return remarks::word(op_dump == OpDumpState::absent ? "page.no_op_dump"
                             : is_damaged                   ? "page.not_measured_damaged"
                                                            : "page.not_measured",
                             language);
    }
    if (origin->verdict != OriginVerdict::not_visible || !(origin->bad_output || is_damaged)) {
        return verdict_label(origin->verdict, language);
    }
    return remarks::word(origin->bad_output ? "page.origin_unknown" : "page.not_visible_damaged", language);
}

}  // namespace opdebug::report
