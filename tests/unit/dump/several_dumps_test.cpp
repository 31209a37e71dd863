// Files in which several dumps are although something is wrong: the first is cut, other bytes are between them, a
// size is damaged. A dump of today with a legacy payload has 2129 bytes, its payload begins at byte 81.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <opdebug/dump.hpp>
#include <opdebug/report.hpp>

#include "decoded.hpp"
#include "dump_builder.hpp"
#include "outcome.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

using Statuses = std::vector<std::uint64_t>;

const LegacyPayload clean_payload;

Buffer clean_dump() {
    return build_overflow_dump(clean_payload);
}

Buffer first_bytes(const Buffer& bytes, std::size_t size) {
    return cut(bytes, bytes.size() - size);
}

Buffer joined(const std::vector<Buffer>& parts) {
    Buffer bytes;
    for (const Buffer& part : parts) {
        append(bytes, part);
    }
    return bytes;
}

/// The status words of AI Core, of each payload that has such a record.
Statuses ai_core_statuses(const Dump& dump) {
    Statuses statuses;
    for (const DecodedPayload& payload : dump.payloads) {
        if (const Record* record = record_of(payload, Unit::ai_core)) {
            statuses.push_back(record->status.words.at(0));
        }
    }
    return statuses;
}

bool has_diagnostic(const Dump& dump, std::string_view code, std::string_view text) {
    const Diagnostic* const found = diagnostic(dump, code);
    return found != nullptr && found->message.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a cut first dump leaves open whether the file overflowed, and is not converted") {
    const Dump dump = decode_ok(joined({first_bytes(clean_dump(), 500), clean_dump()}));
    CHECK(dump.overflow() == std::nullopt);
    CHECK_FALSE(dump.complete());
    CHECK(outcome(dump_to_converter_json(dump)) == "payload_truncated");
}

TEST_CASE("where neither dump can be decoded the error is the first one's") {
    CHECK(outcome(decode(joined({first_bytes(clean_dump(), 81), first_bytes(clean_dump(), 100)}))) ==
          "payload_missing");
}

TEST_CASE("dumps after other bytes are decoded") {
    const Buffer second = build_overflow_dump(ai_core_example(0x100));
    for (const Buffer& between : {Buffer(3), Buffer(50, 0xFF), Buffer(4096), bytes_of("some text\n\x03")}) {
        CAPTURE(between.size());
        const Dump dump = decode_ok(joined({clean_dump(), between, second}));
        CHECK(ai_core_statuses(dump) == Statuses{0, 0x100});
        CHECK(severity_of(dump, "trailing_bytes") == "warning");
        CHECK(has_diagnostic(dump, "trailing_bytes", std::to_string(between.size()) + " bytes follow at byte 2129,"));
        CHECK(dump.complete());
        CHECK(outcome(dump_to_converter_json(dump)) == "ok");
    }
    const Dump twice = decode_ok(joined({clean_dump(), Buffer(3), second, Buffer(9), second}));
    CHECK(has_diagnostic(twice, "trailing_bytes", "12 bytes are at 2 locations, the first at byte 2129,"));
}

TEST_CASE("between two whole dumps the beginning of another is an error") {
    const Buffer second = build_overflow_dump(ai_core_example(0x100));
    const Dump dump = decode_ok(joined({clean_dump(), first_bytes(second, 60), second}));
    CHECK(ai_core_statuses(dump) == Statuses{0, 0x100});
    CHECK(severity_of(dump, "header_truncated") == "error");
    CHECK(severity_of(dump, "trailing_bytes") == "none");
}

TEST_CASE("a further dump that is cut in its header is an error, not other bytes") {
    for (const std::size_t size : {9U, 10U, 40U, 80U}) {
        CAPTURE(size);
        const Dump dump = decode_ok(joined({clean_dump(), first_bytes(clean_dump(), size)}));
        CHECK(severity_of(dump, "header_truncated") == "error");
        CHECK(has_diagnostic(dump, "header_truncated", "byte " + std::to_string(2129 + size) + ": "));
        CHECK(severity_of(dump, "appended_dump") == "warning");
        CHECK(severity_of(dump, "trailing_bytes") == "none");
        CHECK(dump.overflow() == std::nullopt);
        CHECK(outcome(dump_to_converter_json(dump)) == "ok");  // the first is whole
    }
}

