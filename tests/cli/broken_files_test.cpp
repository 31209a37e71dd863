// Each fault that a dump file is known to have, by the table of docs/internals/formats.md ("Damage"): what decode
// shows, with which exit status, and whether convert writes anything. The official converter ends with one number for
// most of them. Some end with success and nothing written, some with an exception. One is read as something else.
#include <doctest/doctest.h>

#include "official_text.hpp"
#include "tool.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

const std::string name = "Opdebug.Node_OpDebug.59.7.1694385648123456";

struct Fault {
    std::string what;
    Buffer bytes;
    std::string code;       ///< reported by decode; "none": no remark of this kind
    std::size_t records;    ///< that are left
    int exit_status;        ///< of decode and of convert
    std::size_t converted;  ///< files that convert writes
};

Buffer broken_legacy() {
    return build_overflow_dump(ai_core_example(32));
}

/// A file with this payload, declared with its own size.
Buffer with_payload(Buffer payload) {
    return build_v2(overflow_dump(std::move(payload)));
}

Buffer accelerator(std::size_t length = 2048) {
    Buffer payload = build_payload(aiv_example());
    payload.resize(length);
    return payload;
}

Buffer with_length(std::uint64_t length) {
    Buffer bytes = broken_legacy();
    set_u64(bytes, 0, length);
    return bytes;
}

Buffer with_byte(Buffer bytes, std::size_t at, unsigned value) {
    bytes.at(at) = static_cast<std::uint8_t>(value);
    return bytes;
}

Buffer of_file(DumpFile file) {
    return build_v2(file);
}

DumpFile changed(void (*change)(DumpFile&)) {
    DumpFile file = overflow_dump(build_payload(ai_core_example(32)));
    change(file);
    return file;
}

Buffer behind(Buffer bytes, const Buffer& further) {
    append(bytes, further);
    return bytes;
}

// Header of 73 bytes after 8: the payload begins at byte 81 and ends at byte 2129.
std::vector<Fault> container_faults() {
    return {
        {"empty", {}, "empty_file", 0, 1, 0},
        {"one byte", Buffer(1, 7), "file_too_short", 0, 1, 0},
        {"eight bytes", cut(broken_legacy(), 2121), "file_too_short", 0, 1, 0},
        {"header length 0", with_length(0), "header_empty", 0, 1, 0},
        {"no outputs", of_file(changed([](DumpFile& file) { file.outputs.clear(); })), "no_output", 0, 1, 0},
        {"the payload is an input", of_file(changed([](DumpFile& file) { file.inputs.swap(file.outputs); })),
         "payload_is_input", 0, 1, 0},
        {"cut in its header", cut(broken_legacy(), 2100), "header_truncated", 0, 1, 0},
        {"no payload", cut(broken_legacy(), 2048), "payload_missing", 0, 1, 0},
        {"payload cut in its second record", cut(broken_legacy(), 2048 - 800), "payload_truncated", 2, 1, 0},
        {"payload one byte short", cut(broken_legacy(), 1), "payload_truncated", 3, 1, 0},
        {"header length beyond the file", with_length(4000), "header_truncated", 0, 1, 0},
        {"header length one too small", with_length(72), "header_malformed", 0, 1, 0},
        {"header length of 2^64-1", with_length(~std::uint64_t{0}), "header_length_invalid", 0, 1, 0},
        {"big-endian header length", with_length(0x4900000000000000), "header_length_invalid", 0, 1, 0},
        {"noise", Buffer(3000, 0x07), "header_length_invalid", 0, 1, 0},
        {"text", bytes_of("What is written here is text, and of some length.\n"), "not_a_dump", 0, 1, 0},
        {"version 1, which the official tool refuses", build_v1(changed([](DumpFile& file) { file.version = "1.0"; })),
         "none", 3, 0, 1},
        {"100 further bytes", behind(broken_legacy(), Buffer(100, 0xEE)), "trailing_bytes", 3, 0, 1},
        {"two dumps", behind(broken_legacy(), build_overflow_dump(ai_core_example(8))), "appended_dump", 6, 0, 1},
        {"cut, and another after it", behind(cut(broken_legacy(), 1629), build_overflow_dump(ai_core_example(8))),
         "payload_truncated", 3, 1, 0},
        {"two dumps with zeros between them",
         behind(behind(broken_legacy(), Buffer(3)), build_overflow_dump(ai_core_example(8))), "appended_dump", 6, 0, 1},
        {"a second dump that is cut in its header", behind(broken_legacy(), cut(broken_legacy(), 2059)),
         "header_truncated", 3, 1, 1},
        {"a second dump that is cut in its payload", behind(broken_legacy(), cut(broken_legacy(), 500)),
         "payload_truncated", 6, 1, 1},
        {"version 1, then zeros", behind(build_v1(changed([](DumpFile& file) { file.version = "1.0"; })), Buffer(100)),
         "header_malformed", 3, 1, 0},
        {"a size beyond the file", of_file(changed([](DumpFile& file) { file.outputs.front().size = 2148; })),
         "payload_size", 3, 1, 0},
        {"a workspace that is not there", of_file(changed([](DumpFile& file) {
             file.spaces = {{{}, 64, 0}};
         })),
         "tensors_beyond_file", 3, 1, 0},
        {"op_name that is no UTF-8", of_file(changed([](DumpFile& file) { file.op_name = "Node\xFF"; })),
         "name_not_utf8", 3, 1, 0},
        {"two outputs", of_file(changed([](DumpFile& file) { file.outputs.push_back(file.outputs.front()); })), "none",
         6, 0, 2},
        {"no dimensions", of_file(changed([](DumpFile& file) { file.outputs.front().dims.clear(); })), "none", 3, 0, 1},
        {"a dimension of 0", of_file(changed([](DumpFile& file) { file.outputs.front().dims = {0}; })), "none", 3, 0,
         1},
        {"no size", of_file(changed([](DumpFile& file) { file.outputs.front().size.reset(); })), "payload_missing", 0,
         1, 0},
        {"nano, bad TLV", with_byte(build_nano(overflow_dump(accelerator())), 23, 0x7F), "nano_malformed", 0, 1, 0},
    };
}

