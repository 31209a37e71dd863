#include "locate/failure_lines.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "locate/kernel_name.hpp"
#include "locate/statement_order.hpp"
#include "locate/task_search.hpp"
#include "logs/facts/time_gap.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/visible_devices.hpp"
#include "logs/text/lexer.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::FactKind;
using logs::Process;
using logs::StoredFact;

bool reports_failure(const logs::Fact& fact) {
    return fact.kind == FactKind::fault_kernel || fact.kind == FactKind::task_fault ||
           (fact.kind == FactKind::operator_of_task && statement_of(fact) == Statement::failure);
}

/// Printed errors have none.
bool has_time(const StoredFact& stored) noexcept {
    return stored.time_us != 0;
}

/// Ranks use the same ids at the same time. A line without a device is of one of those that its process works on.
bool may_be_of_device(const Process& process, const StoredFact& stored, logs::DeviceFilter of_dump,
                      const TaskMap::Contents& map) {
    const auto is_it = [&](std::uint64_t device) { return logs::is_seen_as(process, device, of_dump); };
    if (!of_dump) {
        return true;
    }
    if (stored.fact.device_id) {
        return is_it(*stored.fact.device_id);
    }
    const std::vector<std::uint64_t>& devices = map.index().own_devices(process);
    return devices.empty() || std::any_of(devices.begin(), devices.end(), is_it);
}

/// Lines on a task that no other line mentions, at most 10 s from the dump: such lines do not show which model uses the
/// ids.
struct LinesAlone {
    std::vector<const StoredFact*> of_device;  ///< of the first process that reports a failure
    /// A printed failure: containers number devices from 0, and the line may be of any process. Null: none.
    const StoredFact* of_other_device = nullptr;
};

LinesAlone lines_alone(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                       const LocateOptions& options) {
    LinesAlone lines;
    const logs::TaskKey task{*query.stream_id, *query.task_id};
    for (const std::uint32_t number : map.index().processes(logs::About::task, task.first, task.second)) {
        const Process& process = map.processes[number];
        if (process.on_device) {
            continue;
        }
        const std::vector<LocalTime> times = times_in(process, dump, query, map, options);
        const auto is_near = [&times](const StoredFact& stored) {
            return !has_time(stored) || std::any_of(times.begin(), times.end(), [&stored](const LocalTime& time) {
                return !time.unrelated && logs::distance_us(stored.time_us, time.time_us) <= kFailureNearUs;
            });
        };
        for (const std::uint32_t place : process.of_task.of(task)) {
            const StoredFact& stored = process.facts[place];
            if (!is_near(stored)) {
                continue;
            }
            if (may_be_of_device(process, stored, dump.path_ids.device_id, map)) {
                lines.of_device.push_back(&stored);
            } else if (process.pid < 0 && lines.of_other_device == nullptr && reports_failure(stored.fact)) {
                lines.of_other_device = &stored;
            }
        }
        if (std::any_of(lines.of_device.begin(), lines.of_device.end(),
                        [](const StoredFact* stored) { return reports_failure(stored->fact); })) {
            return lines;
        }
        lines.of_device.clear();
    }
    return lines;
}

}  // namespace

void remark_failure(const std::vector<const StoredFact*>& facts, std::optional<std::int64_t> time_us,
                    const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const auto is_far = [time_us](const StoredFact& stored) {
        return stored.fact.kind == FactKind::task_fault && time_us && has_time(stored) &&
               logs::distance_us(stored.time_us, *time_us) > kFailureNearUs;
    };
    const auto failure = std::find_if(facts.begin(), facts.end(), [&is_far](const StoredFact* stored) {
        return reports_failure(stored->fact) && !is_far(*stored);
    });
    if (failure != facts.end()) {
        diagnostics.push_back(
            {Severity::warning, "task_failed",
             fmt::format("the log also reports that this task failed ({}:{}): look at the errors around that "
                         "line as well",
                         map.files[(*failure)->place.file], (*failure)->place.line)});
    }
    const auto inner = std::find_if(facts.begin(), facts.end(), [&is_far](const StoredFact* stored) {
        return stored->fact.kind == FactKind::task_fault && !stored->fact.operator_name.empty() && !is_far(*stored);
    });
    if (inner != facts.end()) {
        const std::string& symbol = (*inner)->fact.operator_name;
        const std::optional<std::string> type = decode_kernel_name(symbol).operator_type;
        diagnostics.push_back(
            {Severity::info, "inner_kernel",
             fmt::format("a core of the failed task ran {}{} ({}:{}): inside a SuperKernel that is one "
                         "of its operators",
                         symbol, type ? fmt::format(" (type {})", *type) : "", map.files[(*inner)->place.file],
                         (*inner)->place.line)});
    }
}

bool explain_no_operator(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                         const LocateOptions& options, std::vector<Diagnostic>& diagnostics) {
    const LinesAlone lines = lines_alone(map, dump, query, options);
    const auto line = std::find_if(lines.of_device.begin(), lines.of_device.end(), [](const StoredFact* stored) {
        return stored->fact.kind == FactKind::task_fault && !stored->fact.operator_type.empty();
    });
    if (line == lines.of_device.end()) {
        return false;
    }
    std::string type = (*line)->fact.operator_type;
    const bool begins_sentence = type.size() > 1 && logs::is_upper(type[0]) && !logs::is_upper(type[1]);
    type[0] = begins_sentence ? static_cast<char>(type[0] - 'A' + 'a') : type[0];
    const bool begins_with_vowel = std::string_view("AEIOUaeiou").find(type.front()) != std::string_view::npos;
    diagnostics.push_back(
        {Severity::warning, "other_task",
         fmt::format("stream {} task {} is no operator: {} {} ({}:{})", *query.stream_id, *query.task_id,
                     begins_with_vowel ? "an" : "a", type, map.files[(*line)->place.file], (*line)->place.line)});
    return true;
}

void remark_failure_alone(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                          const LocateOptions& options, std::vector<Diagnostic>& diagnostics) {
    const LinesAlone lines = lines_alone(map, dump, query, options);
    remark_failure(lines.of_device, std::nullopt, map, diagnostics);  // each is near the dump
    const StoredFact* const other = lines.of_other_device;
    if (lines.of_device.empty() && other != nullptr && other->fact.device_id) {
        diagnostics.push_back(
            {Severity::warning, "task_failed",
             fmt::format("the log reports that a task with these ids failed on device {} ({}:{}); the dump's folder "
                         "names device {}, which may be the same device in a container: look at the errors around "
                         "that line",
                         *other->fact.device_id, map.files[other->place.file], other->place.line,
                         *dump.path_ids.device_id)});
    }
}

}  // namespace opdebug::locate_stage
