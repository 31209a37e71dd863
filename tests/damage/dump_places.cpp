#include "dump_places.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace opdebug::damage {
namespace {

constexpr std::size_t kNowhere = SIZE_MAX;

/// docs/internals/formats.md, "Legacy payload": offsets of u64 fields, by unit.
struct LegacyField {
    const char* field;
    std::size_t offsets[3];  ///< DHA Atomic Add, L2 Atomic Add, AI Core
};
constexpr LegacyField kLegacyFields[] = {
    {"model_id", {0, 128, 256}},
    {"stream_id", {8, 136, 264}},
    {"task_id", {16, 144, 272}},
    {"task_type", {24, 152, 280}},
    {"pc_start", {32, 160, 288}},
    {"para_base", {40, 168, 296}},
    {"kernel_code", {kNowhere, kNowhere, 1024}},
    {"block_idx", {kNowhere, kNowhere, 1032}},
    {"status 0", {512, 768, 1040}},
};

/// The u64 fields of the data.
std::vector<std::string> data_fields(Unit unit) {
    std::vector<std::string> fields{"model_id", "stream_id", "task_id", "task_type", "context_id"};
    const std::vector<std::string> others =
        unit == Unit::aicpu  ? std::vector<std::string>{"cpu_id", "thread_id"}
        : unit == Unit::sdma ? std::vector<std::string>{"thread_id", "src_addr", "dst_addr", "channel_id"}
                             : std::vector<std::string>{"thread_id", "pc_start", "para_base", "core_id", "block_id"};
    fields.insert(fields.end(), others.begin(), others.end());
    return fields;
}

void place_legacy_fields(const std::string& payload, std::size_t begin, std::vector<Place>& places) {
    for (const auto& row : kLegacyFields) {
        for (std::size_t unit = 0; unit < 3; ++unit) {
            if (row.offsets[unit] != kNowhere) {
                places.push_back({fmt::format("{}/{} {}", payload, unit, row.field), "", begin + row.offsets[unit]});
            }
        }
    }
}

void place_accelerator_fields(const std::string& payload, const DecodedPayload& decoded, std::size_t begin,
                              std::vector<Place>& places) {
    for (std::size_t i = 0; i < decoded.records.size(); ++i) {
        const std::string record = fmt::format("{}/{} ", payload, i);
        for (const auto& row : kHeaderWords) {
            if (i == 0 || row.offset >= 8) {  // magic and version are not repeated
                places.push_back({record, row.word, begin + row.offset, 4});
            }
        }
        begin += 24;
        std::vector<std::string> fields = data_fields(decoded.records[i].unit);
        for (std::size_t word = 0; word < decoded.records[i].status.words.size(); ++word) {
            fields.push_back(fmt::format("status {}", word));
        }
        for (const std::string& field : fields) {
            places.push_back({record + field, "", begin});
            begin += 8;
        }
        begin -= 8;  // the next entry has no magic and version
    }
}

}  // namespace

Values values_of(const Record& record, const std::string& key) {
    Values values{{key + "unit", static_cast<std::uint64_t>(record.unit)},
                  {key + "overflow", record.overflow ? 1 : 0},
                  {key + "inferred", record.inferred ? 1 : 0}};
    for (const FieldValue& item : record.fields) {
        values[key + std::string(field_key(item.field))] = item.value;
    }
    for (std::size_t i = 0; i < record.status.words.size(); ++i) {
        values[fmt::format("{}status {}", key, i)] = record.status.words[i];
    }
    return values;
}

Values values_of(const DecodedPayload& payload, const std::string& number) {
    Values values{{number + "/kind", static_cast<std::uint64_t>(payload.kind)},
                  {number + "/output", payload.output_index},
                  {number + "/appended", payload.appended ? 1 : 0},
                  {number + "/time", payload.timestamp_us.value_or(0)}};
    for (std::size_t i = 0; i < payload.records.size(); ++i) {
        values.merge(values_of(payload.records[i], fmt::format("{}/{} ", number, i)));
    }
    return values;
}

