// .pkl of ptdbg_ascend: lines of all its versions, gathered to calls.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <opdebug/api.hpp>

#include "api_dump_builder.hpp"
#include "api_reading.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

ApiReading read_lines(const std::string& text, const std::string& folder = "ptdbg_dump_v4.0/step0/rank0") {
    return read_api_text(folder + "/dump.pkl", text);
}

std::string one_value(const std::string& line) {
    const ApiReading reading = read_lines(line + "\n");
    REQUIRE(reading.entries.size() == 1);
    return shown_values(reading.entries[0]);
}

std::string told_name(const std::string& name) {
    const ApiReading reading =
        read_lines(fmt::format("[\"{}\", 1, [], \"torch.float32\", [3], [1.0, 0.0, 0.5]]\n", name));
    REQUIRE(reading.entries.size() == 1);
    const ApiEntry& entry = reading.entries[0];
    return fmt::format("{} | {} {} {}{}", entry.name, entry.api, entry.count.value_or(999),
                       static_cast<int>(entry.phase), entry.is_module ? " module" : "");
}

}  // namespace

TEST_CASE(".pkl: statistics of three and four numbers, and what stands for none") {
    // The first two are real lines of 2023 (mstt, test/resources/compare/npu_test.pkl).
    CHECK(
        one_value(
            R"(["Functional_linear_0_forward_input.0", 1, [], "torch.float32", [3, 2], [1.948258399963379, -1.0052297115325928, -0.2003595232963562]])") ==
        "input 0 float32 [3 2] 1.948258399963379 -1.0052297115325928 -");
    CHECK(
        one_value(
            R"(["Functional_linear_0_forward_output", 1, [], "torch.float32", [3, 3], [0.8278868794441223, -0.8729169964790344, 0.16790540516376495]])") ==
        "output 0 float32 [3 3] 0.8278868794441223 -0.8729169964790344 -");
    CHECK(one_value(
              R"(["Tensor_add_1_forward_output", 101, [], "torch.float16", [2], [Infinity, -Infinity, NaN, NaN]])") ==
          "output 0 float16 [2] inf -inf nan");
    CHECK(one_value(R"(["Tensor_add_1_forward_input.1", 1, [], "torch.int64", [4], [9.0, 1.0, 4.5, "Nan"]])") ==
          "input 1 int64 [4] 9 1 -");
    CHECK(one_value(R"(["Tensor_add_1_forward_input.1", 1, [], "torch.int64", [4], ["Nan", "nan", "Nan", "Nan"]])") ==
          "input 1 int64 [4] - nan -");
    CHECK(one_value(R"(["Tensor_add_1_forward_input.1", 1, [], "torch.bool", [4], [[], [], [], "Nan"]])") ==
          "input 1 bool [4] - - -");
    CHECK(one_value(R"(["Tensor_add_1_forward_input.1.0", 1, [], "<class 'float'>", "[]", [0.5, 0.5, 0.5, 0.5]])") ==
          "input 1.0 float 0.5");
    CHECK(one_value(R"(["Tensor_add_1_forward_output", 0, "8ba3f1c2", "torch.float32", [3, 2], []])") ==
          "output 0 float32 [3 2] - - -");
}

TEST_CASE(".pkl: a byte order mark in front, as editors write it") {
    const std::string line =
        R"(["Functional_linear_0_forward_input.0", 1, [], "torch.float32", [2], [1.5, -1.5, 0.5]])";
    CHECK(one_value("\xEF\xBB\xBF" + line) == "input 0 float32 [2] 1.5 -1.5 -");
    CHECK(read_lines(line + "\n\xEF\xBB\xBF" + line + "\n").entries.size() == 1);  // the second is no line of the tool
    CHECK(codes(read_lines(line + "\n\xEF\xBB\xBF" + line + "\n")) == "api_dump_damaged");
}

TEST_CASE(".pkl: lines of 2022 hold values, lines of early 2023 no statistics") {
    CHECK(one_value(R"(["Tensor_add_1_forward_output", [1.5, -2.0, 0.25], "torch.float32", [3]])") ==
          "output 0 float32 [3] 1.5 -2 -");
    CHECK(one_value(R"(["Tensor_add_1_forward_output", [1.5, NaN, 0.25], "torch.float32", [3]])") ==
          "output 0 float32 [3] nan nan -");
    CHECK(one_value(R"(["Tensor_add_1_forward_output", 101, [], "torch.float32", [3]])") ==
          "output 0 float32 [3] - - -");
}

TEST_CASE(".pkl: names are read from the right, with underscores and with dots") {
    CHECK(told_name("Functional_linear_145_backward_output.0") ==
          "Functional_linear_145_backward | Functional.linear 145 1");
    CHECK(told_name("Functional.linear.145.backward.output.0") ==
          "Functional.linear.145.backward | Functional.linear 145 1");
    CHECK(told_name("Tensor___bool___0_forward_output") == "Tensor___bool___0_forward | Tensor.__bool__ 0 0");
    CHECK(told_name("NPU_npu_fusion_attention_3_forward_output.0") ==
          "NPU_npu_fusion_attention_3_forward | NPU.npu_fusion_attention 3 0");
    CHECK(told_name("layer1.0.conv1_Conv2d_2_forward_input.0") ==
          "layer1.0.conv1_Conv2d_2_forward | layer1.0.conv1_Conv2d 2 0 module");
    CHECK(told_name("Distributed_all_reduce_0_pre_forward_input.0") ==
          "Distributed_all_reduce_0_forward | Distributed.all_reduce 0 0");
}