std::vector<Fault> payload_faults() {
    const Buffer magic_damaged = with_byte(accelerator(), 1, 0x5B);
    return {
        {"2047 bytes", with_payload(cut(build_payload(ai_core_example(32)), 1)), "payload_truncated", 3, 1, 0},
        {"2049 bytes", with_payload(Buffer(2049)), "payload_size", 0, 1, 0},
        {"wrong magic, short", with_payload(with_byte(accelerator(136), 1, 0x5B)), "magic_damaged", 0, 1, 0},
        {"wrong magic, padded to 2048 bytes", with_payload(magic_damaged), "magic_damaged", 0, 1, 0},
        {"3 bytes", with_payload(accelerator(3)), "payload_truncated", 0, 1, 0},
        {"only the magic", with_payload(accelerator(4)), "record_truncated", 0, 1, 0},
        {"cut in its fields", with_payload(accelerator(60)), "record_truncated", 0, 1, 0},
        {"cut in the four status words", with_payload(accelerator(135)), "record_truncated", 0, 1, 0},
        {"acc_type 4", with_payload(with_byte(accelerator(), 12, 4)), "unit_unknown", 0, 1, 0},
        {"not valid", with_payload(with_byte(accelerator(), 8, 0)), "entry_not_valid", 1, 0, 1},
        {"wrong data_len", with_payload(with_byte(accelerator(), 20, 90)), "data_len_mismatch", 1, 0, 1},
        {"version 9", with_payload(with_byte(accelerator(), 4, 9)), "version_unknown", 1, 0, 1},
    };
}

std::vector<std::string> codes_of(const ordered_json& document) {
    std::vector<std::string> codes;
    for (const auto& remark : document["diagnostics"]) {
        codes.push_back(remark["code"]);
    }
    return codes;
}

/// Whether it stays open if the dump overflowed: no record is left, or the last one, that of the AI Core, is cut.
bool is_open(const Fault& fault) {
    return fault.records < (fault.code == "payload_truncated" ? 3U : 1U);
}

void check_fault(const Fault& fault) {
    CAPTURE(fault.what);
    const TemporaryDirectory directory;
    const std::string path = write_file(directory / name, fault.bytes);
    const ProcessResult decoded = run_tool({"decode", path});
    CAPTURE(decoded.out);
    CHECK(decoded.exit_status == fault.exit_status);
    CHECK(contains(decoded.err, path) == (fault.exit_status == 1));
    const ordered_json document = ordered_json::parse(decoded.out);
    CHECK(document["records"].size() == fault.records);
    CHECK(document["overflow"].is_null() == is_open(fault));
    const std::vector<std::string> codes = codes_of(document);
    CHECK((std::find(codes.begin(), codes.end(), fault.code) != codes.end()) == (fault.code != "none"));
    if (fault.records == 0) {
        CHECK(codes.size() == 1);
    }
    const ProcessResult converted = run_tool({"convert", "-d", path, "-out", directory / "out"});
    CHECK(converted.exit_status == fault.exit_status);
    CHECK(contains(converted.err, path) == (fault.exit_status == 1));
    CHECK(file_names(directory / "out").size() == fault.converted);
}

}  // namespace

TEST_CASE("broken files: each fault of the container is reported by its own code, and costs exit status 1") {
    for (const Fault& fault : container_faults()) {
        check_fault(fault);
    }
}

TEST_CASE(
    "broken files: each fault of the payload is reported by its own code, and nothing is read as something else") {
    for (const Fault& fault : payload_faults()) {
        check_fault(fault);
    }
}

TEST_CASE("broken files: all of them in one scan are counted, and none ends it") {
    const TemporaryDirectory directory;
    std::size_t dumps = 0, failed = 0;
    for (const auto& faults : {container_faults(), payload_faults()}) {
        for (const Fault& fault : faults) {
            write_file(directory / ("dumps/" + std::to_string(dumps++) + "/" + name), fault.bytes);
            failed += is_open(fault) ? 1U : 0U;
        }
    }
    const ProcessResult run = run_tool({"scan", directory / "dumps", "--format", "json"});
    CHECK(run.exit_status == 1);
    const ordered_json report = ordered_json::parse(run.out);
    CHECK(report["counts"]["dumps"] == dumps);
    CHECK(report["counts"]["failed"] == failed);
    CHECK(report["counts"]["clean"] == 1);  // the one that is not valid
    CHECK(report["counts"]["overflowed"] == dumps - failed - 1);
}
