// The words of the first screen of a scan's text, in both languages. Members named *_format are patterns of fmt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/dump.hpp>

#include "report/text/labels.hpp"

namespace opdebug::report {

struct ScanWords {
    std::string_view first, first_failed, first_of_rank, new_group;  ///< the last two: of a running job
    std::string_view next, origin, unknown_operator, time_unknown;
    std::string_view before_rank_format, before_device_format;  ///< duration
    Counted dumps_of, ranks_of, devices_of;                     ///< formats: how many
    std::string_view uncertain, close_format, close_ranks_format, no_time_format, implausible, uncertain_list;
    Counted unreadable_format, warnings_format;
    std::string_view spread_format, spread;    ///< step
    std::string_view all_format, rest_format;  ///< how many; how many, until when
    std::string_view more_operators_format;
    std::string_view operators, shown_format;  ///< shown, all
    std::string_view time, dumps, ranks, devices, steps, op, causes, pattern;
    std::string_view every_step, recurring, one_off, one_core, one_block;
    std::string_view overflowed_format, clean_format, failed_format;  ///< of the last line
    std::string_view truncated, none_chosen;
    std::string_view ranks_list, unreadable_list, more_format;
    std::string_view comma;
};

const ScanWords& scan_words_in(Language language);

/// "5,007"
std::string show_count(std::uint64_t count);

/// "+1.349 s", from a minute on "+2 d 3 h", "+2 天 3 小时". Empty: a time is unknown.
std::string show_offset(const std::optional<std::uint64_t>& time_us, const std::optional<std::uint64_t>& from_us,
                        Language language);

/// "float, fp16": a cause's id without what most have in common.
std::string short_cause(std::string_view id);

}  // namespace opdebug::report
