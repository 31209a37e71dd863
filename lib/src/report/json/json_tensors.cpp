// The document "opdebug.tensors/1". Keys are always present; what is unknown is null.
#include "report/json/json_tensor.hpp"
#include "report/json/json_text.hpp"

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
    dump.diagnostics.push_back({Severity::error, std::string(to_string(error.code)), to_string(place)});
    return tensors_to_json(dump, options);
}

}  // namespace v0
}  // namespace opdebug
