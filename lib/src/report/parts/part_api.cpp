// What a part states about API dumps, written and read. It comes from files, so every member is checked.
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>

#include "report/parts/exact_members.hpp"
#include "report/parts/part_lines.hpp"

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
    member_if_any("because_zh", finding.because_zh, json);
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

namespace {

constexpr std::array kSources{ApiSource::msprobe, ApiSource::ptdbg, ApiSource::statistic_csv};
constexpr std::array kKinds{ApiValueKind::input, ApiValueKind::keyword, ApiValueKind::parameter, ApiValueKind::output};
constexpr std::array kApiStates{ApiState::unknown, ApiState::clean, ApiState::near_limit,
                                ApiState::limit,   ApiState::inf,   ApiState::nan};
constexpr std::array kApiVerdicts{ApiVerdict::clean,         ApiVerdict::born_here, ApiVerdict::inherited,
                                  ApiVerdict::absorbed,      ApiVerdict::weight,    ApiVerdict::saturated,
                                  ApiVerdict::in_collective, ApiVerdict::process,   ApiVerdict::deliberate,
                                  ApiVerdict::unknown};

void read_number(const Members& members, const char* name, std::optional<double>& target) {
    const json* const member = members.find(name);
    if (member == nullptr || member->is_null()) {
        return;
    }
    if (member->is_number()) {
        target = member->get<double>();
        return;
    }
    const std::string text = member->is_string() ? member->get<std::string>() : std::string();
    members.check(text == "nan" || text == "inf" || text == "-inf");
    target = text == "nan" ? std::numeric_limits<double>::quiet_NaN()
                           : (text == "-inf" ? -1 : 1) * std::numeric_limits<double>::infinity();
}

void read_text(const Members& members, const char* name, std::string& target) {
    std::optional<std::string> text;
    members.text(name, text);
    target = text.value_or("");
}

void read_shape(const json& list, std::vector<std::uint64_t>& shape, const Members& members) {
    members.check(list.is_array());
    for (const json& dimension : list) {
        members.check(dimension.is_number_unsigned());
        shape.push_back(dimension.is_number_unsigned() ? dimension.get<std::uint64_t>() : 0);
    }
}

ApiFindingValue read_value(const json& object, bool& sound) {
    const Members members(object, sound);
    ApiFindingValue shown;
    ApiValue& value = shown.value;
    members.word("kind", kKinds, value.kind);
    members.text("index", value.index);
    members.truth("is_scalar", value.is_scalar);
    read_text(members, "dtype", value.dtype);
    if (const json* const shape = members.find("shape")) {
        read_shape(*shape, value.shape, members);
    }
    read_number(members, "max", value.max);
    read_number(members, "min", value.min);
    read_number(members, "norm", value.norm);
    members.number("nan", value.nan);
    members.number("pos_inf", value.pos_inf);
    members.number("neg_inf", value.neg_inf);
    members.text("checksum", value.checksum);
    members.text("data_name", value.data_name);
    members.word("state", kApiStates, shown.state);
    return shown;
}

ApiFinding read_finding(const json& object, bool& sound) {
    const Members members(object, sound);
    ApiFinding finding;
    members.word("source", kSources, finding.source);
    members.number("step", finding.step);
    members.number("rank", finding.rank);
    members.number("process", finding.process);
    members.text("api", finding.api);
    members.number("position", finding.position);
    members.word("verdict", kApiVerdicts, finding.verdict);
    members.text("because", finding.because);
    members.text("because_zh", finding.because_zh);
    members.each("tensors", [&](const json& value) { finding.values.push_back(read_value(value, sound)); });
    members.texts("stack", finding.stack);
    members.text("file", finding.file);
    members.text("operator_type", finding.operator_type);
    members.number("task_id", finding.task_id);
    members.number("stream_id", finding.stream_id);
    members.number("timestamp_us", finding.timestamp_us);
    members.each("diagnostics", [&](const json& item) { finding.remarks.push_back(read_diagnostic(item, sound)); });
    return finding;
}

ApiCounts read_api_counts(const json& object, bool& sound) {
    const Members members(object, sound);
    ApiCounts counts;
    members.number("files", counts.files);
    members.number("entries", counts.entries);
    members.number("steps", counts.steps);
    members.number("ranks", counts.ranks);
    members.number("failed", counts.failed);
    return counts;
}

std::shared_ptr<const ApiReport> read_report(const json& object, bool& sound) {
    const Members members(object, sound);
    auto report = std::make_shared<ApiReport>();
    const json* const counts = members.find("counts");
    members.check(counts != nullptr);
    if (counts != nullptr) {
        report->counts = read_api_counts(*counts, sound);
    }
    members.each("first", [&](const json& item) { report->first.push_back(read_finding(item, sound)); });
    members.each("findings", [&](const json& item) { report->findings.push_back(read_finding(item, sound)); });
    members.each("failures", [&](const json& item) { report->failures.push_back(read_failure(item, sound)); });
    members.each("diagnostics", [&](const json& item) { report->diagnostics.push_back(read_diagnostic(item, sound)); });
    members.truth("complete", report->complete);
    return report;
}

KernelOverflow read_overflow(const json& object, bool& sound) {
    const Members members(object, sound);
    KernelOverflow overflow;
    members.text("file", overflow.file);
    members.number("timestamp_us", overflow.timestamp_us);
    members.number("step", overflow.step);
    members.number("rank", overflow.rank);
    members.number("device_id", overflow.device_id);
    members.number("stream_id", overflow.stream_id);
    members.number("task_id", overflow.task_id);
    members.text("operator_type", overflow.operator_type);
    members.text("operator", overflow.operator_name);
    members.text("kernel", overflow.kernel);
    if (members.find("dtypes") != nullptr) {
        members.texts("dtypes", overflow.dtypes);
        members.each("shapes", [&](const json& shape) { read_shape(shape, overflow.shapes.emplace_back(), members); });
        members.check(overflow.dtypes.size() == overflow.shapes.size());
    }
    return overflow;
}

}  // namespace

ScanApiDumps read_part_api(const json& object, bool& sound) {
    const Members members(object, sound);
    ScanApiDumps api;
    if (const json* const report = members.find("report")) {
        api.report = read_report(*report, sound);
    }
    members.each("overflows", [&](const json& item) { api.overflows.push_back(read_overflow(item, sound)); });
    members.number("left_out", api.overflows_left_out);
    return api;
}

ScanApiDumps read_report_api(const json& object, bool& sound) {
    return {read_report(object, sound), {}, 0};
}

}  // namespace opdebug::report
