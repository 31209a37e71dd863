// The reference dumps with known answers: what the library decodes equals the manifest.
#include <doctest/doctest.h>

#include <map>

#include <nlohmann/json.hpp>

#include <opdebug/dump.hpp>

#include "outcome.hpp"
#include "reference_data.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

std::uint64_t number_of(const nlohmann::json& value) {
    return value.is_string() ? std::stoull(value.get<std::string>(), nullptr, 16) : value.get<std::uint64_t>();
}

std::vector<std::uint64_t> words_of(const nlohmann::json& status) {
    return status.is_array() ? status.get<std::vector<std::uint64_t>>() : std::vector<std::uint64_t>{number_of(status)};
}

void check_record(const Record* record, const nlohmann::json& expected) {
    REQUIRE(record != nullptr);
    CHECK(record->fields.size() + 1 == expected.size());
    for (const FieldValue& item : record->fields) {
        const std::string key(field_key(item.field));
        CAPTURE(key);
        REQUIRE(expected.contains(key));
        CHECK(item.value == number_of(expected.at(key)));
    }
    CHECK(record->status.words == words_of(expected.at("status")));
}

void check_dump(const Dump& dump, const nlohmann::json& expected) {
    REQUIRE(dump.payloads.size() == 1);
    const DecodedPayload& payload = dump.payloads[0];
    if (!expected.contains("magic")) {
        for (const Unit unit : {Unit::dha_atomic, Unit::l2_atomic, Unit::ai_core}) {
            check_record(record_of(payload, unit), expected.at(std::string(unit_name(unit))));
        }
        return;
    }
    const nlohmann::json& entry = expected.at("acc_list");
    REQUIRE(payload.header.has_value());
    CHECK(payload.header->version == expected.at("version").get<std::uint32_t>());
    CHECK(payload.header->valid == entry.at("valid").get<std::uint32_t>());
    CHECK(payload.header->rsv == entry.at("rsv").get<std::uint32_t>());
    CHECK(payload.header->data_len == entry.at("data_len").get<std::uint32_t>());
    CHECK(unit_name(payload.records.at(0).unit) == entry.at("acc_type").get<std::string>());
    check_record(&payload.records.at(0), entry.at("data"));
}

}  // namespace

TEST_CASE("every reference dump decodes to its known fields (reference data)") {
    each_converted_reference_dump([](const ReferenceDump& item, const Dump& dump) {
        CHECK(dump.complete());
        check_dump(dump, nlohmann::json::parse(*item.json));
    });
}

TEST_CASE("reference op dumps are not_an_overflow_dump (reference data)") {
    const auto reference = reference_data();
    if (!reference) {
        return;
    }
    for (const ReferenceDump& item : reference_dumps(*reference)) {
        if (item.kind == "op") {
            CAPTURE(item.relative);
            CHECK(outcome(decode_file(item.path.string())) == "not_an_overflow_dump");
        }
    }
}

TEST_CASE("damaged reference dumps give the right error or remark (reference data)") {
    const auto reference = reference_data();
    if (!reference) {
        return;
    }
    // By the fault that the manifest names. "ok" = decoded in part.
    const std::map<std::string, std::string> expected = {
        {"empty file", "empty_file"},
        {"only the header length", "file_too_short"},
        {"cut inside the header", "header_truncated"},
        {"header only, no payload", "payload_missing"},
        {"payload one byte short", "ok"},
        {"big-endian header length", "header_length_invalid"},
        {"header is not a protobuf message", "header_malformed"},
        {"old payload of 2000 bytes", "ok"},
        {"new payload cut inside its data", "record_truncated"},
        {"no output in the header", "no_output"},
        {"unknown acc_type 4", "unit_unknown"},
    };
    for (const ReferenceDump& item : reference_dumps(*reference)) {
        if (item.kind != "bad") {
            continue;
        }
        CAPTURE(item.relative);
        CAPTURE(item.what);
        const auto dump = decode_file(item.path.string());
        if (item.what == "header length beyond the file") {
            CHECK((outcome(dump) == "header_truncated" || outcome(dump) == "header_length_invalid"));
            continue;
        }
        REQUIRE(expected.count(item.what) == 1);
        CHECK(outcome(dump) == expected.at(item.what));
        if (dump.ok()) {
            CHECK_FALSE(dump->complete());
            CHECK(severity_of(*dump, "payload_truncated") == "error");
        }
    }
}
