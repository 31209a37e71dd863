// The documents of `tensors`: JSON and the table for people.
#include <limits>
#include <string>
#include <utility>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>
#include <opdebug/tensor.hpp>

#include "tensor_values.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

const std::string path = "run/Add.bert_Add_17.57.563.1597922031178400";

OpDump measured_file(const DumpFile& dump, const std::string& file = path) {
    const Buffer bytes = build_v2(dump);
    OpDumpOptions options;
    options.file = file;
    Result<OpDump> result = measure_op_dump(Bytes(bytes), options);
    REQUIRE(result.ok());
    return std::move(result).value();
}

/// A tensor that a test fills in.
OpDump with_tensor(DumpedTensor tensor) {
    OpDump dump;
    dump.file = path;
    dump.tensors.push_back(std::move(tensor));
    return dump;
}

ReportOptions in_one_line() {
    ReportOptions options;
    options.one_line = true;
    return options;
}

}  // namespace

TEST_CASE("tensors: the document of the specification's example") {
    const std::string expected =
        R"({"schema":"opdebug.tensors/1","file":"run/Add.bert_Add_17.57.563.1597922031178400","op_type":"Add",)"
        R"("op_name":"bert/Add_17","task_id":57,"stream_id":563,"timestamp_us":1597922031178400,"tensors":[)"
        R"({"kind":"output","index":0,"dtype":"float16","format":"NCHW","shape":[1,8],"elements":8,"max":65504.0,)"
        R"("min":0.0,"mean":8188.0,"nan":0,"pos_inf":0,"neg_inf":0,"saturated":1,"subnormal":0,"zero":7,)"
        R"("diagnostics":[]}],"diagnostics":[]})";
    CHECK(tensors_to_json(measured_file(example_op_dump()), in_one_line()) == expected);
}

TEST_CASE("tensors: integers are exact, doubles read back the same, nothing is ever not finite") {
    DumpedTensor integers;
    integers.statistics = TensorStatistics();
    integers.statistics->max = std::numeric_limits<std::uint64_t>::max();
    integers.statistics->min = std::numeric_limits<std::int64_t>::min();
    integers.statistics->mean = 0.1;
    const std::string text = tensors_to_json(with_tensor(integers), in_one_line());
    CHECK(contains(text, R"("max":18446744073709551615,"min":-9223372036854775808,"mean":0.1,)"));

    DumpFile all_nan = example_op_dump();
    all_nan.outputs[0] = tensor_of(float16_type, {2}, {half_nan, half_inf}, 2);
    const std::string nothing_finite = tensors_to_json(measured_file(all_nan), in_one_line());
    CHECK(contains(nothing_finite, R"("max":null,"min":null,"mean":null,"nan":1,"pos_inf":1,)"));
}

TEST_CASE("tensors: what is unknown is null, all keys are there") {
    DumpedTensor text;
    text.dtype = "string";
    text.format = std::string("ND");
    OpDump dump = with_tensor(text);
    dump.tensors[0].diagnostics.push_back({Severity::info, "some_code", "no numbers"});
    const ordered_json document = ordered_json::parse(tensors_to_json(dump));
    for (const char* key : {"op_type", "op_name", "task_id", "stream_id", "timestamp_us"}) {
        CHECK_MESSAGE(document.at(key).is_null(), key);
    }
    const ordered_json& tensor = document.at("tensors").at(0);
    for (const char* key : {"max", "min", "mean", "nan", "pos_inf", "neg_inf", "saturated", "subnormal", "zero"}) {
        CHECK_MESSAGE(tensor.at(key).is_null(), key);
    }
    CHECK(tensor.at("diagnostics").at(0).at("code") == "some_code");
}

TEST_CASE("tensors: a file that cannot be measured keeps what its name tells") {
    const ordered_json document =
        ordered_json::parse(tensors_failure_to_json({ErrorCode::header_truncated, "the header is truncated", path, 8}));
    CHECK(document.at("op_type") == "Add");
    CHECK(document.at("op_name") == "bert_Add_17");
    CHECK(document.at("task_id") == 57);
    CHECK(document.at("tensors").empty());
    CHECK(document.at("diagnostics").at(0).at("code") == "header_truncated");
    CHECK(document.at("diagnostics").at(0).at("message") == "at byte 8: the header is truncated");
}

TEST_CASE("tensors: the page tells what each tensor is and what stands out") {
    DumpFile dump = example_op_dump();
    dump.inputs.push_back(tensor_of(float32_type, {2, 2}, {0x3F800000, 0x40000000, 0, 0x3F800000}, 4));
    dump.outputs.push_back(tensor_of(float16_type, {3}, {half_nan, half_inf, half_one}, 2));
    const std::string text = tensors_to_text(measured_file(dump));
    CAPTURE(text);
    CHECK(text.rfind("bert/Add_17 (Add)\n\n  Tensor  ", 0) == 0);
    for (const char* part : {"  input 0   float32  NCHW    [2,2] ", "  output 0  float16  NCHW    [1,8] ",
                             "  output 1  float16  NCHW    [3] ", " 65504 ", " 8188 ",
                             "\n\n  File  run/Add.bert_Add_17.57.563.1597922031178400\n"
                             "  Task  task_id 57, stream_id 563\n"
                             "  Time  2020-08-20 11:13:51.178400 UTC\n"}) {
        CHECK_MESSAGE(contains(text, part), part);
    }
}

TEST_CASE("tensors: the page in Chinese") {
    ReportOptions options;
    options.language = Language::chinese;
    const std::string text = tensors_to_text(measured_file(example_op_dump()), options);
    CHECK(contains(text, "最大值"));
    CHECK_FALSE(contains(text, "Max"));
}

TEST_CASE("tensors: the page of a dump without tensors") {
    OpDump nothing;
    nothing.file = path;
    CHECK(contains(tensors_to_text(nothing), "? (type unknown)\n\n  the dump contains no inputs and outputs\n"));
}

TEST_CASE("tables show unknown dimensions and the digits of the type, JSON what the file holds") {
    DumpFile dump = example_op_dump();
    dump.outputs[0] = tensor_of(float32_type, {~std::uint64_t{0}}, {0x400FAA18}, 4);  // 2.2447567
    const OpDump measured_dump = measured_file(dump);
    const std::string text = tensors_to_text(measured_dump);
    CAPTURE(text);
    CHECK(contains(text, "[-1 (unknown)]"));
    CHECK(contains(text, "2.24475"));
    CHECK_FALSE(contains(text, "2.24475669"));
    CHECK(contains(tensors_to_json(measured_dump, in_one_line()), R"("shape":[18446744073709551615])"));
}
