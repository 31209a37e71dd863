// The fixed words of text reports, in both languages.
#pragma once

#include <optional>
#include <string_view>

#include <opdebug/origin.hpp>
#include <opdebug/scan_overview.hpp>
#include <opdebug/status.hpp>

namespace opdebug::report {

struct Labels {
    std::string_view overflow, clean, unknown_overflow, damaged;
    std::string_view cause, no_cause, advice, source, undocumented;
    std::string_view undocumented_inside;  ///< the same behind something else on a line
    std::string_view status, bits, code;
    std::string_view op, type_unknown, kernel, model, runtime_id, ge_id, graph_id, task, address, time, place, file;
    std::string_view path_model, path_model_id, data_index, folder_time;  ///< behind place
    std::string_view origin, born_here, inherited, not_visible, not_measured, no_tensors;
    std::string_view origin_unknown, not_visible_damaged, not_measured_damaged, no_op_dump;
    std::string_view proof, candidates, remarks, not_found, inferred;
    std::string_view error, warning, info;
};

const Labels& labels_in(Language language);

std::string_view verdict_label(OriginVerdict verdict, const Labels& labels);

/// Of a dump in a chain: the verdict, or why there is none. Says also that the operator's dump is damaged, and that a
/// bad value is shown whose origin is not visible.
std::string_view chain_label(const std::optional<Origin>& origin, OpDumpState op_dump, const Labels& labels);

std::string_view severity_label(Severity severity, const Labels& labels);

}  // namespace opdebug::report
