// The fixed words of text reports, in both languages: of records, of scans, and of API dumps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/api.hpp>
#include <opdebug/dump.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/tensor.hpp>

namespace opdebug::report {

struct Labels {
    std::string_view overflow, failed, clean, unknown_overflow, damaged;
    std::string_view op_unknown, to_do, or_else, why, next, measure_inputs, dump_inputs, follow_input;
    std::string_view read_statistics_format;  ///< file
    std::string_view records_format, cores, more_format, details;
    std::string_view cause, no_cause, advice, source, undocumented;
    std::string_view undocumented_inside;  ///< the same after something else on a line
    std::string_view status, bits, code;
    std::string_view type_unknown, kernel, kernel_word, model, runtime_id, ge_id, graph_id, task, address, time, place,
        file;
    std::string_view path_model, path_model_id, data_index, folder_time;
    std::string_view origin, born_here, inherited, not_visible, not_measured, no_tensors;
    std::string_view origin_unknown, not_visible_damaged, not_measured_damaged, no_op_dump;
    std::string_view proof, proof_short, line_format, op_dump, remarks, inferred;
    std::string_view uses, excluded_format, behind_format, unnamed;  ///< rows are named as in locate/fit.cpp
    std::string_view error, warning, info;
    std::string_view colon, comma;  ///< punctuation, with the blank after it

    /// The line for rows that only the long page shows.
    std::string more(std::size_t count) const;
};

const Labels& labels_in(Language language);

std::string_view verdict_label(OriginVerdict verdict, const Labels& labels);

/// Of a dump in a chain: the verdict, or why there is none. The label also shows that the operator's dump is damaged,
/// or that the origin of a bad value is not visible.
std::string_view chain_label(const std::optional<Origin>& origin, OpDumpState op_dump, const Labels& labels);

std::string_view severity_label(Severity severity, const Labels& labels);

/// Members named *_format are patterns of fmt.
struct ScanLabels {
    std::string_view title_format;     ///< overflowed, dumps, "s" of their plural
    std::string_view api_only_format;  ///< API dumps, "s" of the plural
    std::string_view stopped_format;   ///< the same, dumps found
    std::string_view others_format;    ///< op dumps, "s", other files, "s"
    std::string_view more_format;      ///< groups that are left out, "s"
    std::string_view failures_format;  ///< failures that are left out
    std::string_view chain_format;     ///< dumps, born here, inherited, not visible, not measured
    std::string_view links_format;     ///< dumps of a chain that are left out
    std::string_view chains_format;    ///< chains that are left out, "s"
    std::string_view no_value_format;  ///< chains without any measured dump
    std::string_view inputs, others, incomplete;
    std::string_view first, none, none_readable, none_read, chains, training, no_bad_value, groups, timeline, folders,
        remarks;
    std::string_view groups_note;  ///< what the numbers of the groups count
    std::string_view count, bursts, first_time, last_time, ranks, devices, steps, cause, model, op, unknown_time;
};

const ScanLabels& scan_labels_in(Language language);

/// A word for one and for several.
struct Counted {
    std::string_view one, several;

    std::string_view of(std::uint64_t number) const { return number == 1 ? one : several; }
};

struct ApiLabels {
    std::string_view counts_format;
    Counted calls, files, steps, ranks;
    std::string_view none, none_in_slice, none_judged, first, several_format, unordered, of_runs, of_exchange;
    std::string_view failures, remarks, incomplete;
    std::string_view file, stack, no_stack, unread_stack, next;
    std::string_view value, type, shape, max, min, state, run, step, rank, position, verdict, api, reason;
    std::string_view position_format;                 ///< of the first culprit
    Counted before_format;                            ///< calls before any other rank
    std::string_view by_calls, alone;                 ///< why it is first where positions do not show it
    std::string_view of_ranks, of_ranks_step_format;  ///< headings: first bad call of each rank
    Counted clean_ranks_format;
    std::string_view from_format;  ///< rank
    std::string_view others, findings, shown_format, all_format, none_chosen;
    std::string_view more_format, more_frames_format, more_ranks_format, unknown_rank, process, comma, colon;
    std::string_view section, timeline, kind, call, dump, what, place_or_time, tie, not_tied;
};

const ApiLabels& api_labels_in(Language language);

std::string_view api_verdict_label(ApiVerdict verdict, Language language);

/// How sure a tie is.
std::string_view api_tie_label(ApiTieLevel level, Language language);

}  // namespace opdebug::report
