#include "locate/match_remarks.hpp"

#include <fmt/format.h>

namespace opdebug::locate_stage {

void remark_device(const TaskMatch& match, const Dump& dump, std::vector<Diagnostic>& diagnostics) {
    if (match.device && dump.path_ids.device_id && match.device != dump.path_ids.device_id) {
        diagnostics.push_back({Severity::warning, "device_differs",
                               fmt::format("the dump's folder says device {}, the log's lines device {}: right where "
                                           "the process sees the device under "
                                           "another number (containers), else they are another device's",
                                           *dump.path_ids.device_id, *match.device)});
    }
}

void remark_later_line(const TaskMatch& match, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    if (match.time_us && match.use.span.begin > *match.time_us && !match.use.facts.empty()) {
        const logs::LogPlace& line = match.use.facts.front()->place;
        diagnostics.push_back(
            {Severity::info, "launch_after_dump",
             fmt::format("the first line on the task ({}:{}) is {:.3f} s later than the dump: taken for the clocks of "
                         "device and host, which differ a little (up to 1 s is allowed)",
                         map.files[line.file], line.line,
                         static_cast<double>(match.use.span.begin - *match.time_us) / 1e6)});
    }
}

void remark_pause(const TaskMatch& match, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    if (!match.time_us || match.use.facts.empty()) {
        return;
    }
    const std::int64_t last_us = match.use.facts.back()->time_us;
    for (const logs::StoredFact& fact : match.process->facts) {
        if (fact.fact.kind == logs::FactKind::run_pause && fact.time_us > last_us && fact.time_us <= *match.time_us) {
            diagnostics.push_back(
                {Severity::warning, "run_unclear",
                 fmt::format("process {} logged nothing for a while before {}, and the lines on the task are older: if "
                             "the process was started anew under the same process id, the answer is that of the "
                             "earlier run",
                             match.process->pid, map.files[fact.place.file])});
            return;
        }
    }
}

}  // namespace opdebug::locate_stage
