// The demonstration: one command turns a dump and logs into operator, kernel, model, cause and evidence.
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

TEST_CASE("demo: the text names operator, location, causes, next steps and evidence") {
    const ProcessResult run = run_demo("text");
    CHECK(run.exit_status == 0);
    CHECK(run.err.empty());
    for (const char* part :
         {"OVERFLOW  bert/encoder/layer_3/attention/softmax/Exp (Exp) ", " exact: 3 log lines agree\n",
          "  device 0   model bert_train   step 12   2026-10-12 ", "Why   AI Core status 0x120\n",
          "floating-point overflow", "Next\n  1. ", "/plog-4711_20261012092958123.log\n",
          "    line 41   SaveDumpTask  stream 21 task 118 → …/softmax/Exp\n",
          "    line 6    ModelBindStream  stream 21 → model bert_train\n"}) {
        CHECK_MESSAGE(contains(run.out, part), part);
    }
}

TEST_CASE("demo: -v adds kernel, ids, whole lines and the sources of the causes") {
    const ProcessResult run = run_tool({"decode", "-v", "--format", "text", "--lang", "en", "--logs",
                                        source + "testdata/demo/logs", source + demo_dump_path});
    CHECK(run.exit_status == 0);
    for (const char* part :
         {"[ai_core.float_overflow]", "[ai_core.fp16_conversion_overflow]", "0x120",
          "Exp_9f3c5d0e7ab1462c8d25e6f7013b94a8_high_performance_210000000", "runtime id 3", "GE id 1", "ge_log",
          "runtime_log", "debug/plog/plog-4711_20261012092958123.log:", "run/plog/plog-4711_20261012092958124.log:",
          "bert/encoder/layer_3/attention/softmax/Exp, task id: 118,", "stream_id 21", "task_id 118",
          "2026-10-12 01:41:27.318452 UTC"}) {
        CHECK_MESSAGE(contains(run.out, part), part);
    }
}

TEST_CASE("demo: the text in Chinese has the same answer and no English sentence") {
    const ProcessResult run = run_demo("text", "zh");
    CHECK(run.exit_status == 0);
    for (const char* part : {"溢出  bert/encoder/layer_3/attention/softmax/Exp (Exp)", "模型 bert_train",
                             "精确匹配：3 行日志一致", "浮点计算溢出", "处理方法"}) {
        CHECK_MESSAGE(contains(run.out, part), part);
    }
    for (const char* part : {" the ", "Check", "overflow", "more"}) {
        CHECK_FALSE_MESSAGE(contains(run.out, part), part);
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
    const ProcessResult expected = run_demo("json");
    for (const char* zone : {"America/New_York", "Asia/Shanghai", "Asia/Tokyo"}) {
        CHECK_MESSAGE(run_demo("json", "en", zone).out == expected.out, zone);
    }
    CHECK(contains(run_demo("text", "en", "Asia/Shanghai").out, "2026-10-12 09:41:27.318 (+08:00)\n"));
}
