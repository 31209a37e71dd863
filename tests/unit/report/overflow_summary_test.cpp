// The summary of overflows: msaccucmp's lines, and which overflows are the first.
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include <opdebug/report.hpp>

#include "tensor_values.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const std::string overflow_name = "Opdebug.Node_OpDebug.57.563.1597922031178434";
const std::string op_file = "run/Add.bert_Add_17.57.563.1597922031178400";

template <class Payload>
Dump decoded(const Payload& payload, const std::string& file = "run/" + overflow_name) {
    DecodeOptions options;
    options.file = file;
    Result<Dump> dump = decode(Bytes(build_overflow_dump(payload)), options);
    REQUIRE(dump.ok());
    return std::move(dump).value();
}

Location located_add() {
    LocatedOperator op;
    op.best.name = "bert/Add_17";
    op.best.type = "Add";
    op.best.evidence = {{EvidenceKind::op_dump, op_file, std::nullopt, "Add.bert_Add_17.57.563.1597922031178400"}};
    Location location;
    location.op = op;
    location.op_dump = LocatedOpDump{op_file, "Add.bert_Add_17.57.563.1597922031178400", 0, {}};
    return location;
}

OpDump measured_op_dump(const DumpFile& dump) {
    const Buffer bytes = build_v2(dump);
    OpDumpOptions options;
    options.file = op_file;
    Result<OpDump> result = measure_op_dump(Bytes(bytes), options);
    REQUIRE(result.ok());
    return std::move(result).value();
}

/// The documents' example: an AI Core overflow of Add, whose output 0 is written.
SummarizedOverflow example() {
    SummarizedOverflow overflow;
    overflow.dump = decoded(ai_core_example(32));
    overflow.location = located_add();
    overflow.evidence.op_dump = measured_op_dump(example_op_dump());
    overflow.npy_files = {"Add.bert_Add_17.57.563.1597922031178400.output.0.npy"};
    return overflow;
}

const std::string first_rule =
    "=================================================[1]==================================================\n";

/// The last line of the example with another output.
std::string tensor_line(const Tensor& output) {
    SummarizedOverflow overflow = example();
    DumpFile dump = example_op_dump();
    dump.outputs[0] = output;
    overflow.evidence.op_dump = measured_op_dump(dump);
    const std::string text = overflow_summary_to_text(overflow);
    return text.substr(text.rfind(" -["));
}

/// An overflowed dump of that file, as a scan hands it out.
ScannedDump overflowed(const std::string& file) {
    ScannedDump dump;
    dump.state = DumpState::overflowed;
    dump.file = file;
    dump.dump = decoded(ai_core_example(32), file);
    return dump;
}

std::vector<std::string> files_of(FirstOverflows& first) {
    std::vector<std::string> files;
    for (const ScannedDump& dump : first.take()) {
        files.push_back(dump.file);
    }
    return files;
}

}  // namespace

TEST_CASE("overflow summary: each unit of an old record that overflowed has its line, in the file's order") {
    LegacyPayload payload = ai_core_example(32);
    payload.dha.status = 0x900;
    payload.dha.task_id = 3;
    payload.dha.stream_id = 4;
    SummarizedOverflow overflow;
    overflow.dump = decoded(payload);
    CHECK(overflow_summary_to_text(overflow) == first_rule +
                                                    " [DHA Atomic Add][TaskId:3][StreamId:4][Status:2304]\n"
                                                    " [AI Core][TaskId:57][StreamId:563][Status:32]\n"
                                                    " [timestamp:1597922031178434]\n"
                                                    " [DHA Atomic Add][Causes: atomic add overflow (0x900)]\n"
                                                    " [AI Core][Causes: floating-point overflow (0x20)]\n");
}

TEST_CASE("overflow summary: four status words are a list") {
    AcceleratorPayload payload;
    payload.version = 1;
    AcceleratorEntry entry = counting_entry(AccType::aiv, 100, 1);
    const std::size_t status = entry.data.size() - 4;
    entry.data[status] = 32;
    entry.data[status + 1] = entry.data[status + 2] = entry.data[status + 3] = 0;
    payload.entries = {entry};
    SummarizedOverflow overflow;
    overflow.dump = decoded(payload);
    const std::string text = overflow_summary_to_text(overflow);
    CAPTURE(text);
    CHECK(text.find(" [AIV][TaskId:102][StreamId:101][Status:[32, 0, 0, 0]]\n") != std::string::npos);
}

