#include "locate/report_lines.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "locate/candidates.hpp"
#include "locate/kernel_name.hpp"
#include "locate/operator_lines.hpp"
#include "logs/facts/time_gap.hpp"
#include "logs/lines/lexer.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/stream_window.hpp"
#include "logs/lookup/visible_devices.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::Fact;
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

/// Those on the record's task, perhaps.
logs::Places reports_of(const Process& process, const TaskQuery& query, const TaskMap::Contents& map) {
    return map.index().facts(process, logs::About::overflow, *query.stream_id, *query.task_id & logs::kLowHalfOfTask);
}

/// The report on the record's task that is nearest to the time; of one of the devices, where both are known.
const StoredFact* nearest_report(const Process& process, logs::Places reports, const TaskQuery& query,
                                 std::int64_t time, const std::vector<logs::DeviceFilter>& devices) {
    return logs::nearest_fact(process, reports, time, [&](const StoredFact& report) {
        const logs::DeviceFilter of_report = report.fact.device_id;
        const auto may_be_its = [&of_report](const logs::DeviceFilter& device) {
            return !device || !of_report || device == of_report;
        };
        return std::any_of(devices.begin(), devices.end(), may_be_its) && is_same_task(report.fact, query);
    });
}

}  // namespace

void prefer_reported_time(const Process& process, const Dump& dump, const TaskQuery& query,
                          const TaskMap::Contents& map, std::vector<LocalTime>& times) {
    if (times.size() < 2 || !query.stream_id || !query.task_id) {
        return;
    }
    const logs::Places reports = reports_of(process, query, map);
    if (reports.empty()) {  // nearly always; to look for devices takes all lines on the stream
        return;
    }
    const auto devices = devices_to_search(process, {*query.stream_id, *query.task_id}, dump);
    std::optional<std::size_t> reported;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const StoredFact* report = nearest_report(process, reports, query, times[i].time_us, devices);
        if (report != nullptr && logs::distance_us(report->time_us, times[i].time_us) <= kSureUs) {
            if (reported) {
                return;
            }
            reported = i;
        }
    }
    if (reported) {
        LocalTime time = times[*reported];
        time.is_reported = true;
        time.is_inferred = false;
        times = {time};
    }
}

std::vector<std::int64_t> report_times(const Process& process, logs::DeviceFilter device, const TaskQuery& query,
                                       const TaskMap::Contents& map) {
    std::vector<std::int64_t> times;
    for (const std::uint32_t place : reports_of(process, query, map)) {
        const StoredFact& report = process.facts[place];
        const bool may_be_its = !device || !report.fact.device_id || report.fact.device_id == device;
        // Two lines may tell of one overflow.
        const bool is_new = times.empty() || report.time_us > times.back() + 1'000;
        if (may_be_its && is_new && is_same_task(report.fact, query)) {
            times.push_back(report.time_us);
        }
    }
    return times;
}

const StoredFact* overflow_report(const TaskMatch& match, const TaskQuery& query, const TaskMap::Contents& map) {
    if (!match.time_us) {
        return nullptr;
    }
    const StoredFact* report =
        nearest_report(*match.process, reports_of(*match.process, query, map), query, *match.time_us, {match.device});
    return report != nullptr && logs::distance_us(report->time_us, *match.time_us) <= kNearReportUs ? report : nullptr;
}

bool remark_overflow_line(const Process& process, const Dump& dump, const TaskQuery& query, std::int64_t time_us,
                          const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const logs::Places reports = reports_of(process, query, map);
    if (reports.empty()) {
        return false;
    }
    const auto devices = devices_to_search(process, {*query.stream_id, *query.task_id}, dump);
    const StoredFact* report = nearest_report(process, reports, query, time_us, devices);
    if (report == nullptr || logs::distance_us(report->time_us, time_us) > kNearReportUs) {
        return false;
    }
    diagnostics.push_back(remarks::diagnose(
        "overflow_in_log",
        {{"stream", *query.stream_id},
         {"task", *query.task_id},
         {"file", map.files[report->place.file]},
         {"line", report->place.line},
         {"seconds", fmt::format("{:.3f}", static_cast<double>(logs::distance_us(report->time_us, time_us)) / 1e6)},
         {"order", remarks::phrase(report->time_us < time_us ? "before" : "after")}}));
    return true;
}

