#include "report/json_files.hpp"

#include <utility>

#include "report/json_text.hpp"
#include "report/scan_json.hpp"

namespace opdebug::report {

std::string files_to_json(const std::vector<std::string>& files, const std::vector<Error>& failures,
                          const std::vector<Diagnostic>& diagnostics, const ReportOptions& options) {
    Json unread = Json::array();
    for (const Error& error : failures) {
        unread.push_back(failure_item(error));
    }
    return write(Json{{"schema", "opdebug.files/1"},
                      {"files", files},
                      {"failures", std::move(unread)},
                      {"diagnostics", diagnostics_to_json(diagnostics)}},
                 options);
}

}  // namespace opdebug::report