TEST_CASE("overflow summary: the numbers are of the finite values, the others are counted") {
    CHECK(tensor_line(tensor_of(float16_type, {5}, {half_nan, half_inf, half_one, 0xFC00, half_nan}, 2)) ==
          " -[Format: NCHW] [Shape: (5,)] [Dtype: float16] [Max: 1.0] [Min: 1.0] [Mean: 1.0] [NaN: 2] [+Inf: 1] "
          "[-Inf: 1]\n");
    CHECK(tensor_line(tensor_of(float16_type, {1}, {half_nan}, 2)) ==
          " -[Format: NCHW] [Shape: (1,)] [Dtype: float16] [Max: None] [Min: None] [Mean: None] [NaN: 1]\n");
    CHECK(tensor_line(tensor_of(int64_type, {2, 1}, {0x8000000000000000, 5}, 8)) ==
          " -[Format: NCHW] [Shape: (2, 1)] [Dtype: int64] [Max: 5] [Min: -9223372036854775808] [Mean: "
          "-4.611686018427388e+18]\n");
    CHECK(tensor_line(tensor_of(bool_type, {2}, {1, 0}, 1)) ==
          " -[Format: NCHW] [Shape: (2,)] [Dtype: bool] [Max: True] [Min: False] [Mean: 0.5]\n");
}

TEST_CASE("overflow summary: types without numbers, empty and cut tensors") {
    CHECK(tensor_line(tensor_of(string_type, {1}, {65}, 1)) == " -[Format: NCHW] [Shape: (1,)] [Dtype: string]\n");
    CHECK(tensor_line(tensor_of(float16_type, {0}, {}, 2)) ==
          " -[Format: NCHW] [Shape: (0,)] [Dtype: float16] [Max: None] [Min: None] [Mean: None]\n");
    CHECK(tensor_line(tensor_of(float16_type, {4}, {half_one, 0}, 2)) ==
          " -[Format: NCHW] [Shape: (4,)] [Dtype: float16] [Max: 1.0] [Min: 0.0] [Mean: 0.5] [Elements: 2 of 4]\n");
    CHECK(tensor_line(tensor_of(float16_type, {~std::uint64_t{0}, 2}, {half_one, 0}, 2)) ==
          " -[Format: NCHW] [Shape: (-1, 2)] [Dtype: float16] [Max: 1.0] [Min: 0.0] [Mean: 0.5] [Elements: 2 of an "
          "unknown number]\n");
}

TEST_CASE("overflow summary: what was not written or not read is reported") {
    SummarizedOverflow overflow = example();
    overflow.npy_files = {""};
    CHECK(overflow_summary_to_text(overflow).find(
              " Add.bert_Add_17.57.563.1597922031178400.output.0.npy (not written)\n") != std::string::npos);
    overflow.evidence.op_dump.reset();
    const std::string text = overflow_summary_to_text(overflow);
    CHECK(text.find("[Add] bert/Add_17\n") != std::string::npos);
    CHECK(text.find(" Add.bert_Add_17.57.563.1597922031178400 (not readable)\n") != std::string::npos);
}

TEST_CASE("overflow summary: causes in Chinese, names printable") {
    SummarizedOverflow overflow = example();
    overflow.location.op->best.name = "a\nb\x1b[1m";
    ReportOptions options;
    options.language = Language::chinese;
    const std::string text = overflow_summary_to_text(overflow, options);
    CHECK(text.find("[Add] a\\x0ab\\x1b[1m\n") != std::string::npos);
    CHECK(text.find("[Causes: 浮点") != std::string::npos);
}

TEST_CASE("first overflows: the order of reports, whatever order they come in") {
    const auto in = [](const std::string& step, const std::string& time) {
        return "/d/20200808163556/0/11/" + step + "/Opdebug.Node_OpDebug.1.2." + time;
    };
    const std::string late_step = in("7", "1597922031178001");
    const std::string early_step = in("3", "1597922031178999");
    const std::string later = in("3", "1597922031179000");
    for (const std::vector<std::string>& order :
         {std::vector{late_step, early_step, later}, std::vector{later, late_step, early_step}}) {
        FirstOverflows two(2), all(10);
        for (const std::string& file : order) {
            two.add(overflowed(file));
            all.add(overflowed(file));
        }
        CHECK(files_of(two) == std::vector{early_step, later});
        CHECK(files_of(all) == std::vector{early_step, later, late_step});
        CHECK(files_of(all).empty());
    }
}
