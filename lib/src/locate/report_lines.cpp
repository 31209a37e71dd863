#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "locate/answers.hpp"
#include "locate/operator_lines.hpp"
#include "logs/facts/task_map.hpp"
#include "logs/lookup/devices.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/task_use.hpp"
#include "remarks/diagnose.hpp"
#include "remarks/durations.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::Fact;
using logs::FactKind;
using logs::Process;
using logs::StoredFact;

/// The report comes when the host next looks at the stream; a zone is at least a quarter of an hour away.
constexpr std::int64_t kSureUs = 2'000'000;
constexpr std::int64_t kNearReportUs = 10'000'000;

bool is_same_task(const Fact& fact, const TaskQuery& query) {
    const auto fits = [&query](const std::optional<std::uint64_t>& number) {
        return number && (number == query.task_id || (*number & logs::kLowHalfOfTask) == query.task_id);
    };
    return fact.stream_id == query.stream_id && (fits(fact.task_id) || fits(fact.task_sn));
}

/// Those on the record's task, possibly.
logs::Places reports_of(const Process& process, const Lookup& lookup) {
    return lookup.index().facts(process, logs::About::overflow, lookup.stream(), lookup.task() & logs::kLowHalfOfTask);
}

/// The report on the record's task that is nearest to the time; of one of the devices, where both are known.
const StoredFact* nearest_report(const Process& process, const Lookup& lookup, std::int64_t time_us,
                                 std::int64_t within_us) {
    const logs::Places reports = reports_of(process, lookup);
    if (reports.empty()) {  // nearly always; to look for devices takes all lines on the stream
        return nullptr;
    }
    const std::vector<logs::DeviceFilter> devices = devices_to_search(process, lookup);
    const StoredFact* report = logs::nearest_fact(process, reports, time_us, [&](const StoredFact& known) {
        const logs::DeviceFilter of_report = known.fact.device_id;
        const auto may_be_its = [&of_report](const logs::DeviceFilter& device) {
            return !device || !of_report || device == of_report;
        };
        return std::any_of(devices.begin(), devices.end(), may_be_its) && is_same_task(known.fact, lookup.query);
    });
    const bool is_near =
        report != nullptr && logs::distance_us(report->time_us, time_us) <= static_cast<std::uint64_t>(within_us);
    return is_near ? report : nullptr;
}

}  // namespace

std::vector<logs::DeviceFilter> devices_to_search(const Process& process, const Lookup& lookup) {
    std::vector<logs::DeviceFilter> devices = logs::devices_of_task(process, lookup.key());
    const auto is_other = [&](const logs::DeviceFilter& device) {
        return !logs::is_seen_as(process, device, lookup.dump.path_ids.device_id);
    };
    if (!std::all_of(devices.begin(), devices.end(), is_other)) {
        std::erase_if(devices, is_other);
    }
    return devices;
}

logs::Span span_of(const Process& process) {
    return process.last_time_us == 0 ? logs::Span{} : logs::Span{process.first_time_us, process.last_time_us};
}

std::vector<LocalTime> times_in(const Process& process, const Lookup& lookup) {
    std::vector<LocalTime> times =
        local_times_of(lookup.query.timestamp_us, lookup.dump.path_ids.time, span_of(process), lookup.options);
    prefer_reported_time(process, lookup, times);
    return times;
}

std::optional<std::int64_t> time_in(const Process& process, const Lookup& lookup) {
    const std::vector<LocalTime> times = times_in(process, lookup);
    const bool is_comparable = process.last_time_us != 0 && !times.empty() && !times.front().unrelated;
    return !is_comparable ? std::nullopt : std::optional(times.front().time_us);
}

void prefer_reported_time(const Process& process, const Lookup& lookup, std::vector<LocalTime>& times) {
    if (times.size() < 2 || !lookup.query.stream_id || !lookup.query.task_id) {
        return;
    }
    const auto is_reported = [&](const LocalTime& time) {
        return nearest_report(process, lookup, time.time_us, kSureUs) != nullptr;
    };
    if (std::count_if(times.begin(), times.end(), is_reported) == 1) {
        times = {*std::find_if(times.begin(), times.end(), is_reported)};
        times.front().is_reported = true;
        times.front().is_inferred = false;
    }
}

