// Documents about logs: facts of a log, log formats in the form of their definition files, and what `doctor` finds.
#include <opdebug/report.hpp>

#include "report/json/json_parts.hpp"

namespace opdebug {
inline namespace v0 {

std::string logs_to_json(const ReadLogs& logs, const ReportOptions& options) {
    const TaskMapSize size = size_of(*logs.task_map);
    report::JsonWriter json(options);
    json.begin_object();
    json.member("schema", "opdebug.logs/1");
    json.member("files", logs.files);
    json.member("lines", logs.lines);
    json.member("processes", size.processes);
    json.member("tasks", size.tasks);
    json.begin_array("failures");
    for (const Error& error : logs.failures) {
        json.begin_object();
        report::write_text_or_null("file", error.file, json);
        json.member("code", to_string(error.code));
        json.member("message", error.message);
        json.member("offset", error.offset);
        json.end_object();
    }
    json.end_array();
    json.key("diagnostics");
    report::write_diagnostics(logs.diagnostics, json);
    json.member("complete", logs.complete);
    json.end_object();
    return json.take();
}

namespace {

using report::JsonWriter;

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
    write_members("ignore", format.ignore, json);
    write_flag("cut_lines", format.cut_lines, json);
    write_flag("fallback", format.fallback, json);
    write_members("constants", format.constants, json);
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
    json.member("schema", "opdebug.log_formats/2");
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

std::string doctor_to_json(const DoctorReport& doctor, const ReportOptions& options) {
    report::JsonWriter json(options);
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
    json.begin_array("findings");
    for (const DoctorFinding& finding : doctor.findings) {
        json.begin_object();
        json.member("severity", to_string(finding.severity));
        json.member("code", finding.code);
        json.member("message", finding.message);
        report::write_text_or_null("setting", finding.setting, json);
        json.member("source", finding.source);
        report::write_text_or_null("path", finding.path, json);
        json.end_object();
    }
    json.end_array();
    json.member("complete", doctor.complete);
    json.end_object();
    return json.take();
}

}  // namespace v0
}  // namespace opdebug
