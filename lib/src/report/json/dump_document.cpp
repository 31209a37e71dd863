// Documents of a dump: "opdebug.record/1", whose keys are always present (null means unknown), and the official
// converter's JSON (docs/internals/formats.md, "JSON of the official converter").
#include <algorithm>

#include "record/accelerator.hpp"
#include "remarks/diagnose.hpp"
#include "report/json/json_parts.hpp"
#include "tree/name.hpp"

namespace opdebug::report {

static void write_members(const DumpName& ids, JsonWriter& json) {
    json.member("task_id", ids.task_id);
    json.member("stream_id", ids.stream_id);
    json.member("context_id", ids.context_id);
    json.member("thread_id", ids.thread_id);
}

static void write_members(const PathIds& ids, JsonWriter& json) {
    json.member("time", ids.time);
    json.member("device_id", ids.device_id);
    json.member("model_name", ids.model_name);
    json.member("model_id", ids.model_id);
    json.member("data_index", ids.data_index);
    json.member("rank", ids.rank);
}

void write_members(const Evidence& evidence, JsonWriter& json) {
    json.member("kind", evidence.kind);
    json.member("file", evidence.file);
    json.member("line", evidence.line);
    json.member("text", evidence.text);
}

static void write_members(const OperatorAnswer& answer, JsonWriter& json) {
    json.member("name", answer.name);
    json.member("type", answer.type);
    json.member("kernel", answer.kernel);
    json.member("confidence", answer.confidence);
    json.member("evidence", answer.evidence);
}

void write_members(const LocatedOperator& located, JsonWriter& json) {
    write_members(located.best, json);
    json.member("candidates", located.candidates);
}

void write_members(const LocatedModel& model, JsonWriter& json) {
    json.member("name", model.name);
    json.member("runtime_id", model.runtime_id);
    json.member("ge_id", model.ge_id);
    json.member("graph_id", model.graph_id);
    json.member("evidence", model.evidence);
}

namespace {

void write_head(const std::string& file, const std::optional<std::uint64_t>& timestamp,
                const std::optional<int>& utc_offset_minutes, const std::optional<DumpName>& name,
                const PathIds& path_ids, const ReportOptions& options, JsonWriter& json) {
    json.member("schema", "opdebug.record/1");
    json.member("file", file);
    json.text_member("host", options.host);
    json.member("rank", path_ids.rank);
    json.member("timestamp_us", timestamp);
    json.member("utc_offset_minutes", utc_offset_minutes);
    json.member("name_ids", name.value_or(DumpName()));
    json.member("path_ids", path_ids);
}

void write_records(const Dump& dump, Language language, JsonWriter& json) {
    json.begin_array("records");
    for (const DecodedPayload& payload : dump.payloads) {
        for (const Record& record : payload.records) {
            json.value([&] {
                json.member("unit", unit_name(record.unit));
                json.member("overflow", record.overflow);
                write_fields(record, json);
                write_words("status", record.status.words, json);
                write_hex_words("status_hex", record.status.words, json);
                write_causes(record.status, language, json);
            });
        }
    }
    json.end_array();
}

/// The members after the head. `overflow`: nothing of a dump that is not readable.
void write_body(const Dump& dump, const std::optional<bool>& overflow, const Location& location,
                const TensorEvidence& evidence, const std::vector<Diagnostic>& diagnostics,
                const ReportOptions& options, JsonWriter& json) {
    json.member("container", dump.container);
    json.member("payload", dump.payloads.empty() ? std::nullopt : std::optional(dump.payloads.front().kind));
    json.member("overflow", overflow);
    write_records(dump, options.language, json);
    json.member("operator", location.op);
    json.member("model", location.model);
    if (options.tensors) {
        json.member("tensors", evidence.op_dump ? evidence.op_dump->tensors : std::vector<DumpedTensor>());
        json.member("origin", evidence.origin);
    }
    json.member("diagnostics", diagnostics);
}

}  // namespace

void write_record_document(const Dump& dump, const Location& location, const TensorEvidence& evidence,
                           const ReportOptions& options, JsonWriter& json) {
    std::vector<Diagnostic> diagnostics = dump.diagnostics;
    for (const auto* list : {&location.diagnostics, &evidence.diagnostics}) {
        diagnostics.insert(diagnostics.end(), list->begin(), list->end());
    }
    json.value([&] {
        write_head(dump.file, dump.timestamp_us, location.utc_offset_minutes, dump.name, dump.path_ids, options, json);
        write_body(dump, dump.overflow(), location, evidence, diagnostics, options, json);
    });
}

void write_failure_document(const Error& error, const ReportOptions& options, JsonWriter& json) {
    const std::optional<DumpName> name = tree::parse_name_of_dump(file_name_of(error.file));
    Error place = error;
    place.file.clear();  // the document names it already
    json.value([&] {
        write_head(error.file, name ? name->timestamp_us : std::nullopt, std::nullopt, name, parse_path_ids(error.file),
                   options, json);
        write_body(Dump(), std::nullopt, Location(), TensorEvidence(), {remarks::diagnose(place)}, options, json);
    });
}

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

namespace {

constexpr unsigned kSpacesOfConverter = 4;  // per level

void write_record(const Record& record, JsonWriter& json) {
    json.value([&] {
        write_fields(record, json);
        write_words("status", record.status.words, json);
    });
}

void write_legacy(const DecodedPayload& payload, JsonWriter& json) {
    json.value([&] {
        for (const Record& record : payload.records) {  // decoded in the converter's order: DHA, L2, AI Core
            json.key(unit_name(record.unit));
            write_record(record, json);
        }
    });
}

void write_accelerator(const AcceleratorHeader& header, const Record& record, JsonWriter& json) {
    json.value([&] {
        json.member("magic", hex(header.magic));
        json.member("version", std::uint64_t{header.version});
        json.member("acc_list", [&] {
            json.member("valid", std::uint64_t{header.valid});
            json.member("acc_type", unit_name(record.unit));
            json.member("rsv", std::uint64_t{header.rsv});
            json.member("data_len", std::uint64_t{header.data_len});
            json.key("data");
            write_record(record, json);
        });
    });
}

}  // namespace
}  // namespace opdebug::report

