// Tensors and their origin as JSON, and the document "opdebug.tensors/1". Keys are always present; null means unknown.
#include "report/json/json_parts.hpp"

#include <variant>

#include "remarks/diagnose.hpp"

namespace opdebug::report {
namespace {

/// Integers exactly; floating-point numbers in the shortest form that reads back the same.
void write_number(std::string_view name, const std::optional<TensorNumber>& number, JsonWriter& json) {
    if (number) {
        std::visit([&](const auto value) { json.member(name, value); }, *number);
    } else {
        json.null_member(name);
    }
}

/// A type without numbers has not zero NaN: it is not known what it has.
void write_statistics(const std::optional<TensorStatistics>& statistics, JsonWriter& json) {
    const TensorStatistics values = statistics.value_or(TensorStatistics());
    const auto write_count = [&](const char* name, std::uint64_t count) {
        json.member(name, statistics ? std::optional(count) : std::nullopt);
    };
    write_number("max", values.max, json);
    write_number("min", values.min, json);
    json.member("mean", values.mean);
    write_count("nan", values.nan);
    write_count("pos_inf", values.pos_inf);
    write_count("neg_inf", values.neg_inf);
    write_count("saturated", values.saturated);
    write_count("subnormal", values.subnormal);
    write_count("zero", values.zero);
}

}  // namespace

void write_tensor(const DumpedTensor& tensor, JsonWriter& json) {
    json.begin_object();
    json.member("kind", to_string(tensor.kind));
    json.member("index", tensor.index);
    json.member("dtype", tensor.dtype);
    json.member("format", tensor.format);
    json.member("shape", tensor.shape);
    json.member("elements", tensor.elements);
    write_statistics(tensor.statistics, json);
    json.key("diagnostics");
    write_diagnostics(tensor.diagnostics, json);
    json.end_object();
}

void write_origin(const std::optional<Origin>& origin, JsonWriter& json) {
    if (!origin) {
        json.null();
        return;
    }
    json.begin_object();
    json.member("verdict", to_string(origin->verdict));
    json.member("because", origin->because);
    json.member("bad_input", origin->bad_input);
    json.member("bad_output", origin->bad_output);
    json.end_object();
}

}  // namespace opdebug::report

namespace opdebug {
inline namespace v0 {

std::string tensors_to_json(const OpDump& dump, const ReportOptions& options) {
    report::JsonWriter json(options);
    json.begin_object();
    json.member("schema", "opdebug.tensors/1");
    json.member("file", dump.file);
    report::write_text_or_null("op_type", dump.op_type, json);
    report::write_text_or_null("op_name", dump.op_name, json);
    json.member("task_id", dump.task_id);
    json.member("stream_id", dump.stream_id);
    json.member("timestamp_us", dump.timestamp_us);
    json.begin_array("tensors");
    for (const DumpedTensor& tensor : dump.tensors) {
        report::write_tensor(tensor, json);
    }
    json.end_array();
    json.key("diagnostics");
    report::write_diagnostics(dump.diagnostics, json);
    json.end_object();
    return json.take();
}

std::string tensors_failure_to_json(const Error& error, const ReportOptions& options) {
    OpDump dump;
    dump.file = error.file;
    if (const auto name = parse_dump_name(file_name_of(error.file))) {
        dump.op_type = name->op_type;
        dump.op_name = name->op_name;
        dump.task_id = name->task_id;
        dump.stream_id = name->stream_id;
        dump.timestamp_us = name->timestamp_us;
    }
    Error place = error;
    place.file.clear();  // the document names it already
    dump.diagnostics.push_back(remarks::diagnose(place));
    return tensors_to_json(dump, options);
}

}  // namespace v0
}  // namespace opdebug
