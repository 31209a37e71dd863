// The demonstration: one command turns a dump and logs into operator, kernel, model, cause and proof.
#include <doctest/doctest.h>

#include "build_paths.hpp"
#include "demo_dump.hpp"
#include "tool.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

const std::string source = std::string(source_folder) + "/";

ProcessResult run_demo(const std::string& format, const std::string& language = "en", const std::string& zone = "UTC") {
    ProcessOptions options;
    options.environment.emplace_back("TZ", zone);
    return run_tool({"decode", "--format", format, "--lang", language, "--logs", source + "testdata/demo/logs",
                     source + demo_dump_path},
                    options);
}

}  // namespace

TEST_CASE("demo: the text names operator, kernel, model and cause with their proof") {
    const ProcessResult run = run_demo("text");
    CHECK(run.exit_status == 0);
    CHECK(run.err.empty());
    for (const char* part :
         {"OVERFLOW", "floating-point overflow", "[ai_core.float_overflow]", "[ai_core.fp16_conversion_overflow]",
          "288 (0x120)", "bert/encoder/layer_3/attention/softmax/Exp", "[exact]",
          "Exp_9f3c5d0e7ab1462c8d25e6f7013b94a8_high_performance_210000000", "bert_train", "runtime id 3", "GE id 1",
          "ge_log", "runtime_log", "debug/plog/plog-4711_20261012092958123.log:",
          "run/plog/plog-4711_20261012092958124.log:", "Save dump task bert/encoder/layer_3/attention/softmax/Exp",
          "stream_id 21", "task_id 118", "2026-10-12 01:41:27.318452 UTC"}) {
        CHECK_MESSAGE(contains(run.out, part), part);
    }
}

TEST_CASE("demo: the text in Chinese names the same operator") {
    const ProcessResult run = run_demo("text", "zh");
    CHECK(run.exit_status == 0);
    for (const char* part : {"溢出", "算子", "模型", "bert/encoder/layer_3/attention/softmax/Exp", "bert_train"}) {
        CHECK_MESSAGE(contains(run.out, part), part);
    }
}

TEST_CASE("demo: the document holds the same facts") {
    const ProcessResult run = run_demo("json");
    REQUIRE(run.exit_status == 0);
    const ordered_json document = ordered_json::parse(run.out);
    CHECK(document["operator"]["name"] == "bert/encoder/layer_3/attention/softmax/Exp");
    CHECK(document["operator"]["type"] == "Exp");
    CHECK(document["operator"]["kernel"] == "Exp_9f3c5d0e7ab1462c8d25e6f7013b94a8_high_performance_210000000");
    CHECK(document["operator"]["confidence"] == "exact");
    CHECK(document["operator"]["candidates"].empty());
    CHECK(document["model"]["name"] == "bert_train");
    CHECK(document["model"]["runtime_id"] == 3);
    CHECK(document["model"]["ge_id"] == 1);
    CHECK(document["model"]["graph_id"] == 1);
    REQUIRE(document["operator"]["evidence"].size() == 3);
    // The line numbers are what "grep -n" shows for Save dump task, the launch, and the submit with the final task id.
    CHECK(document["operator"]["evidence"][0]["kind"] == "ge_log");
    CHECK(document["operator"]["evidence"][0]["line"] == 41);
    CHECK(document["operator"]["evidence"][1]["kind"] == "runtime_log");
    CHECK(document["operator"]["evidence"][1]["line"] == 39);
    CHECK(document["operator"]["evidence"][2]["kind"] == "runtime_log");
    CHECK(document["operator"]["evidence"][2]["line"] == 40);
}

TEST_CASE("demo: the answer does not depend on the time zone of this machine") {
    const ProcessResult expected = run_demo("text");
    for (const char* zone : {"America/New_York", "Asia/Shanghai", "Asia/Tokyo"}) {
        CHECK_MESSAGE(run_demo("text", "en", zone).out == expected.out, zone);
    }
}
