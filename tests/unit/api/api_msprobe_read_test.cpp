// dump.json of msprobe: what is read of each form that its versions wrote.
#include <cmath>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <opdebug/api.hpp>

#include "api_dump_builder.hpp"
#include "api_reading.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr const char* kTensor =
    R"({"type":"torch.Tensor","dtype":"torch.float16","shape":[4,8],"Max":1.5,"Min":-1.5,"Mean":0.1,"Norm":3.25})";

/// A dump.json with these members of `data`.
ApiReading read_data(const std::string& data, const std::string& around = R"("framework":"pytorch")") {
    return read_api_text("step0/rank0/dump.json",
                         R"({"task":"statistics","level":"L1",)" + around + R"(,"data":{)" + data + "}}");
}

/// The values of one call.
std::string read_call(const std::string& call, const char* name = "Functional.linear.0.forward") {
    const ApiReading reading = read_data(fmt::format("\"{}\":{}", name, call));
    REQUIRE(reading.file.ok());
    REQUIRE(reading.entries.size() == 1);
    return shown_values(reading.entries[0]);
}

/// Max and min of a tensor with these members.
std::string extremes(const std::string& max, const std::string& min) {
    const ApiReading reading = read_data(fmt::format(
        R"("Torch.x.0.forward":{{"output":[{{"dtype":"torch.float32","shape":[],"Max":{},"Min":{}}}]}})", max, min));
    REQUIRE(reading.entries.size() == 1);
    REQUIRE(reading.entries[0].values.size() == 1);
    const ApiValue& value = reading.entries[0].values[0];
    const auto number = [](const std::optional<double>& told) { return told ? fmt::format("{}", *told) : "-"; };
    return number(value.max) + " " + number(value.min);
}

ApiEntry named(const std::string& name) {
    ApiReading reading = read_data(fmt::format("\"{}\":{{}}", name));
    REQUIRE(reading.entries.size() == 1);
    return reading.entries[0];
}

MadeDump one_call(MadeCall call) {
    MadeDump dump;
    dump.calls.push_back(std::move(call));
    return dump;
}

}  // namespace

TEST_CASE("dump.json: positional and named arguments, parameters and results, in the order of the file") {
    CHECK(read_call(
              fmt::format(R"({{"input_args":[{0}],"input_kwargs":{{"bias":{0},"p":{{"type":"float","value":0.5}}}},)"
                          R"("parameters":{{"weight":{0}}},"output":[{0}]}})",
                          kTensor)) ==
          "input 0 float16 [4 8] 1.5 -1.5 3.25; kwargs bias float16 [4 8] 1.5 -1.5 3.25; kwargs p float 0.5; "
          "parameters weight float16 [4 8] 1.5 -1.5 3.25; output 0 float16 [4 8] 1.5 -1.5 3.25");
}

TEST_CASE("dump.json: every version's form gives the same values") {
    const MadeCall backward{
        "Functional.linear.0.backward", {made_tensor("2.0", "-2.0")}, {}, {}, {made_tensor("NaN", "NaN")}, {}, {}};
    for (const auto version : {MsprobeVersion::may_2024, MsprobeVersion::august_2024, MsprobeVersion::december_2024,
                               MsprobeVersion::february_2025, MsprobeVersion::june_2025, MsprobeVersion::march_2026}) {
        for (const int indent : {0, 1, 4}) {
            const ApiReading reading =
                read_api_text("step3/rank7/dump.json", dump_json(one_call(backward), version, indent));
            CAPTURE(indent);
            REQUIRE(reading.file.ok());
            CHECK(codes(reading).empty());
            REQUIRE(reading.entries.size() == 1);
            CHECK(shown_values(reading.entries[0]) ==
                  "input 0 float16 [4 8] 2 -2 3.25; output 0 float16 [4 8] nan nan 3.25");
            CHECK(reading.file->framework == ApiFramework::pytorch);
            CHECK(reading.file->step.value_or(99) == 3);
            CHECK(reading.file->rank.value_or(99) == 7);
        }
    }
}

