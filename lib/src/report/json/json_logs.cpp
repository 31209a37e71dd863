// The document of what was read of logs.
#include "report/json/json_text.hpp"

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

}  // namespace v0
}  // namespace opdebug
