// The document of an examination, "opdebug.doctor/1".
#include <opdebug/report.hpp>

#include "report/json/json_text.hpp"

namespace opdebug {
inline namespace v0 {

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
