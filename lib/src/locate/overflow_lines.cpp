#include "locate/overflow_lines.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "locate/task_search.hpp"
#include "logs/facts/time_gap.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/nearest_fact.hpp"
#include "logs/lookup/stream_window.hpp"

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
    diagnostics.push_back(
        {Severity::info, "overflow_in_log",
         fmt::format("the host log reports the overflow of stream {} task {} as well ({}:{}, {:.3f} s {} the dump)",
                     *query.stream_id, *query.task_id, map.files[report->place.file], report->place.line,
                     static_cast<double>(logs::distance_us(report->time_us, time_us)) / 1e6,
                     report->time_us < time_us ? "before" : "after")});
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
        diagnostics.push_back(
            {Severity::warning, "ids_wrapped",
             fmt::format("the task ids of stream {} began anew {} time(s) between the line that this answer rests on "
                         "and the overflow (last at {}:{}): a later launch of task {} may be missing in the log",
                         *query.stream_id, wraps, map.files[last->place.file], last->place.line, *query.task_id)});
    }
}

}  // namespace opdebug::locate_stage
