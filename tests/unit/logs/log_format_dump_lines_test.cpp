// The catalogue of log lines: those of who dumps operators, adump, GE, the aclnn interface and MindSpore.
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "line_facts.hpp"

using namespace opdebug::logs;
using opdebug::test::definition;
using opdebug::test::fact_of;
using opdebug::test::stated;

namespace {

Fact adump(std::string_view message) {
    return stated("IDEDD", "[o.cpp:1][tid:9] " + std::string(message));
}

}  // namespace

TEST_CASE("log catalogue: adump exchanges name and type of aclnn operators") {
    const Fact plain =
        adump("[AIC_INFO] node_name:a/Mul_1, node_type:Mul, stream_id:2, task_id:1, context_id:3, thread_id:");
    CHECK(plain.operator_name == "a/Mul_1");
    CHECK(plain.operator_type == "Mul");
    CHECK(plain.context_id == 3);
    CHECK_FALSE(plain.thread_id);
    const Fact swapped = adump(
        "[AIC_INFO] node_name:ToyAddAiCore, node_type:aclnnToyAdd_0_L0, stream_id:2, task_id:1, context_id:4294967295, "
        "thread_id:");
    CHECK(swapped.operator_name == "aclnnToyAdd_0_L0");
    CHECK(swapped.operator_type == "ToyAdd");
    CHECK_FALSE(swapped.context_id);
    const Fact named = adump("[AIC_INFO] node_name:aclnn_net/Mul, node_type:Mul, stream_id:2, task_id:1");
    CHECK(named.operator_name == "aclnn_net/Mul");
}

TEST_CASE("log catalogue: the operator of an adump launch and its ids stand in two lines") {
    const Fact name = adump("Start to launch dump with cfg for op net/x[0]/add[ToyAdd], inputSize(2), outputSize(1).");
    CHECK(name.kind == FactKind::part);
    CHECK(name.operator_name == "net/x[0]/add");
    CHECK(name.operator_type == "ToyAdd");
    const Fact ids = adump("Task id is 5, stream id is 2");
    CHECK(ids.kind == FactKind::operator_of_task);
    CHECK(ids.task_id == 5);
    CHECK(definition("adump.launch_ids").completed_by == std::vector<std::string>{"adump_launch"});
    CHECK(definition("adump.launch_operator").once);
}

TEST_CASE("log catalogue: MindSpore's lines are read through their own prefix") {
    const std::string prefix =
        "[ERROR] DEVICE(41,ffff00a0,python):2021-03-04-05:06:07.008.009 [mindspore/a/b.cc:6] DumpTaskExceptionInfo] ";
    const auto read = [&prefix](const std::string& text) {
        const std::string whole = prefix + text;
        const auto line = parse_line(whole);
        REQUIRE(line);
        CHECK(line->pid == 41);
        const auto match = built_in_log_formats()->match(*line);
        REQUIRE(match);
        return match->fact;
    };
    const Fact ids = read("Task fail infos task_id: 2, stream_id: 116, tid: 9, device_id: 1, retcode: 5 ( failed)");
    CHECK(ids.kind == FactKind::task_fault);
    CHECK(ids.stream_id == 116);
    CHECK(ids.user_device_id == 1);
    CHECK(read("Dump node (Default/a(1)-op1) task error input/output data to: ./d trace:").operator_name ==
          "Default/a(1)-op1");
    CHECK(definition("mindspore.operator").completed_by ==
          std::vector<std::string>{definition("mindspore.task_fault").remembers});
}

