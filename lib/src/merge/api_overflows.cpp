#include "merge/api_overflows.hpp"

#include <utility>

namespace opdebug::merge {
namespace {

/// The hosts of a job are scans of their own: those that come behind so many overflows of others have none.
constexpr std::size_t kScansInMemory = 10;

}  // namespace

void ApiOverflows::take(Part& part) {
    if (!part.end) {
        return;
    }
    for (std::size_t i = 0; i < part.end->parts.size(); ++i) {
        std::optional<ScanApiDumps>& api = part.end->parts[i].api;
        if (!api || api->overflows.empty()) {
            continue;
        }
        const report::ScanKey key = report::scan_key_of(part.head.parts[i]);
        if (of_scans_.count(key) == 0 && taken_ > kScansInMemory * scan_stage::kOverflows) {
            api->overflows_left_out += api->overflows.size();
        } else {
            scan_stage::KernelOverflows& of_scan = of_scans_[key];
            taken_ -= of_scan.size();
            for (KernelOverflow& overflow : api->overflows) {
                of_scan.add(std::move(overflow));
            }
            taken_ += of_scan.size();
        }
        api->overflows = {};
    }
}

void ApiOverflows::give(std::vector<report::PartFacts>& scans) {
    for (report::PartFacts& facts : scans) {
        const auto of_scan = facts.api ? of_scans_.find(report::scan_key_of(facts.name)) : of_scans_.end();
        if (of_scan != of_scans_.end()) {
            of_scan->second.add(*facts.api);
            of_scan->second.finish(*facts.api);
            of_scans_.erase(of_scan);
        }
    }
}

}  // namespace opdebug::merge
