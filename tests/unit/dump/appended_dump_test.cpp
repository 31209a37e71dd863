// Dumps after the first one in a file: decoded as far as they are there, copies counted once, faults reported with
// their location. A dump of today with a legacy payload has 2129 bytes, its payload begins at byte 81.
#include <doctest/doctest.h>

#include <limits>

#include <opdebug/dump.hpp>

#include "dump_builder.hpp"
#include "outcome.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const LegacyPayload nothing_overflowed;

/// A sound dump without an overflow, and this after it.
Buffer behind_clean_dump(const Buffer& appended) {
    Buffer bytes = build_overflow_dump(nothing_overflowed);
    append(bytes, appended);
    return bytes;
}

bool mentions(const Dump& dump, std::string_view code, std::string_view text) {
    for (const Diagnostic& item : dump.diagnostics) {
        if (item.code == code && item.message.find(text) != std::string::npos) {
            return true;
        }
    }
    return false;
}

std::size_t count_of(const Dump& dump, std::string_view code) {
    std::size_t count = 0;
    for (const Diagnostic& item : dump.diagnostics) {
        count += item.code == code ? 1U : 0U;
    }
    return count;
}

/// An overflow dump by its header whose accelerator unit no document knows.
Buffer undecodable_dump(std::uint64_t time) {
    AcceleratorPayload payload;
    payload.entries = {counting_entry(AccType::aic, 1)};
    payload.entries[0].acc_type = 9;
    DumpFile file = overflow_dump(build_payload(payload));
    file.dump_time = time;
    return build_v2(file);
}

}  // namespace

TEST_CASE("a cut appended dump gives the units that are there, with the place in the file") {
    // AI Core needs 1048 bytes of the payload.
    const auto dump = decode(behind_clean_dump(cut(build_overflow_dump(ai_core_example(8)), 2048 - 1048)));
    REQUIRE(outcome(dump) == "ok");
    REQUIRE(dump->payloads.size() == 2);
    CHECK(dump->payloads[1].appended);
    CHECK(dump->payloads[1].records.size() == 3);
    CHECK(dump->overflow() == std::optional<bool>(true));
    CHECK_FALSE(dump->complete());
    CHECK(severity_of(*dump, "payload_truncated") == "error");
    CHECK(mentions(*dump, "payload_truncated", "byte 3258 "));  // 2129 + 81 + 1048
    CHECK(mentions(*dump, "appended_dump", "of 2129 bytes (1129 present)"));
    CHECK(severity_of(*dump, "trailing_bytes") == "none");
}

TEST_CASE("whether a file overflowed is unknown when a cut appended dump lacks units") {
    const auto dump = decode(behind_clean_dump(cut(build_overflow_dump(ai_core_example(8)), 2048 - 800)));
    REQUIRE(outcome(dump) == "ok");
    CHECK(dump->overflow() == std::nullopt);
    CHECK(dump->payloads.at(1).records.size() == 2);  // DHA and L2
    CHECK_FALSE(dump->complete());
}

TEST_CASE("an appended dump of which nothing can be decoded is an error, not a clean file") {
    SUBCASE("only its header is there") {
        const auto dump = decode(behind_clean_dump(cut(build_overflow_dump(ai_core_example(8)), 2048)));
        REQUIRE(outcome(dump) == "ok");
        CHECK(dump->overflow() == std::nullopt);
        CHECK(severity_of(*dump, "payload_missing") == "error");
        CHECK(mentions(*dump, "payload_missing", "byte 2210"));  // 2129 + 81
    }
    SUBCASE("too few bytes for any unit") {
        const auto dump = decode(behind_clean_dump(cut(build_overflow_dump(ai_core_example(8)), 2048 - 100)));
        REQUIRE(outcome(dump) == "ok");
        CHECK(dump->overflow() == std::nullopt);
        CHECK(severity_of(*dump, "payload_truncated") == "error");
        CHECK(mentions(*dump, "payload_truncated", "at byte 2310: "));  // 2129 + 81 + 100
    }
    SUBCASE("whole, but of an unknown unit; the dump after it still counts") {
        Buffer appended = undecodable_dump(1);
        append(appended, build_overflow_dump(ai_core_example(8)));
        const auto dump = decode(behind_clean_dump(appended));
        REQUIRE(outcome(dump) == "ok");
        CHECK(dump->records_missing);
        CHECK(severity_of(*dump, "unit_unknown") == "error");
        CHECK(dump->overflow() == std::optional<bool>(true));
    }
    SUBCASE("a declared size near 2^64 does not wrap around to bytes of the first dump") {
        DumpFile file = overflow_dump(build_payload(ai_core_example(8)));
        Tensor input = tensor(Buffer(8));
        input.size = std::numeric_limits<std::uint64_t>::max() - 2300;  // + 2129 + header: beyond 2^64
        file.inputs = {input};
        const auto dump = decode(behind_clean_dump(build_v2(file)));
        REQUIRE(outcome(dump) == "ok");
        CHECK(dump->payloads.size() == 1);
        CHECK(dump->overflow() != std::optional<bool>(true));
    }
}

