#include "report/json/json_parts.hpp"

#include <string_view>

#include "report/json/json_writer.hpp"

namespace opdebug::report {

void write_group(const ScanGroup& group, JsonWriter& json) {
    json.begin_object();
    json.begin_object("by");
    json.member("cause", group.cause);
    write_text_or_null("operator_type", group.operator_type, json);
    write_text_or_null("operator", group.operator_name, json);
    write_text_or_null("model", group.model, json);
    json.end_object();
    json.member("count", group.count);
    json.member("ranks", group.ranks);
    json.member("devices", group.devices);
    json.member("first", group.first_us);
    json.member("last", group.last_us);
    json.member("steps", group.steps);
    json.member("bursts", group.bursts);
    json.member("first_file", group.first_file);
    json.key("remarks");
    write_diagnostics(group.remarks, json);
    json.end_object();
}

namespace {

void write_link_members(const ChainLink& link, JsonWriter& json) {
    json.member("position", link.position);
    json.member("file", link.file);
    json.member("timestamp_us", link.timestamp_us);
    write_text_or_null("operator_type", link.operator_type, json);
    write_text_or_null("operator", link.operator_name, json);
    if (link.origin) {
        json.member("verdict", to_string(link.origin->verdict));
        json.member("bad_input", link.origin->bad_input);
        json.member("bad_output", link.origin->bad_output);
    } else {
        json.null_member("verdict");
        json.null_member("bad_input");
        json.null_member("bad_output");
    }
    json.member("op_dump", to_string(link.op_dump));
}

/// Writes the dump that a chain points out, with the reason of its verdict.
void write_pointed_out(std::string_view name, const std::optional<ChainLink>& link, JsonWriter& json) {
    if (!link) {
        json.null_member(name);
        return;
    }
    json.begin_object(name);
    write_link_members(*link, json);
    json.key("because");
    if (link->origin) {
        json.value(link->origin->because);
    } else {
        json.null();
    }
    json.end_object();
}

}  // namespace

void write_chain(const OverflowChain& chain, JsonWriter& json) {
    json.begin_object();
    json.member("step", chain.step);
    json.member("rank", chain.rank);
    json.member("device_id", chain.device_id);
    json.member("folder_time", chain.folder_time);
    write_text_or_null("model", chain.model, json);
    json.member("count", chain.count);
    json.begin_object("verdicts");
    json.member("born_here", chain.born_here);
    json.member("inherited", chain.inherited);
    json.member("not_visible", chain.not_visible);
    json.member("not_measured", chain.not_measured);
    json.end_object();
    json.member("first", chain.first_us);
    json.member("last", chain.last_us);
    write_pointed_out("first_bad", chain.first_bad, json);
    write_pointed_out("first_born_here", chain.first_born_here, json);
    json.member("inherited_after", chain.inherited_after);
    json.begin_array("dumps");
    for (const ChainLink& link : chain.links) {
        json.begin_object();
        write_link_members(link, json);
        json.end_object();
    }
    json.end_array();
    json.key("remarks");
    write_diagnostics(chain.remarks, json);
    json.end_object();
}

}  // namespace opdebug::report
