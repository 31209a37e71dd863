#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "locate/answers.hpp"
#include "locate/candidates.hpp"
#include "locate/kernel_name.hpp"
#include "locate/operator_lines.hpp"
#include "logs/lookup/visible_devices.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::Process;
using logs::StoredFact;

/// The devices that a launch line may name; nothing: any. A line that names none may be of each of them.
using DevicesOfLaunch = std::optional<std::vector<std::uint64_t>>;

/// The last launch line not after the time, in the run of the process that goes on then, whose kernel's code has an
/// address of the record: addresses are given anew in each run. Without a time, only when all such lines name one
/// kernel. Null: none.
const StoredFact* launch_by_address(const Process& process, const Lookup& lookup, std::optional<std::int64_t> time_us,
                                    const DevicesOfLaunch& devices) {
    logs::Span span;
    if (time_us) {
        const auto next_run = std::upper_bound(process.run_begins.begin(), process.run_begins.end(), *time_us);
        span.begin = next_run == process.run_begins.begin() ? span.begin : *(next_run - 1);
        span.end = *time_us + kClockSkewUs + 1;
    }
    std::optional<std::uint32_t> last;  // a place: where the facts lie in memory says nothing of their order
    std::set<std::string_view> kernels;
    for (const std::uint64_t address : lookup.query.addresses) {
        const logs::Places launches = lookup.index().facts(process, logs::About::kernel_at_address, address);
        for (const std::uint32_t place : logs::places_inside(process, launches, span)) {
            const logs::Fact& fact = process.facts[place].fact;
            const bool is_its = !devices || !fact.device_id ||
                                std::find(devices->begin(), devices->end(), *fact.device_id) != devices->end();
            if (is_its) {
                last = std::max(last, std::optional(place));
                kernels.insert(fact.kernel_name);
            }
        }
    }
    return last && (time_us || kernels.size() == 1) ? &process.facts[*last] : nullptr;
}

}  // namespace

void find_by_address(const Lookup& lookup, Found& found) {
    std::set<std::uint32_t> processes;
    for (const std::uint64_t address : lookup.query.addresses) {
        const logs::Places having = lookup.index().processes(logs::About::kernel_at_address, address);
        processes.insert(having.begin(), having.end());
    }
    DistinctAnswers answers(found.operators);
    std::set<std::string_view> answered;
    for (const std::uint32_t number : processes) {
        const Process& process = lookup.map.processes[number];
        const std::vector<LocalTime> times = times_in(process, lookup);
        if (!times.empty() && times.front().unrelated) {
            continue;
        }
        const auto time_us = times.empty() ? std::nullopt : std::optional(times.front().time_us);
        const logs::DeviceFilter of_dump = lookup.dump.path_ids.device_id;
        const DevicesOfLaunch devices =
            of_dump ? DevicesOfLaunch(logs::devices_seen_as(process, *of_dump, time_us)) : std::nullopt;
        const StoredFact* launch = launch_by_address(process, lookup, time_us, devices);
        if (launch == nullptr || !answered.insert(launch->fact.kernel_name).second) {
            continue;
        }
        if (found.operators.empty()) {
            found.diagnostics.push_back(remarks::diagnose("found_by_address", {{"line", lookup.at(*launch)}}));
        }
        answers.add(answer_from_kernel(*launch, process, lookup, found.diagnostics));
    }
}

void check_address(const TaskMatch& match, const Lookup& lookup, Found& found) {
    OperatorAnswer& best = found.operators.front();
    const auto devices = match.device ? DevicesOfLaunch(std::vector{*match.device}) : std::nullopt;
    const StoredFact* launch = launch_by_address(*match.process, lookup, match.time_us, devices);
    if (launch == nullptr || !best.kernel) {
        return;
    }
    if (launch->fact.kernel_name != *best.kernel) {
        found.diagnostics.push_back(remarks::diagnose(
            "address_disagrees",
            {{"by_ids", *best.kernel}, {"by_address", launch->fact.kernel_name}, {"line", lookup.at(*launch)}}));
        return;
    }
    const Evidence line = lookup.evidence(*launch);
    if (std::none_of(best.evidence.begin(), best.evidence.end(),
                     [&line](const Evidence& known) { return known.file == line.file && known.line == line.line; })) {
        best.evidence.push_back(line);
    }
}

}  // namespace opdebug::locate_stage
