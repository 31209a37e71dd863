// The record document "opdebug.record/1". Keys are always present; what is unknown is null.
#include "report/json_tensor.hpp"
#include "report/json_text.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using report::Json;

Json name_ids_to_json(const std::optional<DumpName>& name) {
    const DumpName ids = name.value_or(DumpName());
    return {{"task_id", report::value_or_null(ids.task_id)},
            {"stream_id", report::value_or_null(ids.stream_id)},
            {"context_id", report::value_or_null(ids.context_id)},
            {"thread_id", report::value_or_null(ids.thread_id)}};
}

Json path_ids_to_json(const PathIds& ids) {
    return {{"time", report::value_or_null(ids.time)},
            {"device_id", report::value_or_null(ids.device_id)},
            {"model_name", report::value_or_null(ids.model_name)},
            {"model_id", report::value_or_null(ids.model_id)},
            {"data_index", report::value_or_null(ids.data_index)},
            {"rank", report::value_or_null(ids.rank)}};
}

Json record_item(const Record& record, Language language) {
    Json item = {{"unit", unit_name(record.unit)}, {"overflow", record.overflow}};
    report::add_fields(record, item);
    item["status"] = report::words_to_json(record.status.words);
    item["status_hex"] = report::words_to_hex_json(record.status.words);
    item["causes"] = report::causes_to_json(record.status, language);
    item["undocumented_bits"] = report::words_to_hex_json(record.status.undocumented_bits);
    return item;
}

Json evidence_to_json(const std::vector<Evidence>& evidence) {
    Json list = Json::array();
    for (const Evidence& item : evidence) {
        list.push_back({{"kind", to_string(item.kind)},
                        {"file", item.file},
                        {"line", report::value_or_null(item.line)},
                        {"text", item.text}});
    }
    return list;
}

Json answer_to_json(const OperatorAnswer& answer) {
    return {{"name", report::value_or_null(answer.name)},
            {"type", report::value_or_null(answer.type)},
            {"kernel", report::value_or_null(answer.kernel)},
            {"confidence", to_string(answer.confidence)},
            {"evidence", evidence_to_json(answer.evidence)}};
}

Json operator_to_json(const std::optional<LocatedOperator>& located) {
    if (!located) {
        return nullptr;
    }
    Json item = answer_to_json(located->best);
    Json candidates = Json::array();
    for (const OperatorAnswer& candidate : located->candidates) {
        candidates.push_back(answer_to_json(candidate));
    }
    item["candidates"] = std::move(candidates);
    return item;
}

Json model_to_json(const std::optional<LocatedModel>& model) {
    if (!model) {
        return nullptr;
    }
    return {{"name", report::value_or_null(model->name)},
            {"runtime_id", report::value_or_null(model->runtime_id)},
            {"ge_id", report::value_or_null(model->ge_id)},
            {"graph_id", report::value_or_null(model->graph_id)},
            {"evidence", evidence_to_json(model->evidence)}};
}

Json head(const std::string& file, const std::optional<std::uint64_t>& timestamp, const std::optional<DumpName>& name,
          const PathIds& path_ids) {
    return {{"schema", "opdebug.record/1"},
            {"file", file},
            {"timestamp_us", report::value_or_null(timestamp)},
            {"name_ids", name_ids_to_json(name)},
            {"path_ids", path_ids_to_json(path_ids)}};
}

void add_evidence(const TensorEvidence& evidence, Json& document) {
    Json tensors = Json::array();
    if (evidence.op_dump) {
        for (const DumpedTensor& tensor : evidence.op_dump->tensors) {
            tensors.push_back(report::tensor_to_json(tensor));
        }
    }
    document["tensors"] = std::move(tensors);
    document["origin"] = report::origin_to_json(evidence.origin);
}

}  // namespace

std::string record_to_json(const Dump& dump, const Location& location, const ReportOptions& options) {
    return record_to_json(dump, location, TensorEvidence(), options);
}

std::string record_to_json(const Dump& dump, const Location& location, const TensorEvidence& evidence,
                           const ReportOptions& options) {
    Json document = head(dump.file, dump.timestamp_us, dump.name, dump.path_ids);
    document["container"] = dump.container ? Json(to_string(*dump.container)) : Json(nullptr);
    document["payload"] = dump.payloads.empty() ? Json(nullptr) : Json(to_string(dump.payloads.front().kind));
    document["overflow"] = report::value_or_null(dump.overflow());
    Json records = Json::array();
    for (const DecodedPayload& payload : dump.payloads) {
        for (const Record& record : payload.records) {
            records.push_back(record_item(record, options.language));
        }
    }
    document["records"] = std::move(records);
    document["operator"] = operator_to_json(location.op);
    document["model"] = model_to_json(location.model);
    if (options.tensors) {
        add_evidence(evidence, document);
    }
    Json diagnostics = Json::array();
    for (const auto* list : {&dump.diagnostics, &location.diagnostics, &evidence.diagnostics}) {
        for (const Diagnostic& diagnostic : *list) {
            diagnostics.push_back(report::diagnostic_to_json(diagnostic));
        }
    }
    document["diagnostics"] = std::move(diagnostics);
    return report::write(document, options);
}

std::string failure_to_json(const Error& error, const ReportOptions& options) {
    const std::optional<DumpName> name = parse_dump_name(file_name_of(error.file));
    Json document = head(error.file, name ? name->timestamp_us : std::nullopt, name, parse_path_ids(error.file));
    for (const char* unknown : {"container", "payload", "overflow"}) {
        document[unknown] = nullptr;
    }
    document["records"] = Json::array();
    document["operator"] = nullptr;
    document["model"] = nullptr;
    if (options.tensors) {
        add_evidence(TensorEvidence(), document);
    }
    Error place = error;
    place.file.clear();  // the document names it already
    document["diagnostics"] = Json::array(
        {report::diagnostic_to_json({Severity::error, std::string(to_string(error.code)), to_string(place)})});
    return report::write(document, options);
}

}  // namespace v0
}  // namespace opdebug