TEST_CASE("dump.json: grad_output enters a backward and grad_input leaves it, in any order of the keys") {
    CHECK(read_call(R"({"grad_input":[null,{"dtype":"torch.float32","shape":[1],"Max":7,"Min":7}],)"
                    R"("grad_output":[{"dtype":"torch.float32","shape":[2],"Max":8,"Min":8}]})",
                    "Functional.linear.0.backward") == "output 1 float32 [1] 7 7 -; input 0 float32 [2] 8 8 -");
}

TEST_CASE("dump.json: numbers as Python writes them, quoted ones, and integers of any size") {
    CHECK(extremes("NaN", "-Infinity") == "nan -inf");
    CHECK(extremes("Infinity", "NaN") == "inf nan");
    CHECK(extremes("\"nan\"", "\"-inf\"") == "nan -inf");
    CHECK(extremes("\"Nan\"", "\"inf\\t\"") == "nan inf");
    CHECK(extremes("\"65504.0\"", "-65504") == "65504 -65504");
    CHECK(extremes("3.3895313892515355e+38", "1e-05") == "3.3895313892515355e+38 1e-05");
    CHECK(extremes("true", "false") == "1 0");
    CHECK(extremes("null", "\"\"") == "- -");
    const std::string digits(400, '9');
    CHECK(extremes(digits, "-" + digits) == "1.7976931348623157e+308 -1.7976931348623157e+308");
    CHECK(extremes("9007199254740993", "1e-999") == "9007199254740992 0");
}

TEST_CASE("dump.json: values lie in lists and dicts, however deep") {
    CHECK(read_call(fmt::format(R"({{"input_args":[[{0},[{0}]],{{"a":{{"b":[{0}]}}}},null,[],{{}}],"output":[[{0}]]}})",
                                R"({"dtype":"torch.bfloat16","shape":[],"Max":NaN,"Min":0})")) ==
          "input 0.0 bfloat16 [] nan 0 -; input 0.1.0 bfloat16 [] nan 0 -; input 1.a.b.0 bfloat16 [] nan 0 -; "
          "output 0.0 bfloat16 [] nan 0 -");
    const std::string open(400, '['), close(400, ']');
    const ApiReading deep =
        read_data(R"("Torch.cat.0.forward":{"input_args":)" + open + kTensor + close + R"(,"output":[]})");
    REQUIRE(deep.file.ok());
    REQUIRE(deep.entries[0].values.size() == 1);
    CHECK(deep.entries[0].values[0].index.size() == 400 * 2 - 1);
}

TEST_CASE("dump.json: one value without a list around it counts") {
    CHECK(read_call(fmt::format(R"({{"input_args":{0},"output":{0}}})", kTensor)) ==
          "input 0 float16 [4 8] 1.5 -1.5 3.25; output 0 float16 [4 8] 1.5 -1.5 3.25");
}

TEST_CASE("dump.json: lists beyond the limit are an error with its code") {
    const std::string open(600, '['), close(600, ']');
    CHECK(codes(read_data(R"("Torch.cat.0.forward":{"input_args":)" + open + close + "}")) == "nesting_too_deep");
    CHECK(codes(read_data(R"("Torch.cat.0.forward":{"unknown":)" + open + close + "}")) == "nesting_too_deep");
}

TEST_CASE("dump.json: an argument may be called as a member of a tensor is") {
    CHECK(read_call(fmt::format(
              R"({{"input_args":[],"input_kwargs":{{"dtype":{{"type":"torch.dtype","value":"torch.float16"}},)"
              R"("shape":[{{"type":"int","value":4}}],"value":{0},"type":{0},"Max":{0}}},"output":[]}})",
              R"({"dtype":"torch.float32","shape":[2],"Max":1,"Min":0})")) ==
          "kwargs shape.0 int 4; kwargs value float32 [2] 1 0 -; kwargs type float32 [2] 1 0 -; "
          "kwargs Max float32 [2] 1 0 -");
}

