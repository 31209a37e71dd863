// What a part tells of API dumps is read. It comes from files, so nothing in it is taken for granted.
#include <array>
#include <limits>
#include <memory>

#include "report/json/json_members.hpp"
#include "report/parts/part_api.hpp"

namespace opdebug::report {
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
    members.each("tensors", [&](const json& value) { finding.values.push_back(read_value(value, sound)); });
    members.texts("stack", finding.stack);
    members.text("file", finding.file);
    members.text("operator_type", finding.operator_type);
    members.number("task_id", finding.task_id);
    members.number("stream_id", finding.stream_id);
    members.number("timestamp_us", finding.timestamp_us);
    members.number("saved_after_us", finding.saved_after_us);
    members.number("saved_at_us", finding.saved_at_us);
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

ScanApiDumps read_ordinary_api(const json& object, bool& sound) {
    return {read_report(object, sound), {}, 0};
}

}  // namespace opdebug::report
