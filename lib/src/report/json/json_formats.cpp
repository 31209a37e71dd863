// Log formats as JSON: the form of the definition files, so that what is shown can be copied and used.
#include "report/json/json_text.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using report::JsonWriter;

/// In a definition file members that say nothing are left out.
template <class Value>
void write_unless_empty(const char* name, const Value& value, JsonWriter& json) {
    if (!value.empty()) {
        json.member(name, value);
    }
}

void write_flag(const char* name, bool value, JsonWriter& json) {
    if (value) {
        json.member(name, true);
    }
}

/// Members of an object by their names, which the definition file gives.
template <class Members>
void write_members(const char* name, const Members& members, JsonWriter& json) {
    if (members.empty()) {
        return;
    }
    json.begin_object(name);
    for (const auto& [member, value] : members) {
        json.member(member, value);
    }
    json.end_object();
}

void write_format(const LogFormatInfo& format, JsonWriter& json) {
    json.begin_object();
    json.member("id", format.id);
    json.member("catalogue", format.catalogue);
    json.member("states", format.states);
    json.member("log", format.log);
    json.member("modules", format.modules);
    write_unless_empty("functions", format.functions, json);
    json.member("literal", format.literal);
    json.member("pattern", format.pattern);
    write_members("ignore", format.ignore, json);
    write_flag("cut_lines", format.cut_lines, json);
    write_flag("fallback", format.fallback, json);
    write_members("constants", format.constants, json);
    write_flag("task_id_provisional", format.task_id_provisional, json);
    write_unless_empty("remembers", format.remembers, json);
    write_flag("once", format.once, json);
    write_unless_empty("forgets", format.forgets, json);
    write_unless_empty("completed_by", format.completed_by, json);
    json.member("versions", format.versions);
    json.member("source", format.source);
    json.member("samples", format.samples);
    json.end_object();
}

void write_error(const Error& error, JsonWriter& json) {
    json.begin_object();
    json.member("code", to_string(error.code));
    json.member("message", error.message);
    json.member("file", error.file);
    json.member("offset", error.offset);
    json.end_object();
}

}  // namespace

std::string log_formats_to_json(const std::vector<LogFormatInfo>& formats, const ReportOptions& options) {
    JsonWriter json(options);
    json.begin_object();
    json.member("schema", "opdebug.log_formats/1");
    json.begin_array("formats");
    for (const LogFormatInfo& format : formats) {
        write_format(format, json);
    }
    json.end_array();
    json.end_object();
    return json.take();
}

std::string log_format_checks_to_json(const std::vector<LogFormatCheck>& checks, const ReportOptions& options) {
    JsonWriter json(options);
    json.begin_array();
    for (const LogFormatCheck& check : checks) {
        const bool sound = check.result.ok();
        json.begin_object();
        json.member("file", check.file);
        json.member("sound", sound);
        json.member("formats", sound ? std::optional(check.result->formats) : std::nullopt);
        json.member("samples", sound ? std::optional(check.result->samples) : std::nullopt);
        json.key("error");
        if (sound) {
            json.null();
        } else {
            write_error(check.result.error(), json);
        }
        json.end_object();
    }
    json.end_array();
    return json.take();
}

}  // namespace v0
}  // namespace opdebug
