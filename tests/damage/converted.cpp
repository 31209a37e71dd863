// JSON of the converters. A damaged text is refused, or its members are read by the rules of the official converter
// (docs/internals/formats.md, "JSON of the official converter").
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <opdebug/dump.hpp>

#include "every_byte.hpp"
#include "expected_converted.hpp"
#include "expected_record.hpp"
#include "official_text.hpp"

namespace opdebug::damage {
namespace {

using namespace test;
using nlohmann::json;

std::string told(const Result<Dump>& dump) {
    if (!dump) {
        return "refused";
    }
    std::string text = dump->complete() ? "whole\n" : "in part\n";
    for (const DecodedPayload& payload : dump->payloads) {
        for (const Record& record : payload.records) {
            text += record_line(record) + "\n";
        }
    }
    return text;
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
        const Buffer sound(text.begin(), text.end());
        findings.require(expected_converted(sound).substr(0, 5) == "whole", "the file is sound at first", name);
        findings.try_all(name, sound, [&findings](const Buffer& damaged, const Damage&) {
            const Result<Dump> dump = decode(damaged);
            const std::string expected = expected_converted(damaged);
            findings.require(told(dump) == expected, "what is told is what the text says",
                             "told " + told(dump) + "but " + expected);
            findings.require(dump.ok() || !dump.error().message.empty(), "an error says what is wrong");
            return dump ? dump->complete() ? "ok" : "ok in part" : std::string(to_string(dump.error().code));
        });
    }
}

}  // namespace opdebug::damage