TEST_CASE("dump.json: tensors are known by dtype and shape, and what lies inside them is no value") {
    CHECK(read_call(R"({"input_args":[{"type":"torch.distributed.tensor.DTensor","dtype":"torch.float32","shape":[2],)"
                    R"("Max":1,"Min":0,"Norm":1,"device_mesh":{"type":"mesh","value":3},)"
                    R"("placements":[{"dtype":"x","shape":[1]}]}],)"
                    R"("output":[{"type":"numpy.ndarray","dtype":"float64","shape":[3],"Max":2.0,"Min":1.0}]})") ==
          "input 0 float32 [2] 1 0 1; output 0 float64 [3] 2 1 -");
}

TEST_CASE("dump.json: element types have NumPy's names") {
    const auto type_of = [](const std::string& dtype) {
        const std::string text =
            read_call(fmt::format(R"({{"output":[{{"dtype":"{}","shape":[],"Max":0,"Min":0}}]}})", dtype));
        return text.substr(9, text.find(" [") - 9);
    };
    CHECK(type_of("torch.float16") == "float16");
    CHECK(type_of("Float16") == "float16");
    CHECK(type_of("BFloat16") == "bfloat16");
    CHECK(type_of("mindspore.Int64") == "int64");
    CHECK(type_of("Bool") == "bool");
    CHECK(type_of("torch_npu.HiFloat8Tensor") == "HiFloat8Tensor");
    CHECK(type_of("torch.float8_e4m3fn") == "float8_e4m3fn");
}

TEST_CASE("dump.json: scalars are values, texts and types are none") {
    CHECK(read_call(
              R"({"input_args":[{"type":"float","value":-Infinity},{"type":"bool","value":true},)"
              R"({"type":"str","value":"nan"},{"type":"slice","value":[1,2,null]},{"type":"ellipsis","value":"..."},)"
              R"({"type":"torch.device","value":"npu:0"},{"type":"torch.memory_format","format":"x"},null,{}],)"
              R"("output":[]})") == "input 0 float -inf; input 1 bool 1");
}

TEST_CASE("dump.json: names are read from the right") {
    const auto told = [](const std::string& name) {
        const ApiEntry entry = named(name);
        return fmt::format("{} {} {}{}{}", entry.api, entry.count ? std::to_string(*entry.count) : "-",
                           static_cast<int>(entry.phase), entry.is_module ? " module" : "",
                           entry.placed_early ? " early" : "");
    };
    CHECK(told("Functional.linear.145.backward") == "Functional.linear 145 1");
    CHECK(told("Tensor.__add__.7.forward") == "Tensor.__add__ 7 0");
    CHECK(told("Primitive.net.0.cell.MatMul.3.forward") == "Primitive.net.0.cell.MatMul 3 0");
    CHECK(told("Module.layer1.0.relu.ReLU.forward.1") == "Module.layer1.0.relu.ReLU 1 0 module");
    CHECK(told("Cell.fc.Dense.backward.0") == "Cell.fc.Dense 0 1 module");
    CHECK(told("Module.fc.Linear.parameters_grad.0") == "Module.fc.Linear 0 2 module");
    CHECK(told("Module.fc.Linear.parameters_grad") == "Module.fc.Linear - 2 module early");
    CHECK(told("x_grad.0.debug") == "x_grad 0 4");
    CHECK(told("something else") == "something else - 0");
}

TEST_CASE("dump.json: a parameter's gradient has its name, and null where none came") {
    CHECK(read_call(fmt::format(R"({{"weight":[{}],"bias":[null]}})", kTensor), "Module.fc.Linear.parameters_grad.0") ==
          "output weight float16 [4 8] 1.5 -1.5 3.25");
}

TEST_CASE("debug.json: saved values are nodes, lists, or null until they come") {
    CHECK(read_call(kTensor, "x.0.debug") == "output  float16 [4 8] 1.5 -1.5 3.25");
    CHECK(read_call(fmt::format("[{}]", kTensor), "x.1.debug") == "output 0 float16 [4 8] 1.5 -1.5 3.25");
    CHECK(read_call("null", "x_grad.0.debug").empty());
}

