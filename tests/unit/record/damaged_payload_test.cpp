// Payloads that are cut, missing, too long or followed by more: what is there is decoded, what is missing is reported.
#include <doctest/doctest.h>

#include <opdebug/dump.hpp>

#include "dump_builder.hpp"
#include "outcome.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

struct Presence {
    std::size_t length;  ///< bytes of the payload that are in the file
    bool dha;
    bool l2;
    bool ai_core;
};

// DHA needs bytes 512..519, L2 768..775, AI Core 1024..1047; each block's info fields come earlier.
const Presence presences[] = {
    {520, true, false, false}, {775, true, false, false}, {776, true, true, false}, {1047, true, true, false},
    {1048, true, true, true},  {2000, true, true, true},  {2047, true, true, true},
};

LegacyPayload all_overflowed() {
    LegacyPayload payload = ai_core_example(32);
    payload.dha.status = 0x900;
    payload.l2.status = 0x10000;
    return payload;
}

Result<Dump> decode_cut(const LegacyPayload& payload, std::size_t length) {
    return decode(cut(build_overflow_dump(payload), 2048 - length));
}

std::optional<bool> overflow_of_cut(const LegacyPayload& payload, std::size_t length) {
    const auto dump = decode_cut(payload, length);
    REQUIRE(outcome(dump) == "ok");
    return dump->overflow();
}

void check_presence(const Dump& dump, const Presence& expected) {
    REQUIRE(dump.payloads.size() == 1);
    CHECK((record_of(dump.payloads[0], Unit::dha_atomic) != nullptr) == expected.dha);
    CHECK((record_of(dump.payloads[0], Unit::l2_atomic) != nullptr) == expected.l2);
    CHECK((record_of(dump.payloads[0], Unit::ai_core) != nullptr) == expected.ai_core);
}

}  // namespace

TEST_CASE("a cut legacy payload gives the units whose bytes are there") {
    for (const Presence& expected : presences) {
        CAPTURE(expected.length);
        const auto dump = decode_cut(all_overflowed(), expected.length);
        REQUIRE(outcome(dump) == "ok");
        check_presence(*dump, expected);
        CHECK(severity_of(*dump, "payload_truncated") == "error");
        CHECK_FALSE(dump->complete());
        CHECK(dump->overflow() == std::optional<bool>(true));
    }
}

TEST_CASE("a payload that the header itself declares too short is treated alike") {
    for (const Presence& expected : presences) {
        CAPTURE(expected.length);
        Buffer payload = build_payload(all_overflowed());
        payload.resize(expected.length);
        const auto dump = decode(build_v2(overflow_dump(payload)));
        REQUIRE(outcome(dump) == "ok");
        check_presence(*dump, expected);
        CHECK(severity_of(*dump, "payload_truncated") == "error");
        CHECK_FALSE(dump->complete());
    }
}

TEST_CASE("whether a cut dump overflowed is unknown unless a unit that is there says so or all are there") {
    LegacyPayload only_ai_core = ai_core_example(32);
    CHECK(overflow_of_cut(only_ai_core, 1000) == std::nullopt);
    CHECK(overflow_of_cut(only_ai_core, 1048) == std::optional<bool>(true));
    CHECK(overflow_of_cut(LegacyPayload{}, 520) == std::nullopt);
    CHECK(overflow_of_cut(LegacyPayload{}, 1047) == std::nullopt);
    CHECK(overflow_of_cut(LegacyPayload{}, 1048) == std::optional<bool>(false));
    LegacyPayload only_dha;
    only_dha.dha.status = 1;
    CHECK(overflow_of_cut(only_dha, 600) == std::optional<bool>(true));
}

TEST_CASE("a payload too short for any unit is payload_truncated") {
    for (const std::size_t length : {1U, 3U, 48U, 512U, 519U}) {
        CAPTURE(length);
        CHECK(outcome(decode_cut(all_overflowed(), length)) == "payload_truncated");
    }
}

TEST_CASE("a header without a single payload byte behind it is payload_missing") {
    CHECK(outcome(decode_cut(all_overflowed(), 0)) == "payload_missing");
}

TEST_CASE("an output without a size holds no payload") {
    DumpFile file = overflow_dump(build_payload(all_overflowed()));
    file.outputs.at(0).size.reset();
    CHECK(outcome(decode(build_v2(file))) == "payload_missing");
}

TEST_CASE("a legacy payload longer than 2048 bytes is payload_size") {
    for (const std::size_t size : {2049U, 4096U}) {
        CAPTURE(size);
        Buffer payload = build_payload(ai_core_example(32));
        payload.resize(size);
        CHECK(outcome(decode(build_v2(overflow_dump(payload)))) == "payload_size");
    }
}

