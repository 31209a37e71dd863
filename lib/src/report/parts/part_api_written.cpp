#include <cmath>
#include <string_view>

#include "report/parts/exact_members.hpp"
#include "report/parts/part_api.hpp"

namespace opdebug::report {
namespace {

/// JSON has no numbers for what these dumps are about.
void number_if_known(std::string_view name, const std::optional<double>& number, JsonWriter& json) {
    if (!number) {
        return;
    }
    if (std::isfinite(*number)) {
        json.member(name, *number);
    } else {
        json.member(name, std::isnan(*number) ? "nan" : *number > 0 ? "inf" : "-inf");
    }
}

void write_value(const ApiFindingValue& shown, JsonWriter& json) {
    const ApiValue& value = shown.value;
    json.begin_object();
    json.member("kind", to_string(value.kind));
    json.key("index");
    write_exact(value.index, json);
    member_if_true("is_scalar", value.is_scalar, json);
    member_if_any("dtype", value.dtype, json);
    json.member("shape", value.shape);
    number_if_known("max", value.max, json);
    number_if_known("min", value.min, json);
    number_if_known("norm", value.norm, json);
    member_if_known("nan", value.nan, json);
    member_if_known("pos_inf", value.pos_inf, json);
    member_if_known("neg_inf", value.neg_inf, json);
    member_if_any("checksum", value.checksum, json);
    member_if_any("data_name", value.data_name, json);
    json.member("state", to_string(shown.state));
    json.end_object();
}

void write_finding(const ApiFinding& finding, JsonWriter& json) {
    json.begin_object();
    json.member("source", to_string(finding.source));
    member_if_known("step", finding.step, json);
    member_if_known("rank", finding.rank, json);
    member_if_known("process", finding.process, json);
    json.key("api");
    write_exact(finding.api, json);
    json.member("position", finding.position);
    json.member("verdict", to_string(finding.verdict));
    json.key("because");
    write_exact(finding.because, json);
    json.begin_array("tensors");
    for (const ApiFindingValue& value : finding.values) {
        write_value(value, json);
    }
    json.end_array();
    write_texts("stack", finding.stack, json);
    json.key("file");
    write_exact(finding.file, json);
    member_if_any("operator_type", finding.operator_type, json);
    member_if_known("task_id", finding.task_id, json);
    member_if_known("stream_id", finding.stream_id, json);
    member_if_known("timestamp_us", finding.timestamp_us, json);
    member_if_known("saved_after_us", finding.saved_after_us, json);
    member_if_known("saved_at_us", finding.saved_at_us, json);
    write_exact_diagnostics(finding.remarks, json);
    json.end_object();
}

void write_findings(std::string_view name, const std::vector<ApiFinding>& findings, JsonWriter& json) {
    json.begin_array(name);
    for (const ApiFinding& finding : findings) {
        write_finding(finding, json);
    }
    json.end_array();
}

void write_report(const ApiReport& report, JsonWriter& json) {
    json.begin_object("report");
    json.begin_object("counts");
    json.member("files", report.counts.files);
    json.member("entries", report.counts.entries);
    json.member("steps", report.counts.steps);
    json.member("ranks", report.counts.ranks);
    json.member("failed", report.counts.failed);
    json.end_object();
    write_findings("first", report.first, json);
    write_findings("findings", report.findings, json);
    write_exact_failures(report.failures, json);
    write_exact_diagnostics(report.diagnostics, json);
    json.member("complete", report.complete);
    json.end_object();
}

void write_overflow(const KernelOverflow& overflow, JsonWriter& json) {
    json.begin_object();
    json.key("file");
    write_exact(overflow.file, json);
    member_if_known("timestamp_us", overflow.timestamp_us, json);
    member_if_known("step", overflow.step, json);
    member_if_known("rank", overflow.rank, json);
    member_if_known("device_id", overflow.device_id, json);
    member_if_known("stream_id", overflow.stream_id, json);
    member_if_known("task_id", overflow.task_id, json);
    member_if_any("operator_type", overflow.operator_type, json);
    member_if_any("operator", overflow.operator_name, json);
    member_if_any("kernel", overflow.kernel, json);
    if (!overflow.dtypes.empty()) {
        write_texts("dtypes", overflow.dtypes, json);
        json.member("shapes", overflow.shapes);
    }
    json.end_object();
}

}  // namespace

void write_part_api(const ScanApiDumps& api, JsonWriter& json) {
    json.begin_object();
    if (api.report) {
        write_report(*api.report, json);
    }
    json.begin_array("overflows");
    for (const KernelOverflow& overflow : api.overflows) {
        write_overflow(overflow, json);
    }
    json.end_array();
    json.member("left_out", api.overflows_left_out);
    json.end_object();
}

}  // namespace opdebug::report
