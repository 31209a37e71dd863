// The fixed words of a scan's text page, in both languages.
#pragma once

#include <string_view>

#include <opdebug/status.hpp>

namespace opdebug::report {

/// Members named *_format are patterns of fmt.
struct ScanLabels {
    std::string_view title_format;     ///< overflowed, dumps, "s" of their plural
    std::string_view api_only_format;  ///< API dumps, "s" of the plural
    std::string_view stopped_format;   ///< the same, dumps found
    std::string_view counts_format;    ///< overflowed, clean, failed
    std::string_view others_format;    ///< op dumps, "s", other files, "s"
    std::string_view more_format;      ///< groups that are left out, "s"
    std::string_view failures_format;  ///< failures that are left out
    std::string_view chain_format;     ///< dumps, born here, inherited, not visible, not measured
    std::string_view links_format;     ///< dumps of a chain that are left out
    std::string_view chains_format;    ///< chains that are left out, "s"
    std::string_view no_value_format;  ///< chains without any measured dump
    std::string_view inputs, dumps, others, incomplete;
    std::string_view first, none, none_readable, order, chains, no_bad_value, groups, timeline, failures, folders,
        remarks;
    std::string_view groups_note;  ///< what the numbers of the groups count
    std::string_view count, bursts, first_time, last_time, ranks, devices, steps, cause, model, op, unknown_time;
};

const ScanLabels& scan_labels_in(Language language);

}  // namespace opdebug::report
