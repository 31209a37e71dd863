// Texts that are not known: lines are read by their keys, in any order and by any of the spellings that the texts
// of 2020 to 2026 have for them. Formats of one's own come first.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "line_facts.hpp"
#include "logs/formats/formats.hpp"

using namespace opdebug::logs;
using opdebug::NamedText;
using opdebug::test::fact_of;
using opdebug::test::stated;

namespace {

const std::string kKernel = "RealDiv_ee98c6628030785f610b924ab1557b31_high_precision_210000000";

/// The spellings of separators between a key and its value.
const std::vector<std::string> kSeparators{"=", " = ", ":", ": ", " :", " : ", "[", " [", " is ", " "};

std::string closed(const std::string& separator) {
    return separator.find('[') != std::string::npos ? "]" : "";
}

std::string launch(const std::string& text, const std::string& function = "LaunchKernel") {
    return "[context.cc:1300] 4711 " + function + ": " + text;
}

std::string ge(const std::string& text) {
    return "[data_dumper.cc:260]4711 F:" + text;
}

void check_task(const Fact& fact, std::uint64_t stream, std::uint64_t task) {
    CHECK(fact.stream_id == stream);
    CHECK(fact.task_id == task);
}

}  // namespace

TEST_CASE("key tokens: a launch whose line has no arg_size, as one was reported in 2026") {
    const Fact fact =
        stated("RUNTIME", launch("stream_id=46, task_id=0, kernel_name=aicore_kernel_0_mix_aic, mixType=3, "
                                 "block_dim=24",
                                 "LaunchKernelWithHandle"));
    CHECK(fact.kind == FactKind::kernel_of_task);
    CHECK(fact.kernel_name == "aicore_kernel_0_mix_aic");
    CHECK(fact.task_id_provisional);
    check_task(fact, 46, 0);
}

TEST_CASE("key tokens: launches with any spelling of keys and separators") {
    for (const std::string& is : kSeparators) {
        CAPTURE(is);
        const std::string end = closed(is);
        for (const char* form : {"stream_id", "streamId", "streamid", "stream id"}) {
            CAPTURE(form);
            const std::string text = std::string("device_id") + is + "7" + end + ", " + form + is + "21" + end +
                                     ", taskId" + is + "118" + end + ", kernel_name" + is + kKernel + end + ", qos" +
                                     is + "3" + end;
            const Fact fact = stated("RUNTIME", launch(text));
            CHECK(fact.kernel_name == kKernel);
            CHECK(fact.device_id == 7);
            check_task(fact, 21, 118);
        }
    }
    for (const char* name : {"kernelName", "kernel name", "kernel_name"}) {
        CAPTURE(name);
        check_task(stated("RUNTIME", launch(std::string(name) + "=K,stream_id=21,task_id=118")), 21, 118);
        const Fact last = stated("RUNTIME", launch("task id=118, stream id=21, " + std::string(name) + "[K] "));
        CHECK(last.kernel_name == "K");
    }
}

TEST_CASE("key tokens: a name that stands before other keys does not swallow them") {
    const Fact fact = stated("RUNTIME", launch("kernel_name=K, device_id=0, stream_id=21, task_id=118, arg_size=1"));
    CHECK(fact.kernel_name == "K");
    CHECK(fact.device_id == 0);
    check_task(fact, 21, 118);
    CHECK(stated("GE", ge("Save dump task net/mul, device id: 0, task id: 118, stream id: 21")).operator_name ==
          "net/mul");
    CHECK(stated("GE", ge("Save dump task [net/mul], task id: 118, stream id: 21.")).operator_name == "net/mul");
}

TEST_CASE("key tokens: ids of something else are not the task's") {
    CHECK_FALSE(fact_of("RUNTIME", launch("report_stream_id=21, task_id=118, kernel_name=K, qos=1")));
    CHECK_FALSE(fact_of("RUNTIME", launch("model stream_id=21, model task_id=118, kernel_name=K, qos=1")));
    CHECK_FALSE(fact_of("RUNTIME", launch("stream_id=21, first_task_id=118, kernel_name=K, qos=1")));
    CHECK_FALSE(fact_of("RUNTIME", launch("stream_id=21, task_id=118x, kernel_name=K, qos=1")));
}