TEST_CASE("log catalogue: MindSpore tells of overflow itself, with the operator that ran together with what follows") {
    const std::string begin = "[kernel_runtime.cc:6] TaskFailCallback] ";
    const Fact named = stated("DEVICE", begin +
                                            "Node run task overflow, node name: Default/a b/Mul-op3Task overflow infos "
                                            "task_id: 7, stream_id: 116, tid: 9, device_id: 1, retcode: 207003");
    CHECK(named.kind == FactKind::operator_of_task);
    CHECK(named.operator_name == "Default/a b/Mul-op3");
    CHECK(named.stream_id == 116);
    CHECK(named.task_id == 7);
    CHECK(named.user_device_id == 1);
    CHECK(named.of_model);
    const Fact unnamed = stated("DEVICE", begin +
                                              "Graph in kernelByKernel mode task overflow, Task overflow infos "
                                              "task_id: 65543, stream_id: 116");
    CHECK(unnamed.kind == FactKind::overflow_report);
    CHECK(unnamed.task_sn == 65543);
    CHECK_FALSE(unnamed.task_id);
    CHECK_FALSE(fact_of("DEVICE", begin + "Node run task overflow, node name is unknown."));
}

TEST_CASE("log catalogue: MindSpore's list of what is dumped names operators and the collecting task") {
    const Fact kernel = stated("DEVICE", "[d.cc:6] LoadDumpInfo] [DataDump] LoadDumpInfo kernel:Default/net/Mul-op3");
    CHECK(kernel.kind == FactKind::part);
    CHECK(kernel.operator_name == "Default/net/Mul-op3");
    const Fact ids = stated("DEVICE", "[d.cc:6] ConstructDumpTask] [DataDump] Get runtime info task_id:7 stream_id:5");
    CHECK(ids.stream_id == 5);
    CHECK(ids.task_id == 7);
    CHECK(definition("mindspore.dump_kernel_ids").completed_by ==
          std::vector<std::string>{definition("mindspore.dump_kernel").remembers});
    const Fact both = stated("DEVICE",
                             "[k.cc:6] OpLoadDumpInfo] [DataDump] Get runtime info graph_id:1 stream_id:5 "
                             "task_id:131079 fullname:Default/net/Mul-op3");
    CHECK(both.operator_name == "Default/net/Mul-op3");
    CHECK(both.task_id == 7);  // 131079 = 2 * 65536 + 7
    CHECK(stated("DEVICE", "[d.cc:6] F] [DataDump] Distribute op debug task, task id = 2, stream id = 8").kind ==
          FactKind::debug_task);
    CHECK_FALSE(fact_of("DEVICE",
                        "[d.cc:6] F] [DataDump] Add op debug info to OpMappingInfo, task id = 0, stream id = "
                        "0"));
}

TEST_CASE("log catalogue: a number with the wraps above the task's id is on the task of its low half") {
    const Fact call =
        stated("OP",
               "[op_dfx.cpp:1][NNOP][Add][9] OpName:[aclnnMul_7_MulAiCore] AdumpAddExceptionOperatorInfo L2 = "
               "aclnnMul_7_L0, L0 = MulAiCore, device_id = 1, task_id = 65547, stream_id = 2, res = 0");
    CHECK(call.operator_name == "aclnnMul_7_L0");
    CHECK(call.operator_type == "Mul");
    CHECK(call.user_device_id == 1);
    CHECK(call.task_id == 11);  // 65547 = 65536 + 11
    CHECK(call.task_sn == 65547);
    CHECK_FALSE(fact_of("OP",
                        "[op_dfx.cpp:1][NNOP][Add][9] AdumpAddExceptionOperatorInfo L2 = L2DfxAbscent_7_L0, L0 = "
                        "MulAiCore, device_id = 1, task_id = 11, stream_id = 2, res = 0"));
    CHECK(stated("GE", "[t.cc:1]9 F:Get Node[net/Mul] task id: 65547, stream id: 2.").task_id == 11);
    CHECK(stated("GE", "[t.cc:1]9 F:Get Node[net/Mul] task id: 11, stream id: 2.").task_id == 11);
}

