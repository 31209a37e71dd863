#include "locate/find_by_address.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "locate/code_address.hpp"
#include "locate/distinct_answers.hpp"
#include "locate/kernel_answer.hpp"
#include "locate/kernel_name.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/visible_devices.hpp"

namespace opdebug::locate_stage {
namespace {

DevicesOfLaunch devices_of(const Dump& dump, const logs::Process& process, std::optional<std::int64_t> time_us) {
    return dump.path_ids.device_id ? DevicesOfLaunch(logs::devices_seen_as(process, *dump.path_ids.device_id, time_us))
                                   : std::nullopt;
}

}  // namespace

void find_by_address(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                     const LocateOptions& options, Found& found) {
    std::set<std::uint32_t> processes;
    for (const std::uint64_t address : query.addresses) {
        const logs::Places having = map.index().processes(logs::About::kernel_at_address, address);
        processes.insert(having.begin(), having.end());
    }
    DistinctAnswers answers(found.operators);
    std::set<std::string_view> answered;  // kernels of which no process's lines tell more than their names
    for (const std::uint32_t number : processes) {
        const logs::Process& process = map.processes[number];
        const std::vector<LocalTime> times = times_in(process, dump, query, map, options);
        if (!times.empty() && times.front().unrelated) {
            continue;  // addresses are given anew in each run
        }
        const auto time = times.empty() ? std::nullopt : std::optional(times.front().time_us);
        const logs::StoredFact* launch = launch_by_address(map, process, query, time, devices_of(dump, process, time));
        if (launch == nullptr || answered.count(launch->fact.kernel_name) != 0) {
            continue;
        }
        if (found.operators.empty()) {
            found.diagnostics.push_back(
                {Severity::warning, "found_by_address",
                 fmt::format("no line tells the task by its ids; the answer is the last kernel launched before the "
                             "overflow whose code has an address of the record, pc_start or kernel_code ({}:{}). That "
                             "these are the same kind of address is inferred, not proven",
                             map.files[launch->place.file], launch->place.line)});
        }
        const std::size_t remarks_before = found.diagnostics.size();
        answers.add(answer_from_kernel(*launch, process, map, found.diagnostics));
        if (possible_nodes(launch->fact.kernel_name).empty() && found.diagnostics.size() == remarks_before) {
            answered.insert(launch->fact.kernel_name);
        }
    }
}

void check_address(const TaskMatch& match, const TaskMap::Contents& map, const TaskQuery& query, Found& found) {
    OperatorAnswer& best = found.operators.front();
    const auto devices = match.device ? DevicesOfLaunch(std::vector{*match.device}) : std::nullopt;
    const logs::StoredFact* launch = launch_by_address(map, *match.process, query, match.time_us, devices);
    if (launch == nullptr || !best.kernel) {
        return;
    }
    if (launch->fact.kernel_name != *best.kernel) {
        found.diagnostics.push_back(
            {Severity::warning, "address_disagrees",
             fmt::format("the ids lead to kernel {}, the record's address of the code to kernel {} ({}:{}); the ids "
                         "are followed, for that the addresses can be compared is inferred",
                         *best.kernel, launch->fact.kernel_name, map.files[launch->place.file], launch->place.line)});
        return;
    }
    const Evidence line = evidence_of(*launch, map);
    if (std::none_of(best.evidence.begin(), best.evidence.end(),
                     [&line](const Evidence& known) { return known.file == line.file && known.line == line.line; })) {
        best.evidence.push_back(line);
    }
}

}  // namespace opdebug::locate_stage
