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

/// What the first line of any version has.
struct AnyVersion {
    std::string schema, type;
    std::uint64_t version = 0;
};

static bool read_version(std::string_view line, AnyVersion& read) {
    return read_json_line(line, [&read](JsonCursor& cursor) {
        return read_members(cursor, [&read](auto& visit) {
            visit.always("schema", read.schema);
            visit("type", read.type);
            visit("merge", read);
        });
    });
}

void members(auto& visit, Of<AnyVersion> auto& read) {
    visit("version", read.version);
}

ReadHead read_part_head(std::string_view line) {
    AnyVersion any;
    if (!read_version(line, any) || !any.schema.starts_with("opdebug.report/")) {
        return {LineFault::not_a_report, {}};
    }
    if (any.schema != "opdebug.report/1" || (any.type == "begin" && any.version != kPartVersion)) {
        return {LineFault::other_version, {}};
    }
    ReadHead read;
    const bool is_sound = read_json_line(line, [&read](JsonCursor& cursor) {
        return read_members(cursor, [&read](auto& visit) {
            visit.always("options", read.head.options);
            visit.always("merge", read.head.name);
        });
    });
    const std::optional<ScanShard>& shard = read.head.name.shard;
    const bool is_begin = is_sound && any.type == "begin" && (!shard || shard->index < shard->count);
    read.fault = is_begin ? LineFault::none : LineFault::not_a_report;
    return read;
}

std::optional<PartEnd> read_part_end(std::string_view line) {
    std::string type;
    PartEnd end;
    const bool is_sound = read_json_line(line, [&](JsonCursor& cursor) {
        return read_members(cursor, [&](auto& visit) {
            visit.always("type", type);
            visit.always("counts", end.counts);
            visit("first_text", end.first_text);
            visit.always("merge", end.facts);
        });
    });
    return is_sound && type == "summary" ? std::optional(std::move(end)) : std::nullopt;
}

}  // namespace opdebug::report
