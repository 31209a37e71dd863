// Operator, tensors and text of one dump.
#include "front/answer.hpp"

#include <cstdint>
#include <functional>
#include <utility>

namespace opdebug::front {

Answer answer_for(const Dump& dump, LocateOptions locating, bool system_time_zone, bool tensors) {
    std::function<int(std::optional<std::uint64_t>)> zone;
    if (system_time_zone) {
        zone = system_utc_offset_minutes;
        locating.host_utc_offset_minutes = zone(dump.timestamp_us);
    }
    if (locating.task_map) {
        WantedTasks wanted;
        add_wanted(dump, wanted);
        locating.clocks = estimate_clocks(std::move(wanted.dumps), locating, zone);
    }
    Answer answer;
    answer.location = locate(dump, locating);
    if (tensors && dump.overflow().value_or(false)) {
        answer.evidence = measure_operator(answer.location, {}, locating.limits);
    }
    return answer;
}

std::string text_of(const Dump& dump, const Answer& answer, ReportOptions report, std::optional<int> utc_offset_minutes,
                    bool system_time_zone) {
    if (utc_offset_minutes) {
        report.utc_offset_minutes = [given = *utc_offset_minutes](std::optional<std::uint64_t> /*time*/) {
            return given;
        };
    } else if (system_time_zone) {
        report.utc_offset_minutes = system_utc_offset_minutes;
    }
    return record_to_text(dump, answer.location, answer.evidence, report);
}

}  // namespace opdebug::front
