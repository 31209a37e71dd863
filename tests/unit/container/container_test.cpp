// Sound containers: header of any generation and length, where each output's bytes lie, versions 1 and nano.
#include <doctest/doctest.h>

#include <opdebug/dump.hpp>

#include "container/container.hpp"
#include "decoded.hpp"
#include "dump_builder.hpp"
#include "outcome.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// The status of the AI Core record of one payload; nothing when there is none.
std::optional<std::uint64_t> ai_core_status(const Dump& dump, std::size_t payload = 0) {
    const Record* record = payload < dump.payloads.size() ? record_of(dump.payloads[payload], Unit::ai_core) : nullptr;
    return record == nullptr ? std::nullopt : std::optional<std::uint64_t>(record->status.words.at(0));
}

}  // namespace

TEST_CASE("the headers of all three generations are read") {
    for (const Era era : {Era::y2020, Era::y2021, Era::now}) {
        const Dump dump = decode_ok(build_overflow_dump(ai_core_example(272), era));
        CHECK(ai_core_status(dump) == 272);
        CHECK(dump.container == Container::dump_data_v2);
        CHECK(dump.payloads.size() == 1);
        CHECK(dump.complete());
        CHECK(severity_of(dump, "trailing_bytes") == "none");
        CHECK(severity_of(dump, "unused_bytes") == "none");
        CHECK(severity_of(dump, "payload_truncated") == "none");
    }
}

TEST_CASE("the payload follows the header whatever its length, and unknown fields are skipped") {
    DumpFile file = overflow_dump(build_payload(ai_core_example(32)));
    for (std::size_t length = 0; length < 300; length += 37) {
        file.extra_fields.clear();
        put_varint_field(file.extra_fields, 300, 0xFFFFFFFFFFFFFFFF);
        put_text_field(file.extra_fields, 9, std::string(length, 'x'));  // dfx_message
        put_text_field(file.extra_fields, 77, std::string(length, 'y'));
        put_fixed64_field(file.extra_fields, 78, 0x1122334455667788);
        put_fixed32_field(file.extra_fields, 79, 0x11223344);
        const Dump dump = decode_ok(build_v2(file));
        CAPTURE(length);
        CHECK(ai_core_status(dump) == 32);
        CHECK(dump.complete());
    }
}

TEST_CASE("a header of a hundred kilobytes is read") {
    DumpFile file = overflow_dump(build_payload(ai_core_example(32)));
    put_text_field(file.extra_fields, 9, std::string(100000, 'x'));
    CHECK(ai_core_status(decode_ok(build_v2(file))) == 32);
}

TEST_CASE("the payload stands after all inputs") {
    DumpFile file = overflow_dump(build_payload(ai_core_example(0x400)));
    file.inputs = {tensor(Buffer(5, 0xEE)), tensor(Buffer(1000, 0xEE))};
    CHECK(ai_core_status(decode_ok(build_v2(file))) == 0x400);
}

TEST_CASE("bytes of buffers and workspaces after the outputs are accounted for, not trailing") {
    DumpFile file = overflow_dump(build_payload(ai_core_example(32)));
    file.buffers = {{Buffer(100, 0xAB), 100, 0}};
    file.spaces = {{Buffer(50, 0xCD), 50, 0}};
    const Dump dump = decode_ok(build_v2(file));
    CHECK(ai_core_status(dump) == 32);
    CHECK(severity_of(dump, "trailing_bytes") == "none");
}

TEST_CASE("each output is one payload, in order") {
    DumpFile file = overflow_dump(build_payload(ai_core_example(8)));
    file.outputs.push_back(overflow_dump(build_payload(ai_core_example(0x100))).outputs.at(0));
    const Dump dump = decode_ok(build_v2(file));
    CHECK(ai_core_status(dump, 0) == 8);
    CHECK(ai_core_status(dump, 1) == 0x100);
    CHECK(dump.payloads.at(0).output_index == 0);
    CHECK(dump.payloads.at(1).output_index == 1);
}

TEST_CASE("dims that cover less than size limit the payload; dims that cover more do not") {
    DumpFile file = overflow_dump(build_payload(ai_core_example(32)));
    Tensor& output = file.outputs.at(0);

    SUBCASE("size 4096, dims {2048}") {
        output.data.resize(4096, 0xEE);
        output.size = 4096;
    }
    SUBCASE("size 4096, dims {2, 1024}") {
        output.data.resize(4096, 0xEE);
        output.size = 4096;
        output.dims = {2, 1024};
    }
    SUBCASE("size 2048, dims {4096}") {
        output.dims = {4096};
    }
    SUBCASE("size 2048, no dims") {
        output.dims.clear();
    }
    SUBCASE("size 2048, dims whose product is beyond 64 bits") {
        output.dims = {0x100000000, 0x100000000, 3};
    }
    const Dump dump = decode_ok(build_v2(file));
    CHECK(ai_core_status(dump) == 32);
    CHECK(dump.overflow() == std::optional<bool>(true));
}

