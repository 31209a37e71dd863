// statistic.csv: its three dialects.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <opdebug/api.hpp>

#include "api_reading.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const std::string kMindSpore =
    "Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data Size,Data Type,Shape,Max Value,Min Value,L2Norm Value";
const std::string kKernel = "MatMul,Default/MatMul-op1,12,3,1700000000000001";

std::string counts(const ApiValue& value) {
    const auto number = [](const std::optional<std::uint64_t>& told) { return told ? std::to_string(*told) : "-"; };
    return number(value.nan) + " " + number(value.pos_inf) + " " + number(value.neg_inf);
}

}  // namespace

TEST_CASE("statistic.csv: rows of one kernel are one entry with its ids") {
    const ApiReading reading =
        read_api_text("rank_5/net/1/7/statistic.csv",
                      kMindSpore + "\n" + kKernel + ",input,0,100,float16,\"(1,3,224,224)\",1.5,-2,3.4,\n" + kKernel +
                          ",output,0,100,bfloat16,\"(1,3)\",inf,-inf,nan,\n" +
                          "Add,Default/Add-op1,13,3,1700000000000002,output,0,4,float32,\"()\",-nan,null,NA,\n");
    REQUIRE(reading.file.ok());
    CHECK(codes(reading).empty());
    CHECK(reading.file->source == ApiSource::statistic_csv);
    CHECK(reading.file->framework == ApiFramework::mindspore);
    CHECK(reading.file->rank.value_or(99) == 5);
    CHECK(reading.file->step.value_or(99) == 7);
    REQUIRE(reading.entries.size() == 2);
    const ApiEntry& kernel = reading.entries[0];
    CHECK(kernel.name == "Default/MatMul-op1");
    CHECK(kernel.api == "MatMul");
    CHECK(kernel.phase == ApiPhase::kernel);
    CHECK(kernel.task_id.value_or(0) == 12);
    CHECK(kernel.stream_id.value_or(0) == 3);
    CHECK(kernel.timestamp_us.value_or(0) == 1700000000000001);
    CHECK(shown_values(kernel) == "input 0 float16 [1 3 224 224] 1.5 -2 3.4; output 0 bfloat16 [1 3] inf -inf nan");
    REQUIRE(reading.entries[1].values.size() == 1);
    CHECK(std::isnan(reading.entries[1].values[0].max.value_or(0)));
    CHECK_FALSE(reading.entries[1].values[0].min.has_value());
}

TEST_CASE("statistic.csv: null for maximum and minimum means that no value is finite, but where a column counts") {
    const auto read = [](const std::string& cells) {
        return read_api_text("statistic.csv", kMindSpore + "\n" + kKernel + ",output,0,8," + cells + "\n");
    };
    const auto shown_of = [&read](const std::string& cells) { return shown_values(read(cells).entries.at(0)); };
    CHECK(shown_of("float16,\"(2,)\",null,null,nan") == "output 0 float16 [2] nan nan nan");
    CHECK(codes(read("float32,\"(2,)\",null,null,null")) == "null_statistics");
    // Whole numbers, nothing at all, a finite norm, and what was not computed.
    for (const char* const cells : {"int32,\"(2,)\",null,null,null", "float32,\"(0,)\",null,null,null",
                                    "float32,\"(2,)\",null,null,3.5", "float32,\"(2,)\",NA,NA,NA"}) {
        CAPTURE(cells);
        CHECK(codes(read(cells)).empty());
    }
}

TEST_CASE("statistic.csv: msprobe's columns, counts, and shapes without quotation marks") {
    const ApiReading reading = read_api_text("statistic.csv",
                                             "Op Type,Op Name,Task ID,Stream ID,Timestamp,Input/Output,Slot,Data "
                                             "Size,Data Type,Format,Shape,Max Value,Min Value,"
                                             "NaN Count,Negative Inf Count,Positive Inf Count,MD5 Value\r\n"
                                             "Cast,Cast-1,1,2,3,Output,1,8,DT_BF16,ND,(2,4),null,null,4,0,2,abc\r\n");
    REQUIRE(reading.entries.size() == 1);
    const ApiValue& value = reading.entries[0].values[0];
    CHECK(shown(value) == "output 1 bfloat16 [2 4] - - -");
    CHECK(counts(value) == "4 2 0");
    CHECK(value.checksum == "abc");
}

TEST_CASE("statistic.csv: CANN's file of one operator has the ids in its name") {
    const ApiReading reading = read_api_text(
        "Add.Default_Add-op1.22.5.1700000000000000.csv",
        "Input/Output,Index,Data Size,Data Type,Format,Shape,Max Value,Min Value,Avg Value,Count,Nan Count,Negative "
        "Inf Count,"
        "Positive Inf Count\n"
        "Input,0,10,DT_FLOAT16,ND,4x50x50x16,65504,-1,0,3,0,0,0\nOutput,0,10,DT_FLOAT,ND,4,NA,NA,NA,3,0,0,1\n"
        "Output,1,,,,,,,,,,,\n");
    REQUIRE(reading.file.ok());
    CHECK(codes(reading).empty());
    REQUIRE(reading.entries.size() == 1);
    CHECK(reading.entries[0].api == "Add");
    CHECK(reading.entries[0].task_id.value_or(0) == 22);
    CHECK(reading.entries[0].stream_id.value_or(0) == 5);
    CHECK(shown_values(reading.entries[0]) ==
          "input 0 float16 [4 50 50 16] 65504 -1 -; output 0 float32 [4] - - -; output 1  [] - - -");
    CHECK(counts(reading.entries[0].values[1]) == "0 1 0");
}

