#include "expected_converted.hpp"

#include <map>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace opdebug::damage {
namespace {

using nlohmann::json;
using test::Buffer;

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

std::optional<std::uint64_t> number_in(const json& object, const std::string& key) {
    return object.is_object() && object.contains(key) ? number_of(object[key]) : std::nullopt;
}

/// One record as record_line() writes it; nothing when a member is missing or no number.
std::optional<std::string> line_of(const json& object, const std::string& unit, const std::vector<std::string>& fields,
                                   std::size_t words, bool valid) {
    std::string line, status;
    for (const std::string& field : fields) {
        const auto value = number_in(object, field);
        if (!value) {
            return std::nullopt;
        }
        line += fmt::format(" {}={}", field, *value);
    }
    if (!object.is_object() || !object.contains("status")) {
        return std::nullopt;
    }
    const json list = object["status"].is_array() ? object["status"] : json::array({object["status"]});
    if (list.size() != words || (words > 1 && !object["status"].is_array())) {
        return std::nullopt;
    }
    bool overflow = false;
    for (const json& word : list) {
        const auto value = number_of(word);
        if (!value) {
            return std::nullopt;
        }
        overflow = overflow || *value != 0;
        status += fmt::format("{}{}", status.empty() ? "" : ",", *value);
    }
    return fmt::format("{} overflow={} inferred=false{} status={}\n", unit, overflow && valid, line, status);
}

/// "refused", or the records; a unit that is not there makes the dump one in part.
std::string expected_legacy(const json& document) {
    std::string records;
    bool in_part = false;
    for (const char* unit : {"DHA Atomic Add", "L2 Atomic Add", "AI Core"}) {
        if (!document.contains(unit)) {
            in_part = true;
            continue;
        }
        std::vector<std::string> fields{"model_id", "stream_id", "task_id", "task_type", "pc_start", "para_base"};
        if (unit == std::string("AI Core")) {
            fields.insert(fields.end(), {"kernel_code", "block_idx"});
        }
        const auto line = line_of(document[unit], unit, fields, 1, true);
        if (!line) {
            return "refused";
        }
        records += *line;
    }
    return records.empty() ? "refused" : (in_part ? "in part\n" : "whole\n") + records;
}

std::string expected_accelerator(const json& document) {
    const json& entry = document["acc_list"];
    const auto magic = number_in(document, "magic"), version = number_in(document, "version");
    const auto valid = number_in(entry, "valid"), rsv = number_in(entry, "rsv"),
               data_len = number_in(entry, "data_len");
    for (const auto& number : {magic, version, valid, rsv, data_len}) {
        if (!number || *number > 0xFFFFFFFF) {
            return "refused";
        }
    }
    if (magic != 0x5A5A5A5A || !entry.contains("acc_type") || !entry.contains("data")) {
        return "refused";
    }
    const std::vector<std::string> core{"model_id",  "stream_id", "task_id",   "task_type", "context_id",
                                        "thread_id", "pc_start",  "para_base", "core_id",   "block_id"};
    const std::map<json, std::vector<std::string>> fields{
        {"AIC", core},
        {"AIV", core},
        {"AICPU", {"model_id", "stream_id", "task_id", "task_type", "context_id", "cpu_id", "thread_id"}},
        {"SDMA",
         {"model_id", "stream_id", "task_id", "task_type", "context_id", "thread_id", "src_addr", "dst_addr",
          "channel_id"}}};
    const auto unit = fields.find(entry["acc_type"]);
    if (unit == fields.end()) {
        return "refused";
    }
    const std::size_t words = version == 1 && unit->second.size() == core.size() ? 4 : 1;
    const auto line = line_of(entry["data"], unit->first.get<std::string>(), unit->second, words, valid == 1);
    return line ? "whole\n" + *line : "refused";
}

}  // namespace

std::string expected_converted(const Buffer& text) {
    const json document = json::parse(text.begin(), text.end(), nullptr, false);
    if (!document.is_object()) {
        return "refused";
    }
    return document.contains("acc_list") ? expected_accelerator(document) : expected_legacy(document);
}

}  // namespace opdebug::damage
