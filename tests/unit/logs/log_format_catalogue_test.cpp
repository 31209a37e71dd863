// The catalogue of log lines: each mark is there, and the tricky texts, most of them the runtime's, state what they
// mean and no more.
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "line_facts.hpp"

using namespace opdebug::logs;
using opdebug::test::definition;
using opdebug::test::fact_of;
using opdebug::test::stated;

namespace {

Fact runtime(std::string_view message) {
    return stated("RUNTIME", "[c.cc:1]9 F:" + std::string(message));
}

bool runtime_states(std::string_view message) {
    return fact_of("RUNTIME", "[c.cc:1]9 F:" + std::string(message)).has_value();
}

/// "L4-L10" means L4, L5 ... L10.
std::set<std::string> marks_of(const std::string& catalogue) {
    const std::size_t dash = catalogue.find('-');
    if (dash == std::string::npos) {
        return {catalogue};
    }
    std::set<std::string> marks;
    for (int number = std::stoi(catalogue.substr(1)); number <= std::stoi(catalogue.substr(dash + 2)); ++number) {
        marks.insert(catalogue[0] + std::to_string(number));
    }
    return marks;
}

}  // namespace

TEST_CASE("log catalogue: each mark has a format") {
    std::set<std::string> there;
    for (const FormatDefinition* format : built_in_log_formats()->definitions()) {
        there.merge(marks_of(format->catalogue));
    }
    const std::map<char, int> last{{'L', 15}, {'U', 11}, {'G', 25}, {'D', 8}, {'A', 6}, {'M', 11},
                                   {'N', 14}, {'E', 21}, {'O', 9},  {'V', 2}, {'F', 2}};
    for (const auto& [letter, count] : last) {
        for (int number = 1; number <= count; ++number) {
            const std::string mark = letter + std::to_string(number);
            CHECK_MESSAGE(there.count(mark) == 1, mark);
        }
    }
    for (const char* mark : {"G1b", "M1a", "M1b", "F14b", "MS1", "MS2", "MS3", "MS4", "MS5", "MS6", "stream"}) {
        CHECK_MESSAGE(there.count(mark) == 1, mark);
    }
}

TEST_CASE("log catalogue: launch lines since 8.5 are provisional, those before and those of old tasks are not") {
    for (const FormatDefinition* format : built_in_log_formats()->definitions()) {
        if (format->states == FactKind::kernel_of_task || format->states == FactKind::unnamed_launch) {
            const bool is_old = format->catalogue == "L1" || format->catalogue == "L2" || format->catalogue == "L3" ||
                                format->catalogue == "L1-L2";
            const bool is_of_old_task = format->catalogue == "L10";
            CHECK_MESSAGE(format->task_id_provisional == !(is_old || is_of_old_task), format->id);
        }
    }
}

TEST_CASE("log catalogue: launch lines are read by their keys, in any order, with the addresses of the code") {
    const Fact fact = runtime(
        "kernel info : task_id=9, master_stream_id=3, stream_id=5, device_id=1, kernel_name=net/a.b_1, arg_size=8, "
        "addr2=0x2f, x=1, addr1=0xfFfF000000000001, qos=0.");
    CHECK(fact.kind == FactKind::kernel_of_task);
    CHECK(fact.stream_id == 5);
    CHECK(fact.task_id == 9);
    CHECK(fact.device_id == 1);
    CHECK(fact.kernel_name == "net/a.b_1");
    CHECK(fact.address1 == 0xFFFF000000000001ULL);
    CHECK(fact.address2 == 0x2FU);
}

TEST_CASE("log catalogue: an address that the end of the line cuts is none") {
    const Fact fact =
        runtime("device_id=0, stream_id=5, task_id=9, kernelType=0, kernel_name=k, arg_size=8, addr1=0x12, addr2=0x3");
    CHECK(fact.address1 == 0x12U);
    CHECK_FALSE(fact.address2);
}

