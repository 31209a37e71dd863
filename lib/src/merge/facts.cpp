#include "merge/facts.hpp"

#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "merge/part_set.hpp"
#include "report/text/joined_lists.hpp"

namespace opdebug::merge {
namespace {

/// A limit, because each host of a job is a scan of its own: scans after so many overflows of others get none.
constexpr std::size_t kScansInMemory = 10;

}  // namespace

void ApiOverflows::extract(Part& part) {
    if (!part.end) {
        return;
    }
    for (std::size_t i = 0; i < part.end->parts.size(); ++i) {
        std::optional<ScanApiDumps>& api = part.end->parts[i].api;
        if (!api || api->overflows.empty()) {
            continue;
        }
        const report::ScanKey key = report::scan_key_of(part.head.parts[i]);
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

std::uint64_t more(std::uint64_t counted, std::uint64_t listed) {
    return counted > listed ? counted - listed : 0;
}

std::string counted(std::uint64_t count, const char* kind, const char* which) {
    return fmt::format("{} {} dump{} {} {} counted", count, kind, count == 1 ? "" : "s", which,
                       count == 1 ? "is" : "are");
}

/// What is missing, in parts of a sentence; empty: nothing that is known of.
std::string losses(const Unlisted& unlisted, bool tensors, bool api) {
    std::string text;
    const auto add = [&text](const std::string& loss) { text += (text.empty() ? "" : "; ") + loss; };
    if (unlisted.overflowed != 0) {
        add(counted(unlisted.overflowed, "overflowed", "that --first left out") + ", but in no group");
    }
    if (unlisted.clean != 0) {
        add(counted(unlisted.clean, "clean", "without a document (scan without --all)") +
            ", but ranks, devices and steps, to which groups compare, are not known of them");
    }
    if (tensors) {
        add("what the dumps of operators did not show is not known, so remarks on chains may be missing");
    }
    if (api) {
        add("its overflow dumps are not tied to API calls");
    }
    return text;
}

}  // namespace

Unlisted unlisted_of(const Part& part, const PartNotes& notes) {
    if (!part.head.ordinary || !part.end || !notes.fault.empty()) {
        return {};
    }
    const ScanCounts& counts = part.ordinary_end.counts;
    return {more(counts.overflowed, notes.overflowed), more(counts.clean, notes.clean)};
}

void learn_options(Part& part, const PartNotes& notes) {
    if (!part.head.ordinary) {
        return;
    }
    const Unlisted unlisted = unlisted_of(part, notes);
    if (notes.clean + unlisted.clean != 0) {
        part.head.all = notes.clean != 0;
    }
    if (unlisted.overflowed != 0 || (notes.clean != 0 && unlisted.clean != 0)) {
        part.head.first = notes.overflowed + notes.clean;
    }
}

void report_ordinary(const std::vector<std::shared_ptr<Part>>& parts, const std::vector<PartNotes>& notes,
                     std::vector<Diagnostic>& diagnostics) {
    Unlisted unlisted;
    std::uint64_t count = 0;
    std::string first;
    bool tensors = false, api = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Part& part = *parts[i];
        if (!part.head.ordinary) {
            continue;
        }
        first = count++ == 0 ? part.name : first;
        const Unlisted of_part = unlisted_of(part, notes[i]);
        unlisted.overflowed += of_part.overflowed;
        unlisted.clean += of_part.clean;
        tensors = tensors || part.head.tensors;
        api = api || part.ordinary_end.facts.api;
    }
    if (count == 0) {
        return;
    }
    const std::string lost = losses(unlisted, tensors, api);
    diagnostics.push_back(
        {lost.empty() ? Severity::info : Severity::warning, "part_is_ordinary",
         fmt::format("{} of {} {} not written to be merged ({}{}): what merging needs was taken from {} "
                     "documents{}{}. scan with --host or --shard writes reports that tell all",
                     count, bytes::counted(parts.size(), "report"), count == 1 ? "was" : "were", first,
                     count == 1 ? "" : " and others", count == 1 ? "its" : "their", lost.empty() ? "" : ". ", lost)});
}

namespace {

using report::PartFacts;
using report::PartName;

std::string cut_message(const Part& part, const PartNotes& notes) {
    if (part.end && notes.holds_another) {
        return fmt::format(
            "{} holds more than one report: {}, and nothing from there on is used; give each report as a file of its "
            "own",
            part.name, notes.fault);
    }
    if (part.end) {
        return fmt::format("{} is damaged, {}: the others are missing; write or copy it again", part.name, notes.fault);
    }
    const std::uint64_t dumps = notes.dumps;
    const std::string why = part.damage.empty() ? notes.fault : part.damage;
    return fmt::format(
        "{} ends early{}{}: its {} whole dump{} used, further ones may be missing, and its other files and "
        "failures are not known; write or copy it again",
        part.name, why.empty() ? "" : ": ", why, dumps, dumps == 1 ? " is" : "s are");
}

/// What an ordinary report lists does not show what it counts.
void add_unlisted(const Part& part, const PartNotes& notes, const report::RemarksOnce& known, PartFacts& facts) {
    const Unlisted unlisted = unlisted_of(part, notes);
    facts.unlisted_overflowed = unlisted.overflowed;
    facts.unlisted_clean = unlisted.clean;
    for (const Diagnostic& doubt : part.ordinary_end.doubts) {
        // Those that are not listed may be what is in doubt.
        if (unlisted.overflowed != 0 && !known.has(doubt)) {
            facts.diagnostics.push_back(doubt);
        }
    }
}

/// The facts of the scans of a part, with its own damage.
std::vector<PartFacts> facts_of(const Part& part, const PartNotes& notes, const report::RemarksOnce& known) {
    std::vector<PartFacts> facts = part.end ? part.end->parts : std::vector<PartFacts>(part.head.parts.size());
    for (std::size_t i = 0; i < facts.size(); ++i) {
        facts[i].name = part.head.parts[i];
    }
    if (!part.end || !notes.fault.empty()) {
        // Added to each scan: another part may hold one of them undamaged, and replaces it.
        for (PartFacts& of_scan : facts) {
            of_scan.name.cut = extent_of(part, of_scan.name);
            of_scan.diagnostics.push_back({Severity::error, "part_cut", cut_message(part, notes)});
        }
    } else if (part.head.ordinary) {
        add_unlisted(part, notes, known, facts.front());
    }
    return facts;
}

/// The scans that some part holds undamaged.
std::set<std::string> whole_ids(const std::vector<std::shared_ptr<Part>>& parts) {
    std::set<std::string> ids;
    for (const auto& part : parts) {
        for (const PartName& name : part->head.parts) {
            if (!extent_of(*part, name)) {
                ids.insert(name.id);
            }
        }
    }
    return ids;
}

/// The scans that were used so far.
class UsedScans {
public:
    explicit UsedScans(std::set<std::string> whole) : whole_(std::move(whole)) {}

