// Partial reports: the lines are written.
#include <utility>

#include "report/json/json_parts.hpp"
#include "report/parts/exact_members.hpp"
#include "report/parts/part_lines.hpp"
#include "scan/totals.hpp"

namespace opdebug::report {
namespace {

void write_causes(const std::vector<ScanCause>& causes, JsonWriter& json) {
    if (causes.empty()) {
        return;
    }
    json.begin_array("causes");
    for (const ScanCause& cause : causes) {
        json.begin_object();
        json.key("id");
        write_exact(cause.id, json);
        json.member("unit", unit_key(cause.unit));
        member_if_true("other_task", cause.other_task, json);
        member_if_true("other_model", cause.other_model, json);
        member_if_known("core_id", cause.core_id, json);
        member_if_known("block_id", cause.block_id, json);
        json.end_object();
    }
    json.end_array();
}

void write_origin_members(const Origin& origin, JsonWriter& json) {
    json.begin_object("origin");
    json.member("verdict", to_string(origin.verdict));
    member_if_any("because", origin.because, json);
    member_if_true("bad_input", origin.bad_input, json);
    member_if_true("bad_output", origin.bad_output, json);
    member_if_true("integers_only", origin.integers_only, json);
    member_if_true("mask_possible", origin.mask_possible, json);
    member_if_true("values_unseen", origin.values_unseen, json);
    json.end_object();
}

void write_item(const ScanItem& item, JsonWriter& json) {
    json.member("state", to_string(item.state));
    member_if_any("host", item.host, json);
    json.key("file");
    write_exact(item.file, json);
    member_if_known("timestamp_us", item.timestamp_us, json);
    member_if_any("time", item.path_ids.time.value_or(""), json);
    member_if_known("device_id", item.path_ids.device_id, json);
    member_if_any("model_name", item.path_ids.model_name.value_or(""), json);
    member_if_known("model_id", item.path_ids.model_id, json);
    member_if_known("data_index", item.path_ids.data_index, json);
    member_if_known("rank", item.path_ids.rank, json);
    write_causes(item.causes, json);
    member_if_any("operator_type", item.operator_type, json);
    member_if_any("operator", item.operator_name, json);
    member_if_any("model", item.model, json);
    if (item.origin) {
        write_origin_members(*item.origin, json);
    }
    if (item.op_dump != OpDumpState::absent) {
        json.member("op_dump", to_string(item.op_dump));
    }
}

void write_damage(const ScanDamage& damage, JsonWriter& json) {
    json.begin_object("damage");
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
    member_if_known("cut", name.cut, json);
    json.end_object();
}

}  // namespace

void write_part_head(const PartHead& head, JsonWriter& json) {
    json.begin_object();
    json.member("version", kPartVersion);
    json.member("all", head.all.value_or(false));
    json.member("tensors", head.tensors);
    json.member("first", head.first);
    json.begin_array("parts");
    for (const PartName& name : head.parts) {
        write_name(name, json);
    }
    json.end_array();
    json.end_object();
}

void write_part_end(const PartEnd& end, JsonWriter& json) {
    json.begin_object();
    json.begin_array("parts");
    for (const PartFacts& facts : end.parts) {
        write_facts(facts, json);
    }
    json.end_array();
    json.begin_object("first_text");
    member_if_any("en", end.first_english, json);
    member_if_any("zh", end.first_chinese, json);
    json.end_object();
    json.end_object();
}

std::string dump_line(const DumpLine& dump) {
    JsonWriter json{JsonWriter::Indent()};
    json.begin_object();
    json.member("type", "dump");
    write_item(dump.entry.item, json);
    if (dump.entry.item.state == DumpState::failed) {
        member_if_any("code", dump.entry.failure_code, json);
        member_if_any("message", dump.entry.failure_message, json);
    }
    member_if_true("rows", dump.rows, json);
    member_if_true("document", dump.document, json);
    json.end_object();
    return json.take();
}

std::string rows_line(std::string_view rows) {
    JsonWriter json{JsonWriter::Indent()};
    json.begin_object();
    json.member("type", "rows");
    json.member("rows", rows);  // bytes that are not UTF-8 are escaped in them already
    json.end_object();
    return json.take();
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

}  // namespace opdebug::report
