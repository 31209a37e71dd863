// The record document "opdebug.record/1". Keys are always present; null means unknown.
#include "report/json/json_parts.hpp"

#include "remarks/diagnose.hpp"
#include "tree/name.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using report::JsonWriter;

void write_name_ids(const std::optional<DumpName>& name, JsonWriter& json) {
    const DumpName none;
    const DumpName& ids = name ? *name : none;
    json.begin_object("name_ids");
    json.member("task_id", ids.task_id);
    json.member("stream_id", ids.stream_id);
    json.member("context_id", ids.context_id);
    json.member("thread_id", ids.thread_id);
    json.end_object();
}

void write_path_ids(const PathIds& ids, JsonWriter& json) {
    json.begin_object("path_ids");
    json.member("time", ids.time);
    json.member("device_id", ids.device_id);
    json.member("model_name", ids.model_name);
    json.member("model_id", ids.model_id);
    json.member("data_index", ids.data_index);
    json.member("rank", ids.rank);
    json.end_object();
}

void write_record(const Record& record, Language language, JsonWriter& json) {
    json.begin_object();
    json.member("unit", unit_name(record.unit));
    json.member("overflow", record.overflow);
    report::write_fields(record, json);
    json.key("status");
    report::write_words(record.status.words, json);
    json.key("status_hex");
    report::write_hex_words(record.status.words, json);
    json.key("causes");
    report::write_causes(record.status, language, json);
    json.key("undocumented_bits");
    report::write_hex_words(record.status.undocumented_bits, json);
    json.end_object();
}

void write_evidence(const std::vector<Evidence>& evidence, JsonWriter& json) {
    json.begin_array("evidence");
    for (const Evidence& item : evidence) {
        json.begin_object();
        json.member("kind", to_string(item.kind));
        json.member("file", item.file);
        json.member("line", item.line);
        json.member("text", item.text);
        json.end_object();
    }
    json.end_array();
}

void write_answer_members(const OperatorAnswer& answer, JsonWriter& json) {
    json.member("name", answer.name);
    json.member("type", answer.type);
    json.member("kernel", answer.kernel);
    json.member("confidence", to_string(answer.confidence));
    write_evidence(answer.evidence, json);
}

void write_operator(const LocatedOperator& located, JsonWriter& json) {
    json.begin_object("operator");
    write_answer_members(located.best, json);
    json.begin_array("candidates");
    for (const OperatorAnswer& candidate : located.candidates) {
        json.begin_object();
        write_answer_members(candidate, json);
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

void write_model(const LocatedModel& model, JsonWriter& json) {
    json.begin_object("model");
    json.member("name", model.name);
    json.member("runtime_id", model.runtime_id);
    json.member("ge_id", model.ge_id);
    json.member("graph_id", model.graph_id);
    write_evidence(model.evidence, json);
    json.end_object();
}

void write_location(const Location& location, JsonWriter& json) {
    if (location.op) {
        write_operator(*location.op, json);
    } else {
        json.null_member("operator");
    }
    if (location.model) {
        write_model(*location.model, json);
    } else {
        json.null_member("model");
    }
}

void write_head(const std::string& file, const std::optional<std::uint64_t>& timestamp,
                const std::optional<DumpName>& name, const PathIds& path_ids, const ReportOptions& options,
                JsonWriter& json) {
    json.member("schema", "opdebug.record/1");
    json.member("file", file);
    report::write_text_or_null("host", options.host, json);
    json.member("rank", path_ids.rank);
    json.member("timestamp_us", timestamp);
    write_name_ids(name, json);
    write_path_ids(path_ids, json);
}

void write_records(const Dump& dump, Language language, JsonWriter& json) {
    json.begin_array("records");
    for (const DecodedPayload& payload : dump.payloads) {
        for (const Record& record : payload.records) {
            write_record(record, language, json);
        }
    }
    json.end_array();
}

void write_tensors(const TensorEvidence& evidence, JsonWriter& json) {
    json.begin_array("tensors");
    if (evidence.op_dump) {
        for (const DumpedTensor& tensor : evidence.op_dump->tensors) {
            report::write_tensor(tensor, json);
        }
    }
    json.end_array();
    json.key("origin");
    report::write_origin(evidence.origin, json);
}

}  // namespace

}  // namespace v0
}  // namespace opdebug

namespace opdebug::report {

void write_record_document(const Dump& dump, const Location& location, const TensorEvidence& evidence,
                           const ReportOptions& options, JsonWriter& json) {
    json.begin_object();
    write_head(dump.file, dump.timestamp_us, dump.name, dump.path_ids, options, json);
    json.member("container", dump.container ? std::optional(to_string(*dump.container)) : std::nullopt);
    json.member("payload", dump.payloads.empty() ? std::nullopt : std::optional(to_string(dump.payloads.front().kind)));
    json.member("overflow", dump.overflow());
    write_records(dump, options.language, json);
    write_location(location, json);
    if (options.tensors) {
        write_tensors(evidence, json);
    }
    json.begin_array("diagnostics");
    for (const auto* list : {&dump.diagnostics, &location.diagnostics, &evidence.diagnostics}) {
        for (const Diagnostic& diagnostic : *list) {
            write_diagnostic(diagnostic, json);
        }
    }
    json.end_array();
    json.end_object();
}

void write_failure_document(const Error& error, const ReportOptions& options, JsonWriter& json) {
    const std::optional<DumpName> name = tree::parse_name_of_dump(file_name_of(error.file));
    json.begin_object();
    write_head(error.file, name ? name->timestamp_us : std::nullopt, name, parse_path_ids(error.file), options, json);
    for (const char* unknown : {"container", "payload", "overflow"}) {
        json.null_member(unknown);
    }
    write_records(Dump(), options.language, json);
    write_location(Location(), json);
    if (options.tensors) {
        write_tensors(TensorEvidence(), json);
    }
    Error place = error;
    place.file.clear();  // the document names it already
    json.key("diagnostics");
    write_diagnostics({remarks::diagnose(place)}, json);
    json.end_object();
}

}  // namespace opdebug::report

namespace opdebug {
inline namespace v0 {

std::string record_to_json(const Dump& dump, const Location& location, const ReportOptions& options) {
    return record_to_json(dump, location, TensorEvidence(), options);
}

std::string record_to_json(const Dump& dump, const Location& location, const TensorEvidence& evidence,
                           const ReportOptions& options) {
    JsonWriter json(options);
    report::write_record_document(dump, location, evidence, options, json);
    return json.take();
}

std::string failure_to_json(const Error& error, const ReportOptions& options) {
    JsonWriter json(options);
    report::write_failure_document(error, options, json);
    return json.take();
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::report {

Error failure_of(const ScannedDump& scanned) {
    Error failure = scanned.failure.value_or(
        Error{ErrorCode::record_truncated, "records of this dump are missing", scanned.file, std::nullopt});
    failure.file = scanned.file;
    return failure;
}

void write_document(const ScannedDump& scanned, const ReportOptions& options, JsonWriter& json) {
    if (scanned.dump) {
        write_record_document(*scanned.dump, scanned.location, scanned.tensors, options, json);
    } else {
        write_failure_document(failure_of(scanned), options, json);
    }
}

}  // namespace opdebug::report
