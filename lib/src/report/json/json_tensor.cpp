// Tensors and their origin as JSON, and the document "opdebug.tensors/1". Keys are always present; null means unknown.
#include "remarks/diagnose.hpp"
#include "report/json/json_parts.hpp"

namespace opdebug::report {

/// A type without numbers has not zero NaN: it is not known what it has.
static void write_members(const std::optional<TensorStatistics>& statistics, JsonWriter& json) {
    const TensorStatistics values = statistics.value_or(TensorStatistics());
    const auto write_count = [&](const char* name, std::uint64_t count) {
        json.member(name, statistics ? std::optional(count) : std::nullopt);
    };
    json.member("max", values.max);
    json.member("min", values.min);
    json.member("mean", values.mean);
    write_count("nan", values.nan);
    write_count("pos_inf", values.pos_inf);
    write_count("neg_inf", values.neg_inf);
    write_count("saturated", values.saturated);
    write_count("subnormal", values.subnormal);
    write_count("zero", values.zero);
}

void write_members(const DumpedTensor& tensor, JsonWriter& json) {
    json.member("kind", tensor.kind);
    json.member("index", tensor.index);
    json.member("dtype", tensor.dtype);
    json.member("format", tensor.format);
    json.member("shape", tensor.shape);
    json.member("elements", tensor.elements);
    write_members(tensor.statistics, json);
    json.member("diagnostics", tensor.diagnostics);
}

void write_members(const Origin& origin, JsonWriter& json) {
    json.member("verdict", origin.verdict);
    json.member("because", origin.because);
    json.member("bad_input", origin.bad_input);
    json.member("bad_output", origin.bad_output);
}

}  // namespace opdebug::report

namespace opdebug {
inline namespace v0 {

std::string tensors_to_json(const OpDump& dump, const ReportOptions& options) {
    report::JsonWriter json(options);
    json.begin_object();
    json.member("schema", "opdebug.tensors/1");
    json.member("file", dump.file);
    json.text_member("op_type", dump.op_type);
    json.text_member("op_name", dump.op_name);
    json.member("task_id", dump.task_id);
    json.member("stream_id", dump.stream_id);
    json.member("timestamp_us", dump.timestamp_us);
    json.member("tensors", dump.tensors);
    json.member("diagnostics", dump.diagnostics);
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