std::string opdebug::record_to_json(const Dump& dump, const Location& location, const ReportOptions& options) {
    return record_to_json(dump, location, TensorEvidence(), options);
}

std::string opdebug::record_to_json(const Dump& dump, const Location& location, const TensorEvidence& evidence,
                                    const ReportOptions& options) {
    report::JsonWriter json(options);
    report::write_record_document(dump, location, evidence, options, json);
    return json.take();
}

std::string opdebug::failure_to_json(const Error& error, const ReportOptions& options) {
    report::JsonWriter json(options);
    report::write_failure_document(error, options, json);
    return json.take();
}

/// The official converter shows the first entry, and never looks after it.
opdebug::Result<std::vector<opdebug::ConvertedOutput>> opdebug::dump_to_converter_json(const Dump& dump) {
    // Faults after the first remark on an appended dump are not those of the first dump.
    const auto appended = std::find_if(dump.diagnostics.begin(), dump.diagnostics.end(),
                                       [](const Diagnostic& remark) { return remark.code == "appended_dump"; });
    const auto fault = std::find_if(dump.diagnostics.begin(), appended, [](const Diagnostic& remark) {
        return remark.severity == Severity::error && remark.code != record::kEntryCut &&
               remark.code != record::kEntryLeftOut;
    });
    if (fault != appended) {
        return Error{ErrorCode::payload_truncated, "not converted, because the dump is damaged: " + fault->message,
                     dump.file, std::nullopt};
    }
    std::vector<ConvertedOutput> outputs;
    for (const DecodedPayload& payload : dump.payloads) {
        if (payload.appended) {
            continue;
        }
        report::JsonWriter json(report::kSpacesOfConverter);
        payload.kind == Payload::legacy ? report::write_legacy(payload, json)
                                        : report::write_accelerator(*payload.header, payload.records.front(), json);
        outputs.push_back({payload.output_index, json.take()});
    }
    return outputs;
}
