// The converters' JSON, read by the same tables that decode payloads. Forms: docs/format.md, "JSON of the official
// converter" and "Other converters".
#include "dump/converted_payload.hpp"

#include <charconv>
#include <limits>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/document.hpp"
#include "record/layout.hpp"

namespace opdebug::dump_stage {
namespace {

using json_stage::Fault;
using nlohmann::json;

constexpr std::uint64_t kLargestU32 = std::numeric_limits<std::uint32_t>::max();

void put(std::vector<std::uint8_t>& bytes, std::size_t offset, std::size_t width, std::uint64_t value) {
    for (std::size_t i = 0; i < width; ++i) {
        bytes[offset + i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
}

/// "0x" and one to sixteen hex digits of either case.
std::optional<std::uint64_t> parse_hex(std::string_view text) {
    if (text.size() < 3 || text.size() > 18 || text[0] != '0' || (text[1] != 'x' && text[1] != 'X')) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data() + 2, end, value, 16);
    return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(value) : std::nullopt;
}

/// Ids are integers and addresses hex strings; either is taken for both. 0 after a fault.
std::uint64_t number_of(const json& value, const std::string& place, Fault& fault) {
    if (value.is_number_unsigned()) {
        return value.get<std::uint64_t>();
    }
    if (value.is_string()) {
        if (const auto number = parse_hex(value.get_ref<const std::string&>())) {
            return *number;
        }
    }
    fault.report(place, "an integer of 64 bits or a hex string like \"0x1f\" is expected", "");
    return 0;
}

const json& member(const json& object, std::string_view key, const std::string& place, Fault& fault) {
    static const json nothing;
    const auto found = object.is_object() ? object.find(key) : object.end();
    if (!object.is_object() || found == object.end()) {
        fault.report(place, fmt::format("the member \"{}\" is missing", key), "");
        return nothing;
    }
    return *found;
}

std::uint64_t number_in(const json& object, std::string_view key, const std::string& place, Fault& fault) {
    return number_of(member(object, key, place, fault), fmt::format("{}/{}", place, key), fault);
}

/// Documents newer than CANN 8 call the block of the AI Core "block_id".
std::string_view key_in(const json& unit, Field field) {
    const std::string_view key = field_key(field);
    return field == Field::block_idx && unit.is_object() && !unit.contains(key) ? "block_id" : key;
}

RebuiltPayload rebuild_legacy(const json& document, Fault& fault) {
    RebuiltPayload payload;
    payload.bytes.resize(record::kLegacySize);
    for (const record::LegacyUnit& unit : record::kLegacyUnits) {
        const std::string name(unit_name(unit.unit));
        if (!document.contains(name)) {
            payload.missing.push_back(unit.unit);
            continue;
        }
        const json& fields = document[name];
        const std::string place = "/" + name;
        for (const record::LegacyRow& row : record::kLegacyRows) {
            if (row.unit == unit.unit) {
                put(payload.bytes, row.offset, 8, number_in(fields, key_in(fields, row.field), place, fault));
            }
        }
        put(payload.bytes, unit.status_offset, 8, number_in(fields, "status", place, fault));
    }
    return payload;
}

/// msprobe's converter writes every payload in the legacy form. Of an accelerator record the first words then stand
/// where the DHA unit's ids would, and its status is not in the document at all.
bool is_accelerator_in_disguise(const RebuiltPayload& payload) {
    std::uint64_t first = 0;
    for (std::size_t i = 4; i-- > 0;) {
        first = first << 8U | payload.bytes[i];
    }
    return first == record::kAcceleratorMagic;
}

std::uint64_t header_number(const json& object, std::string_view key, const std::string& place, Fault& fault) {
    const std::uint64_t number = number_in(object, key, place, fault);
    if (number > kLargestU32) {
        fault.report(fmt::format("{}/{}", place, key), "a number of 32 bits is expected", "");
    }
    return number;
}

const record::AcceleratorLayout* layout_named(const json& name) {
    for (const record::AcceleratorLayout& layout : record::kAcceleratorLayouts) {
        if (name.is_string() && name.get_ref<const std::string&>() == unit_name(layout.unit)) {
            return &layout;
        }
    }
    return nullptr;
}

void put_status(const json& status, std::size_t words, std::size_t offset, RebuiltPayload& payload, Fault& fault) {
    const std::string place = "/acc_list/data/status";
    if (status.is_array() ? status.size() != words : words != 1) {
        fault.report(place, fmt::format("{} status word(s) are expected for this unit and version", words), "");
        return;
    }
    for (std::size_t i = 0; i < words; ++i) {
        put(payload.bytes, offset + 8 * i, 8, number_of(status.is_array() ? status[i] : status, place, fault));
    }
}

RebuiltPayload rebuild_accelerator(const json& document, Fault& fault) {
    const std::string list = "/acc_list";
    const std::uint64_t magic = header_number(document, "magic", "", fault);
    const std::uint64_t version = header_number(document, "version", "", fault);
    const json& entry = member(document, "acc_list", "", fault);
    const record::AcceleratorLayout* layout = layout_named(member(entry, "acc_type", list, fault));
    RebuiltPayload payload;
    if (magic != record::kAcceleratorMagic) {
        fault.report("/magic", fmt::format("{:#x} is expected", record::kAcceleratorMagic), "");
    }
    if (layout == nullptr) {
        fault.report(list + "/acc_type", "one of AIC, AIV, AICPU, SDMA is expected", "");
        return payload;
    }
    constexpr std::size_t kData = record::kAcceleratorFileHeader + record::kAcceleratorEntryHeader;
    const auto word_version = static_cast<std::uint32_t>(version);
    payload.bytes.resize(kData + record::data_length(*layout, word_version));
    put(payload.bytes, 0, 4, magic);
    put(payload.bytes, 4, 4, version);
    put(payload.bytes, 8, 4, header_number(entry, "valid", list, fault));
    put(payload.bytes, 12, 4, layout->acc_type);
    put(payload.bytes, 16, 4, header_number(entry, "rsv", list, fault));
    put(payload.bytes, 20, 4, header_number(entry, "data_len", list, fault));
    const json& data = member(entry, "data", list, fault);
    for (std::size_t i = 0; i < layout->field_count; ++i) {
        put(payload.bytes, kData + 8 * i, 8, number_in(data, field_key(layout->fields[i]), list + "/data", fault));
    }
    put_status(member(data, "status", list + "/data", fault), record::status_words(*layout, word_version),
               kData + 8 * layout->field_count, payload, fault);
    return payload;
}

Error invalid(const std::string& reason) {
    return {
        ErrorCode::converted_json_invalid, "this is no usable converted overflow dump: " + reason, {}, std::nullopt};
}

}  // namespace

Result<RebuiltPayload> rebuild_payload(std::string_view text, const Limits& limits) {
    Fault fault;
    const json document = json_stage::parse_document(std::string(text), fault, nullptr, limits);
    RebuiltPayload payload;
    if (!fault.found()) {
        payload = document.is_object() && document.contains("acc_list") ? rebuild_accelerator(document, fault)
                                                                        : rebuild_legacy(document, fault);
    }
    if (fault.found()) {
        if (fault.passed_limit) {
            Error error = invalid(fault.reason + "; " + fault.remedy);
            error.code = *fault.passed_limit;
            return error;
        }
        return invalid(fault.place.empty() ? fault.reason : fault.place + ": " + fault.reason);
    }
    if (payload.missing.size() == record::kLegacyUnits.size()) {
        return invalid(
            "none of the members \"AI Core\", \"DHA Atomic Add\", \"L2 Atomic Add\" and \"acc_list\" is there");
    }
    if (!document.contains("acc_list") && is_accelerator_in_disguise(payload)) {
        return invalid(
            "the converter (msprobe does this) read an accelerator record as a legacy one, so its status is lost; "
            "decode the binary dump instead");
    }
    return payload;
}

}  // namespace opdebug::dump_stage
