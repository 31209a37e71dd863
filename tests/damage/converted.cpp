// JSON of the converters (docs/internals/formats.md, "JSON of the official converter"). A changed number changes the
// field that it belongs to, and nothing else. Any other change of the text is refused, or costs the records of its
// unit.
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <opdebug/dump.hpp>

#include "every_byte.hpp"
#include "official_text.hpp"

namespace opdebug::damage {
namespace {

using namespace test;
using nlohmann::json;

/// The values of all records by JSON pointer, as the converter writes them.
std::map<std::string, std::uint64_t> values_of(const Dump& dump) {
    std::map<std::string, std::uint64_t> values;
    for (const DecodedPayload& payload : dump.payloads) {
        for (const Record& record : payload.records) {
            const bool is_legacy = payload.kind == Payload::legacy;
            const std::string place = is_legacy ? fmt::format("/{}/", unit_name(record.unit)) : "/acc_list/data/";
            for (const FieldValue& item : record.fields) {
                values[place + std::string(field_key(item.field))] = item.value;
            }
            const std::vector<std::uint64_t>& words = record.status.words;
            for (std::size_t i = 0; i < words.size(); ++i) {
                values[words.size() == 1 ? place + "status" : fmt::format("{}status/{}", place, i)] = words[i];
            }
            values[place + "overflow"] = record.overflow ? 1 : 0;
        }
    }
    return values;
}

/// An integer, or a hex string of the form that converters write (either case).
std::optional<std::uint64_t> number_of(const json& value) {
    if (value.is_number_unsigned()) {
        return value.get<std::uint64_t>();
    }
    const std::string text = value.is_string() ? value.get<std::string>() : std::string();
    const bool is_hex = text.size() > 2 && text.size() <= 18 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
                        text.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string::npos;
    return is_hex ? std::optional(std::stoull(text.substr(2), nullptr, 16)) : std::nullopt;
}

struct Sound {
    json document;
    std::map<std::string, std::uint64_t> values;
};

/// The damaged text has one other number in place of a number of a record.
void require_number(Findings& findings, const Sound& sound, const json& damaged, const std::string& place,
                    const Result<Dump>& dump) {
    const auto number = number_of(damaged.at(json::json_pointer(place)));
    findings.require(dump.ok() == number.has_value(), "what is no number is refused", place);
    if (!dump || !number) {
        return;
    }
    auto expected = sound.values;
    expected[place] = *number;
    const auto status = place.find("status");
    if (status != std::string::npos) {
        const std::string unit = place.substr(0, status);
        const auto is_set = [&](const auto& item) {
            return item.first.starts_with(unit + "status") && item.second != 0;
        };
        expected[unit + "overflow"] = std::any_of(expected.begin(), expected.end(), is_set) ? 1 : 0;
    }
    findings.require(values_of(*dump) == expected, "a changed number changes the field that it is in", place);
    findings.require(dump->complete(), "other values do not damage a dump", place);
}

std::string look_at(Findings& findings, const Sound& sound, const Buffer& text) {
    const json damaged = json::parse(text.begin(), text.end(), nullptr, false);
    const Result<Dump> dump = decode(text);
    if (!damaged.is_object()) {
        findings.require(!dump, "what is no JSON object is refused");
    } else {
        const json changes = json::diff(sound.document, damaged);
        const std::string place = changes.empty() ? "" : changes[0].at("path").get<std::string>();
        const bool is_one = changes.size() == 1 && changes[0].at("op") == "replace";
        if (changes.empty()) {
            findings.require(dump && values_of(*dump) == sound.values, "equal JSON gives equal records");
        } else if (is_one && sound.values.count(place) != 0) {
            require_number(findings, sound, damaged, place, dump);
        } else if (is_one && place == "/acc_list/valid" && damaged["acc_list"]["valid"].is_number_unsigned()) {
            findings.require(dump && !dump->overflow().value_or(true), "an entry that is not valid does not overflow");
        } else if (dump) {
            const auto values = values_of(*dump);
            findings.require(std::includes(sound.values.begin(), sound.values.end(), values.begin(), values.end()),
                             "no value differs from the sound text", changes.dump());
            findings.require(values == sound.values || !dump->complete(), "missing records are an error",
                             changes.dump());
        }
    }
    findings.require(dump.ok() || !dump.error().message.empty(), "an error has a message");
    return dump ? dump->complete() ? "ok" : "ok in part" : std::string(to_string(dump.error().code));
}

/// The official converter's text of an AICPU and of an SDMA record.
std::string official_text_of(const std::string& unit, const std::vector<std::string>& fields, unsigned version) {
    nlohmann::ordered_json data;
    std::uint64_t number = 4660;
    for (const std::string& field : fields) {
        const bool is_address = field.size() > 5 && field.substr(field.size() - 5) == "_addr";
        data[field] =
            is_address ? nlohmann::ordered_json(fmt::format("{:#x}", number << 20U)) : nlohmann::ordered_json(number);
        ++number;
    }
    data["status"] = 1;
    return nlohmann::ordered_json{
        {"magic", "0x5a5a5a5a"},
        {"version", version},
        {"acc_list", {{"valid", 1}, {"acc_type", unit}, {"rsv", 0}, {"data_len", 8 * data.size()}, {"data", data}}}}
        .dump(4);
}

}  // namespace

void try_converted(Findings& findings) {
    const std::vector<std::pair<std::string, std::string>> files{
        {"legacy", official_ai_core_text(272)},
        {"AIV of version 1", official_aiv_text()},
        {"AICPU",
         official_text_of("AICPU",
                          {"model_id", "stream_id", "task_id", "task_type", "context_id", "cpu_id", "thread_id"}, 0)},
        {"SDMA", official_text_of("SDMA",
                                  {"model_id", "stream_id", "task_id", "task_type", "context_id", "thread_id",
                                   "src_addr", "dst_addr", "channel_id"},
                                  1)},
        {"legacy as MindSpore writes it", json::parse(official_ai_core_text(32)).dump()},
    };
    for (const auto& [name, text] : files) {
        const Buffer bytes(text.begin(), text.end());
        const Result<Dump> dump = decode(bytes);
        findings.require(dump && dump->complete(), "the file is sound at first", name);
        const Sound sound{json::parse(text), values_of(*dump)};
        findings.try_all(name, bytes,
                         [&](const Buffer& damaged, const Damage&) { return look_at(findings, sound, damaged); });
    }
}

}  // namespace opdebug::damage