TEST_CASE("log catalogue: a launch line that has grown from that of 2023 is provisional") {
    const Fact exact = runtime("stream_id=5, task_id=6, kernelType=0, kernel_name=k, arg_size=32");
    CHECK(exact.format_id == "runtime.launch_2023");
    const Fact grown = runtime("stream_id=5, task_id=6, kernelType=0, kernel_name=k, arg_size=32, mixType=1");
    CHECK(grown.task_id_provisional);
    CHECK(grown.stream_id == 5);
    CHECK(grown.task_id == 6);
    CHECK(grown.kernel_name == "k");
}

TEST_CASE("log catalogue: launch lines of Ascend 950 have no task id, AICPU ones no ids at all") {
    const Fact core = runtime("stream_id=5, kernel_name=a/b, kernelAttrType=AICORE, funcType=3, arg_size=8");
    CHECK(core.stream_id == 5);
    CHECK_FALSE(core.task_id);
    CHECK(core.task_id_provisional);
    CHECK(core.kernel_name == "a/b");
    const Fact fusion = runtime("kernel info: stream_id=5, kernelAttrType=X, kernel_name=k.1,mixType=1, taskRation=0");
    CHECK(fusion.kernel_name == "k.1");
    CHECK_FALSE(fusion.task_id);
    const Fact aicpu = runtime("flag=0, kernelFlag=0x0, blkdim=1, soName=liba.so, kernel_name=Run.v2.");
    CHECK(aicpu.kernel_name == "Run.v2");
    CHECK_FALSE(aicpu.stream_id);
    CHECK_FALSE(aicpu.task_id);
}

TEST_CASE("log catalogue: launch lines with an empty name name none") {
    for (const char* line :
         {"stream_id=5, kernel_name=, kernelAttrType=AICORE, funcType=3",
          "kernel info: stream_id=5, kernelAttrType=X, kernel_name=,mixType=1, taskRation=0",
          "flag=0, kernelFlag=0x0, blkdim=1, soName=liba.so, kernel_name=.",
          "device_id=0, stream_id=5, task_id=0, flag=0, kernelFlag=0x0, blkdim=1, soName=liba.so, kernel_name=."}) {
        const Fact fact = runtime(line);
        CHECK_MESSAGE(fact.kind == FactKind::unnamed_launch, line);
        CHECK(fact.kernel_name.empty());
        CHECK(fact.task_id_provisional);
    }
}

TEST_CASE("log catalogue: submit lines of Ascend 950 have both numbers of the task") {
    const Fact sent = runtime(
        "device_id=1, ts_id=0, sq_id=5, stream_id=46, task_id=12, flip_num=2, task_sn=131084, task_type=66(KERNEL)");
    CHECK(sent.kind == FactKind::submit);
    CHECK(sent.task_id == 12);
    CHECK(sent.task_sn == 131084);
    CHECK(sent.flip_num == 2);
    CHECK(sent.task_type == 66);
    CHECK_FALSE(
        runtime_states("device_id=1, ts_id=0, sq_id=5, stream_id=46, task_id=12, flip_num=2, task_sn=131084, "
                       "task_type=66(KERNEL), drvRet=7."));
    const Fact added = runtime(
        "single-operator stream, stream_id=2, task_id=3, task_sn=4, type=1(KERNEL_AICPU), sqe_num=1, device_id=6");
    CHECK(added.kind == FactKind::submit);
    CHECK(added.task_type == 1);
    CHECK(added.device_id == 6);
}

TEST_CASE("log catalogue: ids that change and ids that begin anew") {
    const Fact renumbered = runtime("stream_id=4, change task_id=900(old) to serial_id=12(new)");
    CHECK(renumbered.kind == FactKind::task_renumbered);
    CHECK(renumbered.previous_task_id == 900);
    CHECK(renumbered.task_id == 12);
    const Fact wrapped = runtime("SendFlipTask dev_id=1, stream_id=4, task_id=65534, flipNum=5");
    CHECK(wrapped.kind == FactKind::ids_wrapped);
    CHECK(wrapped.flip_num == 5);
    CHECK_FALSE(wrapped.task_id);
    const Fact update =
        stated("GE", "[e.cc:1]9 F:Update task id, old: 3 -> new: 33, stream_id: 46, model: 2, opname: a.b");
    CHECK(update.task_id == 33);
    CHECK(update.previous_task_id == 3);
    CHECK(update.operator_name == "a.b");
    CHECK_FALSE(update.ge_model_id);
    CHECK_FALSE(update.model_id);
}

