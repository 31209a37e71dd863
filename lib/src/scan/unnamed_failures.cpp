#include "scan/unnamed_failures.hpp"

#include <algorithm>
#include <cstdlib>

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
    return stored.place.line - known.last_line <= kSameReportLines &&
           (stored.tid >= 0 || known.ids.process_id || codes.size() < 2);
}

}  // namespace

bool are_far(const LoggedTaskIds& a, const LoggedTaskIds& b) {
    return a.time_us && b.time_us && std::abs(*a.time_us - *b.time_us) > kSameReportUs;
}

bool may_be_same(const Number& a, const Number& b) {
    return !a || !b || a == b;
}

Source source_of(const logs::Process& process, const StoredFact& stored) {
    return {&process, process.pid < 0 ? stored.place.file : 0, stored.tid};
}

LoggedTaskIds ids_of(const logs::Process& process, const StoredFact& stored) {
    const logs::Fact& fact = stored.fact;
    LoggedTaskIds ids;
    ids.device_id = fact.device_id || !process.on_device ? fact.device_id : process.device_id;
    ids.stream_id = fact.stream_id;
    const Number& task_id = fact.task_id ? fact.task_id : fact.task_sn;
    ids.task_id = task_id ? Number(*task_id & logs::kLowHalfOfTask) : Number();
    ids.time_us = stored.time_us != 0 ? std::optional(stored.time_us) : std::nullopt;
    ids.process_id = fact.process_id;
    return ids;
}

void add_line(const logs::Process& process, const StoredFact& stored, std::vector<UnnamedFailure>& failures) {
    const Source source = source_of(process, stored);
    const LoggedTaskIds ids = ids_of(process, stored);
    const logs::Fact& fact = stored.fact;
    const auto is_its = [&](const UnnamedFailure& known) {
        return known.source.process == source.process && known.source.file == source.file &&
               (known.source == source || (ids.process_id && known.ids.process_id == ids.process_id)) &&
               may_be_same(known.ids.device_id, ids.device_id) && may_be_same(known.ids.process_id, ids.process_id) &&
               (ids.device_id || may_be_same(known.chip_id, fact.chip_id)) && may_be_of_process(known, ids, stored);
    };
    auto known = std::find_if(failures.rbegin(), failures.rend(), is_its);
    if (known == failures.rend()) {
        failures.push_back({source, ids, fact.chip_id, {}, 0});
        known = failures.rbegin();
    }
    known->ids.device_id = known->ids.device_id ? known->ids.device_id : ids.device_id;
    known->ids.process_id = known->ids.process_id ? known->ids.process_id : ids.process_id;
    known->ids.stream_id = known->ids.stream_id ? known->ids.stream_id : ids.stream_id;
    known->chip_id = known->chip_id ? known->chip_id : fact.chip_id;
    known->last_line = stored.place.line;
    if (fact.fault_code || fact.chip_id || fact.stream_id || !fact.reason.empty() || !fact.suspect.empty()) {
        known->lines.push_back(&stored);
    }
}

}  // namespace opdebug::scan_stage
