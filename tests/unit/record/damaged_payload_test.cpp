// Payloads that are cut, missing, too long or followed by more: what is there is decoded, what is missing is reported.
#include <doctest/doctest.h>

#include <opdebug/dump.hpp>

#include "dump_builder.hpp"
#include "outcome.hpp"
#include "text.hpp"

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
    CHECK(contains(message, "byte 2322 "));  // 2129 + 8 + 73 + 112
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