TEST_CASE("bytes of a payload that only look like a header are the payload's") {
    DumpFile other = overflow_dump(build_payload(clean_payload));
    other.op_name = "net/Add";
    other.outputs.at(0).original_op = "net/Add";
    DumpFile without_output = overflow_dump(build_payload(clean_payload));
    without_output.outputs.clear();
    Buffer wrong_length = clean_dump();
    set_u64(wrong_length, 0, 74);
    for (const Buffer& lookalike : {bytes_of("\x0A\x03"
                                             "2.0 Node_OpDebug"),
                                    first_bytes(build_v2(other), 100), first_bytes(build_v2(without_output), 37),
                                    first_bytes(clean_dump(), 60), first_bytes(wrong_length, 100), Buffer(100, 0x5A)}) {
        Buffer payload = build_payload(ai_core_example(32));
        std::copy(lookalike.begin(), lookalike.end(), payload.begin() + 1048);  // no unit is there
        const Dump dump = decode_ok(build_v2(overflow_dump(payload)));
        CHECK(dump.complete());
        CHECK(dump.payloads.size() == 1);
        CHECK(ai_core_statuses(dump) == Statuses{32});
        CHECK(severity_of(dump, "unused_bytes") == "info");
        CHECK(severity_of(dump, "appended_dump") == "none");
    }
}

TEST_CASE("a damaged size does not hide the dump after it") {
    DumpFile first = overflow_dump(build_payload(clean_payload));
    first.outputs.at(0).size = std::uint64_t{1} << 40U;
    const Dump dump = decode_ok(joined({build_v2(first), build_overflow_dump(ai_core_example(0x100))}));
    CHECK(ai_core_statuses(dump) == Statuses{0, 0x100});
    CHECK(severity_of(dump, "payload_size") == "error");
    CHECK(diagnostic(dump, "appended_dump") != nullptr);
}

TEST_CASE("messages of version 1 that stand in one file are reported apart") {
    DumpFile file = overflow_dump(build_payload(ai_core_example(8)));
    file.version = "1.0";
    const Buffer first = build_v1(file);
    DumpFile next = overflow_dump(build_payload(ai_core_example(0x100)));
    next.version = "1.0";
    SUBCASE("a copy") {
        const Dump dump = decode_ok(joined({first, first}));
        CHECK(ai_core_statuses(dump) == Statuses{8});
        CHECK(severity_of(dump, "appended_dump") == "info");
        CHECK(dump.complete());
    }
    SUBCASE("another one") {
        const Dump dump = decode_ok(joined({first, build_v1(next)}));
        CHECK(ai_core_statuses(dump) == Statuses{8, 0x100});
        CHECK(severity_of(dump, "appended_dump") == "warning");
        CHECK(dump.payloads.at(1).appended);
    }
    SUBCASE("one of version 2, whose length looks like a field") {
        for (const std::size_t more : {0U, 1U, 17U}) {  // 73: field 9, eight bytes; 74: field 9, empty; 90: field 11
            next.extra_fields.clear();
            if (more >= 2) {
                put_text_field(next.extra_fields, 9, std::string(more - 2, 'x'));
            }
            next.outputs.at(0).address = more == 1 ? 0x80000000000000 - 1 : 0x124040100000;
            CHECK(header_message(next).size() == 73 + more);
            const Dump dump = decode_ok(joined({first, build_v2(next)}));
            CHECK(ai_core_statuses(dump) == Statuses{8, 0x100});
            CHECK(dump.complete());
        }
    }
    SUBCASE("the first is cut in its payload") {
        const Dump dump = decode_ok(joined({first_bytes(first, 1200), build_v1(next)}));
        CHECK(ai_core_statuses(dump) == Statuses{0x100});
        CHECK(severity_of(dump, "header_malformed") == "error");
    }
    SUBCASE("the second is cut") {
        const Dump dump = decode_ok(joined({first, first_bytes(build_v1(next), 1500)}));
        CHECK(ai_core_statuses(dump) == Statuses{8});
        CHECK(severity_of(dump, "header_malformed") == "error");
        CHECK(severity_of(dump, "appended_dump") == "warning");
        CHECK(dump.records_missing);
    }
}

TEST_CASE("bytes after a message of version 1 may be damaged fields of it: what is before them is kept") {
    DumpFile file = overflow_dump(build_payload(clean_payload));
    file.version = "1.0";
    const std::size_t size = build_v1(file).size();
    for (const Buffer& behind : {Buffer(100), Buffer(5, 0xFF),
                                 bytes_of("\x32\x0C"
                                          "Node")}) {
        const Dump dump = decode_ok(joined({build_v1(file), behind}));
        CHECK(ai_core_statuses(dump) == Statuses{0});
        CHECK(severity_of(dump, "header_malformed") == "error");
        CHECK(has_diagnostic(dump, "header_malformed", "complete up to byte " + std::to_string(size) + "."));
        CHECK(dump.overflow() == std::nullopt);
    }
    CHECK(outcome(decode(first_bytes(build_v1(file), 1500))) == "header_malformed");
}