std::vector<std::int64_t> report_times(const Process& process, logs::DeviceFilter device, const Lookup& lookup) {
    std::vector<std::int64_t> times;
    for (const std::uint32_t place : reports_of(process, lookup)) {
        const StoredFact& report = process.facts[place];
        const bool may_be_its = !device || !report.fact.device_id || report.fact.device_id == device;
        // Two lines may report one overflow.
        const bool is_new = times.empty() || report.time_us > times.back() + 1'000;
        if (may_be_its && is_new && is_same_task(report.fact, lookup.query)) {
            times.push_back(report.time_us);
        }
    }
    return times;
}

void remark_overflow_line(const Process* of_dump, const Lookup& lookup, Diagnostics& diagnostics) {
    const logs::Places numbers =
        lookup.index().processes(logs::About::overflow, lookup.stream(), lookup.task() & logs::kLowHalfOfTask);
    for (const std::uint32_t number : numbers) {
        const Process& process = lookup.map.processes[number];
        if (process.on_device || (of_dump != nullptr && of_dump != &process)) {
            continue;
        }
        const std::vector<LocalTime> times = times_in(process, lookup);
        const std::int64_t time_us = times.empty() ? 0 : times.front().time_us;
        const StoredFact* report = times.empty() ? nullptr : nearest_report(process, lookup, time_us, kNearReportUs);
        if (report != nullptr) {
            const auto distance_us = static_cast<std::int64_t>(logs::distance_us(report->time_us, time_us));
            lookup.remark(diagnostics, "overflow_in_log",
                          {{"line", lookup.at(*report)},
                           {"duration", remarks::show_duration(distance_us)},
                           {"order", remarks::phrase(report->time_us < time_us ? "before" : "after")}});
            return;
        }
    }
}

namespace {

bool reports_failure(const StoredFact& stored) {
    const Fact& fact = stored.fact;
    return fact.kind == FactKind::fault_kernel || fact.kind == FactKind::task_fault ||
           (fact.kind == FactKind::operator_of_task && statement_of(fact) == Statement::failure);
}

/// Printed errors have none.
bool has_time(const StoredFact& stored) noexcept {
    return stored.time_us != 0;
}

/// Ranks use the same ids at the same time. A line without a device is of one of those that its process works on.
bool may_be_of_device(const Process& process, const StoredFact& stored, const Lookup& lookup) {
    const logs::DeviceFilter of_dump = lookup.dump.path_ids.device_id;
    const auto is_it = [&](std::uint64_t device) { return logs::is_seen_as(process, device, of_dump); };
    const std::vector<std::uint64_t>& devices = lookup.index().own_devices(process);
    return !of_dump || (stored.fact.device_id ? is_it(*stored.fact.device_id)
                                              : devices.empty() || std::any_of(devices.begin(), devices.end(), is_it));
}

/// The lines of a process on the task that are near the dump.
std::vector<const StoredFact*> lines_near(const Process& process, const Lookup& lookup) {
    const std::vector<LocalTime> times = times_in(process, lookup);
    std::vector<const StoredFact*> lines;
    for (const std::uint32_t place : process.of_task.of(lookup.key())) {
        const StoredFact& stored = process.facts[place];
        if (!has_time(stored) || std::any_of(times.begin(), times.end(), [&stored](const LocalTime& time) {
                return !time.unrelated && logs::distance_us(stored.time_us, time.time_us) <= kFailureNearUs;
            })) {
            lines.push_back(&stored);
        }
    }
    return lines;
}

/// Whether the line names another kernel than the launches of the task. An AICPU kernel (type 1) is launched by the
/// name of its entry, and launches without a type may be of one; a task with contexts runs several kernels.
bool is_of_other_kernel(const StoredFact& failure, const std::vector<const StoredFact*>& facts) {
    const Fact& fact = failure.fact;
    const auto is_launch_of_kernel = [](const StoredFact* known) {
        return known->fact.kind == FactKind::kernel_of_task && known->fact.task_type.value_or(1) != 1;
    };
    const auto is_of_it = [&](const StoredFact* known) {
        return is_launch_of_kernel(known) && logs::is_same_kernel(known->fact.kernel_name, fact.kernel_name);
    };
    return fact.kind == FactKind::fault_kernel && !fact.context_id &&
           std::any_of(facts.begin(), facts.end(), is_launch_of_kernel) &&
           std::none_of(facts.begin(), facts.end(), is_of_it);
}

void remark_failure_elsewhere(const StoredFact& failure, std::uint64_t device, const Lookup& lookup,
                              Diagnostics& diagnostics) {
    lookup.remark(
        diagnostics, "failed_on_other_device",
        {{"device", device}, {"line", lookup.at(failure)}, {"folder_device", *lookup.dump.path_ids.device_id}});
}

}  // namespace

