#include "report/json/json_files.hpp"

#include "report/json/json_failure.hpp"
#include "report/json/json_text.hpp"

namespace opdebug::report {

std::string files_to_json(const std::vector<std::string>& files, const std::vector<Error>& failures,
                          const std::vector<Diagnostic>& diagnostics, const ReportOptions& options) {
    JsonWriter json(options);
    json.begin_object();
    json.member("schema", "opdebug.files/1");
    json.member("files", files);
    json.begin_array("failures");
    for (const Error& error : failures) {
        write_failure(error, json);
    }
    json.end_array();
    json.key("diagnostics");
    write_diagnostics(diagnostics, json);
    json.end_object();
    return json.take();
}

}  // namespace opdebug::report