TEST_CASE("a cut accelerator payload whose fields are there is decoded and remarked") {
    AcceleratorPayload payload;
    payload.entries = {counting_entry(AccType::aiv, 1)};
    const auto dump = decode(cut(build_overflow_dump(payload), 2048 - 112));
    REQUIRE(outcome(dump) == "ok");
    CHECK(dump->payloads.at(0).records.size() == 1);
    CHECK(dump->overflow() == std::optional<bool>(true));
    CHECK_FALSE(dump->complete());
    CHECK(diagnostic(*dump, "payload_truncated") != nullptr);

    CHECK(outcome(decode(cut(build_overflow_dump(payload), 2048 - 111))) == "record_truncated");
}

TEST_CASE("trailing bytes are counted and placed") {
    Buffer bytes = build_overflow_dump(ai_core_example(32));
    bytes.resize(bytes.size() + 100, 0xEE);
    const auto dump = decode(bytes);
    REQUIRE(outcome(dump) == "ok");
    REQUIRE(severity_of(*dump, "trailing_bytes") == "warning");
    const std::string& message = diagnostic(*dump, "trailing_bytes")->message;
    CAPTURE(message);
    CHECK(message.find("100") != std::string::npos);
    CHECK(message.find("2129") != std::string::npos);
    CHECK(dump->payloads.size() == 1);
    CHECK(severity_of(*dump, "appended_dump") == "none");
}

TEST_CASE("the same dump appended is recognised and not decoded again") {
    Buffer bytes = build_overflow_dump(ai_core_example(32));
    append(bytes, build_overflow_dump(ai_core_example(32)));
    const auto dump = decode(bytes);
    REQUIRE(outcome(dump) == "ok");
    CHECK(dump->payloads.size() == 1);
    const std::string severity = severity_of(*dump, "appended_dump");
    CHECK((severity == "info" || severity == "warning"));
    CHECK(severity_of(*dump, "trailing_bytes") == "none");
}

TEST_CASE("a different dump appended gives further payloads") {
    Buffer bytes = build_overflow_dump(ai_core_example(32));
    DumpFile second = overflow_dump(build_payload(ai_core_example(0x400)), Era::y2021);
    append(bytes, build_v2(second));
    const auto dump = decode(bytes);
    REQUIRE(outcome(dump) == "ok");
    REQUIRE(dump->payloads.size() == 2);
    CHECK(record_of(dump->payloads[0], Unit::ai_core)->status.words == std::vector<std::uint64_t>{32});
    CHECK(record_of(dump->payloads[1], Unit::ai_core)->status.words == std::vector<std::uint64_t>{0x400});
    CHECK(diagnostic(*dump, "appended_dump") != nullptr);
}

TEST_CASE("a place inside an appended dump is counted from the start of the file") {
    Buffer bytes = build_overflow_dump(ai_core_example(32));  // 2129 bytes
    AcceleratorPayload payload;
    payload.entries = {counting_entry(AccType::aic, 1), counting_entry(AccType::sdma, 50)};
    append(bytes, build_overflow_dump(payload));
    const auto dump = decode(bytes);
    REQUIRE(outcome(dump) == "ok");
    REQUIRE(diagnostic(*dump, "inferred_entry") != nullptr);
    const std::string& message = diagnostic(*dump, "inferred_entry")->message;
    CAPTURE(message);
    CHECK(message.find("byte 2322 ") != std::string::npos);  // 2129 + 8 + 73 + 112
}

TEST_CASE("a cut dump appended is not dropped silently") {
    Buffer bytes = build_overflow_dump(ai_core_example(32));
    append(bytes, cut(build_overflow_dump(ai_core_example(8)), 500));
    const auto dump = decode(bytes);
    REQUIRE(outcome(dump) == "ok");
    CHECK(record_of(dump->payloads.at(0), Unit::ai_core)->status.words == std::vector<std::uint64_t>{32});
    CHECK(severity_of(*dump, "payload_truncated") == "error");
    CHECK(dump->payloads.size() == 2);
}

TEST_CASE("three dumps in one file are all accounted for") {
    Buffer bytes = build_overflow_dump(ai_core_example(8));
    append(bytes, build_overflow_dump(ai_core_example(16)));
    append(bytes, build_overflow_dump(ai_core_example(32)));
    const auto dump = decode(bytes);
    REQUIRE(outcome(dump) == "ok");
    CHECK(dump->payloads.size() == 3);
}

TEST_CASE("one bad output does not cost the other its records") {
    DumpFile file = overflow_dump(build_payload(ai_core_example(32)));
    AcceleratorPayload bad;
    bad.entries = {counting_entry(AccType::aic, 1)};
    bad.entries[0].acc_type = 9;
    file.outputs.push_back(overflow_dump(build_payload(bad)).outputs.at(0));
    const auto dump = decode(build_v2(file));
    REQUIRE(outcome(dump) == "ok");
    CHECK(record_of(dump->payloads.at(0), Unit::ai_core) != nullptr);
    CHECK_FALSE(dump->complete());
    CHECK(severity_of(*dump, "unit_unknown") == "error");
}