TEST_CASE("log catalogue: the stream that reports is not the stream of the task") {
    const Fact model = runtime(
        "model execute task failed, device_id=0, model stream_id=20, model task_id=1, flip_num=0, model_id=3, "
        "first_task_id=65535");
    CHECK(model.kind == FactKind::model_of_task);
    CHECK(model.report_stream_id == 20);
    CHECK(model.model_id == 3);
    CHECK_FALSE(model.stream_id);
    CHECK_FALSE(model.task_id);
    const Fact late = runtime(
        "aicore task timeout dfx, show slot info, slot_id=1, device_id=0, stream_id=9, task_id=4, falut_stream_id=46, "
        "falut_task_id=12, kernel_name=K, kernel_info_ext=none, pc_start=0x1.");
    CHECK(late.stream_id == 46);
    CHECK(late.task_id == 12);
    CHECK(late.kernel_name == "K");
    const Fact real = runtime("Real fault task, device_id=0, sub_model_id=8, stream_id=56, task_id=3, type=0[X].");
    CHECK(real.stream_id == 56);
    CHECK_FALSE(real.model_id);
}

TEST_CASE("log catalogue: AICPU faults name the operator, else the kernel, else nothing") {
    const std::string head = "AI CPU kernel execution failed, device_id=0, stream_id=2, task_id=7, ";
    CHECK(runtime(head + "fault op_name=a/b, soName=l.so, funcName=F, kernelName=K, errorCode=0x1").operator_name ==
          "a/b");
    const Fact extended = runtime(
        head + "fault op_name=, extend_info=(info_type:4, info_len:7, msg_info:Slice_1), kernelName=K, errorCode=0x1");
    CHECK(extended.kind == FactKind::operator_of_task);
    CHECK(extended.operator_name == "Slice_1");
    const Fact kernel = runtime(head + "soName=l.so, funcName=F, kernelName=K, errorCode=0x1");
    CHECK(kernel.kind == FactKind::fault_kernel);
    CHECK(kernel.kernel_name == "K");
    const Fact none = runtime(
        "Aicpu kernel execute failed, device_id=0, stream_id=2, task_id=7, fault op_name=[FUNC:GetError][FILE:a.cc]");
    CHECK(none.kind == FactKind::task_fault);
    CHECK(none.operator_name.empty());
    CHECK(runtime("AI CPU kernel execution failed, device_id=0, stream_id=2, task_pos=7, soName=, funcName=, "
                  "kernelName=, errorCode=0x1")
              .task_id == 7);
}

TEST_CASE("log catalogue: overflow reports are told by their codes, other warnings state nothing of the kind") {
    const Fact warning =
        runtime("CQE warning, device_id=1, stream_id=2, task_id=7, sqe_type=0(ffts), errType=0x1(x), sqSwStatus=0x2f");
    CHECK(warning.kind == FactKind::overflow_report);
    CHECK(warning.task_id == 7);
    CHECK(runtime("CQE warning, device_id=1, stream_id=2, pos=9, sqe_type=0(aic), errType=0x1(x), sqSwStatus=0x34")
              .task_id == 9);
    CHECK_FALSE(runtime_states(
        "CQE warning, device_id=1, stream_id=2, task_id=7, sqe_type=0(ffts), errType=0x1(x), sqSwStatus=0x2f0"));
    const Fact numbered =
        runtime("stream_id=2, exposed_stream_id=1, exception_task_id=65548, retCode=0x7150061,[aivec overflow]");
    CHECK(numbered.kind == FactKind::overflow_report);
    CHECK(numbered.stream_id == 2);
    CHECK(numbered.task_sn == 65548);
    CHECK_FALSE(numbered.task_id);
    CHECK(runtime("stream_id=2, task_id=6, retCode=0x7150026,[aicore exception]").kind == FactKind::task_fault);
    CHECK(runtime("stream_id=2, task_id=6, retCode=0x715005b,[aicore overflow]").kind == FactKind::overflow_report);
    CHECK(stated("RUNTIME", "[h.cc:1] 9 ProcessOverFlowReport: sq_id=5, stream_id=2, task_id=7, sq_head=8.").task_id ==
          7);
    CHECK_FALSE(fact_of("RUNTIME", "[h.cc:1] 9 Other: sq_id=5, stream_id=2, task_id=7, sq_head=8."));
}