TEST_CASE("key tokens: lines that launch nothing, or whose kernel has no name or no certain end") {
    for (const char* name : {"none", "null", "nullptr", "(null)", ""}) {
        CHECK_FALSE(
            fact_of("RUNTIME", launch("stream_id=21, task_id=118, kernel_name=" + std::string(name) + ", qos=1")));
    }
    CHECK_FALSE(fact_of("RUNTIME", launch("stream_id=21, task_id=118, kernel_name=K")));
    CHECK_FALSE(fact_of("RUNTIME", launch("stream_id=21, task_id=118, kernel_name=K.")));
    CHECK_FALSE(fact_of("RUNTIME", launch("stream_id=21, task_id=118, kernel_name=K dim 3, qos=1")));
    CHECK_FALSE(fact_of("RUNTIME", launch("launch failed, stream_id=21, task_id=118, kernel_name=K, qos=1")));
    CHECK_FALSE(fact_of("RUNTIME", launch("stream_id=21, task_id=118, kernel_name=K, retCode=0x91")));
    CHECK_FALSE(fact_of("RUNTIME", launch("[INIT][DEFAULT]stream_id=21, task_id=118, kernel_name=K, error=7")));
    CHECK_FALSE(
        fact_of("RUNTIME", launch("stream_id=21, task_id=118, kernel_name=K, task_finish_num=3", "TaskFinished")));
}

TEST_CASE("key tokens: operators of the lines of GE") {
    for (const char* ids :
         {", task_id: 118, stream_id: 21", ", stream id: 21, task id: 118", ",task id:118,stream id:21",
          ", taskId: 118, streamId: 21", ", task id = 118, stream id = 21", ", task id is 118, stream id is 21"}) {
        CAPTURE(ids);
        const Fact fact = stated("GE", ge("Save dump task net/mul" + std::string(ids)));
        CHECK(fact.kind == FactKind::operator_of_task);
        CHECK(fact.operator_name == "net/mul");
        CHECK(fact.of_model);
        check_task(fact, 21, 118);
        check_task(stated("GE", ge("KernelTaskInfo Distribute Success, node_name: net/mul" + std::string(ids))), 21,
                   118);
        const Fact info = stated("GE", ge("[AIC_INFO] node_name: net/mul, node_type: Mul" + std::string(ids)));
        CHECK(info.operator_name == "net/mul");
        CHECK(info.operator_type == "Mul");
        check_task(info, 21, 118);
    }
    check_task(stated("GE", ge("[KernelTrace][LaunchKernelWithHandle_net/mul_12] task_id: 118, stream_id: 21")), 21,
               118);
    CHECK(stated("GE", ge("[Save][OpExceptionInfo] op[net/mul], stream_id: 21, task_id: 118")).operator_name ==
          "net/mul");
}

TEST_CASE("key tokens: placeholders, failures and words are no nodes") {
    for (const char* text :
         {"Save dump task HcomAllReduce_1, task_id: 0, stream_id: 0", "Save dump task a, stream_id: 0, task_id: 0",
          "Save dump task a, task_id: 0, device_id: 3, stream_id: 0",
          "Save dump task failed, task_id: 118, stream_id: 21", "Save dump task info, task_id: 118, stream_id: 21",
          "Save dump task op name: x, task_id: 118, stream_id: 21",
          "KernelTaskInfo Distribute Success, op index: 4, op_name: net/mul, task_id: 118, stream_id: 21",
          "KernelTaskInfo Distribute Success, op type: LabelSet, task_id: 118, stream_id: 21"}) {
        CAPTURE(text);
        CHECK_FALSE(fact_of("GE", ge(text)));
    }
    // A name may begin with a bracket, as users have it.
    CHECK(stated("GE", ge("Save dump task [x]net/mul, task id: 118, stream id: 21")).operator_name == "[x]net/mul");
}

