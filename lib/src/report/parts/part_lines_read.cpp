// Partial reports: the first and the last line are read. They come from files, so nothing in them is taken for granted.
#include <utility>

#include "report/parts/exact_members.hpp"
#include "report/parts/part_lines.hpp"

namespace opdebug::report {
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
    members.number("cut", name.cut);
    return name;
}

bool has_text(const json& object, const char* name, std::string_view text) {
    const auto member = object.is_object() ? object.find(name) : object.end();
    return object.is_object() && member != object.end() && member->is_string() &&
           member->get_ref<const std::string&>() == text;
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
    members.text("generated_by", read.head.generated_by);
    const json* partial = members.find("partial");
    if (partial == nullptr) {
        read.head.ordinary = true;
        members.texts("inputs", read.head.parts.emplace_back().inputs);
        read.fault = sound ? LineFault::none : LineFault::not_a_report;
        return read;
    }
    const Members part(*partial, sound);
    std::uint64_t version = 0;
    part.number("version", version);
    if (version != kPartVersion) {
        return {LineFault::other_version, {}};
    }
    part.truth("all", read.head.all.emplace(false));
    part.truth("tensors", read.head.tensors);
    part.number("first", read.head.first);
    part.each("parts", [&](const json& name) { read.head.parts.push_back(read_name(name, sound)); });
    part.check(!read.head.parts.empty());
    read.fault = sound ? LineFault::none : LineFault::not_a_report;
    return read;
}

std::optional<PartEnd> read_part_end(std::string_view line, std::size_t parts) {
    const json object = parsed_line(line);
    if (!has_text(object, "type", "summary") || !object.contains("partial")) {
        return std::nullopt;
    }
    bool sound = true;
    const Members members(object["partial"], sound);
    PartEnd end;
    members.each("parts", [&](const json& facts) { end.parts.push_back(read_facts(facts, sound)); });
    if (const json* text = members.find("first_text")) {
        const Members of_text(*text, sound);
        of_text.text("en", end.first_english);
        of_text.text("zh", end.first_chinese);
    }
    if (const json* counts = Members(object, sound).find("counts")) {
        Members(*counts, sound).number("dumps", end.dumps);
    }
    for (const PartFacts& facts : end.parts) {
        const std::uint64_t unlisted = facts.unlisted_overflowed + facts.unlisted_clean;
        members.check(!end.dumps || unlisted <= *end.dumps);
        end.dumps = end.dumps ? std::optional(*end.dumps - unlisted) : std::nullopt;
    }
    return sound && end.parts.size() == parts ? std::optional(std::move(end)) : std::nullopt;
}

}  // namespace opdebug::report