TEST_CASE("log catalogue: what is told to those who listen for failures is an overflow by its code alone") {
    const Fact today = stated("IDEDD",
                              "[t.cc:1] 9 Notify: notify [GE] task start, notify task_id=65547, stream_id=2, "
                              "retcode:207016.");
    CHECK(today.kind == FactKind::overflow_report);
    CHECK(today.stream_id == 2);
    CHECK(today.task_sn == 65547);
    CHECK(stated("RUNTIME", "[t.cc:1] 9 Notify: notify stream_id=2, task_id=5, retcode:207017.").task_sn == 5);
    CHECK_FALSE(fact_of("RUNTIME", "[t.cc:1] 9 Notify: notify stream_id=2, task_id=5, retcode:507015."));
    const std::string old = "notify [HCCL] task fail start.notify taskid:5 streamid:2 retcode:";
    CHECK(runtime(old + "207003").kind == FactKind::overflow_report);
    CHECK_FALSE(runtime_states(old + "507011"));
    CHECK_FALSE(runtime_states(old + "2070031"));
}

TEST_CASE("log catalogue: a kernel that the runtime did not find has no name") {
    CHECK_FALSE(
        runtime_states("fftsplus streamId=50, taskId=21, context_id=18, expandtype=1, rtCode=0x715006c,[fftsplus task "
                       "exception], psStart=0x0, kernel_name=not found kernel name, binHandle=(nil), binSize=0."));
    const Fact fault = runtime(
        "FftsPlus task execution failed, dev_id=0, stream_id=50, task_id=21, context_id=18, thread_id=0, "
        "err_type=1[aic error], error_code=0x20, pc start=0x0. fault kernel_name=not found kernel name, blockDim=8.");
    CHECK(fault.kind == FactKind::task_fault);
    CHECK(fault.kernel_name.empty());
    const Fact timeout = runtime(
        "fftsplus aicore task timeout dfx, show slot info, slot_id=1, device_id=0, stream_id=50, task_id=21, "
        "kernel_name=not found kernel name, kernel_info_ext=none, pc_start=0x0.");
    CHECK(timeout.kind == FactKind::task_fault);
}

TEST_CASE("log catalogue: captured streams, and the streams of the task beside them") {
    const Fact begin = runtime(
        "capture begin success, device_id=1, model_id=7 original stream_id=2, capture stream_id=9, stream_status=0, "
        "isSubmodel=0, parent model_id=3.");
    CHECK(begin.kind == FactKind::capture_stream);
    CHECK(begin.origin_stream_id == 2);
    CHECK(begin.stream_id == 9);
    CHECK(begin.model_id == 7);
    const Fact added = runtime(
        "add stream to capture model, device_id=1, model_id=7, add stream_id=4, stream_status=1, capture stream_id=12, "
        "retCode=0.");
    CHECK(added.kind == FactKind::capture_stream);
    CHECK(added.origin_stream_id == 4);
    CHECK(added.stream_id == 12);
    CHECK(added.model_id == 7);
    const Fact end =
        runtime("capture end success, device_id=1, original stream_id=2, capture stream_id=9, capture model_id=7.");
    CHECK(end.kind == FactKind::capture_end);
    CHECK(end.stream_id == 9);
}

TEST_CASE("log catalogue: binding and its end in the words of the maintenance task") {
    const Fact bound = runtime("model maintaince type=0, device_id=1, bind stream_id=5 to modelId=2, task_id=3");
    CHECK(bound.kind == FactKind::model_bind);
    CHECK(bound.model_id == 2);
    CHECK(bound.device_id == 1);
    CHECK_FALSE(bound.task_id);
    CHECK(runtime("model maintaince type=1, unbind stream_id=5 from model_id=2").kind == FactKind::model_unbind);
    CHECK_FALSE(runtime_states("model maintaince type=2, load complete stream_id=5 of model_id=2"));
    CHECK(stated("RUNTIME", "[l.cc:1] 9 ModelDestroy: model_id=2.").kind == FactKind::model_end);
    CHECK_FALSE(fact_of("RUNTIME", "[l.cc:1] 9 ModelOther: model_id=2."));
}

