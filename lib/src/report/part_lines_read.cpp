// Partial reports: the lines are read. They come from files, so nothing in them is taken for granted.
#include <array>
#include <utility>

#include "report/json_members.hpp"
#include "report/part_lines.hpp"

namespace opdebug::report {
namespace {

constexpr std::array kStates{DumpState::overflowed, DumpState::clean, DumpState::failed};
constexpr std::array kOpDumps{OpDumpState::absent, OpDumpState::damaged, OpDumpState::whole};
constexpr std::array kVerdicts{OriginVerdict::born_here, OriginVerdict::inherited, OriginVerdict::not_visible};

ScanCause read_cause(const json& object, bool& sound) {
    const Members members(object, sound);
    ScanCause cause;
    members.text("id", cause.id);
    std::string unit;
    members.text("unit", unit);
    const std::optional<Unit> known = unit_from_key(unit);
    members.check(known.has_value());
    cause.unit = known.value_or(cause.unit);
    members.truth("other_task", cause.other_task);
    members.truth("other_model", cause.other_model);
    members.number("core_id", cause.core_id);
    members.number("block_id", cause.block_id);
    return cause;
}

Origin read_origin(const json& object, bool& sound) {
    const Members members(object, sound);
    Origin origin;
    members.word("verdict", kVerdicts, origin.verdict);
    members.text("because", origin.because);
    members.truth("bad_input", origin.bad_input);
    members.truth("bad_output", origin.bad_output);
    members.truth("integers_only", origin.integers_only);
    members.truth("mask_possible", origin.mask_possible);
    members.truth("values_unseen", origin.values_unseen);
    return origin;
}

void read_item(const Members& members, ScanItem& item, bool& sound) {
    members.word("state", kStates, item.state);
    members.text("host", item.host);
    members.check(members.find("file") != nullptr);
    members.text("file", item.file);
    members.number("timestamp_us", item.timestamp_us);
    members.text("time", item.path_ids.time);
    members.number("device_id", item.path_ids.device_id);
    members.text("model_name", item.path_ids.model_name);
    members.number("model_id", item.path_ids.model_id);
    members.number("data_index", item.path_ids.data_index);
    members.number("rank", item.path_ids.rank);
    if (members.find("causes") != nullptr) {
        members.each("causes", [&](const json& cause) { item.causes.push_back(read_cause(cause, sound)); });
    }
    members.text("operator_type", item.operator_type);
    members.text("operator", item.operator_name);
    members.text("model", item.model);
    if (const json* origin = members.find("origin")) {
        item.origin = read_origin(*origin, sound);
    }
    if (members.find("op_dump") != nullptr) {
        members.word("op_dump", kOpDumps, item.op_dump);
    }
}

ScanDamage read_damage(const json& object, bool& sound) {
    const Members members(object, sound);
    ScanDamage damage;
    members.number("damaged", damage.damaged);
    members.texts("first", damage.first);
    members.number("unmeasured", damage.unmeasured);
    members.text("first_unmeasured", damage.first_unmeasured);
    members.text("first_unmeasured_of", damage.first_unmeasured_of);
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

std::optional<DumpLine> read_dump_line(std::string_view line) {
    const json object = parsed_line(line);
    if (!has_text(object, "type", "dump")) {
        return std::nullopt;
    }
    bool sound = true;
    const Members members(object, sound);
    DumpLine dump;
    read_item(members, dump.entry.item, sound);
    members.text("code", dump.entry.failure_code);
    members.text("message", dump.entry.failure_message);
    members.truth("rows", dump.rows);
    members.truth("document", dump.document);
    return sound ? std::optional(std::move(dump)) : std::nullopt;
}

std::optional<std::string> read_rows_line(std::string_view line) {
    const json object = parsed_line(line);
    if (!has_text(object, "type", "rows") || !object.contains("rows") || !object["rows"].is_string()) {
        return std::nullopt;
    }
    return object["rows"].get<std::string>();
}

bool is_document_line(std::string_view line) {
    constexpr std::size_t kStart = 40;  // its schema is its first member
    return line.substr(0, kStart).find("\"opdebug.record/") != std::string_view::npos &&
           json::accept(line.begin(), line.end());
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
