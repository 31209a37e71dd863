#include "report/scan/json_scan_api.hpp"

#include <string>

#include "report/json/json_api.hpp"
#include "report/json/json_failure.hpp"
#include "report/json/json_text.hpp"

namespace opdebug::report {
namespace {

void write_tie(const ApiTie& tie, const ScanApi& api, JsonWriter& json) {
    const ApiFinding* const finding = tie.finding ? &api.report->findings[*tie.finding] : nullptr;
    json.begin_object();
    json.member("level", to_string(tie.level));
    write_text_or_null("api", tie.api, json);
    json.member("position", finding != nullptr ? std::optional(finding->position) : std::nullopt);
    json.member("step", finding != nullptr ? finding->step : std::nullopt);
    json.member("rank", finding != nullptr ? finding->rank : std::nullopt);
    write_text_or_null("source_file", finding != nullptr ? finding->file : std::string(), json);
    json.member("dump", api.overflows[tie.overflow].file);
    json.member("because", tie.because);
    json.end_object();
}

void write_entry(const ApiTimelineEntry& entry, const ScanApi& api, JsonWriter& json) {
    json.begin_object();
    if (entry.finding) {
        const ApiFinding& finding = api.report->findings[*entry.finding];
        json.member("kind", "api");
        json.member("api", finding.api);
        json.member("position", finding.position);
        json.member("verdict", to_string(finding.verdict));
        json.member("file", finding.file);
    } else {
        const KernelOverflow& overflow = api.overflows[*entry.overflow];
        json.member("kind", "dump");
        json.member("file", overflow.file);
        json.member("timestamp_us", overflow.timestamp_us);
        write_text_or_null("operator_type", overflow.operator_type, json);
        write_text_or_null("operator", overflow.operator_name, json);
        json.member("tie", entry.tie ? std::optional(to_string(api.ties[*entry.tie].level)) : std::nullopt);
    }
    json.end_object();
}

void write_timeline(const ApiTimeline& timeline, const ScanApi& api, JsonWriter& json) {
    json.begin_object();
    json.member("step", timeline.step);
    json.member("rank", timeline.rank);
    json.begin_array("entries");
    for (const ApiTimelineEntry& entry : timeline.entries) {
        write_entry(entry, api, json);
    }
    json.end_array();
    json.end_object();
}

}  // namespace

void write_scan_api(const std::optional<ScanApi>& api, ObjectWriter& object) {
    if (!api) {
        object.member("api", "null");
        return;
    }
    const ApiReport& report = *api->report;
    object.begin_object("api");
    object.member("counts", one_line([&](JsonWriter& json) { write_api_counts(report.counts, json); }));
    object.list("first", report.first, write_api_finding);
    object.list("findings", report.findings, write_api_finding);
    object.list("failures", report.failures,
                [](const Error& failure, JsonWriter& json) { write_failure(failure, json); });
    object.list("diagnostics", api->diagnostics, write_diagnostic);
    object.list("ties", api->ties, [&api](const ApiTie& tie, JsonWriter& json) { write_tie(tie, *api, json); });
    object.list("timeline", api->timeline,
                [&api](const ApiTimeline& timeline, JsonWriter& json) { write_timeline(timeline, *api, json); });
    object.end_object();
}

}  // namespace opdebug::report
