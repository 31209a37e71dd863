// The legacy payload: three units, every field at its documented location.
#include <doctest/doctest.h>

#include <vector>

#include <opdebug/dump.hpp>

#include "decoded.hpp"
#include "dump_builder.hpp"
#include "outcome.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// A payload whose u64 at offset 8 * i holds 0xA0000 + i, so that each value shows where it was read.
Buffer numbered_payload() {
    Buffer bytes;
    for (std::uint64_t i = 0; i < 256; ++i) {
        put_u64(bytes, 0xA0000 + i);
    }
    return bytes;
}

std::uint64_t number_at(std::uint64_t offset) {
    return 0xA0000 + offset / 8;
}

struct Place {
    Field field;
    std::uint64_t offset;
};

void check_places(const Record* record, const std::vector<Place>& places, std::uint64_t status_offset) {
    REQUIRE(record != nullptr);
    REQUIRE(record->fields.size() == places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        CAPTURE(field_key(places[i].field));
        CHECK(record->fields[i].field == places[i].field);
        CHECK(record->fields[i].value == number_at(places[i].offset));
    }
    CHECK(record->status.words == std::vector<std::uint64_t>{number_at(status_offset)});
    CHECK(record->overflow);
    CHECK_FALSE(record->inferred);
}

}  // namespace

TEST_CASE("every legacy field is read at its documented offset, in the order of the layout") {
    const Dump dump = decode_ok(build_v2(overflow_dump(numbered_payload())));
    REQUIRE(dump.payloads.size() == 1);
    const DecodedPayload& payload = dump.payloads[0];
    CHECK(payload.kind == Payload::legacy);
    CHECK(payload.complete);
    CHECK_FALSE(payload.header.has_value());
    CHECK(payload.records.size() == 3);
    check_places(record_of(payload, Unit::dha_atomic),
                 {{Field::model_id, 0},
                  {Field::stream_id, 8},
                  {Field::task_id, 16},
                  {Field::task_type, 24},
                  {Field::pc_start, 32},
                  {Field::para_base, 40}},
                 512);
    check_places(record_of(payload, Unit::l2_atomic),
                 {{Field::model_id, 128},
                  {Field::stream_id, 136},
                  {Field::task_id, 144},
                  {Field::task_type, 152},
                  {Field::pc_start, 160},
                  {Field::para_base, 168}},
                 768);
    check_places(record_of(payload, Unit::ai_core),
                 {{Field::model_id, 256},
                  {Field::stream_id, 264},
                  {Field::task_id, 272},
                  {Field::task_type, 280},
                  {Field::pc_start, 288},
                  {Field::para_base, 296},
                  {Field::kernel_code, 1024},
                  {Field::block_idx, 1032}},
                 1040);
}

TEST_CASE("the example of the guides is decoded") {
    const Dump dump = decode_ok(build_overflow_dump(ai_core_example(32), Era::y2020));
    CHECK(dump.overflow() == std::optional<bool>(true));
    const Record* record = record_of(dump.payloads.at(0), Unit::ai_core);
    REQUIRE(record != nullptr);
    CHECK(record->field(Field::model_id) == std::optional<std::uint64_t>(514));
    CHECK(record->field(Field::stream_id) == std::optional<std::uint64_t>(563));
    CHECK(record->field(Field::task_id) == std::optional<std::uint64_t>(57));
    CHECK(record->field(Field::task_type) == std::optional<std::uint64_t>(0));
    CHECK(record->field(Field::pc_start) == std::optional<std::uint64_t>(0x1008005b0000));
    CHECK(record->field(Field::para_base) == std::optional<std::uint64_t>(0x100800297000));
    CHECK(record->field(Field::kernel_code) == std::optional<std::uint64_t>(0x1008005ae000));
    CHECK(record->field(Field::block_idx) == std::optional<std::uint64_t>(1));
    CHECK_FALSE(record->field(Field::core_id).has_value());
    CHECK(record->status.words == std::vector<std::uint64_t>{32});
    REQUIRE(record->status.causes.size() == 1);
    CHECK(record->status.causes[0].definition->id == "ai_core.float_overflow");
    CHECK(record->status.causes[0].bits == 0x20);
    for (const Unit unit : {Unit::dha_atomic, Unit::l2_atomic}) {
        const Record* other = record_of(dump.payloads.at(0), unit);
        REQUIRE(other != nullptr);
        CHECK_FALSE(other->overflow);
        CHECK(other->status.words == std::vector<std::uint64_t>{0});
    }
}

TEST_CASE("units overflow independently of one another") {
    LegacyPayload payload;
    payload.dha.status = 0x900;
    CHECK(decode_ok(build_overflow_dump(payload)).overflow() == std::optional<bool>(true));
    payload.dha.status = 0;
    payload.l2.status = 0x10000;
    const Dump dump = decode_ok(build_overflow_dump(payload));
    CHECK(dump.overflow() == std::optional<bool>(true));
    CHECK(record_of(dump.payloads.at(0), Unit::l2_atomic)->overflow);
    CHECK_FALSE(record_of(dump.payloads.at(0), Unit::dha_atomic)->overflow);
    CHECK_FALSE(record_of(dump.payloads.at(0), Unit::ai_core)->overflow);
}