TEST_CASE(".pkl: lines of one call are one entry, stack lines in front or after") {
    const std::vector<MadeCall> calls = {{"Functional.linear.0.forward",
                                          {made_tensor(), made_tensor("2.0")},
                                          {},
                                          {},
                                          {made_tensor("Infinity")},
                                          {},
                                          false},
                                         {"Functional.linear.0.backward",
                                          {made_tensor("3.0")},
                                          {},
                                          {},
                                          {made_tensor("4.0"), made_tensor("5.0")},
                                          {},
                                          false}};
    for (const int major : {2, 4, 6}) {
        for (const bool is_overflow_file : {false, true}) {
            PtdbgForm form;
            form.major = major;
            form.is_overflow_file = is_overflow_file;
            form.stack = {{"/a/b.py", "7"}};
            const ApiReading reading = read_lines(ptdbg_text(calls, form), fmt::format("tag_v{}.0/step4/rank3", major));
            CAPTURE(major);
            REQUIRE(reading.file.ok());
            CHECK(codes(reading).empty());
            CHECK(reading.file->lists_overflows_only == is_overflow_file);
            CHECK(reading.file->version == fmt::format("{}.0", major));
            CHECK(reading.file->step.value_or(9) == 4);
            CHECK(reading.file->rank.value_or(9) == 3);
            REQUIRE(reading.entries.size() == 2);
            const std::string norm = major > 3 ? "3.25" : "-";
            CHECK(shown_values(reading.entries[0]) == "input 0 float16 [4 8] 1.5 -1.5 " + norm +
                                                          "; input 1 float16 [4 8] 2 -1.5 " + norm +
                                                          "; output 0 float16 [4 8] inf -1.5 " + norm);
            CHECK(reading.entries[0].inputs_after_call);
            CHECK(reading.entries[1].position == 1);
            REQUIRE(reading.entries[1].values.size() == 3);
            CHECK(reading.entries[1].values[0].kind == (is_overflow_file ? ApiValueKind::output : ApiValueKind::input));
        }
    }
}

TEST_CASE(".pkl: blank, damaged and cut lines cost only themselves") {
    const std::string line = R"(["Tensor_add_1_forward_output", 0, [], "torch.float32", [3], [1.0, 0.0, 0.5, 1.0]])";
    const ApiReading blank = read_lines("\n" + line + "\r\n\n");
    CHECK(blank.entries.size() == 1);
    CHECK(codes(blank).empty());

    const ApiReading damaged = read_lines("[\"Tensor_a\n" + line + "\nrubbish\n[1, 2]\n{}\n" + line + "\n");
    CHECK(damaged.entries.size() == 1);
    CHECK(codes(damaged) == "api_dump_damaged");
    CHECK(damaged.file->complete);
    CHECK(contains(damaged.file->diagnostics[0].message, "4 lines"));
    CHECK(contains(damaged.file->diagnostics[0].message, "line 1"));

    for (std::size_t size = line.size() + 2; size < 2 * line.size() + 1; ++size) {
        const ApiReading cut = read_lines((line + "\n" + line).substr(0, size));
        REQUIRE(cut.entries.size() == 1);
        CHECK(codes(cut) == "api_dump_cut");
        CHECK_FALSE(cut.file->complete);
    }
    CHECK(codes(read_lines("rubbish\n")) == "api_dump_invalid");
    CHECK(codes(read_lines("")) == "api_dump_cut");
    CHECK_FALSE(read_lines("").file->complete);
    CHECK(codes(read_lines("\n")) == "no_calls");
}

TEST_CASE(".pkl: a first line that is damaged costs only itself, whatever it became") {
    const std::string line = R"(["Tensor_add_1_forward_output", 0, [], "torch.float32", [3], [NaN, 0.0, 0.5, 1.0]])";
    for (const std::string& first : {std::string("rubbish"), std::string(4, '\0'), std::string(R"({"a":1})"),
                                     std::string(R"(Tensor_add_0_forward_output", 0, [], "torch)"), std::string("IO"),
                                     std::string("[1, 2]"), std::string("{")}) {
        CAPTURE(first);
        const ApiReading damaged = read_lines(first + "\n" + line + "\n");
        CHECK(damaged.entries.size() == 1);
        CHECK(codes(damaged) == "api_dump_damaged");
        CHECK(codes(read_lines(first + "\n")) == "api_dump_invalid");
        CHECK(codes(read_lines(first + "\n" + first + "\n")) == "api_dump_invalid");
    }
    CHECK(codes(read_lines("\x80\x04\n" + line + "\n")) == "pickle_refused");
    CHECK(codes(read_api_text("notes.txt", "rubbish\n" + line + "\n")) == "api_dump_invalid");
}

TEST_CASE(".pkl: numbers of rank folders that stand for processes; names of overflow files") {
    const std::string line = R"(["Tensor_add_1_forward_output", 1, [], "torch.float32", [3], [1.0, 0.0, 0.5]])";
    const ApiReading process = read_lines(line, "ptdbg_dump_v3.0/rank102016");
    CHECK_FALSE(process.file->rank.has_value());
    CHECK(process.file->process.value_or(0) == 2016);
    CHECK_FALSE(process.file->step.has_value());
    const ApiReading named = read_api_text("npu_overflow_v2.0/rank0/Overflow_info_20230711_024501_1.pkl", line);
    CHECK(named.file->lists_overflows_only);
    CHECK(named.file->version == "2.0");
}