void remark_failure(const Process& process, const std::vector<const StoredFact*>& facts,
                    std::optional<std::int64_t> time_us, const Lookup& lookup, Diagnostics& diagnostics) {
    const StoredFact* failure = nullptr;
    const StoredFact* elsewhere = nullptr;
    for (const StoredFact* stored : facts) {
        const bool is_far =
            time_us && has_time(*stored) && logs::distance_us(stored->time_us, *time_us) > kFailureNearUs;
        if (!reports_failure(*stored) || is_far || is_of_other_kernel(*stored, facts)) {
            continue;
        }
        const StoredFact*& first = may_be_of_device(process, *stored, lookup) ? failure : elsewhere;
        first = first == nullptr ? stored : first;
    }
    if (failure != nullptr) {
        lookup.remark(diagnostics, "task_failed", {{"line", lookup.at(*failure)}});
    } else if (elsewhere != nullptr) {
        const std::optional<std::uint64_t> device = elsewhere->fact.device_id;
        remark_failure_elsewhere(*elsewhere, device ? *device : lookup.index().own_devices(process).front(), lookup,
                                 diagnostics);
    }
}

bool remark_failure_alone(const Lookup& lookup, Diagnostics& diagnostics) {
    const StoredFact* elsewhere = nullptr;
    for (const std::uint32_t number : lookup.index().processes(logs::About::task, lookup.stream(), lookup.task())) {
        const Process& process = lookup.map.processes[number];
        if (process.on_device) {
            continue;
        }
        std::vector<const StoredFact*> lines = lines_near(process, lookup);
        const auto others = std::stable_partition(lines.begin(), lines.end(), [&](const StoredFact* stored) {
            return may_be_of_device(process, *stored, lookup);
        });
        // A printed failure: containers number devices from 0, and the line may be of any process.
        const auto printed = std::find_if(others, lines.end(), [&process](const StoredFact* stored) {
            return process.pid < 0 && reports_failure(*stored);
        });
        elsewhere = elsewhere == nullptr && printed != lines.end() ? *printed : elsewhere;
        lines.erase(others, lines.end());
        if (std::none_of(lines.begin(), lines.end(),
                         [](const StoredFact* stored) { return reports_failure(*stored); })) {
            continue;
        }
        const auto typed = std::find_if(lines.begin(), lines.end(), [](const StoredFact* stored) {
            return stored->fact.kind == FactKind::task_fault && !stored->fact.operator_type.empty();
        });
        if (typed != lines.end()) {
            lookup.remark(diagnostics, "other_task.on_device",
                          {{"type", (*typed)->fact.operator_type}, {"line", lookup.at(**typed)}});
        }
        remark_failure(process, lines, std::nullopt, lookup, diagnostics);
        return typed != lines.end();
    }
    if (elsewhere != nullptr && elsewhere->fact.device_id) {
        remark_failure_elsewhere(*elsewhere, *elsewhere->fact.device_id, lookup, diagnostics);
    }
    return false;
}

}  // namespace opdebug::locate_stage