TEST_CASE("statistic.csv: rows of kernels that mix are put together by their times, without one only neighbours are") {
    const auto names_read = [](const std::string& first_time, const std::string& other_time) {
        const auto row = [](const std::string& name, const std::string& time, const char* io) {
            return "Add,Default/" + name + ",1,3," + time + "," + io + ",0,4,float32,\"(1,)\",1,0,1\n";
        };
        const ApiReading reading = read_api_text(
            "statistic.csv", kMindSpore + "\n" + row("a", first_time, "input") + row("b", other_time, "input") +
                                 row("a", first_time, "output") + row("b", other_time, "output"));
        std::string names;
        for (const ApiEntry& entry : reading.entries) {
            names += entry.name + " ";
        }
        return names;
    };
    CHECK(names_read("1700000000000001", "1700000000000002") == "Default/a Default/b ");
    CHECK(names_read("", "") == "Default/a Default/b Default/a Default/b ");
}

TEST_CASE("statistic.csv: damaged and cut rows cost only themselves") {
    const std::string row = kKernel + ",input,0,100,float16,\"(1,3)\",1.5,-2,3.4\n";
    const ApiReading damaged = read_api_text("statistic.csv", kMindSpore + "\n" + row + "x,y\n" + row);
    CHECK(damaged.entries.size() == 1);
    CHECK(damaged.entries[0].values.size() == 2);
    CHECK(codes(damaged) == "api_dump_damaged");
    const ApiReading cut = read_api_text("statistic.csv", kMindSpore + "\n" + row + kKernel + ",input,0,10");
    CHECK(cut.entries.size() == 1);
    CHECK(codes(cut) == "api_dump_cut");
    CHECK_FALSE(cut.file->complete);
    CHECK(codes(read_api_text("statistic.csv", kMindSpore + "\n")) == "no_calls");
    CHECK(codes(read_api_text("statistic.csv", "")) == "api_dump_cut");
    CHECK(codes(read_api_text("statistic.csv", "Op Type,Op Na")) == "api_dump_invalid");
}

TEST_CASE("statistic.csv: CANN's folder of a device is no step, its folder of an iteration is") {
    const std::string text = "Input/Output,Index,Data Type,Shape,Max Value,Min Value\nOutput,0,DT_FLOAT16,4,1,0\n";
    const char* const name = "Add.Default_Add-op1.22.5.1700000000000000.csv";
    const ApiReading device = read_api_text("20240502101500/3/" + std::string(name), text);
    REQUIRE(device.file.ok());
    CHECK_FALSE(device.file->step.has_value());
    const ApiReading iteration = read_api_text("20240502101500/3/resnet/11/7/" + std::string(name), text);
    REQUIRE(iteration.file.ok());
    CHECK(iteration.file->step.value_or(99) == 7);
}

TEST_CASE("statistic.csv: MindSpore's rank is that of its folder") {
    const ApiReading mindspore =
        read_api_text("20240502101500/3/rank_5/1/7/statistic.csv",
                      "Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data Size,Data Type,Shape,Max Value,Min "
                      "Value\nAdd,a,1,2,3,output,0,8,float16,\"(4,)\",1,0\n");
    REQUIRE(mindspore.file.ok());
    CHECK(mindspore.file->rank.value_or(99) == 5);
}

namespace {

/// "Default/Mul: input 0, output 0; " of each kernel.
std::string kernels_of(const ApiReading& reading) {
    std::string text;
    for (const ApiEntry& entry : reading.entries) {
        text += entry.name + ":";
        for (const ApiValue& value : entry.values) {
            text += fmt::format(" {} {}", to_string(value.kind), value.index);
        }
        text += "; ";
    }
    return text;
}

std::string timed_row(const std::string& name, std::uint64_t stream, std::uint64_t time, const std::string& slot) {
    return fmt::format("T,{},1,{},{},{},4,float32,\"(1,)\",1,0,1\n", name, stream, 1700000000000000 + time, slot);
}

}  // namespace

TEST_CASE("statistic.csv: rows with times of their own are one kernel until a slot repeats or an input follows") {
    const ApiReading reading =
        read_api_text("statistic.csv", kMindSpore + "\n" + timed_row("Mul", 3, 1, "input,0") +
                                           timed_row("Mul", 3, 2, "input,1") + timed_row("Mul", 3, 3, "output,0") +
                                           timed_row("Mul", 3, 4, "output,1") + timed_row("Mul", 3, 5, "input,2") +
                                           timed_row("Mul", 3, 6, "input,2") + timed_row("Mul", 4, 7, "output,0"));
    CHECK(kernels_of(reading) == "Mul: input 0 input 1 output 0 output 1; Mul: input 2; Mul: input 2; Mul: output 0; ");
}

