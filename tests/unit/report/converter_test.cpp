// The official converter's JSON from the library, byte for byte.
#include <doctest/doctest.h>

#include <opdebug/report.hpp>

#include "dump_builder.hpp"
#include "official_text.hpp"
#include "outcome.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// The converted outputs; none when decoding or converting failed.
std::vector<ConvertedOutput> converted(const Buffer& bytes) {
    const auto dump = decode(bytes);
    REQUIRE(outcome(dump) == "ok");
    const auto outputs = dump_to_converter_json(*dump);
    REQUIRE(outcome(outputs) == "ok");
    return *outputs;
}

}  // namespace

TEST_CASE("the largest numbers are written in full") {
    LegacyPayload payload = ai_core_example(~std::uint64_t{0});
    payload.dha.model_id = ~std::uint64_t{0};
    payload.l2.pc_start = ~std::uint64_t{0};
    const auto outputs = converted(build_overflow_dump(payload));
    REQUIRE(outputs.size() == 1);
    CHECK(outputs[0].json.find("\"status\": 18446744073709551615\n") != std::string::npos);
    CHECK(outputs[0].json.find("\"model_id\": 18446744073709551615,") != std::string::npos);
    CHECK(outputs[0].json.find("\"pc_start\": \"0xffffffffffffffff\"") != std::string::npos);
}

TEST_CASE("odd header fields of an accelerator payload are shown as they are") {
    AcceleratorPayload payload = aiv_example();
    payload.version = 9;
    payload.entries[0].valid = 0;
    payload.entries[0].rsv = 7;
    payload.entries[0].data_len = 5;
    const auto outputs = converted(build_overflow_dump(payload));
    REQUIRE(outputs.size() == 1);
    const std::string start =
        "{\n    \"magic\": \"0x5a5a5a5a\",\n    \"version\": 9,\n    \"acc_list\": {\n        \"valid\": 0,\n"
        "        \"acc_type\": \"AIV\",\n        \"rsv\": 7,\n        \"data_len\": 5,\n";
    CHECK(outputs[0].json.substr(0, start.size()) == start);
    CHECK(outputs[0].json.find("\"status\": 1\n") != std::string::npos);  // version 9 is read as version 0
}

TEST_CASE("further entries and appended dumps are no part of the official text") {
    AcceleratorPayload payload = aiv_example();
    payload.entries.push_back(counting_entry(AccType::sdma, 50));
    const auto entries = converted(build_overflow_dump(payload));
    REQUIRE(entries.size() == 1);
    CHECK(entries[0].json == official_aiv_text());

    Buffer two_dumps = build_overflow_dump(ai_core_example(32));
    append(two_dumps, build_overflow_dump(ai_core_example(8)));
    const auto outputs = converted(two_dumps);
    REQUIRE(outputs.size() == 1);
    CHECK(outputs[0].json == official_ai_core_text(32));
}
