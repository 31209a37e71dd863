// The array of `opdebug status --format json`.
#include "report/json_text.hpp"

namespace opdebug::report {

Json explanation_to_json(const StatusExplanation& status, Language language) {
    return {{"unit", unit_name(status.unit)},
            {"status", words_to_json(status.words)},
            {"status_hex", words_to_hex_json(status.words)},
            {"overflow", status.overflow},
            {"causes", causes_to_json(status, language)},
            {"undocumented_bits", words_to_hex_json(status.undocumented_bits)},
            {"diagnostics", diagnostics_to_json(status.diagnostics)}};
}

}  // namespace opdebug::report

namespace opdebug {
inline namespace v0 {

std::string status_to_json(const std::vector<StatusExplanation>& explanations, const ReportOptions& options) {
    report::Json list = report::Json::array();
    for (const StatusExplanation& status : explanations) {
        list.push_back(report::explanation_to_json(status, options.language));
    }
    return report::write(list, options);
}

}  // namespace v0
}  // namespace opdebug
