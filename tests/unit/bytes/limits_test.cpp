// The table of limits, and each limit of a dump at its value and one beyond.
#include <opdebug/result.hpp>

#include <set>
#include <string>

#include <doctest/doctest.h>

#include <opdebug/dump.hpp>
#include <opdebug/logs.hpp>
#include <opdebug/tensor.hpp>

#include "build_paths.hpp"
#include "dump_builder.hpp"
#include "official_text.hpp"
#include "outcome.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const std::string kName = "Opdebug.Node_OpDebug.59.563.1597922031178434";

DecodeOptions with_limit(std::uint64_t Limits::*limit, std::uint64_t value, const std::string& file = {}) {
    DecodeOptions options;
    options.file = file;
    options.limits.*limit = value;
    return options;
}

template <class Input>
std::string decoded(const Input& input, std::uint64_t Limits::*limit, std::uint64_t value) {
    return outcome(decode(input, with_limit(limit, value)));
}

DumpFile sound_file() {
    return overflow_dump(build_payload(ai_core_example(32)));
}

std::size_t records_in(const Dump& dump) {
    std::size_t records = 0;
    for (const DecodedPayload& payload : dump.payloads) {
        records += payload.records.size();
    }
    return records;
}

/// "N records", and what is stated of those that were left out.
std::string records_with(const Buffer& bytes, std::uint64_t most) {
    const Result<Dump> dump = decode(bytes, with_limit(&Limits::records, most, kName));
    if (!dump) {
        return outcome(dump);
    }
    std::string told = std::to_string(records_in(*dump));
    told += dump->records_missing ? " of more" : "";
    told += severity_of(*dump, "too_many_records") == "error" ? ", told" : "";
    return told + (diagnostic(*dump, "trailing_bytes") != nullptr ? ", trailing bytes" : "");
}

}  // namespace

TEST_CASE("limits: the table has every member once, with its default and code") {
    struct Expected {
        const char* name;
        std::uint64_t value;
        const char* code;
    };
    constexpr std::uint64_t kMiB = 1048576;
    const Expected expected[] = {{"file_bytes", 64 * kMiB, "file_too_large"},
                                 {"header_bytes", 16 * kMiB, "header_too_large"},
                                 {"tensors", 4096, "too_many_tensors"},
                                 {"dimensions", 1024, "too_many_dimensions"},
                                 {"name_bytes", 65536, "name_too_long"},
                                 {"records", 10000, "too_many_records"},
                                 {"converted_bytes", kMiB, "converted_json_too_large"},
                                 {"definition_bytes", 16 * kMiB, "definition_too_large"},
                                 {"nesting", 64, "nesting_too_deep"},
                                 {"call_bytes", 64 * kMiB, "call_too_large"},
                                 {"call_nesting", 512, "nesting_too_deep"},
                                 {"mapping_bytes", 32 * kMiB, "mapping_too_large"},
                                 {"folder_depth", 256, "folder_too_deep"},
                                 {"line_bytes", 8192, "line_too_long"},
                                 {"processes", 100000, "too_many_processes"},
                                 {"candidates", 100, "candidates_cut"}};
    const std::vector<LimitInfo> known = known_limits();
    REQUIRE(known.size() == std::size(expected));
    CHECK(known.size() * sizeof(std::uint64_t) == sizeof(Limits));
    const Limits defaults;
    std::set<const std::uint64_t*> members;
    for (std::size_t i = 0; i < known.size(); ++i) {
        CAPTURE(expected[i].name);
        CHECK(known[i].name == expected[i].name);
        CHECK(known[i].code == expected[i].code);
        CHECK_FALSE(known[i].bounds.empty());
        CHECK(defaults.*known[i].member == expected[i].value);
        members.insert(&(defaults.*known[i].member));
    }
    CHECK(members.size() == known.size());
}

TEST_CASE("limits: every name can be set, and sets its own member only") {
    for (const LimitInfo& limit : known_limits()) {
        CAPTURE(limit.name);
        Limits limits;
        CHECK_FALSE(set_limit(limits, limit.name, 7).has_value());
        for (const LimitInfo& other : known_limits()) {
            CHECK(limits.*other.member == (other.member == limit.member ? 7 : Limits().*other.member));
        }
    }
}

