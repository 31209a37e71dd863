#include "merge/gathered_facts.hpp"

#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "merge/ordinary_parts.hpp"
#include "merge/part_set.hpp"
#include "report/text/joined_lists.hpp"

namespace opdebug::merge {
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

/// What a part tells of its scans, with what is wrong with it.
std::vector<PartFacts> facts_of(const Part& part, const PartNotes& notes, const report::RemarksOnce& known) {
    std::vector<PartFacts> facts = part.end ? part.end->parts : std::vector<PartFacts>(part.head.parts.size());
    for (std::size_t i = 0; i < facts.size(); ++i) {
        facts[i].name = part.head.parts[i];
    }
    if (!part.end || !notes.fault.empty()) {
        // Told of each scan: the whole part of one may be there besides, and takes its place.
        for (PartFacts& of_scan : facts) {
            of_scan.name.cut = extent_of(part, of_scan.name);
            of_scan.diagnostics.push_back({Severity::error, "part_cut", cut_message(part, notes)});
        }
    } else if (part.head.ordinary) {
        add_unlisted(part, notes, known, facts.front());
    }
    return facts;
}

/// The scans of which a part tells all.
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

/// What was taken of scans so far.
class Taken {
public:
    explicit Taken(std::set<std::string> whole) : whole_(std::move(whole)) {}

    bool has_better(const PartName& name) const {
        return (name.cut && whole_.count(name.id) != 0) || ids_.count(name.id) != 0;
    }
    /// False: a part of the same shard was taken, with other content.
    bool take(const PartName& name) {
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
    Taken taken(whole_ids(parts));
    report::RemarksOnce known_once;
    known_once.add(known);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Part& part = *parts[i];
        bool is_cut = false;
        for (PartFacts& facts : facts_of(part, notes[i], known_once)) {
            if (taken.has_better(facts.name)) {
                continue;
            }
            if (!taken.take(facts.name)) {
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
