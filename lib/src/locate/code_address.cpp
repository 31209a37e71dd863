#include "locate/code_address.hpp"

#include <algorithm>

#include "locate/task_search.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::FactKind;
using logs::StoredFact;

bool has_address(const StoredFact& fact, const TaskQuery& query) {
    return std::any_of(query.addresses.begin(), query.addresses.end(), [&fact](std::uint64_t address) {
        return fact.fact.address1 == address || fact.fact.address2 == address;
    });
}

}  // namespace

const StoredFact* launch_by_address(const logs::Process& process, const TaskQuery& query,
                                    std::optional<std::int64_t> time_us, logs::DeviceFilter device) {
    const StoredFact* last = nullptr;
    if (process.on_device || query.addresses.empty()) {
        return last;
    }
    for (const StoredFact& fact : process.facts) {
        const bool other_device = device && fact.fact.device_id && fact.fact.device_id != device;
        if (fact.fact.kind != FactKind::kernel_of_task || other_device || !has_address(fact, query)) {
            continue;
        }
        if (time_us && fact.time_us > *time_us + kClockSkewUs) {
            break;
        }
        const auto begins_later = [&](std::int64_t run) { return time_us && run > fact.time_us && run <= *time_us; };
        if (std::any_of(process.run_begins.begin(), process.run_begins.end(), begins_later)) {
            continue;  // addresses are given anew in each run
        }
        if (!time_us && last != nullptr && last->fact.kernel_name != fact.fact.kernel_name) {
            return nullptr;
        }
        last = &fact;
    }
    return last;
}

}  // namespace opdebug::locate_stage
