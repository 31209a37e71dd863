// The document of what was read of logs.
#include "report/json_text.hpp"

namespace opdebug {
inline namespace v0 {

std::string logs_to_json(const ReadLogs& logs, const ReportOptions& options) {
    using report::Json;
    const TaskMapSize size = size_of(*logs.task_map);
    Json failures = Json::array();
    for (const Error& error : logs.failures) {
        failures.push_back({{"file", report::text_or_null(error.file)},
                            {"code", to_string(error.code)},
                            {"message", error.message},
                            {"offset", report::value_or_null(error.offset)}});
    }
    return report::write(Json{{"schema", "opdebug.logs/1"},
                              {"files", logs.files},
                              {"lines", logs.lines},
                              {"processes", size.processes},
                              {"tasks", size.tasks},
                              {"failures", std::move(failures)},
                              {"diagnostics", report::diagnostics_to_json(logs.diagnostics)},
                              {"complete", logs.complete}},
                         options);
}

}  // namespace v0
}  // namespace opdebug
