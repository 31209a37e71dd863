// The test support builds what the format documents; everything else in the tests rests on this.
#include <doctest/doctest.h>

#include "dump_builder.hpp"
#include "reference_data.hpp"
#include "temporary_directory.hpp"

using namespace opdebug::test;

namespace {

std::string hex(const Buffer& bytes) {
    static const char digits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : bytes) {
        text += digits[byte >> 4U];
        text += digits[byte & 15U];
    }
    return text;
}

}  // namespace

TEST_CASE("varints are written in groups of seven bits, lowest first") {
    Buffer bytes;
    put_varint(bytes, 1);
    put_varint(bytes, 300);
    put_varint(bytes, ~std::uint64_t{0});
    CHECK(hex(bytes) == "01ac02ffffffffffffffffff01");
}

TEST_CASE("built overflow dumps have the three documented header and file sizes") {
    const Buffer payload(2048);
    CHECK(header_message(overflow_dump(payload, Era::y2020)).size() == 49);
    CHECK(header_message(overflow_dump(payload, Era::y2021)).size() == 65);
    CHECK(header_message(overflow_dump(payload, Era::now)).size() == 73);
    CHECK(build_v2(overflow_dump(payload, Era::y2020)).size() == 2105);
    CHECK(build_v2(overflow_dump(payload, Era::y2021)).size() == 2121);
    CHECK(build_v2(overflow_dump(payload, Era::now)).size() == 2129);
}

TEST_CASE("a built header is byte for byte the documented one") {
    // The annotated header of docs/internals/formats.md: version, dump_time, output (type, format, shape, original_op,
    // size, original_shape, address), op_name.
    const std::string documented =
        "0a03322e30"
        "10c0fcacb58ea18103"
        "1a2b"
        "08041002"
        "1a040a028010"
        "22120a0c4e6f64655f4f70446562756718042002"
        "308010"
        "3a00"
        "488080c08084c804"
        "320c4e6f64655f4f704465627567";
    CHECK(hex(header_message(overflow_dump(Buffer(2048), Era::now))) == documented);
}

TEST_CASE("built payloads have the documented lengths") {
    CHECK(build_payload(LegacyPayload{}).size() == 2048);
    AcceleratorPayload payload;
    payload.padded = false;
    const auto length = [&payload](AccType type, std::uint32_t version) {
        payload.version = version;
        payload.entries = {counting_entry(type, 1, version)};
        return build_payload(payload).size();
    };
    CHECK(length(AccType::aic, 0) == 112);
    CHECK(length(AccType::aiv, 1) == 136);
    CHECK(length(AccType::aicpu, 0) == 88);
    CHECK(length(AccType::aicpu, 1) == 88);
    CHECK(length(AccType::sdma, 0) == 104);
}

TEST_CASE("built files equal the reference dumps (reference data)") {
    const auto reference = reference_data();
    if (!reference) {
        return;
    }
    const auto text = [](const Buffer& bytes) { return std::string(bytes.begin(), bytes.end()); };

    DumpFile seed = overflow_dump(build_payload(ai_core_example(32)), Era::y2020);
    seed.dump_time = 1597922031178434;
    CHECK(text(build_v2(seed)) ==
          read_file(*reference / "dumps/tf2020/20200808163556/0/11/0/Opdebug.Node_OpDebug.59.1597922031178434"));

    seed.version = "1.0";
    seed.dump_time = 1597922031178435;
    const std::string v1 = read_file(*reference / "dumps/v1/Opdebug.Node_OpDebug.59.1597922031178435");
    CHECK(build_v1(seed).size() == v1.size());

    AcceleratorPayload payload;
    payload.entries = {
        {1, 1, 0, std::nullopt, {365, 396, 65, 66, 65535, 65535, 0x124040184000, 0x1240401ff5f0, 0, 15, 1}}};
    DumpFile accelerator = overflow_dump(build_payload(payload), Era::now);
    accelerator.dump_time = 1694385648123457;
    CHECK(text(build_v2(accelerator)) ==
          read_file(*reference / "dumps/new/20230911064048/0/ge_default_20230911064048_1/1/0/"
                                 "Opdebug.Node_OpDebug.65.396.1694385648123457"));

    const Buffer nano = build_nano(overflow_dump(build_payload(ai_core_example(32)), Era::y2020));
    CHECK(nano.size() == read_file(*reference / "dumps/nano/Opdebug.Node_OpDebug.1.2.1732082705016774").size());
}