TEST_CASE("limits: unknown names and 0 are refused and change nothing") {
    Limits limits;
    const auto unknown = set_limit(limits, "file_byte", 5);
    REQUIRE(unknown.has_value());
    CHECK(unknown->code == ErrorCode::invalid_argument);
    CHECK(unknown->message.find("unknown limit \"file_byte\"; the limits are file_bytes, header_bytes, ") == 0);
    const auto zero = set_limit(limits, "records", 0);
    REQUIRE(zero.has_value());
    CHECK(zero->message == "the limit records must be 1 or more, not 0");
    CHECK(limits.records == 10000);
}

TEST_CASE("limits: file_bytes, with the name, the value and how to raise it in the message") {
    const TemporaryDirectory folder;
    const Buffer bytes = build_v2(sound_file());
    const std::string file = write_file(folder / kName, bytes);
    CHECK(outcome(decode_file(file, with_limit(&Limits::file_bytes, bytes.size()))) == "ok");
    const Result<Dump> refused = decode_file(file, with_limit(&Limits::file_bytes, bytes.size() - 1));
    REQUIRE(outcome(refused) == "file_too_large");
    CHECK(refused.error().file == file);
    const std::string size = std::to_string(bytes.size());
    const std::string less = std::to_string(bytes.size() - 1);
    CHECK(refused.error().message.find("the file has " + size + " bytes; the limit file_bytes is " + less +
                                       " (to raise it: --limit file_bytes=NUMBER; ") == 0);
}

TEST_CASE("limits: header_bytes of each form") {
    const DumpFile file = sound_file();
    const Buffer v2 = build_v2(file);
    const std::uint64_t header = header_message(file).size();
    CHECK(decoded(v2, &Limits::header_bytes, header) == "ok");
    CHECK(decoded(v2, &Limits::header_bytes, header - 1) == "header_too_large");
    const Buffer v1 = build_v1(file);
    CHECK(decoded(v1, &Limits::header_bytes, v1.size()) == "ok");
    CHECK(decoded(v1, &Limits::header_bytes, v1.size() - 1) == "header_too_large");
    const Buffer nano = build_nano(file);
    const std::uint64_t head = nano.size() - 8 - 2048;  // after it the payload alone
    CHECK(decoded(nano, &Limits::header_bytes, head) == "ok");
    CHECK(decoded(nano, &Limits::header_bytes, head - 1) == "header_too_large");
}

