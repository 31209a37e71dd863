// What is next to a dump and changes its answer: msprobe's settings, folders of other ranks.
#include <string>

#include <doctest/doctest.h>

#include <opdebug/report.hpp>

#include "api_run.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

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
