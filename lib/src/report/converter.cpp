// The official converter's JSON. Form and order of keys: docs/format.md, "JSON of the official converter".
#include <algorithm>

#include "report/json_text.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using report::Json;

Json fields_to_json(const Record& record) {
    Json item = Json::object();
    report::add_fields(record, item);
    item["status"] = report::words_to_json(record.status.words);
    return item;
}

Json legacy_to_json(const DecodedPayload& payload) {
    Json document = Json::object();
    for (const Record& record : payload.records) {  // decoded in the converter's order: DHA, L2, AI Core
        document[std::string(unit_name(record.unit))] = fields_to_json(record);
    }
    return document;
}

Json accelerator_to_json(const AcceleratorHeader& header, const Record& record) {
    return {{"magic", report::hex(header.magic)},
            {"version", header.version},
            {"acc_list",
             {{"valid", header.valid},
              {"acc_type", unit_name(record.unit)},
              {"rsv", header.rsv},
              {"data_len", header.data_len},
              {"data", fields_to_json(record)}}}};
}

}  // namespace

Result<std::vector<ConvertedOutput>> dump_to_converter_json(const Dump& dump) {
    // Faults behind the first remark on an appended dump are not those of the first dump.
    const auto appended = std::find_if(dump.diagnostics.begin(), dump.diagnostics.end(),
                                       [](const Diagnostic& remark) { return remark.code == "appended_dump"; });
    const auto fault = std::find_if(dump.diagnostics.begin(), appended,
                                    [](const Diagnostic& remark) { return remark.severity == Severity::error; });
    if (fault != appended) {
        return Error{ErrorCode::payload_truncated, "not converted, because the dump is damaged: " + fault->message,
                     dump.file, std::nullopt};
    }
    std::vector<ConvertedOutput> outputs;
    for (const DecodedPayload& payload : dump.payloads) {
        if (payload.appended) {
            continue;
        }
        const Json document = payload.kind == Payload::legacy
                                  ? legacy_to_json(payload)
                                  : accelerator_to_json(*payload.header, payload.records.front());
        outputs.push_back({payload.output_index, document.dump(4)});
    }
    return outputs;
}

}  // namespace v0
}  // namespace opdebug