TEST_CASE("a payload without any status is a clean dump") {
    const Dump dump = decode_ok(build_overflow_dump(LegacyPayload{}));
    CHECK(dump.overflow() == std::optional<bool>(false));
    CHECK(dump.complete());
    CHECK(dump.payloads.at(0).records.size() == 3);
}

TEST_CASE("statuses use all 64 bits") {
    const Dump dump = decode_ok(build_overflow_dump(ai_core_example(~std::uint64_t{0})));
    CHECK(record_of(dump.payloads.at(0), Unit::ai_core)->status.words == std::vector<std::uint64_t>{~std::uint64_t{0}});
    const Dump high = decode_ok(build_overflow_dump(ai_core_example(std::uint64_t{1} << 40U)));
    CHECK(record_of(high.payloads.at(0), Unit::ai_core)->overflow);
}

TEST_CASE("ids beyond 32 bits are kept and remarked") {
    LegacyPayload payload = ai_core_example(32);
    payload.ai_core.stream_id = std::uint64_t{1} << 40U;
    const Dump dump = decode_ok(build_overflow_dump(payload));
    CHECK(severity_of(dump, "implausible_id") == "warning");
    CHECK(record_of(dump.payloads.at(0), Unit::ai_core)->field(Field::stream_id) ==
          std::optional<std::uint64_t>(std::uint64_t{1} << 40U));

    payload.ai_core.stream_id = 0xFFFFFFFF;
    CHECK(severity_of(decode_ok(build_overflow_dump(payload)), "implausible_id") == "none");
    payload.block_idx = std::uint64_t{1} << 32U;
    CHECK(severity_of(decode_ok(build_overflow_dump(payload)), "implausible_id") == "warning");
    payload.block_idx = 0xFFFFFFFF;
    CHECK(severity_of(decode_ok(build_overflow_dump(payload)), "implausible_id") == "none");
}

TEST_CASE("bytes that no field uses change nothing and are remarked when they are not zero") {
    LegacyPayload payload = ai_core_example(32);
    payload.unused = 0xCC;
    const Dump dump = decode_ok(build_overflow_dump(payload));
    CHECK(severity_of(dump, "unused_bytes") == "info");
    CHECK(dump.complete());
    CHECK(record_of(dump.payloads.at(0), Unit::ai_core)->field(Field::task_id) == std::optional<std::uint64_t>(57));
    CHECK_FALSE(record_of(dump.payloads.at(0), Unit::dha_atomic)->overflow);

    payload.unused = 0;
    CHECK(severity_of(decode_ok(build_overflow_dump(payload)), "unused_bytes") == "none");
}

TEST_CASE("one non-zero unused byte anywhere is noticed") {
    // First and last byte of every unused range of the layout.
    for (const std::size_t at : {48U, 127U, 176U, 255U, 304U, 511U, 520U, 767U, 776U, 1023U, 1048U, 1056U, 2047U}) {
        Buffer payload = build_payload(ai_core_example(32));
        payload[at] = 1;
        CAPTURE(at);
        CHECK(severity_of(decode_ok(build_v2(overflow_dump(payload))), "unused_bytes") == "info");
    }
}

TEST_CASE("the kernel_code marker is explained") {
    LegacyPayload payload = ai_core_example(32);
    payload.kernel_code = ~std::uint64_t{0};
    const Dump dump = decode_ok(build_overflow_dump(payload));
    CHECK(severity_of(dump, "kernel_code_marker") == "info");
    CHECK(record_of(dump.payloads.at(0), Unit::ai_core)->field(Field::kernel_code) ==
          std::optional<std::uint64_t>(~std::uint64_t{0}));
    CHECK(severity_of(decode_ok(build_overflow_dump(ai_core_example(32))), "kernel_code_marker") == "none");
}

TEST_CASE("field keys are the documented ones and only addresses are hex") {
    const std::vector<std::pair<Field, std::string>> keys = {
        {Field::model_id, "model_id"},       {Field::stream_id, "stream_id"},   {Field::task_id, "task_id"},
        {Field::task_type, "task_type"},     {Field::context_id, "context_id"}, {Field::thread_id, "thread_id"},
        {Field::cpu_id, "cpu_id"},           {Field::pc_start, "pc_start"},     {Field::para_base, "para_base"},
        {Field::kernel_code, "kernel_code"}, {Field::block_idx, "block_idx"},   {Field::core_id, "core_id"},
        {Field::block_id, "block_id"},       {Field::src_addr, "src_addr"},     {Field::dst_addr, "dst_addr"},
        {Field::channel_id, "channel_id"}};
    for (const auto& [field, key] : keys) {
        CHECK(field_key(field) == key);
        const bool address =
            key == "pc_start" || key == "para_base" || key == "kernel_code" || key == "src_addr" || key == "dst_addr";
        CHECK(field_is_address(field) == address);
    }
}
