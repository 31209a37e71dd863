// The accelerator payload: AIC, AIV, AICPU and SDMA records, both versions, odd headers.
#include <doctest/doctest.h>

#include <vector>

#include <opdebug/dump.hpp>

#include "decoded.hpp"
#include "dump_builder.hpp"
#include "outcome.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// Field number i of a counting entry holds 1000 + i.
void check_record(const Record& record, Unit unit, const std::vector<Field>& fields,
                  const std::vector<std::uint64_t>& status) {
    CHECK(record.unit == unit);
    CHECK(record.overflow);
    CHECK_FALSE(record.inferred);
    REQUIRE(record.fields.size() == fields.size());
    for (std::size_t i = 0; i < fields.size(); ++i) {
        CAPTURE(i);
        CHECK(record.fields[i].field == fields[i]);
        CHECK(record.fields[i].value == 1000 + i);
    }
    CHECK(record.status.words == status);
}

const std::vector<Field> core_fields = {Field::model_id,   Field::stream_id, Field::task_id,  Field::task_type,
                                        Field::context_id, Field::thread_id, Field::pc_start, Field::para_base,
                                        Field::core_id,    Field::block_id};
const std::vector<Field> aicpu_fields = {Field::model_id,   Field::stream_id, Field::task_id,  Field::task_type,
                                         Field::context_id, Field::cpu_id,    Field::thread_id};
const std::vector<Field> sdma_fields = {Field::model_id,  Field::stream_id,  Field::task_id,
                                        Field::task_type, Field::context_id, Field::thread_id,
                                        Field::src_addr,  Field::dst_addr,   Field::channel_id};

}  // namespace

TEST_CASE("every accelerator field is read at its documented offset") {
    const auto record = [](AccType type, std::uint32_t version) {
        const Dump dump = decode_ok(one_entry(type, version));
        REQUIRE(dump.payloads.size() == 1);
        CHECK(dump.payloads[0].kind == Payload::accelerator);
        CHECK(dump.complete());
        CHECK(dump.overflow() == std::optional<bool>(true));
        REQUIRE(dump.payloads[0].records.size() == 1);
        return dump.payloads[0].records[0];
    };
    check_record(record(AccType::aic, 0), Unit::aic, core_fields, {1010});
    check_record(record(AccType::aiv, 0), Unit::aiv, core_fields, {1010});
    check_record(record(AccType::aicpu, 0), Unit::aicpu, aicpu_fields, {1007});
    check_record(record(AccType::sdma, 0), Unit::sdma, sdma_fields, {1009});
    check_record(record(AccType::aic, 1), Unit::aic, core_fields, {1010, 1011, 1012, 1013});
    check_record(record(AccType::aiv, 1), Unit::aiv, core_fields, {1010, 1011, 1012, 1013});
    check_record(record(AccType::aicpu, 1), Unit::aicpu, aicpu_fields, {1007});
    check_record(record(AccType::sdma, 1), Unit::sdma, sdma_fields, {1009});
}

TEST_CASE("the accelerator header is kept as it stands in the file") {
    AcceleratorPayload payload = one_entry(AccType::sdma, 1);
    payload.entries[0].rsv = 7;
    const Dump dump = decode_ok(payload);
    REQUIRE(dump.payloads.at(0).header.has_value());
    const AcceleratorHeader header = *dump.payloads[0].header;
    CHECK(header.magic == 0x5A5A5A5A);
    CHECK(header.version == 1);
    CHECK(header.valid == 1);
    CHECK(header.acc_type == 3);
    CHECK(header.rsv == 7);
    CHECK(header.data_len == 80);
}

TEST_CASE("a payload may end right after its fields") {
    AcceleratorPayload payload = one_entry(AccType::aic);
    payload.padded = false;
    const Dump dump = decode_ok(payload);
    CHECK(dump.complete());
    CHECK(severity_of(dump, "payload_truncated") == "none");
    CHECK(dump.payloads.at(0).records.size() == 1);
}

TEST_CASE("an all-zero status is no overflow, with one word and with four") {
    AcceleratorPayload payload = one_entry(AccType::aiv);
    payload.entries[0].data.back() = 0;
    CHECK(decode_ok(payload).overflow() == std::optional<bool>(false));

    payload = one_entry(AccType::aiv, 1);
    for (std::size_t word = 10; word < 14; ++word) {
        payload.entries[0].data[word] = 0;
    }
    CHECK(decode_ok(payload).overflow() == std::optional<bool>(false));
    payload.entries[0].data[13] = 1;  // only the last of the four
    CHECK(decode_ok(payload).overflow() == std::optional<bool>(true));
}

