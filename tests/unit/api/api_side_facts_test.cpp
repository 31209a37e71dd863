// What changes an answer apart from the values: settings, missing inputs, tensors without a type.
#include <string>

#include <doctest/doctest.h>

#include <opdebug/report.hpp>

#include "api_run.hpp"
#include "text.hpp"

using namespace opdebug::test;
using namespace opdebug;

namespace {

/// Codes and text of two clean ranks with these settings.
std::string answer_with(const char* path, const char* settings) {
    ApiRun run;
    run.add(0, 0, {clean_call("Functional.linear.0.forward")});
    run.add(0, 1, {clean_call("Functional.linear.0.forward")});
    run.add_file(path, settings);
    const ApiReport report = run.report();
    ApiPageOptions wide;
    wide.report.columns = 1000;
    return codes_of(report.diagnostics) + api_report_to_text(report, wide);
}

}  // namespace

TEST_CASE("api side facts: a slice in msprobe's settings limits what clean means") {
    const char* const slice = R"({"task": "statistics", "level": "L1", "statistics": {"slice": [[0, 4]]}})";
    for (const char* const path : {"config.json", "step0/config.json", "step0/rank1/config.json"}) {
        CAPTURE(path);
        const std::string answer = answer_with(path, slice);
        CHECK(answer.starts_with("values_of_a_slice "));
        CHECK(contains(answer, "No bad value was found in the dumped slice."));
        CHECK(contains(answer, "sets slice [[0,4]]"));
    }
    CHECK(contains(answer_with("config.json", R"({"task": "tensor", "tensor": {"request_id": "7"}})"),
                   "sets request_id \"7\""));
}

TEST_CASE("api side facts: other settings say nothing of slices") {
    for (const char* const settings :
         {R"({"task": "statistics", "statistics": {"slice": []}})", R"({"task": "statistics", "statistics": {}})",
          R"({"task": "nan_check", "nan_check": {"slice": [1]}})",
          R"({"task": "statistics", "level": "L2", "statistics": {"slice": [1]}})", R"({"slice": [1]})", "[1]", "{"}) {
        CAPTURE(settings);
        const std::string answer = answer_with("config.json", settings);
        CHECK(answer.starts_with("No bad value"));
        CHECK(contains(answer, "No bad value was found.\n"));
    }
}

TEST_CASE("api side facts: without a tensor or number the remark does not deny inputs") {
    ApiRun run;
    run.add_file("step0/rank0/dump.json",
                 R"({"task":"statistics","level":"L1","framework":"pytorch","data":{"Torch.a.0.forward":{"input_args":)"
                 R"([{"type":"str","value":"x"}],"input_kwargs":{},"output":[]}}})");
    const ApiReport report = run.report();
    REQUIRE(codes_of(report.diagnostics) == "no_statistics ");
    CHECK(contains(report.diagnostics[0].message, "no call has a tensor or a number"));
}

TEST_CASE("api side facts: a tensor without dtype and shape is known by its type") {
    ApiRun run;
    run.add_file("step0/rank0/dump.json",
                 R"({"task":"statistics","level":"L1","framework":"mindspore","data":{"Mint.exp.0.forward":)"
                 R"({"input_args":[{"type":"mindspore.Tensor","Max":3.0}],"input_kwargs":{},)"
                 R"("output":[{"type":"mindspore.Tensor","Min":"-inf"}]}}})");
    CHECK(lines_of(run.report().first) == "step 0 rank 0 Mint.exp.0.forward born_here\n");
}

namespace {

constexpr const char* kBad = R"({"type": "torch.Tensor", "dtype": "torch.float16", "shape": [4, 8],
    "Max": NaN, "Min": NaN, "Mean": NaN, "Norm": NaN, "requires_grad": true})";

ApiReport report_on_call(const std::string& name, const std::string& members) {
    ApiRun run;
    run.add_file("step0/rank0/dump.json",
                 R"({"task": "statistics", "level": "L1", "framework": "pytorch", "dump_data_dir": null, "data": {")" +
                     name + "\": {" + members + "}}}");
    return run.report();
}

const std::string kColumns =
    "Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data Size,Data Type,Shape,Max Value,Min Value\n";

std::string row(const std::string& name, int task, int time, const char* direction, const char* extremes) {
    return "Mul," + name + "," + std::to_string(task) + ",2," + std::to_string(time) + "," + direction +
           ",0,64,float16,\"(2,)\"," + extremes + "\n";
}

ApiReport report_on_rows(const std::string& rows) {
    ApiRun run;
    run.add_file("rank_0/net/0/1/statistic.csv", kColumns + rows);
    return run.report();
}

}  // namespace

TEST_CASE("api missing inputs: a bad result without inputs in the dump is unknown; an empty list is known") {
    const std::string output = std::string(R"("output": [)") + kBad + "]";
    const ApiReport forward = report_on_call("Functional.linear.0.forward", output);
    CHECK(lines_of(forward.first) == "step 0 rank 0 Functional.linear.0.forward unknown\n");
    CHECK(contains(forward.first.at(0).because, "inputs are not in the dump"));
    CHECK(lines_of(report_on_call("Functional.linear.0.backward", output).first) ==
          "step 0 rank 0 Functional.linear.0.backward unknown\n");
    CHECK(
        lines_of(report_on_call("Torch.rand.0.forward", R"("input_args": [], "input_kwargs": {}, )" + output).first) ==
        "step 0 rank 0 Torch.rand.0.forward born_here\n");
}

TEST_CASE("api missing inputs: rows of kernels that are mixed belong to their kernels") {
    const ApiReport report =
        report_on_rows(row("a", 7, 100, "input", "1,0") + row("b", 8, 101, "input", "nan,nan") +
                       row("a", 7, 100, "output", "inf,0") + row("b", 8, 101, "output", "nan,nan"));
    CHECK(report.counts.entries == 2);
    CHECK(lines_of(report.findings) == "step 1 rank 0 a born_here\nstep 1 rank 0 b inherited\n");
}

TEST_CASE("api missing inputs: results whose input rows are too far away or missing are unknown") {
    std::string rows = row("a", 7, 100, "input", "nan,nan");
    for (int i = 0; i < 64; ++i) {
        rows += row("other", 8 + i, 101 + i, "input", "1,0");
    }
    const ApiReport report = report_on_rows(rows + row("a", 7, 100, "output", "nan,nan"));
    CHECK(report.findings.back().verdict == ApiVerdict::unknown);
    CHECK(lines_of(report_on_rows(row("a", 7, 100, "output", "nan,nan")).first) == "step 1 rank 0 a unknown\n");
}

TEST_CASE("api missing inputs: kernels of a file are ordered by their times") {
    const ApiReport report =
        report_on_rows(row("late", 8, 200, "input", "1,0") + row("late", 8, 200, "output", "inf,0") +
                       row("early", 7, 100, "input", "1,0") + row("early", 7, 100, "output", "nan,nan"));
    CHECK(lines_of(report.first) == "step 1 rank 0 early born_here\n");
}
