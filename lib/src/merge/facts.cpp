#include "merge/part.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "remarks/diagnose.hpp"

namespace opdebug::merge {
namespace {

/// A limit, because each host of a job is a scan of its own: scans after so many overflows of others get none.
constexpr std::size_t kScansInMemory = 10;

}  // namespace

void ApiOverflows::extract(Part& part) {
    if (!part.end) {
        return;
    }
    std::optional<ScanApiDumps>& api = part.end->facts.api;
    if (!api || api->overflows.empty()) {
        return;
    }
    const report::ScanKey key = report::scan_key_of(part.head.name);
    if (by_scan_.count(key) == 0 && in_memory_ > kScansInMemory * scan_stage::kOverflows) {
        api->overflows_left_out += api->overflows.size();
    } else {
        scan_stage::KernelOverflows& of_scan = by_scan_[key];
        in_memory_ -= of_scan.size();
        for (KernelOverflow& overflow : api->overflows) {
            of_scan.add(std::move(overflow));
        }
        in_memory_ += of_scan.size();
    }
    api->overflows = {};
}

void ApiOverflows::distribute(std::vector<report::PartFacts>& scans) {
    for (report::PartFacts& facts : scans) {
        const auto of_scan = facts.api ? by_scan_.find(report::scan_key_of(facts.name)) : by_scan_.end();
        if (of_scan != by_scan_.end()) {
            of_scan->second.add(*facts.api);
            of_scan->second.finish(*facts.api);
            by_scan_.erase(of_scan);
        }
    }
}

void report_unlisted(const std::vector<report::PartFacts>& scans, std::vector<Diagnostic>& diagnostics) {
    std::uint64_t overflowed = 0, clean = 0;
    for (const report::PartFacts& facts : scans) {
        overflowed += facts.unlisted_overflowed;
        clean += facts.unlisted_clean;
    }
    std::vector<LocalizedText> lost;
    if (overflowed != 0) {
        lost.push_back(remarks::phrase("loses_overflowed", {{"count", overflowed}}));
    }
    if (clean != 0) {
        lost.push_back(remarks::phrase("loses_clean", {{"count", clean}}));
    }
    if (!lost.empty()) {
        diagnostics.push_back(remarks::diagnose("part_is_ordinary", {{"losses", remarks::joined(lost, {"; ", "；"})}}));
    }
}

namespace {

using report::PartFacts;

Diagnostic cut_remark(const Part& part, const PartNotes& notes) {
    const std::string& why = part.damage.empty() ? notes.fault : part.damage;
    return remarks::diagnose(part.end ? "part_cut.damaged" : "part_cut",
                             {{"part", part.name},
                              {"dumps", notes.dumps},
                              {"fault", remarks::phrase("original", {{"text", why.empty() ? "no last line" : why}})}});
}

}  // namespace

std::vector<PartFacts> gather_facts(const std::vector<std::shared_ptr<Part>>& parts) {
    std::vector<PartFacts> gathered;
    for (const auto& part : parts) {
        PartFacts& facts = gathered.emplace_back(part->end ? part->end->facts : PartFacts());
        facts.name = part->head.name;
        if (part->is_cut()) {
            facts.diagnostics.push_back(cut_remark(*part, *part->checked));
        } else {
            const ScanCounts& counts = part->end->counts;
            facts.unlisted_overflowed = counts.overflowed - std::min(counts.overflowed, part->checked->overflowed);
            facts.unlisted_clean = counts.clean - std::min(counts.clean, part->checked->clean);
        }
    }
    return gathered;
}

}  // namespace opdebug::merge
