// The array of `opdebug status --format json`.
#include "report/json/json_status.hpp"

#include "report/json/json_text.hpp"

namespace opdebug::report {
namespace {

void write_explanation(const StatusExplanation& status, Language language, JsonWriter& json) {
    json.begin_object();
    json.member("unit", unit_name(status.unit));
    json.key("status");
    write_words(status.words, json);
    json.key("status_hex");
    write_hex_words(status.words, json);
    json.member("overflow", status.overflow);
    json.key("causes");
    write_causes(status, language, json);
    json.key("undocumented_bits");
    write_hex_words(status.undocumented_bits, json);
    json.key("diagnostics");
    write_diagnostics(status.diagnostics, json);
    json.end_object();
}

}  // namespace

std::string explanation_to_json(const StatusExplanation& status, const ReportOptions& options) {
    JsonWriter json(options);
    write_explanation(status, options.language, json);
    return json.take();
}

}  // namespace opdebug::report

namespace opdebug {
inline namespace v0 {

std::string status_to_json(const std::vector<StatusExplanation>& explanations, const ReportOptions& options) {
    report::JsonWriter json(options);
    json.begin_array();
    for (const StatusExplanation& status : explanations) {
        report::write_explanation(status, options.language, json);
    }
    json.end_array();
    return json.take();
}

}  // namespace v0
}  // namespace opdebug
