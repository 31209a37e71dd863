// The document "opdebug.tensors/1". Keys are always present; what is unknown is null.
#include "report/json_tensor.hpp"
#include "report/json_text.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using report::Json;

Json head(const OpDump& dump) {
    return {{"schema", "opdebug.tensors/1"},
            {"file", dump.file},
            {"op_type", report::text_or_null(dump.op_type)},
            {"op_name", report::text_or_null(dump.op_name)},
            {"task_id", report::value_or_null(dump.task_id)},
            {"stream_id", report::value_or_null(dump.stream_id)},
            {"timestamp_us", report::value_or_null(dump.timestamp_us)}};
}

}  // namespace

std::string tensors_to_json(const OpDump& dump, const ReportOptions& options) {
    Json document = head(dump);
    Json tensors = Json::array();
    for (const DumpedTensor& tensor : dump.tensors) {
        tensors.push_back(report::tensor_to_json(tensor));
    }
    document["tensors"] = std::move(tensors);
    document["diagnostics"] = report::diagnostics_to_json(dump.diagnostics);
    return report::write(document, options);
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
    dump.diagnostics.push_back({Severity::error, std::string(to_string(error.code)), to_string(place)});
    return tensors_to_json(dump, options);
}

}  // namespace v0
}  // namespace opdebug