TEST_CASE("values use all 64 bits") {
    AcceleratorPayload payload = one_entry(AccType::sdma);
    payload.entries[0].data.assign(10, ~std::uint64_t{0});
    const Dump dump = decode_ok(payload);
    const Record& record = dump.payloads.at(0).records.at(0);
    CHECK(record.field(Field::src_addr) == std::optional<std::uint64_t>(~std::uint64_t{0}));
    CHECK(record.status.words == std::vector<std::uint64_t>{~std::uint64_t{0}});
}

TEST_CASE("an entry not marked valid is decoded but no overflow") {
    AcceleratorPayload payload = one_entry(AccType::aiv);
    payload.entries[0].valid = 0;
    const Dump dump = decode_ok(payload);
    CHECK(severity_of(dump, "entry_not_valid") == "warning");
    REQUIRE(dump.payloads.at(0).records.size() == 1);
    CHECK_FALSE(dump.payloads[0].records[0].overflow);
    CHECK(dump.payloads[0].records[0].status.words == std::vector<std::uint64_t>{1010});
    CHECK(dump.overflow() == std::optional<bool>(false));
}

TEST_CASE("a wrong data_len is remarked and the documented layout used") {
    for (const std::uint32_t length : {0U, 64U, 4096U, 0xFFFFFFFFU}) {
        AcceleratorPayload payload = one_entry(AccType::aic);
        payload.entries[0].data_len = length;
        CAPTURE(length);
        const Dump dump = decode_ok(payload);
        CHECK(severity_of(dump, "data_len_mismatch") == "warning");
        check_record(dump.payloads.at(0).records.at(0), Unit::aic, core_fields, {1010});
    }
}

TEST_CASE("an unknown version is remarked and read as version 0") {
    for (const std::uint32_t version : {2U, 9U}) {
        AcceleratorPayload payload = one_entry(AccType::aic);
        payload.version = version;
        const Dump dump = decode_ok(payload);
        CHECK(severity_of(dump, "version_unknown") == "warning");
        check_record(dump.payloads.at(0).records.at(0), Unit::aic, core_fields, {1010});
        CHECK(dump.payloads[0].header->version == version);
    }
}

TEST_CASE("bytes after the record that are not zero are remarked") {
    Buffer payload = build_payload(one_entry(AccType::aic));
    payload.at(2047) = 1;
    const auto dump = decode(build_v2(overflow_dump(payload)));
    REQUIRE(outcome(dump) == "ok");
    CHECK(severity_of(*dump, "unused_bytes") == "info");
    CHECK(dump->complete());

    set_u32(payload, 20, 80);  // also when data_len is wrong
    const auto odd = decode(build_v2(overflow_dump(payload)));
    REQUIRE(outcome(odd) == "ok");
    CHECK(severity_of(*odd, "unused_bytes") == "info");
}

TEST_CASE("an unknown accelerator type is refused by number") {
    AcceleratorPayload payload = one_entry(AccType::aic);
    payload.entries[0].acc_type = 77;
    const auto result = decode(build_overflow_dump(payload));
    REQUIRE(outcome(result) == "unit_unknown");
    CHECK(contains(result.error().message, "77"));
    payload.entries[0].acc_type = 4;
    CHECK(outcome(decode(build_overflow_dump(payload))) == "unit_unknown");
}

TEST_CASE("fields cut off are record_truncated at every length") {
    AcceleratorPayload payload = one_entry(AccType::aic, 1);
    payload.padded = false;
    const Buffer whole = build_payload(payload);
    REQUIRE(whole.size() == 136);
    for (const std::size_t size : {4U, 8U, 23U, 24U, 58U, 112U, 135U}) {
        CAPTURE(size);
        const Buffer part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        CHECK(outcome(decode(build_v2(overflow_dump(part)))) == "record_truncated");
    }
}

TEST_CASE("a damaged magic before an accelerator record is magic_damaged, not a legacy record") {
    const std::vector<std::pair<AccType, std::uint32_t>> kinds = {
        {AccType::aic, 0}, {AccType::aiv, 1}, {AccType::aicpu, 0}, {AccType::sdma, 0}};
    for (const auto& [type, version] : kinds) {
        AcceleratorPayload payload = one_entry(type, version);
        payload.magic = 0x5A5A5A5B;
        CHECK(outcome(decode(build_overflow_dump(payload))) == "magic_damaged");
    }
}
