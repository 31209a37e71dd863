// The official converter's JSON. Form and order of keys: docs/internals/formats.md, "JSON of the official converter".
#include <algorithm>

#include "record/accelerator.hpp"
#include "report/json/json_parts.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using report::JsonWriter;

constexpr unsigned kSpacesPerLevel = 4;

void write_record(const Record& record, JsonWriter& json) {
    json.begin_object();
    report::write_fields(record, json);
    report::write_words("status", record.status.words, json);
    json.end_object();
}

void write_legacy(const DecodedPayload& payload, JsonWriter& json) {
    json.begin_object();
    for (const Record& record : payload.records) {  // decoded in the converter's order: DHA, L2, AI Core
        json.key(unit_name(record.unit));
        write_record(record, json);
    }
    json.end_object();
}

void write_accelerator(const AcceleratorHeader& header, const Record& record, JsonWriter& json) {
    json.begin_object();
    json.member("magic", report::hex(header.magic));
    json.member("version", std::uint64_t{header.version});
    json.begin_object("acc_list");
    json.member("valid", std::uint64_t{header.valid});
    json.member("acc_type", unit_name(record.unit));
    json.member("rsv", std::uint64_t{header.rsv});
    json.member("data_len", std::uint64_t{header.data_len});
    json.key("data");
    write_record(record, json);
    json.end_object();
    json.end_object();
}

}  // namespace

/// The official converter shows the first entry, and never looks after it.
Result<std::vector<ConvertedOutput>> dump_to_converter_json(const Dump& dump) {
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
        JsonWriter json(kSpacesPerLevel);
        if (payload.kind == Payload::legacy) {
            write_legacy(payload, json);
        } else {
            write_accelerator(*payload.header, payload.records.front(), json);
        }
        outputs.push_back({payload.output_index, json.take()});
    }
    return outputs;
}

}  // namespace v0
}  // namespace opdebug
