#include "report/json/json_group.hpp"

#include "report/json/json_text.hpp"

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

}  // namespace opdebug::report