TEST_CASE("dump.json: what ties a call to other ranks") {
    const ApiReading reading = read_data(fmt::format(
        R"("Distributed.all_reduce.0.forward":{{"input_args":[{0}],"input_kwargs":{{"group":{{"type":"torch.ProcessGroup",)"
        R"("group_ranks":[0,1],"group_id":"77849d8c"}}}},"output":[]}},)"
        R"("Distributed.batch_isend_irecv.0.forward":{{"input_args":[[{{"class_type":"torch.distributed.P2POp","tensor":{0},)"
        R"("op":"isend","peer":1,"tag":4,"group_id":"x"}}]],"input_kwargs":{{}},"output":[]}})",
        kTensor));
    REQUIRE(reading.entries.size() == 2);
    for (const ApiEntry& entry : reading.entries) {
        CAPTURE(entry.name);
        REQUIRE(entry.communication.size() == 1);
    }
    const ApiCommunication& all_reduce = reading.entries[0].communication[0];
    CHECK(all_reduce.group_ranks == std::vector<std::int64_t>{0, 1});
    CHECK(all_reduce.group_id == "77849d8c");
    const ApiCommunication& sent = reading.entries[1].communication[0];
    CHECK(sent.operation == "isend");
    CHECK(sent.peer.value_or(-1) == 1);
    CHECK(sent.tag.value_or(-1) == 4);
    CHECK(sent.group_id == "x");
    REQUIRE(sent.value < reading.entries[1].values.size());
    CHECK(shown(reading.entries[1].values[sent.value]) == "input 0.0.tensor float16 [4 8] 1.5 -1.5 3.25");
}

TEST_CASE("dump.json: the overflow register") {
    const ApiReading reading =
        read_data(R"("A.a.0.forward":{"is_nan":1},"A.a.1.forward":{"is_nan":null},)"
                  R"("A.a.2.forward":{"is_nan":0},"A.a.3.forward":{"is_nan_index":7},"A.a.4.forward":{})");
    REQUIRE(reading.entries.size() == 5);
    CHECK(reading.entries[0].is_nan.value_or(-1) == 1);
    CHECK_FALSE(reading.entries[1].is_nan.has_value());
    CHECK(reading.entries[1].is_nan_unread);
    CHECK(reading.entries[2].is_nan.value_or(-1) == 0);
    CHECK(reading.entries[3].is_nan_unread);
    CHECK_FALSE(reading.entries[4].is_nan_unread);
    CHECK(codes(reading) == "statistics_missing");
}

TEST_CASE("dump.json: places of statistics that were never written are reported once") {
    const std::string node = R"({"type":"torch.Tensor","dtype":"torch.float16","shape":[2],"tensor_stat_index":4})";
    const ApiReading reading =
        read_data(fmt::format(R"("A.a.0.forward":{{"output":[{0}]}},"A.a.1.forward":{{"output":[{0}]}})", node));
    CHECK(codes(reading) == "statistics_missing");
    CHECK(shown_values(reading.entries[1]) == "output 0 float16 [2] - - -");
}

TEST_CASE("dump.json: in old files inputs were measured after the call") {
    const std::string calls =
        R"("Tensor.add_.0.forward":{},"Distributed.all_reduce.0.forward":{},"Tensor.add_.0.backward":{})";
    const ApiReading old = read_data(calls, R"("dump_data_dir":null)");
    CHECK(old.entries[0].inputs_after_call);
    CHECK_FALSE(old.entries[1].inputs_after_call);
    CHECK_FALSE(old.entries[2].inputs_after_call);
    CHECK_FALSE(read_data(calls).entries[0].inputs_after_call);
    // 1.2.0 has parameters and measures before the call, but has no "framework" yet.
    const ApiReading between =
        read_data(fmt::format(R"("Module.f.F.forward.0":{{"parameters":{{"weight":{}}}}},{})", kTensor, calls),
                  R"("dump_data_dir":null)");
    CHECK_FALSE(between.entries[1].inputs_after_call);
    // Torch's words for gradients are older than any "framework".
    const ApiReading odd = read_data(R"("Tensor.add_.0.backward":{"grad_input":[],"grad_output":[]},)" + calls);
    CHECK(odd.entries[1].inputs_after_call);
}

