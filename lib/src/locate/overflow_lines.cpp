#include "locate/overflow_lines.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "locate/task_search.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::Fact;
using logs::FactKind;
using logs::Process;
using logs::StoredFact;

/// The report comes when the host next looks at the stream; a zone is at least a quarter of an hour away.
constexpr std::int64_t kSureUs = 2'000'000;
constexpr std::int64_t kNearUs = 10'000'000;
/// Tasks have 16 bits in the hardware; some lines put the number of wraps above them, or a serial number of 32 bits.
constexpr std::uint64_t kLowHalf = 0xFFFF;

bool is_same_task(const Fact& fact, const TaskQuery& query) {
    const auto fits = [&query](const std::optional<std::uint64_t>& number) {
        return number && (number == query.task_id || (*number & kLowHalf) == query.task_id);
    };
    return fact.stream_id == query.stream_id && (fits(fact.task_id) || fits(fact.task_sn));
}

std::uint64_t distance(std::int64_t a, std::int64_t b) {
    return static_cast<std::uint64_t>(std::max(a, b)) - static_cast<std::uint64_t>(std::min(a, b));
}

/// The report on the record's task that is nearest to the time.
const StoredFact* nearest_report(const Process& process, const TaskQuery& query, std::int64_t time) {
    const StoredFact* nearest = nullptr;
    for (const StoredFact& fact : process.facts) {
        if (fact.fact.kind == FactKind::overflow_report && is_same_task(fact.fact, query) &&
            (nearest == nullptr || distance(fact.time_us, time) < distance(nearest->time_us, time))) {
            nearest = &fact;
        }
    }
    return nearest;
}

}  // namespace

void prefer_reported_time(const Process& process, const TaskQuery& query, std::vector<LocalTime>& times) {
    if (times.size() < 2) {
        return;
    }
    std::optional<std::size_t> reported;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const StoredFact* report = nearest_report(process, query, times[i].time_us);
        if (report != nullptr && distance(report->time_us, times[i].time_us) <= kSureUs) {
            if (reported) {
                return;
            }
            reported = i;
        }
    }
    if (reported) {
        LocalTime time = times[*reported];
        time.found_by += ", in which the log reports the overflow of this task";
        time.is_inferred = false;
        times = {time};
    }
}

bool remark_overflow_line(const Process& process, const TaskQuery& query, std::int64_t time_us,
                          const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const StoredFact* report = nearest_report(process, query, time_us);
    if (report == nullptr || distance(report->time_us, time_us) > kNearUs) {
        return false;
    }
    diagnostics.push_back(
        {Severity::info, "overflow_in_log",
         fmt::format("the host log reports the overflow of stream {} task {} as well ({}:{}, {:.3f} s {} the dump)",
                     *query.stream_id, *query.task_id, map.files[report->place.file], report->place.line,
                     static_cast<double>(distance(report->time_us, time_us)) / 1e6,
                     report->time_us < time_us ? "before" : "after")});
    return true;
}

void remark_wraps(const TaskMatch& match, const TaskQuery& query, const TaskMap::Contents& map,
                  std::vector<Diagnostic>& diagnostics) {
    if (match.use.persistent || !match.time_us) {
        return;
    }
    std::size_t wraps = 0;
    const StoredFact* last = nullptr;
    for (const StoredFact& fact : match.process->facts) {
        const bool other_device = match.device && fact.fact.device_id && fact.fact.device_id != match.device;
        if (fact.fact.kind == FactKind::ids_wrapped && fact.fact.stream_id == query.stream_id && !other_device &&
            fact.time_us > match.use.span.begin && fact.time_us <= *match.time_us) {
            ++wraps;
            last = &fact;
        }
    }
    if (last != nullptr) {
        diagnostics.push_back(
            {Severity::warning, "ids_wrapped",
             fmt::format("the task ids of stream {} began anew {} time(s) between the line that this answer rests on "
                         "and the overflow (last at {}:{}): a later launch of task {} may be missing in the log",
                         *query.stream_id, wraps, map.files[last->place.file], last->place.line, *query.task_id)});
    }
}

}  // namespace opdebug::locate_stage
