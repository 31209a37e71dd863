#include "merge/part.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
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

namespace {

/// Dumps that a report without --shard and --host counts without listing them.
void count_unlisted(const Part& part, const PartNotes& notes, report::PartFacts& facts) {
    const ScanCounts& counts = part.end->counts;
    facts.unlisted_overflowed = counts.overflowed - std::min(counts.overflowed, notes.overflowed);
    facts.unlisted_clean = counts.clean - std::min(counts.clean, notes.clean);
}

}  // namespace

void report_ordinary(const std::vector<std::shared_ptr<Part>>& parts, const std::vector<report::PartFacts>& scans,
                     std::vector<Diagnostic>& diagnostics) {
    std::uint64_t overflowed = 0, clean = 0;
    for (const report::PartFacts& facts : scans) {
        overflowed += facts.unlisted_overflowed;
        clean += facts.unlisted_clean;
    }
    const bool api = std::any_of(parts.begin(), parts.end(), [](const auto& part) {
        return !part->head.lists_all && part->end && part->end->facts.api;
    });
    std::vector<LocalizedText> lost;
    if (overflowed != 0) {
        lost.push_back(remarks::phrase("loses_overflowed", {{"count", overflowed}}));
    }
    if (clean != 0) {
        lost.push_back(remarks::phrase("loses_clean", {{"count", clean}}));
    }
    if (api) {
        lost.push_back(remarks::phrase("loses_ties"));
    }
    if (!lost.empty()) {
        diagnostics.push_back(remarks::diagnose("part_is_ordinary", {{"losses", remarks::joined(lost, {"; ", "；"})}}));
    }
}

namespace {

using report::PartFacts;
using report::PartName;

Diagnostic cut_remark(const Part& part, const PartNotes& notes) {
    if (part.end) {
        return remarks::diagnose(
            notes.holds_another ? "part_cut.another" : "part_cut.damaged",
            {{"part", part.name}, {"fault", remarks::phrase("original", {{"text", notes.fault}})}});
    }
    const std::string& why = part.damage.empty() ? notes.fault : part.damage;
    const LocalizedText reason =
        why.empty() ? LocalizedText()
                    : remarks::phrase("part_cut_reason", {{"fault", remarks::phrase("original", {{"text", why}})}});
    return remarks::diagnose("part_cut", {{"part", part.name}, {"why", reason}, {"dumps", notes.dumps}});
}

/// With the damage of the part.
PartFacts facts_of(const Part& part) {
    PartFacts facts = part.end ? part.end->facts : PartFacts();
    facts.name = part.head.name;
    if (part.is_cut()) {
        facts.diagnostics.push_back(cut_remark(part, *part.checked));
    } else if (!part.head.lists_all) {
        count_unlisted(part, *part.checked, facts);
    }
    return facts;
}

}  // namespace

std::vector<PartFacts> gather_facts(const std::vector<std::shared_ptr<Part>>& parts,
                                    std::vector<Diagnostic>& diagnostics) {
    std::vector<PartFacts> gathered;
    std::set<std::tuple<std::vector<std::string>, std::uint64_t, std::uint64_t, std::string>> shards;
    for (const auto& part : parts) {
        const PartName& name = part->head.name;
        if (name.shard && !shards.emplace(name.inputs, name.shard->count, name.shard->index, name.tree.digest).second) {
            diagnostics.push_back(
                remarks::diagnose("part_repeated.shard",
                                  {{"part", part->name}, {"index", name.shard->index}, {"count", name.shard->count}}));
            if (part->is_cut()) {
                diagnostics.push_back(cut_remark(*part, *part->checked));
            }
        } else {
            gathered.push_back(facts_of(*part));
        }
    }
    return gathered;
}

}  // namespace opdebug::merge