    bool has_better(const PartName& name) const {
        return (name.cut && whole_.count(name.id) != 0) || ids_.count(name.id) != 0;
    }
    /// False: a part of the same shard was used, with other content.
    bool add(const PartName& name) {
        ids_.insert(name.id);
        return !name.shard ||
               shards_.emplace(name.inputs, name.shard->count, name.shard->index, name.tree.digest).second;
    }

private:
    std::set<std::string> whole_, ids_;
    std::set<std::tuple<std::vector<std::string>, std::uint64_t, std::uint64_t, std::string>> shards_;
};

}  // namespace

GatheredFacts gather_facts(const std::vector<std::shared_ptr<Part>>& parts, const std::vector<PartNotes>& notes,
                           const std::vector<Diagnostic>& known, std::vector<Diagnostic>& diagnostics) {
    GatheredFacts gathered;
    UsedScans used(whole_ids(parts));
    report::RemarksOnce known_once;
    known_once.add(known);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Part& part = *parts[i];
        bool is_cut = false;
        for (PartFacts& facts : facts_of(part, notes[i], known_once)) {
            if (used.has_better(facts.name)) {
                continue;
            }
            if (!used.add(facts.name)) {
                diagnostics.push_back(
                    {Severity::warning, "part_repeated",
                     fmt::format("{} holds shard {} of {}, which another part holds with other content: its dumps that "
                                 "the other one has count once",
                                 part.name, facts.name.shard->index, facts.name.shard->count)});
                continue;
            }
            is_cut = is_cut || facts.name.cut;
            gathered.scans.push_back(std::move(facts));
        }
        gathered.cut += is_cut ? 1U : 0U;
    }
    return gathered;
}

}  // namespace opdebug::merge
