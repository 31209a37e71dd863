// The first and the last line of a report for merging. They come from files, so each member is checked.
#include <algorithm>
#include <utility>

#include <opdebug/result.hpp>

#include "report/json/json_parts.hpp"
#include "report/parts/exact_members.hpp"
#include "report/parts/part_lines.hpp"
#include "scan/totals.hpp"

namespace opdebug::report {

void write_damage(const ScanDamage& damage, JsonWriter& json) {
    json.begin_object();
    json.member("damaged", damage.damaged);
    write_texts("first", damage.first, json);
    json.member("unmeasured", damage.unmeasured);
    member_if_any("first_unmeasured", damage.first_unmeasured, json);
    member_if_any("first_unmeasured_of", damage.first_unmeasured_of, json);
    if (damage.clean_with_warning != 0) {
        json.member("clean_with_warning", damage.clean_with_warning);
        write_exact_diagnostics(damage.warnings_of_clean, json);
    }
    json.member("not_read", damage.not_read);
    json.member("every_folder_searched", damage.every_folder_searched);
    json.end_object();
}

namespace {

void write_facts(const PartFacts& facts, JsonWriter& json) {
    json.begin_object();
    json.member("op_dumps", facts.op_dumps);
    json.member("other_files", facts.other_files);
    json.member("complete", facts.complete);
    for (const auto& [name, count] :
         {std::pair("unlisted_overflowed", facts.unlisted_overflowed), {"unlisted_clean", facts.unlisted_clean}}) {
        if (count != 0) {
            json.member(name, count);
        }
    }
    json.key("damage");
    write_damage(facts.damage, json);
    write_exact_failures(facts.failures, json);
    write_exact_diagnostics(facts.diagnostics, json);
    if (facts.api) {
        json.key("api");
        write_part_api(*facts.api, json);
    }
    json.end_object();
}

void write_name(const PartName& name, JsonWriter& json) {
    json.begin_object();
    json.member("id", name.id);
    member_if_any("host", name.host, json);
    write_texts("inputs", name.inputs, json);
    if (name.shard) {
        json.begin_object("shard");
        json.member("index", name.shard->index);
        json.member("count", name.shard->count);
        json.end_object();
    }
    json.begin_object("tree");
    json.member("dumps", name.tree.dumps);
    json.member("digest", name.tree.digest);
    json.end_object();
    member_if_true("cut", name.cut, json);
    json.end_object();
}

}  // namespace

void write_options(const PartHead& head, JsonWriter& json) {
    json.begin_object();
    json.member("all", head.all);
    json.member("tensors", head.tensors);
    json.member("first", head.first);
    json.end_object();
}

void write_part_names(const std::vector<PartName>& names, JsonWriter& json) {
    json.begin_object();
    json.member("version", kPartVersion);
    json.begin_array("parts");
    for (const PartName& name : names) {
        write_name(name, json);
    }
    json.end_array();
    json.end_object();
}

void write_first_text(const PartEnd& end, JsonWriter& json) {
    json.begin_object();
    for (const auto& [language, words] : {std::pair("en", &end.first_english), {"zh", &end.first_chinese}}) {
        if (words->record.empty()) {
            continue;
        }
        json.key(language);
        json.begin_object();
        member_if_any("record", words->record, json);
        member_if_any("operator", words->op, json);
        member_if_any("reason", words->reason, json);
        member_if_any("next", words->next, json);
        member_if_any("confidence", words->confidence, json);
        write_texts("causes", words->causes, json);
        json.end_object();
    }
    json.end_object();
}

void write_part_facts(const std::vector<PartFacts>& parts, JsonWriter& json) {
    json.begin_object();
    json.begin_array("parts");
    for (const PartFacts& facts : parts) {
        write_facts(facts, json);
    }
    json.end_array();
    json.end_object();
}

std::string facts_text(const PartFacts& facts) {
    JsonWriter json{JsonWriter::Indent()};
    write_facts(facts, json);
    return json.take();
}

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

namespace {

ScanDamage read_damage(const json& object, bool& sound) {
    const Members members(object, sound);
    ScanDamage damage;
    members.number("damaged", damage.damaged);
    members.texts("first", damage.first);
    members.number("unmeasured", damage.unmeasured);
    members.text("first_unmeasured", damage.first_unmeasured);
    members.text("first_unmeasured_of", damage.first_unmeasured_of);
    members.number("clean_with_warning", damage.clean_with_warning);
    if (members.find("diagnostics") != nullptr) {
        members.each("diagnostics",
                     [&](const json& item) { damage.warnings_of_clean.push_back(read_diagnostic(item, sound)); });
    }
    members.number("not_read", damage.not_read);
    members.truth("every_folder_searched", damage.every_folder_searched);
    return damage;
}

PartFacts read_facts(const json& object, bool& sound) {
    const Members members(object, sound);
    PartFacts facts;
    members.number("op_dumps", facts.op_dumps);
    members.number("other_files", facts.other_files);
    members.truth("complete", facts.complete);
    members.number("unlisted_overflowed", facts.unlisted_overflowed);
    members.number("unlisted_clean", facts.unlisted_clean);
    if (const json* damage = members.find("damage")) {
        facts.damage = read_damage(*damage, sound);
    }
    members.each("failures", [&](const json& item) { facts.failures.push_back(read_failure(item, sound)); });
    members.each("diagnostics", [&](const json& item) { facts.diagnostics.push_back(read_diagnostic(item, sound)); });
    if (const json* api = members.find("api")) {
        facts.api = read_part_api(*api, sound);
    }
    return facts;
}

PartName read_name(const json& object, bool& sound) {
    const Members members(object, sound);
    PartName name;
    members.text("id", name.id);
    members.check(!name.id.empty());
    members.text("host", name.host);
    members.texts("inputs", name.inputs);
    if (const json* shard = members.find("shard")) {
        const Members of_shard(*shard, sound);
        name.shard.emplace();
        of_shard.number("index", name.shard->index);
        of_shard.number("count", name.shard->count);
        members.check(name.shard->index < name.shard->count);
    }
    if (const json* tree = members.find("tree")) {
        const Members of_tree(*tree, sound);
        of_tree.number("dumps", name.tree.dumps);
        of_tree.text("digest", name.tree.digest);
    }
    if (members.find("cut") != nullptr) {
        members.truth("cut", name.cut);
    }
    return name;
}

bool has_text(const json& object, const char* name, std::string_view text) {
    const auto member = object.is_object() ? object.find(name) : object.end();
    return object.is_object() && member != object.end() && member->is_string() &&
           member->get_ref<const std::string&>() == text;
}

ScanCounts read_counts(const Members& counts) {
    ScanCounts read;
    counts.number("dumps", read.dumps);
    counts.number("overflowed", read.overflowed);
    counts.number("clean", read.clean);
    counts.number("failed", read.failed);
    counts.number("op_dumps", read.op_dumps);
    counts.number("other_files", read.other_files);
    return read;
}

/// The facts of a report that has none of their own, from what it shows.
PartFacts read_shown_facts(const Members& members, const ScanCounts& counts, bool& sound) {
    PartFacts facts;
    facts.op_dumps = counts.op_dumps;
    facts.other_files = counts.other_files;
    members.truth("complete", facts.complete);
    if (const json* damage = members.find("damage")) {
        facts.damage = read_damage(*damage, sound);
    }
    if (const json* api = members.find("api"); api != nullptr && !api->is_null()) {
        facts.api = read_report_api(*api, sound);
    }
    members.each("failures", [&](const json& item) { facts.failures.push_back(read_failure(item, sound)); });
    members.check(facts.failures.size() >= counts.failed);
    const auto dumps = std::min<std::uint64_t>(counts.failed, facts.failures.size());
    facts.failures.erase(facts.failures.begin(), facts.failures.begin() + static_cast<std::ptrdiff_t>(dumps));
    members.each("diagnostics", [&](const json& item) {
        Diagnostic diagnostic = read_diagnostic(item, sound);
        // The merge decides again what is first, and lists the chains of all.
        if (diagnostic.code != "first_uncertain" && diagnostic.code != "chains_cut" &&
            !scan_stage::is_of_damage(diagnostic, facts.damage)) {
            facts.diagnostics.push_back(std::move(diagnostic));
        }
    });
    return facts;
}

void read_options(const Members& members, PartHead& head, bool& sound) {
    const json* options = members.find("options");
    members.check(options != nullptr);
    if (options != nullptr) {
        const Members of_options(*options, sound);
        of_options.truth("all", head.all);
        of_options.truth("tensors", head.tensors);
        of_options.number("first", head.first);
    }
}

}  // namespace

ReadHead read_part_head(std::string_view line) {
    const json object = parsed_line(line);
    ReadHead read;
    bool sound = true;
    const Members members(object, sound);
    std::string schema;
    members.text("schema", schema);
    if (!sound || schema.compare(0, 15, "opdebug.report/") != 0) {
        return {LineFault::not_a_report, {}};
    }
    if (schema != "opdebug.report/1") {
        return {LineFault::other_version, {}};
    }
    if (!has_text(object, "type", "begin")) {
        return {LineFault::not_a_report, {}};
    }
    read_options(members, read.head, sound);
    if (const json* merge = members.find("merge")) {
        const Members of_merge(*merge, sound);
        std::uint64_t version = 0;
        of_merge.number("version", version);
        if (version != kPartVersion) {
            return {LineFault::other_version, {}};
        }
        read.head.lists_all = true;
        of_merge.each("parts", [&](const json& name) { read.head.parts.push_back(read_name(name, sound)); });
        members.check(!read.head.parts.empty());
    } else {
        members.texts("inputs", read.head.parts.emplace_back().inputs);
    }
    read.fault = sound ? LineFault::none : LineFault::not_a_report;
    return read;
}

namespace {

void read_first_words(const Members& members, FirstWords& words) {
    members.text("record", words.record);
    members.text("operator", words.op);
    members.text("reason", words.reason);
    members.text("next", words.next);
    members.text("confidence", words.confidence);
    members.texts("causes", words.causes);
}

}  // namespace

std::optional<PartEnd> read_part_end(std::string_view line, const PartHead& head) {
    const json object = parsed_line(line);
    if (!has_text(object, "type", "summary") || object.contains("merge") != head.lists_all) {
        return std::nullopt;
    }
    bool sound = true;
    const Members members(object, sound);
    PartEnd end;
    if (const json* counts = members.find("counts")) {
        end.counts = read_counts(Members(*counts, sound));
    }
    if (const json* text = members.find("first_text")) {
        const Members of_text(*text, sound);
        for (const auto& [language, words] : {std::pair("en", &end.first_english), {"zh", &end.first_chinese}}) {
            if (const json* in_language = of_text.find(language)) {
                read_first_words(Members(*in_language, sound), *words);
            }
        }
    }
    if (head.lists_all) {
        Members(object["merge"], sound).each("parts", [&](const json& facts) {
            end.parts.push_back(read_facts(facts, sound));
        });
    } else {
        end.parts.push_back(read_shown_facts(members, end.counts, sound));
    }
    return sound && end.parts.size() == head.parts.size() ? std::optional(std::move(end)) : std::nullopt;
}

}  // namespace opdebug::report
