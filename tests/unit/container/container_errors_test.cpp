// Files that are no usable container: each fault has its own code, location and words.
#include <doctest/doctest.h>

#include <algorithm>

#include <opdebug/dump.hpp>

#include "dump_builder.hpp"
#include "outcome.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

Buffer sound_dump() {
    return build_overflow_dump(ai_core_example(32));
}

Buffer with_length(std::uint64_t length, std::size_t file_size) {
    Buffer bytes;
    put_u64(bytes, length);
    bytes.resize(file_size);
    return bytes;
}

bool mentions(const Error& error, std::string_view text) {
    return error.message.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a big-endian header length is recognised as such") {
    Buffer dump = sound_dump();
    set_u64(dump, 0, 0x4900000000000000);  // 73, most significant byte first
    const auto result = decode(dump);
    REQUIRE(outcome(result) == "header_length_invalid");
    CHECK(mentions(result.error(), "big-endian"));
}

TEST_CASE("header bytes that are no message are header_malformed") {
    SUBCASE("wire type 7 does not exist") {
        Buffer dump = sound_dump();
        std::fill(dump.begin() + 8, dump.begin() + 81, std::uint8_t{0xFF});
        CHECK(outcome(decode(dump)) == "header_malformed");
    }
    SUBCASE("a header length one too small") {
        Buffer dump = sound_dump();
        set_u64(dump, 0, 72);
        CHECK(outcome(decode(dump)) == "header_malformed");
    }
    SUBCASE("a string that reaches beyond the header") {
        DumpFile file = overflow_dump(build_payload(ai_core_example(32)));
        file.extra_fields = {0x4A, 0x7F, 'x'};  // field 9, 127 bytes announced, one there
        CHECK(outcome(decode(build_v2(file))) == "header_malformed");
    }
    SUBCASE("a field length of 2^32 + 1 does not count as 1") {
        DumpFile file = overflow_dump(build_payload(ai_core_example(32)));
        file.extra_fields = {0x4A};
        put_varint(file.extra_fields, 0x100000001);
        file.extra_fields.push_back('x');
        CHECK(outcome(decode(build_v2(file))) == "header_malformed");
    }
    SUBCASE("an endless varint") {
        DumpFile file = overflow_dump(build_payload(ai_core_example(32)));
        file.extra_fields = {0x10};
        file.extra_fields.resize(13, 0xFF);
        CHECK(outcome(decode(build_v2(file))) == "header_malformed");
    }
}

TEST_CASE("a header beyond 16 MiB is header_too_large") {
    const std::size_t limit = 16U << 20U;
    CHECK(outcome(decode(with_length(limit + 1, limit + 100))) == "header_too_large");
}

TEST_CASE("a file of 0xFF, as a disk's unwritten blocks are, is not called text") {
    CHECK(outcome(decode(Bytes(Buffer(4096, 0xFF)))) == "header_length_invalid");
    CHECK(outcome(decode(Bytes(Buffer(64, 0xE4)))) == "not_a_dump");  // it might be a text of another encoding
}

TEST_CASE("packed files are called by their kind") {
    const auto check_kind = [](Buffer start, const std::string& kind, std::size_t size) {
        start.resize(size, 0x80);
        const auto refused = decode(Bytes(start));
        REQUIRE(outcome(refused) == "not_a_dump");
        CHECK(refused.error().message == "this is a " + kind + ": unpack it first");
    };
    // RFC 1952: magic, deflate, flags, time (of gzip -n: none), extra flags, system.
    check_kind({0x1F, 0x8B, 0x08, 0x00, 0x26, 0xE8, 0x07, 0x6B, 0x02, 0xFF}, "gzip file", 200);
    check_kind({0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xFF}, "gzip file", 200);
    check_kind({0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xFF}, "gzip file", 600'000);
    check_kind({0x28, 0xB5, 0x2F, 0xFD, 0x24, 0x40, 0x05, 0x01}, "Zstandard file", 200);           // RFC 8878
    check_kind({0x50, 0x4B, 0x03, 0x04, 0x14, 0x00, 0x00, 0x00, 0x08, 0x00}, "zip archive", 200);  // APPNOTE.TXT

    Buffer pt_file{0x50, 0x4B, 0x03, 0x04};  // torch.save: the first member is NAME/data.pkl
    pt_file.resize(30);
    const std::string member = "tensor/data.pkl";
    pt_file.insert(pt_file.end(), member.begin(), member.end());
    pt_file.resize(200);
    const auto refused_pt = decode(Bytes(pt_file));
    REQUIRE(outcome(refused_pt) == "not_a_dump");
    CHECK(refused_pt.error().message ==
          "this is a PyTorch .pt file, which is not supported: convert it with torch.load and numpy.save");

    Buffer cut_header{0x1F, 0x8B, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};  // a length of 35615 bytes
    cut_header.resize(200, 0x0A);
    CHECK(outcome(decode(Bytes(cut_header))) == "header_truncated");
}

TEST_CASE("sizes whose sum leaves 64 bits are size_overflow") {
    DumpFile file = overflow_dump(build_payload(ai_core_example(32)));
    Tensor input = tensor(Buffer(8));
    input.size = 0xFFFFFFFFFFFFFF00;
    file.inputs = {input};
    CHECK(outcome(decode(build_v2(file))) == "size_overflow");

    file.inputs.clear();
    file.outputs.at(0).size = ~std::uint64_t{0};  // 8 + 73 + 2^64 - 1
    CHECK(outcome(decode(build_v2(file))) == "size_overflow");
}

TEST_CASE("an ordinary op dump is not_an_overflow_dump") {
    DumpFile file;
    file.op_name = "bert/Add_17";
    Tensor output = tensor(Buffer(2048, 0x11));
    output.data_type = 1;
    output.dims = {512};
    file.outputs = {output};
    file.inputs = {tensor(Buffer(16))};
    CHECK(outcome(decode(build_v2(file))) == "not_an_overflow_dump");
    DecodeOptions options;
    options.file = "Add.bert_Add_17.57.563.1694385648123456";
    const auto result = decode(build_v2(file), options);
    REQUIRE(outcome(result) == "not_an_overflow_dump");
    CHECK(result.error().file == options.file);
}