TEST_CASE("log catalogue: the op map of the device belongs to the model that stands before it") {
    CHECK(definition("device.op_mapping").completed_by ==
          std::vector<std::string>{definition("device.model_of_mapping").remembers});
    CHECK(definition("device.no_model_of_mapping").forgets == definition("device.model_of_mapping").remembers);
    CHECK(stated("CCECPU",
                 "[d.cpp:1][L][tid:5] end of dump op info, result=0, stream id=5, task id=6, context id=7, "
                 "thread id=65535, op name=a/b, cost time is [1.50]us")
              .operator_name == "a/b");
}

TEST_CASE("log catalogue: lines that look like statements state nothing") {
    CHECK_FALSE(runtime_states("stream_id=5, task_id=0, kernelType=0, arg_size=3"));
    CHECK_FALSE(runtime_states("device_id=0, stream_id=5, task_id=2, task_type=7,task_launched_num=3"));
    CHECK_FALSE(
        fact_of("GE", "[d.cc:1]9 F:KernelTaskInfo Distribute Success. sktenable:0 taskid:2 sktid:0 stream:0x1"));
    CHECK_FALSE(fact_of("GE", "[d.cc:1]9 F:model_id=5, stream id 1, first task id 3"));
    CHECK_FALSE(fact_of("GE", "[d.cc:1]9 F:Save dump op r, op type: HcomAllReduce, task id: 0, stream id: 0, size: 1"));
    CHECK_FALSE(fact_of("CCECPU",
                        "[d.cpp:1][L][tid:5] Begin to dump data event, stream id[5], task id[3], stream "
                        "id1[65535], task id1[65535]."));
}

TEST_CASE("log format catalogue: a launch whose kernel is called none, or nothing, has no name") {
    for (const std::string name : {"none", ""}) {
        for (const std::string& text :
             {"[l.cc:7]9 TaskLaunched:device_id=0, stream_id=4, sq_id=4, task_id=5, kernel_name=" + name +
                  ", devfunc_name = te_1__kernel0 task_type=AiCoreKernel, task_launched_num=2",
              "[l.cc:7]9 KernelTaskEventLogProc:device_id=0, stream_id=4, task_id=5, kernel_name=" + name +
                  ", devfunc_name = te_1__kernel0 task_type=AiCoreKernel, task_launched_num=2",
              "[c.cc:7] 9 LaunchKernel: stream_id=4, task_id=5, kernelType=0, kernel_name=" + name + ", arg_size=8",
              "[c.cc:7] 9 LaunchKernel: device_id=0, stream_id=4, task_id=5, kernelType=0, kernel_name=" + name +
                  ", arg_size=8, taskRation=0",
              "[c.cc:7] 9 LaunchKernelWithHandle: kernel info : device_id=0, stream_id=4, task_id=5, kernelType=0, "
              "kernel_name=" +
                  name + ", arg_size=8, mixType=0",
              "[a.cc:7] 9 StreamLaunchKernelV1: stream_id=4, kernel_name=" + name + ", kernelAttrType=1, funcType=3",
              "[f.cc:7] 9 Launch: kernel info: stream_id=4, kernelAttrType=1, kernel_name=" + name + ",mixType=1",
              "[a.cc:7] 9 StreamLaunchCpuKernel: device_id=0, stream_id=4, task_id=5, flag=0, kernelFlag=0x0, "
              "blkdim=1, "
              "soName=null, kernel_name=" +
                  name + "."}) {
            const Fact fact = stated("RUNTIME", text);
            CHECK_MESSAGE(fact.kind == FactKind::unnamed_launch, text);
            CHECK_MESSAGE(fact.stream_id == 4, text);
        }
    }
}
