// Converted JSON → the same decoded dump as from the binary, as far as the JSON contains it. The payload bytes are
// rebuilt with the tables that decode payloads. Formats: docs/internals/formats.md, "JSON of the official converter"
// and "Other converters".
#include "dump/converted.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <opdebug/dump.hpp>
#include <opdebug/result.hpp>

#include "bytes/file.hpp"
#include "bytes/passed_limit.hpp"
#include "bytes/utf8.hpp"
#include "dump/dump.hpp"
#include "dump/outputs.hpp"
#include "json/document.hpp"
#include "record/layout.hpp"
#include "record/payload.hpp"
#include "remarks/diagnose.hpp"
#include "tree/name.hpp"
#include "tree/path_ids.hpp"

namespace opdebug::dump_stage {
namespace {

/// The payload. Bytes that the JSON does not contain are zero.
struct RebuiltPayload {
    std::vector<std::uint8_t> bytes;
    std::vector<Unit> missing;  ///< units of a legacy payload that the JSON does not contain
};

/// Accepts keys in any order, hex digits in either case, and "block_id" for "block_idx". Errors: converted_json_invalid
/// with the location in the document; nesting_too_deep, name_too_long.
Result<RebuiltPayload> rebuild_payload(std::string_view json, const Limits& limits = {});

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

/// Ids are integers and addresses are hex strings; both are accepted for both. Returns 0 after a fault.
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

/// msprobe's converter writes every payload in the legacy format. The first words of an accelerator record are then at
/// the ids of the DHA unit, and its status is missing.
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
    return {ErrorCode::converted_json_invalid, "not a usable converted overflow dump: " + reason, {}, std::nullopt};
}

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

std::uint64_t output_index_of(const std::string& file) {
    const auto name = tree::parse_converted_name(file_name_of(file));
    return name ? name->output_index : 0;
}

void drop_missing_units(const std::vector<Unit>& missing, DecodedPayload& payload,
                        std::vector<Diagnostic>& diagnostics) {
    for (const Unit unit : missing) {
        const auto is_of_unit = [unit](const Record& record) { return record.unit == unit; };
        payload.records.erase(std::remove_if(payload.records.begin(), payload.records.end(), is_of_unit),
                              payload.records.end());
        payload.complete = false;
        diagnostics.push_back(remarks::diagnose("record_truncated.converted", {{"unit", unit_name(unit)}}));
    }
}

/// Adds the records of one output.
std::optional<Error> add_output(std::string_view text, const std::string& file, const StatusCatalogue& catalogue,
                                RecordBudget& budget, Dump& dump) {
    if (budget.left == 0) {
        budget.passed = true;
        return std::nullopt;
    }
    const Result<RebuiltPayload> rebuilt = rebuild_payload(text, budget.limits);
    if (!rebuilt) {
        return rebuilt.error();
    }
    const record::PayloadPlace place{0, rebuilt->bytes.size()};
    Result<DecodedPayload> payload = record::decode_payload(rebuilt->bytes, place, catalogue, dump.diagnostics);
    if (!payload) {
        return Error{payload.error().code, payload.error().message, {}, std::nullopt};  // no offset of this file
    }
    drop_missing_units(rebuilt->missing, *payload, dump.diagnostics);
    payload->output_index = output_index_of(file);
    keep_within(budget, *payload);
    dump.records_missing = dump.records_missing || !payload->complete;
    dump.payloads.push_back(std::move(payload).value());
    return std::nullopt;
}

Dump begin_dump(const std::string& file) {
    Dump dump;
    set_names(dump, file);
    dump.container.reset();
    dump.diagnostics.push_back(remarks::diagnose("converted_json"));
    return dump;
}

std::optional<Error> add_file(const std::string& file, const StatusCatalogue& catalogue, RecordBudget& budget,
                              Dump& dump) {
    const auto content =
        bytes::read_file(file, budget.limits, &Limits::converted_bytes, ErrorCode::converted_json_too_large);
    std::optional<Error> error =
        content ? add_output(Bytes(*content).text(), file, catalogue, budget, dump) : content.error();
    if (error) {
        error->file = file;
    }
    return error;
}

std::optional<Error> too_large(std::size_t size, const Limits& limits) {
    return bytes::limit_error(ErrorCode::converted_json_too_large, fmt::format("the JSON has {} bytes", size), limits,
                              &Limits::converted_bytes);
}

/// Outputs are numbered from 0: a gap means that a file is missing.
void remark_gap(const std::vector<std::string>& files, Dump& dump) {
    const std::uint64_t last = output_index_of(files.back());
    if (last >= files.size()) {
        dump.records_missing = true;
        dump.diagnostics.push_back(remarks::diagnose("payload_missing.converted",
                                                     {{"last", last}, {"there", files.size()}, {"count", last + 1}}));
    }
}

}  // namespace

bool begins_like_json(Bytes file) noexcept {
    constexpr std::size_t kLookedAt = 8;  // header length in a container; its last bytes are zero
    std::string_view text = file.text();
    if (text.starts_with(bytes::kByteOrderMark)) {  // no container: the header would have gigabytes
        text.remove_prefix(bytes::kByteOrderMark.size());
    }
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{' &&
           text.substr(first, kLookedAt).find('\0') == std::string_view::npos;
}

Result<Dump> decode_converted(std::string_view text, const std::string& file, const StatusCatalogue& catalogue,
                              const Limits& limits) {
    Dump dump = begin_dump(file);
    RecordBudget budget(limits);
    auto error = text.size() > limits.converted_bytes ? too_large(text.size(), limits)
                                                      : add_output(text, file, catalogue, budget, dump);
    if (error) {
        error->file = file;
        return *std::move(error);
    }
    report_left_out(budget, dump);
    lift_status_remarks(dump);
    return dump;
}

Result<Dump> decode_converted_files(const std::vector<std::string>& files, bool are_all, const DecodeOptions& options) {
    const auto catalogue = options.catalogue ? options.catalogue : built_in_status_catalogue();
    Dump dump = begin_dump(files.front());
    PartFaults faults;
    RecordBudget budget(options.limits);
    for (const std::string& file : files) {
        if (const auto error = add_file(file, *catalogue, budget, dump)) {
            add_fault(faults, *error);
        }
    }
    if (dump.payloads.empty() && faults.count != 0) {
        return faults.listed.front();
    }
    report_faults(faults, "converted_outputs", dump);
    if (are_all) {
        remark_gap(files, dump);
    }
    report_left_out(budget, dump);
    lift_status_remarks(dump);
    dump.path_ids = tree::path_ids_as_written(files.front());
    return dump;
}

}  // namespace opdebug::dump_stage
