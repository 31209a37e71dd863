// Documents about logs: facts of a log, log formats in the form of their definition files, and what `doctor` finds.
#include <opdebug/report.hpp>

#include "report/json/json_parts.hpp"

namespace opdebug::report {
namespace {

/// In a definition file empty members are left out.
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
void write_named(const char* name, const Members& members, JsonWriter& json) {
    if (members.empty()) {
        return;
    }
    json.begin_object(name);
    for (const auto& [member, value] : members) {
        json.member(member, value);
    }
    json.end_object();
}

}  // namespace

static void write_members(const LogFormatInfo& format, JsonWriter& json) {
    json.member("id", format.id);
    json.member("states", format.states);
    write_unless_empty("else_states", format.else_states, json);
    json.member("log", format.log);
    json.member("modules", format.modules);
    write_unless_empty("functions", format.functions, json);
    write_unless_empty("literal", format.literal, json);
    if (format.patterns.size() == 1) {
        json.member("pattern", format.patterns.front());
    } else {
        json.member("patterns", format.patterns);
    }
    write_named("ignore", format.ignore, json);
    write_flag("cut_lines", format.cut_lines, json);
    write_flag("fallback", format.fallback, json);
    write_named("constants", format.constants, json);
    write_flag("task_id_provisional", format.task_id_provisional, json);
    write_unless_empty("remembers", format.remembers, json);
    write_flag("once", format.once, json);
    write_unless_empty("forgets", format.forgets, json);
    write_unless_empty("completed_by", format.completed_by, json);
    json.member("samples", format.samples);
    if (!format.catalogue.empty() || !format.versions.empty() || !format.source.empty()) {
        json.begin_object("about");
        write_unless_empty("catalogue", format.catalogue, json);
        write_unless_empty("versions", format.versions, json);
        write_unless_empty("source", format.source, json);
        json.end_object();
    }
}

static void write_members(const LogFormatCheck& check, JsonWriter& json) {
    const bool sound = check.result.ok();
    json.member("file", check.file);
    json.member("sound", sound);
    json.member("formats", sound ? std::optional(check.result->formats) : std::nullopt);
    json.member("samples", sound ? std::optional(check.result->samples) : std::nullopt);
    if (sound) {
        json.null_member("error");
        return;
    }
    const Error& error = check.result.error();
    json.begin_object("error");
    json.member("code", error.code);
    json.member("message", error.message);
    json.member("file", error.file);
    json.member("offset", error.offset);
    json.end_object();
}

static void write_members(const DoctorFinding& finding, JsonWriter& json) {
    json.member("severity", finding.severity);
    json.member("code", finding.code);
    json.member("message", finding.message);
    json.text_member("setting", finding.setting);
    json.member("source", finding.source);
    json.text_member("path", finding.path);
}

}  // namespace opdebug::report

namespace opdebug {
inline namespace v0 {

using report::JsonWriter;

std::string logs_to_json(const ReadLogs& logs, const ReportOptions& options) {
    const TaskMapSize size = size_of(*logs.task_map);
    JsonWriter json(options);
    json.begin_object();
    json.member("schema", "opdebug.logs/1");
    json.member("files", logs.files);
    json.member("lines", logs.lines);
    json.member("processes", size.processes);
    json.member("tasks", size.tasks);
    json.begin_array("failures");
    for (const Error& error : logs.failures) {
        json.begin_object();
        json.text_member("file", error.file);
        json.member("code", error.code);
        json.member("message", error.message);
        json.member("offset", error.offset);
        json.end_object();
    }
    json.end_array();
    json.member("diagnostics", logs.diagnostics);
    json.member("complete", logs.complete);
    json.end_object();
    return json.take();
}

std::string log_formats_to_json(const std::vector<LogFormatInfo>& formats, const ReportOptions& options) {
    JsonWriter json(options);
    json.begin_object();
    json.member("schema", "opdebug.log_formats/2");
    json.member("formats", formats);
    json.end_object();
    return json.take();
}

std::string log_format_checks_to_json(const std::vector<LogFormatCheck>& checks, const ReportOptions& options) {
    JsonWriter json(options);
    json.value(checks);
    return json.take();
}

std::string doctor_to_json(const DoctorReport& doctor, const ReportOptions& options) {
    JsonWriter json(options);
    json.begin_object();
    json.member("schema", "opdebug.doctor/1");
    json.member("paths", doctor.paths);
    json.member("environment_examined", doctor.environment_examined);
    json.begin_object("counts");
    json.member("dumps", doctor.counts.dumps);
    json.member("op_dumps", doctor.counts.op_dumps);
    json.member("logs", doctor.counts.logs);
    json.member("api_dumps", doctor.counts.api_dumps);
    json.member("settings", doctor.counts.settings);
    json.end_object();
    json.member("findings", doctor.findings);
    json.member("complete", doctor.complete);
    json.end_object();
    return json.take();
}

}  // namespace v0
}  // namespace opdebug
