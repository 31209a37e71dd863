// The array of `opdebug status --format json`.
#include "report/json_text.hpp"

namespace opdebug {
inline namespace v0 {

std::string status_to_json(const std::vector<StatusExplanation>& explanations, const ReportOptions& options) {
    report::Json list = report::Json::array();
    for (const StatusExplanation& status : explanations) {
        report::Json diagnostics = report::Json::array();
        for (const Diagnostic& diagnostic : status.diagnostics) {
            diagnostics.push_back(report::diagnostic_to_json(diagnostic));
        }
        list.push_back({{"unit", unit_name(status.unit)},
                        {"status", report::words_to_json(status.words)},
                        {"status_hex", report::words_to_hex_json(status.words)},
                        {"overflow", status.overflow},
                        {"causes", report::causes_to_json(status, options.language)},
                        {"undocumented_bits", report::words_to_hex_json(status.undocumented_bits)},
                        {"diagnostics", std::move(diagnostics)}});
    }
    return report::write(list, options);
}

}  // namespace v0
}  // namespace opdebug