TEST_CASE("dims may be unpacked") {
    DumpFile file = overflow_dump(build_payload(ai_core_example(32)));
    file.outputs.at(0).packed_dims = false;
    file.outputs.at(0).dims = {2, 1024};
    file.outputs.at(0).size = 4096;
    file.outputs.at(0).data.resize(4096);
    CHECK(ai_core_status(decode_ok(build_v2(file))) == 32);
}

TEST_CASE("the version string does not choose the container") {
    DumpFile file = overflow_dump(build_payload(ai_core_example(32)));
    file.version = "1.0";
    const Dump dump = decode_ok(build_v2(file));
    CHECK(ai_core_status(dump) == 32);
    CHECK(dump.container == Container::dump_data_v2);
}

TEST_CASE("a version-1 dump holds its payload in the message") {
    DumpFile file = overflow_dump(build_payload(ai_core_example(0x80)), Era::y2020);
    file.version = "1.0";
    const Dump dump = decode_ok(build_v1(file));
    CHECK(ai_core_status(dump) == 0x80);
    CHECK(dump.container == Container::dump_data_v1);
    CHECK(dump.complete());

    AcceleratorPayload payload;
    payload.entries = {counting_entry(AccType::sdma, 100)};
    file.outputs = overflow_dump(build_payload(payload)).outputs;
    const auto accelerator = decode(build_v1(file));
    REQUIRE(outcome(accelerator) == "ok");
    CHECK(accelerator->payloads.at(0).kind == Payload::accelerator);
    CHECK(accelerator->payloads.at(0).records.at(0).unit == Unit::sdma);
}

TEST_CASE("a nano dump holds its payload after the TLVs") {
    const DumpFile file = overflow_dump(build_payload(ai_core_example(0x10)));
    const Dump dump = decode_ok(build_nano(file));
    CHECK(ai_core_status(dump) == 0x10);
    CHECK(dump.container == Container::nano);

    DumpFile with_input = file;
    with_input.inputs = {tensor(Buffer(33, 0xEE))};
    CHECK(ai_core_status(decode_ok(build_nano(with_input))) == 0x10);
}

TEST_CASE("an accelerator payload in a v2 file does not count as nano") {
    AcceleratorPayload payload;
    payload.entries = {counting_entry(AccType::aic, 1)};
    const Dump dump = decode_ok(build_overflow_dump(payload));
    CHECK(dump.container == Container::dump_data_v2);
}

TEST_CASE("the container reader tells sizes, types, dims and places of every tensor") {
    DumpFile file;
    file.op_name = "bert/Add_17";
    Tensor input = tensor(Buffer(24));
    input.data_type = 1;
    input.dims = {2, 3};
    Tensor output = tensor(Buffer(12));
    output.data_type = 2;
    output.dims = {6};
    output.original_op = "bert/Add_17_original";
    file.inputs = {input, tensor(Buffer(7))};
    file.outputs = {output};
    const Buffer bytes = build_v2(file);
    const auto contents = container::read_container(bytes, bytes.size());
    REQUIRE(outcome(contents) == "ok");
    const std::uint64_t data_begin = 8 + header_message(file).size();
    CHECK(contents->data_begin == data_begin);
    CHECK(contents->end == bytes.size());
    CHECK(contents->version == "2.0");
    CHECK(contents->dump_time_us == std::optional<std::uint64_t>(1694385648123456));
    CHECK(contents->op_name == "bert/Add_17");
    REQUIRE(contents->inputs.size() == 2);
    REQUIRE(contents->outputs.size() == 1);
    CHECK(contents->inputs[0].data_type == 1);
    CHECK(contents->inputs[0].dims == std::vector<std::uint64_t>{2, 3});
    CHECK(contents->inputs[0].size == 24);
    CHECK(contents->inputs[0].offset == data_begin);
    CHECK(contents->inputs[1].index == 1);
    CHECK(contents->inputs[1].offset == data_begin + 24);
    CHECK(contents->outputs[0].data_type == 2);
    CHECK(contents->outputs[0].size == 12);
    CHECK(contents->outputs[0].offset == data_begin + 31);
    CHECK(contents->outputs[0].original_op_name == "bert/Add_17_original");
}