TEST_CASE("limits: a limit of the header that is as large as a number can be reads any file") {
    const TemporaryDirectory folder;
    const std::string file = write_file(folder / "Add.add.1.2.1597922031178434", build_v2(sound_file()));
    OpDumpOptions options;
    options.limits.header_bytes = ~std::uint64_t{0};
    CHECK(outcome(measure_op_dump(file, options)) == "ok");
    write_file(file, "no dump, but longer than what is read at first" + std::string(100'000, 'x'));
    CHECK(outcome(measure_op_dump(file, options)) == "header_truncated");  // its text, read as a length
}

TEST_CASE("limits: tensors and dimensions, of operators' dumps as well") {
    DumpFile file = sound_file();
    file.inputs.assign(3, tensor({}));
    file.outputs.at(0).dims = {1, 2, 1024};
    for (const Buffer& bytes : {build_v2(file), build_v1(file), build_nano(file)}) {
        CHECK(decoded(bytes, &Limits::tensors, 3) == "ok");
        CHECK(decoded(bytes, &Limits::tensors, 2) == "too_many_tensors");
        CHECK(decoded(bytes, &Limits::dimensions, 3) == "ok");
        CHECK(decoded(bytes, &Limits::dimensions, 2) == "too_many_dimensions");
        OpDumpOptions options;
        options.limits.tensors = 2;
        CHECK(outcome(measure_op_dump(bytes, options)) == "too_many_tensors");
        options.limits.tensors = 3;
        CHECK(outcome(measure_op_dump(bytes, options)) == "ok");
    }
}

TEST_CASE("limits: name_bytes of a header") {
    DumpFile file = sound_file();
    file.op_name = "Node_OpDebug";  // 12 bytes
    file.version = "2.0";
    CHECK(decoded(build_v2(file), &Limits::name_bytes, 12) == "ok");
    CHECK(decoded(build_v2(file), &Limits::name_bytes, 11) == "name_too_long");
    CHECK(decoded(build_v1(file), &Limits::name_bytes, 11) == "name_too_long");
    file.outputs.at(0).original_op = "original_node";  // 13 bytes
    CHECK(decoded(build_v2(file), &Limits::name_bytes, 13) == "ok");
    CHECK(decoded(build_v2(file), &Limits::name_bytes, 12) == "name_too_long");
    CHECK(decoded(build_nano(file), &Limits::name_bytes, 13) == "ok");
    CHECK(decoded(build_nano(file), &Limits::name_bytes, 12) == "name_too_long");
}

TEST_CASE("limits: records of a legacy payload, of outputs and of appended dumps") {
    const Buffer one = build_overflow_dump(ai_core_example(32));
    CHECK(records_with(one, 3) == "3");
    CHECK(records_with(one, 2) == "2 of more, told");
    Buffer two = one;
    append(two, build_overflow_dump(ai_core_example(16)));
    CHECK(records_with(two, 6) == "6");
    CHECK(records_with(two, 5) == "5 of more, told");
    CHECK(records_with(two, 3) == "3 of more, told");
    append(two, one);  // a copy of the first one has no records of its own
    CHECK(records_with(two, 6) == "6");
    DumpFile outputs = sound_file();
    outputs.outputs.push_back(tensor(build_payload(ai_core_example(16))));
    CHECK(records_with(build_v2(outputs), 6) == "6");
    CHECK(records_with(build_v2(outputs), 3) == "3 of more, told");
}

TEST_CASE("limits: records of an accelerator payload") {
    AcceleratorPayload payload;
    for (std::uint64_t core = 0; core < 4; ++core) {
        payload.entries.push_back(core_entry(AccType::aiv, 7, 0x20, core));
    }
    const Buffer bytes = build_overflow_dump(payload);
    CHECK(records_with(bytes, 4) == "4");
    CHECK(records_with(bytes, 3) == "3 of more, told");
    CHECK(records_with(bytes, 1) == "1 of more, told");
}

TEST_CASE("limits: converted_bytes, nesting and name_bytes of converted JSON") {
    const std::string text = official_ai_core_text(32);
    CHECK(decoded(Bytes(text), &Limits::converted_bytes, text.size()) == "ok");
    CHECK(decoded(Bytes(text), &Limits::converted_bytes, text.size() - 1) == "converted_json_too_large");
    CHECK(decoded(Bytes(text), &Limits::nesting, 2) == "ok");
    CHECK(decoded(Bytes(text), &Limits::nesting, 1) == "nesting_too_deep");
    CHECK(decoded(Bytes(text), &Limits::name_bytes, 14) == "ok");  // "DHA Atomic Add"
    CHECK(decoded(Bytes(text), &Limits::name_bytes, 13) == "name_too_long");
}

TEST_CASE("limits: brackets without end do not cost memory") {
    const std::string text = R"({"AI Core":)" + std::string(1'000'000, '[');
    const Result<Dump> refused = decode(Bytes(text));
    REQUIRE(outcome(refused) == "nesting_too_deep");
    CHECK(contains(refused.error().message, "the limit nesting is 64 (to raise it: "));
}

TEST_CASE("limits: nesting of status catalogues and definitions of log lines") {
    const std::string status = read_file(std::string(source_folder) + "/lib/data/status/ai_core.json");
    Limits limits;
    limits.nesting = 4;  // entries, their names: { [ { {
    CHECK(outcome(load_status_catalogue({{"status", status}}, limits)) == "ok");
    limits.nesting = 3;
    CHECK(outcome(load_status_catalogue({{"status", status}}, limits)) == "nesting_too_deep");
    limits.nesting = 2;
    const auto formats =
        list_log_formats({{"formats", R"({"schema": "opdebug.log_formats/1", "formats": [{}]})"}}, limits);
    CHECK(outcome(formats) == "nesting_too_deep");
}

TEST_CASE("limits: definition_bytes") {
    const TemporaryDirectory folder;
    const std::string file = write_file(folder / "formats.json", "{}");
    Limits limits;
    limits.definition_bytes = 2;
    CHECK(outcome(read_log_format_files(file, limits)) == "ok");
    limits.definition_bytes = 1;
    CHECK(outcome(read_log_format_files(file, limits)) == "definition_too_large");
}
