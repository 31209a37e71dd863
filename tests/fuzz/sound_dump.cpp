#include "sound_dump.hpp"

#include <string>

#include <opdebug/locate.hpp>
#include <opdebug/report.hpp>

#include "dump/converted.hpp"
#include "require.hpp"
#include "valid_output.hpp"

namespace opdebug::fuzz {
namespace {

void require_same_record(const Record& record, const Record& expected) {
    require(record.unit == expected.unit, "the converted record is of the same unit");
    require(record.overflow == expected.overflow, "the converted record overflowed as the dump's");
    require(record.status.words == expected.status.words, "the converted record has the same status");
    require(record.fields.size() == expected.fields.size(), "the converted record has the same fields");
    for (std::size_t i = 0; i < record.fields.size(); ++i) {
        require(
            record.fields[i].field == expected.fields[i].field && record.fields[i].value == expected.fields[i].value,
            "the converted record has the same values", field_key(record.fields[i].field));
    }
}

/// The converter writes all units of a legacy payload, and the first entry of an accelerator payload.
void require_same_payload(const DecodedPayload& payload, const DecodedPayload& expected) {
    require(payload.kind == expected.kind, "the converted payload is of the same kind");
    const std::size_t records = expected.kind == Payload::legacy ? expected.records.size() : 1;
    require(payload.records.size() == records, "the converted payload has the records that the converter writes");
    for (std::size_t i = 0; i < records; ++i) {
        require_same_record(payload.records[i], expected.records[i]);
    }
}

const DecodedPayload* payload_of(const Dump& dump, std::uint64_t output_index) {
    for (const DecodedPayload& payload : dump.payloads) {
        if (payload.output_index == output_index && !payload.appended) {
            return &payload;
        }
    }
    return nullptr;
}

void require_convert_agrees(const Dump& dump) {
    const auto outputs = dump_to_converter_json(dump);
    if (!outputs) {
        require(!dump.complete(), "a whole dump can be converted", outputs.error().message);
        return;
    }
    for (const ConvertedOutput& output : *outputs) {
        const std::string file =
            "Opdebug.Node_OpDebug.1.2.1694385648123456.output." + std::to_string(output.output_index) + ".json";
        const Result<Dump> decoded = dump_stage::decode_converted(output.json, file, *built_in_status_catalogue());
        require(decoded.ok(), "what was converted can be decoded", decoded ? "" : decoded.error().message);
        const DecodedPayload* const expected = payload_of(dump, output.output_index);
        require(expected != nullptr && decoded->payloads.size() == 1, "a converted output is one of the dump's");
        require_same_payload(decoded->payloads.front(), *expected);
        const auto again = dump_to_converter_json(*decoded);
        require(again.ok() && again->size() == 1 && again->front().json == output.json,
                "converting twice gives the same text", output.json);
    }
}

}  // namespace

void require_sound_status(const StatusExplanation& status) {
    require(status.words.size() == status.undocumented_bits.size(), "each status word has its undocumented bits");
    bool not_zero = false;
    for (std::size_t i = 0; i < status.words.size(); ++i) {
        require((status.undocumented_bits[i] & ~status.words[i]) == 0, "undocumented bits are bits of the status");
        not_zero = not_zero || status.words[i] != 0;
    }
    require(status.overflow == not_zero, "a status that is not zero is an overflow");
    for (const Cause& cause : status.causes) {
        require(cause.definition != nullptr, "a cause has a definition");
        require((cause.bits & ~status.words[0]) == 0, "the bits of a cause are bits of the status",
                cause.definition->id);
        require((cause.bits & status.undocumented_bits[0]) == 0, "bits with a cause are documented",
                cause.definition->id);
    }
}

void require_sound_dump(const Dump& dump) {
    for (const DecodedPayload& payload : dump.payloads) {
        require(!payload.records.empty() || !payload.complete, "a whole payload has records");
        for (const Record& record : payload.records) {
            require_sound_status(record.status);
        }
    }
    LocateOptions options;
    options.use_op_dumps = false;
    const Location location = locate(dump, options);
    require_valid_document("record", record_to_json(dump, location));
    require_safe_text(record_to_text(dump, location));
    require_convert_agrees(dump);
}

}  // namespace opdebug::fuzz