/// Of the first payloads. A copy of a dump is left out, but is a payload of its own when a byte of it differs.
Values values_of(const Dump& dump, std::size_t payloads) {
    Values values{{"time", dump.timestamp_us.value_or(0)}};
    for (std::size_t i = 0; i < std::min(payloads, dump.payloads.size()); ++i) {
        values.merge(values_of(dump.payloads[i], fmt::to_string(i)));
    }
    return values;
}

/// The values that differ from the expected ones.
std::string difference(const Values& values, const Values& expected) {
    Values others;
    std::set_difference(values.begin(), values.end(), expected.begin(), expected.end(),
                        std::inserter(others, others.end()));
    return fmt::format("{} of {} values, {} expected: {}", others.size(), values.size(), expected.size(),
                       fmt::join(others, " "));
}

Result<Dump> decode_as(const SoundDump& file, const Buffer& bytes) {
    DecodeOptions options;
    options.file = file.file;
    return decode(bytes, options);
}

Sound sound_of(const SoundDump& file) {
    Sound sound{file, decode_as(file, file.bytes).value(), {}, {}, {}};
    sound.values = values_of(sound.dump, sound.dump.payloads.size());
    const auto place_time = [&](std::size_t dump, const std::string& key, std::uint64_t time) {
        Buffer varint;
        test::put_varint(varint, time);
        const auto begin = file.bytes.begin() + static_cast<std::ptrdiff_t>(file.begins[dump]);
        const auto found = std::search(begin, file.bytes.end(), varint.begin(), varint.end());
        if (found != file.bytes.end()) {  // nano has none
            const auto place = static_cast<std::size_t>(found - file.bytes.begin());
            sound.places.push_back({key, "time", place, varint.size()});
        }
    };
    place_time(0, "time", kTime);
    constexpr std::string_view kName = "Node_OpDebug";
    for (auto at = file.bytes.begin();;) {
        at = std::search(at, file.bytes.end(), kName.begin(), kName.end());
        if (at == file.bytes.end()) {
            break;
        }
        sound.places.push_back({"", "name", static_cast<std::size_t>(at - file.bytes.begin()), kName.size()});
        ++at;
    }
    const auto place_size = [&](std::size_t payload) {  // OpOutput.size of version 2
        Buffer field;
        test::put_varint_field(field, 6, file.payloads[payload].size());
        const auto end = file.bytes.begin() + static_cast<std::ptrdiff_t>(sound.payloads[payload]);
        const auto begin =
            file.bytes.begin() + static_cast<std::ptrdiff_t>(file.begins[sound.dump_of(sound.payloads[payload])]);
        const auto found = std::search(begin, end, field.begin(), field.end());
        if (found != end) {
            const auto place = static_cast<std::size_t>(found - file.bytes.begin());
            sound.places.push_back({"", "size", place + 1, field.size() - 1});
        }
    };
    auto from = file.bytes.begin();
    for (std::size_t i = 0; i < file.payloads.size(); ++i) {
        from = std::search(from, file.bytes.end(), file.payloads[i].begin(), file.payloads[i].end());
        sound.payloads.push_back(static_cast<std::size_t>(from - file.bytes.begin()));
        from += static_cast<std::ptrdiff_t>(file.payloads[i].size());
        place_size(i);
        if (i < sound.dump.payloads.size()) {  // not a copy
            const DecodedPayload& decoded = sound.dump.payloads[i];
            const std::string number = fmt::to_string(i);
            if (decoded.timestamp_us) {
                place_time(sound.dump_of(sound.payloads[i]), number + "/time", *decoded.timestamp_us);
            }
            if (decoded.kind == Payload::legacy) {
                place_legacy_fields(number, sound.payloads[i], sound.places);
            } else {
                place_accelerator_fields(number, decoded, sound.payloads[i], sound.places);
            }
        }
    }
    return sound;
}

}  // namespace opdebug::damage