TEST_CASE("key tokens: a fault in today's words without their mark, the key behind the name has four words") {
    for (const char* behind : {"fault kernel info ext=none, program id=9, hash=10612039229658031084.",
                               "fault kernel info ext: none, program id=9", "program is NULL!", "module is nullptr!"}) {
        CAPTURE(behind);
        const Fact fault = stated("RUNTIME",
                                  "[davinci_kernel_task.cc:899]4711 PrintErrorInfoForDavinciTask:AI Core kernel "
                                  "execution failed, device_id=0, stream_id=21, report_stream_id=20, task_id=118, "
                                  "flip_num=3, fault kernel_name=" +
                                      kKernel + ", " + behind);
        CHECK(fault.kind == FactKind::fault_kernel);
        CHECK(fault.kernel_name == kKernel);
        CHECK(fault.report_stream_id == 20);
        CHECK(fault.flip_num == 3);
        check_task(fault, 21, 118);
    }
}

TEST_CASE("key tokens: faults and bindings") {
    const Fact fault = stated("RUNTIME",
                              "[task.cc:1]4711 PrintErrorInfo:Aicore kernel execute failed, device_id=0, stream_id=21, "
                              "report_stream_id=20, task_id=118, flip_num=2, task_type=0, fault kernel_name=K, program "
                              "id=1, hash=2.");
    CHECK(fault.kind == FactKind::fault_kernel);
    CHECK(fault.kernel_name == "K");
    CHECK(fault.report_stream_id == 20);
    CHECK(fault.flip_num == 2);
    check_task(fault, 21, 118);

    for (const char* text : {"device_id=0, model_id=3, stream_id=21, model_name=bert, flag=0, group_id=0.",
                             "modelId=3, streamId=21, model_name=bert, flag=0"}) {
        CAPTURE(text);
        const Fact bind = stated("RUNTIME", launch(text, "ModelBindStream"));
        CHECK(bind.kind == FactKind::model_bind);
        CHECK(bind.model_id == 3);
        CHECK(bind.stream_id == 21);
        CHECK(bind.model_name == "bert");
    }
    const Fact unbind = stated("RUNTIME", launch("device_id=0, model_id=3, streamId=21", "ModelUnbindStream"));
    CHECK(unbind.kind == FactKind::model_unbind);
    for (const char* text :
         {"[INIT][DEFAULT]Stream is already bound, model_id=515, stream_id=21, retCode=0x1",
          "Failed to bind, model_id=3, stream_id=21", "device_id=0, model_id=3, stream_id=21, retCode=0x7",
          "device_id=0, model_id=3, stream_id=21, error=1"}) {
        CAPTURE(text);
        CHECK_FALSE(fact_of("RUNTIME", launch(text, "ModelBindStream")));
        CHECK_FALSE(fact_of("RUNTIME", launch(text, "ModelUnbindStream")));
    }
}

TEST_CASE("key tokens: a task that was not sent, for the queue was full, is not submitted by that") {
    CHECK_FALSE(
        fact_of("RUNTIME", launch("device_id=0, ts_id=0, sq_id=1, cq_id=1, stream_id=21, task_id=0, task_type=0, "
                                  "error=17891330.",
                                  "AllocTaskAndSendDc")));
}

TEST_CASE("key tokens: blanks at the end of a line are no part of a name") {
    const std::string device = "[dump_task.cpp:351][DumpOpInfo][tid:22351] ";
    CHECK(stated("CCECPU", device + "start to dump op info, stream id=5, task id=6, op name=net/mul  ").operator_name ==
          "net/mul");
    CHECK(stated("CCECPU", device + "start to dump op info, stream id=5, task id=6, op name=Node_OpDebug ").kind ==
          FactKind::debug_task);
    CHECK(
        stated("RUNTIME", launch("device_id=0, stream_id=5, task_id=6, flag=0, kernelFlag=0x0, blkdim=1, soName=null, "
                                 "kernel_name=Run. ",
                                 "StreamLaunchCpuKernel"))
            .kernel_name == "Run");
}

