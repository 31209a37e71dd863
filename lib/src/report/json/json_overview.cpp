// Groups and chains of a scan. Keys are always present; what is unknown is null.
#include "report/json/json_parts.hpp"

namespace opdebug::report {

void write_members(const ScanGroup& group, JsonWriter& json) {
    json.begin_object("by");
    json.member("cause", group.cause);
    json.text_member("operator_type", group.operator_type);
    json.text_member("operator", group.operator_name);
    json.text_member("model", group.model);
    json.end_object();
    json.member("count", group.count);
    json.member("ranks", group.ranks);
    json.member("devices", group.devices);
    json.member("first", group.first_us);
    json.member("last", group.last_us);
    json.member("steps", group.steps);
    json.member("bursts", group.bursts);
    json.member("first_file", group.first_file);
    json.member("remarks", group.remarks);
}

static void write_members(const ChainLink& link, JsonWriter& json) {
    json.member("position", link.position);
    json.member("file", link.file);
    json.member("timestamp_us", link.timestamp_us);
    json.text_member("operator_type", link.operator_type);
    json.text_member("operator", link.operator_name);
    json.member("verdict", link.origin ? std::optional(link.origin->verdict) : std::nullopt);
    json.member("bad_input", link.origin ? std::optional(link.origin->bad_input) : std::nullopt);
    json.member("bad_output", link.origin ? std::optional(link.origin->bad_output) : std::nullopt);
    json.member("op_dump", link.op_dump);
}

/// Writes the dump that a chain points out, with the reason of its verdict.
static void write_pointed_out(std::string_view name, const std::optional<ChainLink>& link, JsonWriter& json) {
    if (!link) {
        json.null_member(name);
        return;
    }
    json.begin_object(name);
    write_members(*link, json);
    json.member("because", link->origin ? std::optional(link->origin->because) : std::nullopt);
    json.end_object();
}

void write_members(const OverflowChain& chain, JsonWriter& json) {
    json.member("step", chain.step);
    json.member("rank", chain.rank);
    json.member("device_id", chain.device_id);
    json.member("folder_time", chain.folder_time);
    json.text_member("model", chain.model);
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
    json.member("dumps", chain.links);
    json.member("remarks", chain.remarks);
}

}  // namespace opdebug::report