TEST_CASE("statistic.csv: inputs and outputs of an AllReduce are one call though other kernels stand between") {
    const ApiReading reading = read_api_text(
        "statistic.csv", kMindSpore + "\n" + timed_row("AllReduce-op3", 9, 1, "input,0") +
                             timed_row("Add-op1", 3, 2, "output,0") + timed_row("AllReduce-op3", 9, 3, "output,0"));
    CHECK(kernels_of(reading) == "AllReduce-op3: input 0 output 0; Add-op1: output 0; ");
    CHECK(reading.entries.at(0).timestamp_us.value_or(0) == 1700000000000001);
}

TEST_CASE("statistic.csv: a quoted cell may hold line breaks and doubled marks") {
    const std::string header = kMindSpore + ",Code Stack\n";
    const std::string stack = "\"File \"\"a, b.py\"\":1,\n File c.py:2\r\n\n File d.py\"";
    const ApiReading reading =
        read_api_text("statistic.csv", header + kKernel + ",input,0,4,float32,\"(1,)\",2,1,3," + stack + "\r\n" +
                                           kKernel + ",output,0,4,float32,\"(1,)\",inf,1,3," + stack);
    CHECK(codes(reading).empty());
    CHECK(kernels_of(reading) == "Default/MatMul-op1: input 0 output 0; ");
}

TEST_CASE("statistic.csv: a quotation mark that nothing closes costs its own line only") {
    const std::string row = kKernel + ",input,0,100,float16,\"(1,3)\",1.5,-2,3.4\n";
    const ApiReading reading = read_api_text("statistic.csv", kMindSpore + "\n" + row + "\"x,y\n" + row);
    CHECK(codes(reading) == "api_dump_damaged");
    CHECK(reading.entries.at(0).values.size() == 2);
    const ApiReading last = read_api_text("statistic.csv", kMindSpore + "\n" + row + row + "\"x,y\n");
    CHECK(codes(last) == "api_dump_damaged");
    CHECK(last.entries.at(0).values.size() == 2);
}

TEST_CASE("statistic.csv: a short row without a number after its shape is a tensor with unknown statistics") {
    const std::string header =
        "Input/Output,Index,Data Size,Data Type,Format,Shape,Max Value,Min Value,Avg Value,Count,Nan Count\n";
    const auto shown_of = [&header](const std::string& row) {
        const ApiReading reading = read_api_text("Add.a.1.3.1700000000000000.csv", header + row);
        return reading.entries.empty() ? codes(reading) : shown_values(reading.entries[0]);
    };
    CHECK(shown_of("Input,2,16,DT_INT8,ND,4x2,NA,NA\n") == "input 2 int8 [4 2] - - -");
    CHECK(shown_of("Output,0,16,DT_FLOAT16,ND,4\n") == "output 0 float16 [4] - - -");
    CHECK(shown_of("Output,0,,,,\n") == "output 0  [] - - -");
    CHECK(shown_of("Output,0,16,DT_FLOAT16,ND,4,1.5\n") == "api_dump_damaged");
    CHECK(shown_of("Output,0,16,DT_FLOAT16\n") == "api_dump_damaged");
    CHECK(shown_of("Output,0,16,DT_FLOAT16,ND,4") == "api_dump_cut");
}

TEST_CASE("statistic.csv: ATB's header, with its names of types and the process") {
    const ApiReading reading = read_api_text(
        "atb_dump_data/data/1_4711/2/statistic.csv",
        "Device and PID,Execution Count,Op Name,Op Type,Op Id,Input/Output,Index,Dtype,Format,Shape,Max,Min,Mean,Norm,"
        "Tensor Path\n"
        "1_4711,2,Decoder/Linear,LinearOperation,7_1,input,0,bf16,nd,36x128,1.5,-1.5,0.0,10.0,N/A\n"
        "1_4711,2,Decoder/Linear,LinearOperation,7_1,input,1,int8,nd,36,N/A,N/A,N/A,N/A,N/A\n"
        "1_4711,2,Decoder/Linear,LinearOperation,7_1,output,0,fp32,nd,36x128,inf,-1.5,nan,inf,N/A\n"
        "1_4711,2,Decoder/Linear,LinearOperation,7_1,input,0,bf16,nd,36x128,1.5,-1.5,0.0,10.0,N/A\n");
    CHECK(codes(reading).empty());
    REQUIRE(reading.entries.size() == 2);
    CHECK(reading.entries[0].api == "LinearOperation");
    CHECK(shown_values(reading.entries[0]) ==
          "input 0 bfloat16 [36 128] 1.5 -1.5 10; input 1 int8 [36] - - -; output 0 float32 [36 128] inf -1.5 inf");
    CHECK(reading.file->framework == ApiFramework::unknown);
    CHECK(reading.file->step.value_or(99) == 2);
    CHECK(reading.file->process.value_or(0) == 4711);
}
