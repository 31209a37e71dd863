// The first and the last line of a report for merging. They come from files, so each member is checked.
#include <algorithm>
#include <utility>

#include <opdebug/result.hpp>

#include "report/parts/described_parts.hpp"
#include "report/parts/part_lines.hpp"
#include "scan/totals.hpp"

namespace opdebug::report {

using json_stage::JsonCursor;

PartFacts facts_of(const Scan& scan, const std::string& host) {
    PartFacts facts;
    facts.name.host = host;
    facts.name.inputs = scan.inputs;
    facts.name.shard = scan.shard;
    facts.name.tree = scan.tree;
    facts.op_dumps = scan.counts.op_dumps;
    facts.other_files = scan.counts.other_files;
    facts.complete = scan.complete;
    facts.damage = scan.damage;
    facts.failures = scan.failures;
    for (const Diagnostic& diagnostic : scan.diagnostics) {
        if (!scan_stage::is_of_damage(diagnostic, scan.damage)) {
            facts.diagnostics.push_back(diagnostic);
        }
    }
    facts.api = scan.api;
    return facts;
}

void members(auto& visit, Of<ScanCounts> auto& counts) {
    visit("dumps", counts.dumps);
    visit("overflowed", counts.overflowed);
    visit("clean", counts.clean);
    visit("failed", counts.failed);
    visit("op_dumps", counts.op_dumps);
    visit("other_files", counts.other_files);
}

/// "merge" of the first line: of any version, and of this one.
struct MergeVersion {
    std::uint64_t version = 0;
};

void members(auto& visit, Of<MergeVersion> auto& merge) {
    visit.always("version", merge.version);
}

ReadHead read_part_head(std::string_view line) {
    // Other versions may have other members.
    std::string schema, type;
    std::optional<MergeVersion> version;
    const bool is_report = read_json_line(line, [&](JsonCursor& cursor) {
        return read_members(cursor, [&](auto& visit) {
            visit.always("schema", schema);
            visit("type", type);
            visit("merge", version);
        });
    });
    if (!is_report || !schema.starts_with("opdebug.report/")) {
        return {LineFault::not_a_report, {}};
    }
    if (schema != "opdebug.report/1" || (version && version->version != kPartVersion)) {
        return {LineFault::other_version, {}};
    }
    ReadHead read;
    std::optional<MergeName> merge;
    const bool is_sound = read_json_line(line, [&](JsonCursor& cursor) {
        return read_members(cursor, [&](auto& visit) {
            visit.always("options", read.head.options);
            visit("inputs", read.head.name.inputs);
            visit("merge", merge);
        });
    });
    read.head.lists_all = merge.has_value();
    if (merge) {
        read.head.name = std::move(merge->name);
    }
    read.fault = is_sound && type == "begin" ? LineFault::none : LineFault::not_a_report;
    return read;
}

namespace {

/// Turns what an ordinary report shows into the facts of its scan.
bool take_shown_facts(const ScanCounts& counts, std::shared_ptr<const ApiReport> api, PartFacts& facts) {
    facts.op_dumps = counts.op_dumps;
    facts.other_files = counts.other_files;
    if (api) {
        facts.api = ScanApiDumps{std::move(api), {}, 0};
    }
    if (facts.failures.size() < counts.failed) {
        return false;
    }
    // Failed dumps come first. They have lines of their own.
    facts.failures.erase(facts.failures.begin(), facts.failures.begin() + static_cast<std::ptrdiff_t>(counts.failed));
    // The merge decides again what is first, and lists the chains of all.
    std::erase_if(facts.diagnostics, [&facts](const Diagnostic& diagnostic) {
        return diagnostic.code == "first_uncertain" || diagnostic.code == "chains_cut" ||
               scan_stage::is_of_damage(diagnostic, facts.damage);
    });
    return true;
}

}  // namespace

std::optional<PartEnd> read_part_end(std::string_view line, const PartHead& head) {
    std::string type;
    PartEnd end;
    std::optional<PartFacts> merge;
    PartFacts shown;
    std::shared_ptr<const ApiReport> shown_api;
    const bool is_sound = read_json_line(line, [&](JsonCursor& cursor) {
        return read_members(cursor, [&](auto& visit) {
            visit.always("type", type);
            visit("counts", end.counts);
            visit("first_text", end.first_text);
            visit("merge", merge);
            if (!head.lists_all) {
                visit("complete", shown.complete);
                visit("damage", shown.damage);
                visit("api", shown_api);
                visit.always("failures", shown.failures);
                visit.always("diagnostics", shown.diagnostics);
            }
        });
    });
    if (!is_sound || type != "summary" || merge.has_value() != head.lists_all) {
        return std::nullopt;
    }
    if (!merge && !take_shown_facts(end.counts, std::move(shown_api), shown)) {
        return std::nullopt;
    }
    end.facts = std::move(merge ? *merge : shown);
    return end;
}

}  // namespace opdebug::report
