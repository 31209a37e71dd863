#include "scan/unnamed_failures.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

#include "logs/lines/line.hpp"

namespace opdebug::scan_stage {
namespace {

using logs::StoredFact;

constexpr std::uint64_t kSameReportLines = 50;  // without times

/// Lines of which one names a process: without a time only near each other, and of one code if none has a carrier.
bool may_be_of_process(const UnnamedFailure& known, const LoggedTaskIds& ids, const StoredFact& stored) {
    if (known.ids.process_id == ids.process_id || stored.time_us != 0) {
        return true;
    }
    std::vector<std::uint64_t> codes;  // of the runtime: a core's error has another one
    for (const StoredFact* line : known.lines) {
        const std::uint64_t code = line->fact.fault_code.value_or(0);
        if (code / 1000 == 507 && std::find(codes.begin(), codes.end(), code) == codes.end()) {
            codes.push_back(code);
        }
    }
    return logs::distance_us(static_cast<std::int64_t>(stored.place.line),
                             static_cast<std::int64_t>(known.last_line)) <= kSameReportLines &&
           (stored.tid >= 0 || known.ids.process_id || codes.size() < 2);
}

/// The time in a printed error's head: after "[ERROR] " or "[PID: 9] ", or after the code alone ("EZ9999: ").
std::optional<std::int64_t> printed_time(std::string_view text) {
    constexpr std::string_view kSecond = "YYYY-MM-DD-hh:mm:ss", kSubseconds = ".mmm.uuu";
    constexpr std::size_t kCarrierColumns = 400;
    std::string_view head = text.substr(0, kCarrierColumns);
    for (std::size_t at = head.find(' '); at != std::string_view::npos; at = head.find(' ', at + 1)) {
        const std::string_view mark = head.substr(0, at);
        std::string time(text.substr(at + 1, kSecond.size() + kSubseconds.size()));
        if (time.size() > kSecond.size() && time[kSecond.size()] != '.') {
            time.resize(kSecond.size());
            time += ".000.000";
        }
        if (const auto time_us = logs::parse_line_time(time); time_us && (mark.ends_with(']') || mark.ends_with(':'))) {
            return time_us;
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> FailureTimes::of_next(const StoredFact& stored) {
    const auto of_prefix = stored.time_us != 0 ? std::optional(stored.time_us) : std::nullopt;
    if (process_.pid >= 0 || process_.on_device) {
        return of_prefix;
    }
    Block& block = blocks_[{stored.place.file, stored.tid}];
    if (const auto time_us = printed_time(stored.place.text)) {
        block = {*time_us, stored.place.line, stored.fact.process_id};
    }
    const bool is_of_block = block.line != 0 && stored.place.line - block.line <= kSameReportLines &&
                             may_be_same(block.process_id, stored.fact.process_id);
    return is_of_block ? std::optional(block.time_us) : of_prefix;
}

bool UnnamedFailure::is_device_fault() const {
    static constexpr std::string_view kFormats[] = {"runtime.device_error", "runtime.core_error", "runtime.ras_event"};
    return std::any_of(lines.begin(), lines.end(), [](const StoredFact* line) {
        return std::find(std::begin(kFormats), std::end(kFormats), line->fact.format_id) != std::end(kFormats);
    });
}

bool are_far(const LoggedTaskIds& a, const LoggedTaskIds& b) {
    return a.time_us && b.time_us && std::abs(*a.time_us - *b.time_us) > kSameReportUs;
}

bool may_be_same(const Number& a, const Number& b) {
    return !a || !b || a == b;
}

Source source_of(const logs::Process& process, const StoredFact& stored) {
    return {&process, process.pid < 0 ? stored.place.file : 0, stored.tid};
}

LoggedTaskIds ids_of(const logs::Process& process, const StoredFact& stored, std::optional<std::int64_t> time_us) {
    const logs::Fact& fact = stored.fact;
    LoggedTaskIds ids;
    ids.device_id = fact.device_id || !process.on_device ? fact.device_id : process.device_id;
    ids.stream_id = fact.stream_id;
    const Number& task_id = fact.task_id ? fact.task_id : fact.task_sn;
    ids.task_id = task_id ? Number(*task_id & logs::kLowHalfOfTask) : Number();
    ids.time_us = time_us;
    ids.process_id = fact.process_id;
    return ids;
}

UnnamedFailure* failure_of(const logs::Process& process, const StoredFact& stored, const LoggedTaskIds& ids,
                           std::vector<UnnamedFailure>& failures) {
    const Source source = source_of(process, stored);
    const logs::Fact& fact = stored.fact;
    const auto is_its = [&](const UnnamedFailure& known) {
        return known.source.process == source.process && known.source.file == source.file &&
               (known.source == source || (ids.process_id && known.ids.process_id == ids.process_id)) &&
               may_be_same(known.ids.device_id, ids.device_id) && may_be_same(known.ids.process_id, ids.process_id) &&
               (ids.device_id || may_be_same(known.chip_id, fact.chip_id)) && may_be_of_process(known, ids, stored);
    };
    const auto known = std::find_if(failures.rbegin(), failures.rend(), is_its);
    return known == failures.rend() ? nullptr : &*known;
}

void add_line(const logs::Process& process, const StoredFact& stored, const LoggedTaskIds& ids,
              std::vector<UnnamedFailure>& failures) {
    const logs::Fact& fact = stored.fact;
    UnnamedFailure* known = failure_of(process, stored, ids, failures);
    if (known == nullptr) {
        known = &failures.emplace_back(UnnamedFailure{source_of(process, stored), ids, fact.chip_id, {}, 0});
    }
    known->ids.device_id = known->ids.device_id ? known->ids.device_id : ids.device_id;
    known->ids.process_id = known->ids.process_id ? known->ids.process_id : ids.process_id;
    known->ids.time_us = known->ids.time_us ? known->ids.time_us : ids.time_us;
    known->ids.stream_id = known->ids.stream_id ? known->ids.stream_id : ids.stream_id;
    known->chip_id = known->chip_id ? known->chip_id : fact.chip_id;
    known->last_line = stored.place.line;
    if (fact.fault_code || fact.chip_id || fact.stream_id || !fact.reason.empty() || !fact.suspect.empty()) {
        known->lines.push_back(&stored);
    }
}

}  // namespace opdebug::scan_stage