TEST_CASE("cut bytes whose header does not name an overflow dump are no dump, whatever the file is called") {
    DumpFile file = overflow_dump(build_payload(ai_core_example(8)));
    file.op_name = "net/Add";
    file.outputs.at(0).original_op = "net/Add";
    DecodeOptions options;
    options.file = "Opdebug.Node_OpDebug.59.7.1597922031178434";
    const auto dump = decode(behind_clean_dump(cut(build_v2(file), 500)), options);
    REQUIRE(outcome(dump) == "ok");
    CHECK(dump->payloads.size() == 1);
    CHECK(dump->complete());
    CHECK(dump->overflow() == std::optional<bool>(false));
    CHECK(severity_of(*dump, "trailing_bytes") == "warning");
}

TEST_CASE("the header of 2020, which names the operator in its output only, is enough for a cut appended dump") {
    const auto dump = decode(behind_clean_dump(cut(build_overflow_dump(ai_core_example(8), Era::y2020), 2048 - 1048)));
    REQUIRE(outcome(dump) == "ok");
    CHECK(dump->overflow() == std::optional<bool>(true));
}

TEST_CASE("copies are recognised against every earlier dump of the file") {
    const Buffer first = build_overflow_dump(ai_core_example(8));
    const Buffer second = build_overflow_dump(ai_core_example(16));
    Buffer bytes = first;
    for (const Buffer* next : {&second, &second, &first, &second}) {
        append(bytes, *next);
    }
    const auto dump = decode(bytes);
    REQUIRE(outcome(dump) == "ok");
    CHECK(dump->payloads.size() == 2);
    CHECK(mentions(*dump, "appended_dump", "3 of the dumps"));
    CHECK(severity_of(*dump, "trailing_bytes") == "none");
}

TEST_CASE("an appended dump has the time of its own header") {
    DumpFile second = overflow_dump(build_payload(ai_core_example(8)));
    second.dump_time = 1694385650000001;
    DecodeOptions options;
    options.file = "Opdebug.Node_OpDebug.59.7.1694385648123456";
    const auto dump = decode(behind_clean_dump(build_v2(second)), options);
    REQUIRE(outcome(dump) == "ok");
    REQUIRE(dump->payloads.size() == 2);
    CHECK(dump->timestamp_us == std::optional<std::uint64_t>(1694385648123456));
    CHECK_FALSE(dump->payloads[0].timestamp_us.has_value());
    CHECK(dump->payloads[1].timestamp_us == std::optional<std::uint64_t>(1694385650000001));
    CHECK(mentions(*dump, "appended_dump", "1694385650000001"));
}

TEST_CASE("of many appended dumps that cannot be decoded 16 are listed and the rest is counted") {
    Buffer bytes = build_overflow_dump(nothing_overflowed);
    for (std::uint64_t i = 0; i < 20; ++i) {
        append(bytes, undecodable_dump(1694385650000001 + i));
    }
    const auto dump = decode(bytes);
    REQUIRE(outcome(dump) == "ok");
    CHECK(count_of(*dump, "unit_unknown") == 16);
    CHECK(severity_of(*dump, "further_faults") == "error");
    CHECK(mentions(*dump, "further_faults", "4 more dumps"));
}

TEST_CASE("of many damaged outputs 16 are listed and the rest is counted") {
    DumpFile file = overflow_dump(build_payload(ai_core_example(32)));
    Tensor empty = tensor({});
    file.outputs.resize(31, empty);  // 30 outputs without bytes
    const auto dump = decode(build_v2(file));
    REQUIRE(outcome(dump) == "ok");
    CHECK(record_of(dump->payloads.at(0), Unit::ai_core) != nullptr);
    CHECK(count_of(*dump, "payload_missing") == 16);
    CHECK(mentions(*dump, "further_faults", "14 more outputs"));
    CHECK(dump->records_missing);
}