TEST_CASE("dump.json: keys may come in any order") {
    const ApiReading reading = read_api_text(
        "dump.json",
        R"({"data":{"Tensor.add_.0.forward":{}},"dump_data_dir":null, "level":"L1","framework": "mindspore",)"
        R"("task":"overflow_check"})");
    REQUIRE(reading.file.ok());
    CHECK(reading.file->task == "overflow_check");
    CHECK(reading.file->lists_overflows_only);
    CHECK(reading.file->framework == ApiFramework::mindspore);
    CHECK_FALSE(reading.entries[0].inputs_after_call);
    // msprobe writes its keys first, so another program may have sorted the calls, too.
    CHECK(codes(reading) == "api_dump_damaged");
}

TEST_CASE("dump.json: without framework the types of tensors tell it") {
    CHECK(read_data(fmt::format(R"("A.a.0.forward":{{"output":[{}]}})", kTensor), R"("dump_data_dir":null)")
              .file->framework == ApiFramework::pytorch);
    CHECK(read_data(R"("A.a.0.forward":{"output":[{"type":"mindspore.Tensor","dtype":"Float16","shape":[]}]})",
                    R"("dump_data_dir":null)")
              .file->framework == ApiFramework::mindspore);
    CHECK(read_data("", R"("framework":"mindtorch")").file->framework == ApiFramework::mindspore);
    CHECK(read_data("", R"("dump_data_dir":null)").file->framework == ApiFramework::unknown);
}

TEST_CASE("dump.json: a list of no calls is reported") {
    CHECK(codes(read_data("")) == "no_calls");
}

TEST_CASE("dump.json: escapes are characters, and of a repeated member of a value the last counts") {
    const ApiReading reading = read_data(
        R"("\u6a21\ud83d\ude00\"\\.\/.0.forward":{"output":[{"dtype":"a","dtype":"torch.float32","shape":[1],"shape":[2],)"
        R"("Max":1,"Max":2,"Min":0}]},)"
        R"("\ud83dx.a.0.forward":{})");
    REQUIRE(reading.entries.size() == 2);
    CHECK(reading.entries[0].name == "\xE6\xA8\xA1\xF0\x9F\x98\x80\"\\./.0.forward");
    CHECK(shown_values(reading.entries[0]) == "output 0 float32 [2] 2 0 -");
    CHECK(reading.entries[1].name == "\xEF\xBF\xBDx.a.0.forward");
}

TEST_CASE("dump.json: recomputed forwards are marked") {
    const ApiReading reading = read_data(
        R"("A.a.0.forward":{"is_recompute":true,"output":[]},"A.a.1.forward":{"output":[],"is_recompute":false})");
    CHECK(reading.entries[0].is_recompute);
    CHECK_FALSE(reading.entries[1].is_recompute);
}

TEST_CASE("dump.json: folders tell step, rank and process") {
    const auto place = [](const std::string& folder) {
        const ApiReading reading = read_api_text(folder + "/dump.json", R"({"task":"statistics","data":{}})");
        REQUIRE(reading.file.ok());
        const auto number = [](const std::optional<std::uint64_t>& told) { return told ? std::to_string(*told) : "-"; };
        return number(reading.file->step) + " " + number(reading.file->rank) + " " + number(reading.file->process);
    };
    CHECK(place("step12/rank5") == "12 5 -");
    CHECK(place("step0/rank") == "0 - -");
    CHECK(place("step1/proc2016") == "1 - 2016");
    CHECK(place("step1/pid77") == "1 - 77");
    CHECK(place("rank9/step2/proc8") == "2 - 8");
    CHECK(place("step3") == "3 - -");
}