TEST_CASE("key tokens: a format of one's own reads a line before those that only know its keys") {
    std::vector<NamedText> files = built_in_log_format_files();
    files.push_back({"own.json", R"json({"schema": "opdebug.log_formats/1", "formats": [
        {"id": "own.launch", "catalogue": "X1", "states": "kernel_of_task", "log": "runtime_log", "modules": ["RUNTIME"],
         "literal": "ourKey=", "pattern": "stream_id=(?<stream_id>\\d+), task_id=(?<task_id>\\d+), ourKey=\\d+, kernel_name=(?<kernel_name>\\w+)",
         "versions": "1", "source": "made up",
         "samples": ["[INFO] RUNTIME(1,a):2030-01-01-00:00:00.000 [c.cc:1] 9 F: stream_id=5, task_id=6, ourKey=1, kernel_name=K"]}]})json"});
    const auto loaded = LogFormats::load(files);
    REQUIRE_MESSAGE(loaded.ok(), (loaded ? "" : loaded.error().message));
    const auto line = parse_line(
        "[INFO] RUNTIME(1,a):2030-01-01-00:00:00.000 [c.cc:1] 9 F: stream_id=5, task_id=6, ourKey=1, kernel_name=K");
    REQUIRE(line);
    const std::optional<Match> match = (*loaded)->match(*line);
    REQUIRE(match);
    CHECK(match->fact.format_id == "own.launch");
    CHECK_FALSE(match->fact.task_id_provisional);
}

TEST_CASE("key tokens: formats of lines that state nothing silence a fallback; two fallbacks exclude each other") {
    const std::string head = R"json({"schema": "opdebug.log_formats/1", "formats": [)json";
    const auto format = [](const std::string& id, const std::string& states, const std::string& key, bool fallback,
                           const std::string& sample) {
        return R"({"id": ")" + id + R"(", "catalogue": "T", "states": ")" + states +
               R"(", "log": "ge_log", "modules": ["TOY"], "literal": "task ", "pattern": ")" + key +
               R"json((?<operator_name>\\w+) task (?<task_id>\\d+) stream (?<stream_id>\\d+)", )json" +
               (fallback ? R"("fallback": true, )" : "") +
               R"("versions": "1", "source": "made up", "samples": ["[INFO] TOY(1,t):2030-01-01-00:00:00.000 [t.c:1]1 F:)" +
               sample + R"( task 3 stream 4"]})";
    };
    const std::string exact = format("toy.exact", "operator_of_task", "runs ", false, "runs mul");
    const std::string nothing = format("toy.nothing", "nothing", "input ", false, "input mul");
    const std::string fallback = format("toy.fallback", "operator_of_task", "", true, "does mul");
    const std::string second = format("toy.second", "operator_of_task", "no ", true, "no mul");
    CHECK(LogFormats::load({{"toy.json", head + exact + ", " + fallback + "]}"}}).ok());
    const auto reads = [](const std::shared_ptr<const LogFormats>& formats, const std::string& text) {
        const std::string whole = "[INFO] TOY(1,t):2030-01-01-00:00:00.000 [t.c:1]1 F:" + text;
        const auto line = parse_line(whole);
        REQUIRE(line);
        return formats->match(*line).has_value();
    };
    const auto silenced = LogFormats::load({{"toy.json", head + fallback + ", " + nothing + "]}"}});
    REQUIRE_MESSAGE(silenced.ok(), (silenced ? "" : silenced.error().message));
    CHECK(reads(*silenced, "does add task 3 stream 4"));
    CHECK_FALSE(reads(*silenced, "input add task 3 stream 4"));
    const auto two = LogFormats::load({{"toy.json", head + fallback + ", " + second + "]}"}});
    REQUIRE_FALSE(two.ok());
    CHECK(two.error().message.find("exclude each other") != std::string::npos);
}