void remark_wraps(const TaskMatch& match, const TaskQuery& query, const TaskMap::Contents& map,
                  std::vector<Diagnostic>& diagnostics) {
    if (match.use.persistent || !match.time_us || match.use.span.begin >= *match.time_us) {
        return;
    }
    // Behind the first line, up to the dump.
    const logs::Span span{match.use.span.begin + 1, *match.time_us + 1};
    std::size_t wraps = 0;
    std::uint32_t last_place = 0;
    const auto count = [&](logs::About about, std::uint64_t device) {
        const logs::Places inside = logs::places_inside(
            *match.process, map.index().facts(*match.process, about, *query.stream_id, device), span);
        wraps += inside.size();
        last_place = inside.empty() ? last_place : std::max(last_place, inside.back());
    };
    if (match.device) {
        count(logs::About::wrap_of_ids_on_device, *match.device);
        count(logs::About::wrap_of_ids_on_any_device, 0);
    } else {
        count(logs::About::wrap_of_ids, 0);
    }
    const StoredFact* last = wraps == 0 ? nullptr : &match.process->facts[last_place];
    if (last != nullptr) {
        diagnostics.push_back(remarks::diagnose("ids_wrapped", {{"stream", *query.stream_id},
                                                                {"count", wraps},
                                                                {"file", map.files[last->place.file]},
                                                                {"line", last->place.line},
                                                                {"task", *query.task_id}}));
    }
}

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
        diagnostics.push_back(remarks::diagnose(
            "task_failed", {{"file", map.files[(*failure)->place.file]}, {"line", (*failure)->place.line}}));
    }
    const auto inner = std::find_if(facts.begin(), facts.end(), [&is_far](const StoredFact* stored) {
        return stored->fact.kind == FactKind::task_fault && !stored->fact.operator_name.empty() && !is_far(*stored);
    });
    if (inner != facts.end()) {
        const std::string& symbol = (*inner)->fact.operator_name;
        const std::optional<std::string> type = decode_kernel_name(symbol).operator_type;
        diagnostics.push_back(remarks::diagnose(
            "inner_kernel", {{"symbol", symbol},
                             {"type", type ? remarks::phrase("of_type", {{"type", *type}}) : LocalizedText()},
                             {"file", map.files[(*inner)->place.file]},
                             {"line", (*inner)->place.line}}));
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
    const std::string with_article = fmt::format("{} {}", begins_with_vowel ? "an" : "a", type);
    diagnostics.push_back(remarks::diagnose("other_task.on_device", {{"stream", *query.stream_id},
                                                                     {"task", *query.task_id},
                                                                     {"type", LocalizedText{with_article, type}},
                                                                     {"file", map.files[(*line)->place.file]},
                                                                     {"line", (*line)->place.line}}));
    return true;
}

void remark_failure_alone(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                          const LocateOptions& options, std::vector<Diagnostic>& diagnostics) {
    const LinesAlone lines = lines_alone(map, dump, query, options);
    remark_failure(lines.of_device, std::nullopt, map, diagnostics);  // each is near the dump
    const StoredFact* const other = lines.of_other_device;
    if (lines.of_device.empty() && other != nullptr && other->fact.device_id) {
        diagnostics.push_back(
            remarks::diagnose("task_failed.other_device", {{"device", *other->fact.device_id},
                                                           {"file", map.files[other->place.file]},
                                                           {"line", other->place.line},
                                                           {"folder_device", *dump.path_ids.device_id}}));
    }
}

}  // namespace opdebug::locate_stage