TEST_CASE("log catalogue: GE launches the dump of an operator in two lines, the dump module before 8.5 too") {
    const auto ge = [](std::string_view message) {
        return stated("GE", "[dump_op.cc:1]9 LaunchDumpOp:" + std::string(message));
    };
    CHECK(ge("Start to launch dump op net/a, b/Mul").operator_name == "net/a, b/Mul");
    CHECK(ge("Start to launch dump op net/Mul, is single op dump 0.").operator_name == "net/Mul");
    CHECK(ge("Start to launch dump op net/Mul, is single op dump 1, device args flag 0.").operator_name == "net/Mul");
    const Fact ids = ge("Task id is 5, stream id is 2");
    CHECK(ids.task_id == 5);
    CHECK(ids.stream_id == 2);
    CHECK(definition("ge.launch_dump_ids").completed_by == std::vector<std::string>{"ge_dump_launch"});
    const Fact name = adump("Start to launch dump op net/x[0]/add[ToyAdd], input(2), output(1).");
    CHECK(name.kind == FactKind::part);
    CHECK(name.operator_name == "net/x[0]/add");
    CHECK(name.operator_type == "ToyAdd");
}

TEST_CASE("log catalogue: GE's further lines that name the operator of a task") {
    for (const std::string_view text :
         {"LaunchTask:Aicpu node[net/a, b] task_id: 5, stream_id: 6.",
          "F:Aicore node[net/a, b] task_id: 5, stream_id: 6.",
          "SavePrintDumpTask:Save ascendc printf dump task net/a, b, task id: 5, stream id: 6, context id: 0, thread "
          "id: "
          "0.",
          "SubmitToAdump:[ReportL1ExceptionDumpInfo] op[net/a, b] dev_id: 1, stream_id: 6, task_id: 5, context_id: "
          "4294967295, thread_id: 4294967295, args: 0x1, args_size: 8, input tensor num: 1",
          "SaveOpInfo:SaveOpInfo: op_name=net/a, b, task_id=5, stream_id=6",
          "SaveOpInfo:SaveOpInfo: op_name=net/a, b, task_id=5, stream_id=6, context_id=4294967295, device_id=1, "
          "thread_id=4294967295",
          "SaveTaskInfo:Save OM2 profiling task info, op_name=net/a, b, op_type=Add, task_type=66, task_id=5, "
          "stream_id=6, block_dim=8, input_num=1, output_num=1, workspace_num=0, context_id=4294967295, thread_id=7",
          "SetTaskBasicInfo:SetTaskBasicInfo: op_name=net/a, b, task_id=5, stream_id=6"}) {
        const Fact fact = stated("GE", "[g.cc:1]9 " + std::string(text));
        CHECK_MESSAGE(fact.kind == FactKind::operator_of_task, text);
        CHECK_MESSAGE(fact.operator_name == "net/a, b", text);
        CHECK_MESSAGE(fact.stream_id == 6, text);
        CHECK_MESSAGE(fact.task_id == 5, text);
        CHECK_FALSE(fact.task_type);  // GE counts the types of tasks in its own way
    }
    const Fact profiled = stated("GE",
                                 "[p.cc:1]9 SaveTaskInfo:Save OM2 profiling task info, op_name=a, op_type=Add, "
                                 "task_type=0, task_id=5, stream_id=6, block_dim=8, context_id=3, thread_id=7");
    CHECK(profiled.operator_type == "Add");
    CHECK(profiled.context_id == 3);
    CHECK(profiled.thread_id == 7);
}

TEST_CASE("log catalogue: of an operator and the watched node that is dumped with it the ids are the operator's") {
    const auto watched = [](const std::string& both) {
        const auto fact = fact_of("GE", "[d.cc:1]9 F:WatcherOpName " + both + " stream_id 3 task_id 5.");
        return fact ? fact->operator_name : "-";
    };
    CHECK(watched("block1/mul_To_block1/add") == "block1/mul");  // the source puts "_To_" between the two, always
    CHECK(watched("block1/mul") == "block1/mul");
    CHECK(watched("a_To_b_To_c") == "-");  // "a" and "b_To_c", or "a_To_b" and "c"
    CHECK(watched("a_To_To_b") == "-");
}
