// What a header declares against the bytes that are there, and names that are no text.
#include <doctest/doctest.h>

#include <opdebug/dump.hpp>
#include <opdebug/report.hpp>

#include "decoded.hpp"
#include "dump_builder.hpp"
#include "outcome.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// 2048 bytes, declared with that shape and this size.
DumpFile dump_of_size(std::uint64_t size, std::uint64_t status) {
    DumpFile file = overflow_dump(build_payload(ai_core_example(status)));
    file.outputs.at(0).size = size;
    return file;
}

}  // namespace

TEST_CASE("an output that declares more bytes than there are is an error, and the record that is there is kept") {
    for (const std::uint64_t size : {std::uint64_t{2049}, std::uint64_t{2148}, std::uint64_t{4096},
                                     std::uint64_t{1} << 40U, std::uint64_t{1} << 63U}) {
        CAPTURE(size);
        for (const Buffer& bytes :
             {build_v2(dump_of_size(size, 0)), build_v1(dump_of_size(size, 0)), build_nano(dump_of_size(size, 0))}) {
            const Dump dump = decode_ok(bytes);
            CHECK(dump.payloads.at(0).records.size() == 3);
            REQUIRE(severity_of(dump, "payload_size") == "error");
            CHECK(contains(diagnostic(dump, "payload_size")->message, std::to_string(size)));
            CHECK(dump.overflow() == std::nullopt);
            CHECK_FALSE(dump.complete());
            CHECK(outcome(dump_to_converter_json(dump)) == "payload_truncated");
        }
        CHECK(decode_ok(build_v2(dump_of_size(size, 32))).overflow() == std::optional<bool>(true));
    }
}

TEST_CASE(
    "an output that holds more bytes than its shape promises is read like the official converter does, and told") {
    DumpFile file = dump_of_size(4096, 0);
    file.outputs.at(0).data.resize(4096, 0xEE);
    for (const Buffer& bytes : {build_v2(file), build_v1(file), build_nano(file)}) {
        const Dump dump = decode_ok(bytes);
        CHECK(severity_of(dump, "payload_size") == "warning");
        CHECK(dump.overflow() == std::optional<bool>(false));
        CHECK(outcome(dump_to_converter_json(dump)) == "ok");
    }
}

TEST_CASE("a message of version 1 whose size says less than its bytes is remarked") {
    const Dump dump = decode_ok(build_v1(dump_of_size(99, 32)));
    CHECK(severity_of(dump, "payload_size") == "warning");
    CHECK(dump.payloads.at(0).records.size() == 3);
}

TEST_CASE("a cut payload is reported once, as cut") {
    const Dump dump = decode_ok(cut(build_v2(dump_of_size(std::uint64_t{1} << 40U, 32)), 10));
    CHECK(severity_of(dump, "payload_truncated") == "error");
    CHECK(severity_of(dump, "payload_size") == "none");
}

TEST_CASE("a workspace that is not there is reported: the file is cut or its header damaged") {
    DumpFile file = overflow_dump(build_payload(LegacyPayload()));
    file.spaces = {{Buffer(64, 0xB2), 64, 0}};
    CHECK(decode_ok(build_v2(file)).complete());
    const Dump dump = decode_ok(cut(build_v2(file), 1));
    CHECK(severity_of(dump, "tensors_beyond_file") == "error");
    CHECK(dump.payloads.at(0).records.size() == 3);
    CHECK(dump.overflow() == std::nullopt);
}

TEST_CASE("names in the header that are no UTF-8 are an error, and the record is kept") {
    // RFC 3629: a lone continuation, an overlong form, a surrogate, beyond U+10FFFF, a cut character.
    for (const char* name : {"Node\x80", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "Node\xE6\xBA"}) {
        CAPTURE(name);
        DumpFile file = overflow_dump(build_payload(ai_core_example(32)));
        file.op_name = name;
        const Dump dump = decode_ok(build_v2(file));
        CHECK(severity_of(dump, "name_not_utf8") == "error");
        CHECK(dump.overflow() == std::optional<bool>(true));
        file.op_name = "Node_OpDebug";
        file.outputs.at(0).original_op = name;
        CHECK(severity_of(decode_ok(build_v2(file)), "name_not_utf8") == "error");
    }
    DumpFile file = overflow_dump(build_payload(ai_core_example(32)));
    file.op_name = "\xE6\xBA\xA2\xE5\x87\xBA \xF0\x9F\x98\x80";
    CHECK(decode_ok(build_v2(file)).complete());
}
