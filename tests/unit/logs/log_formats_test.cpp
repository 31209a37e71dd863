// Log formats: the built-in set, what each text states, and what is reported for a faulty format file.
#include "logs/formats/formats.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "line_facts.hpp"

using namespace opdebug::logs;
using opdebug::test::fact_of;
using opdebug::test::stated;

TEST_CASE("log formats: every statement has a built-in format") {
    const auto definitions = built_in_log_formats()->definitions();
    for (int kind = 0; kind <= static_cast<int>(FactKind::nothing); ++kind) {
        const auto states = static_cast<FactKind>(kind);
        if (states == FactKind::run_begin || states == FactKind::run_pause || states == FactKind::process_device) {
            continue;  // these are made of what several files state, or of set-ups of streams
        }
        CHECK_MESSAGE(std::any_of(definitions.begin(), definitions.end(),
                                  [states](const auto* f) { return f->states == states; }),
                      to_string(states));
        CHECK(fact_kind_from(to_string(states)) == states);
    }
}

TEST_CASE("log formats: the markers for no context and no thread are empty") {
    const Fact fact = stated("GE",
                             "[d.cc:1]9 SaveDumpTask:Save dump task conv, task id: 65535, stream id: 5, context id: "
                             "4294967295, thread id: 65535, is_op_debug: 0.");
    CHECK_FALSE(fact.context_id);
    CHECK_FALSE(fact.thread_id);
    CHECK(fact.task_id == 65535);
}

TEST_CASE("log formats: dump lines that name no operator of the task state nothing") {
    // The text of 2020-03 has no stream; task 0 on stream 0 is a placeholder; "input" names the producer of data.
    CHECK_FALSE(fact_of("GE", "[d.cc:1]9 SaveDumpTask:Save dump task conv, id: 61."));
    CHECK_FALSE(fact_of("GE", "[d.cc:1]9 SaveDumpTask:Save dump task AllReduce_1, task id: 0, stream id: 0"));
    CHECK(fact_of("GE", "[d.cc:1]9 SaveDumpTask:Save dump task conv, task id: 0, stream id: 1"));
    CHECK_FALSE(fact_of("GE", "[d.cc:1]9 SaveDumpTask:Save input dump task: data, id: 61, stream id: 5, data size: 8"));
}

TEST_CASE("log formats: the node name is taken out of a kernel trace tag") {
    const auto name = [](std::string_view tag) {
        const std::optional<Fact> fact = fact_of("GE", "[e.cc:1]9 OnExecuteEvent:[KernelTrace][" + std::string(tag) +
                                                           "]stream_id=2, task_id=6, flip_num=3, flip_task_id=9");
        return fact ? fact->operator_name : std::string("-");
    };
    CHECK(name("LaunchKernelWithFlag_GatherV2_308") == "GatherV2");
    CHECK(name("LaunchKernelWithHandle_net/block_1/Mul_2_417") == "net/block_1/Mul_2");
    CHECK(name("AtomicLaunchKernelWithHandle_Mul_3") == "Mul");
    CHECK(name("LaunchMixKernelWithFlag_Mul_3") == "Mul");
    CHECK(name("LaunchFFTSPlusTaskNoCopy_part_0_3") == "part_0");
    CHECK(name("AicpuLaunchCCKernel_Unique_88") == "Unique");
    CHECK(name("ExecuteOpLaunch_Custom_1_88") == "Custom_1");
    CHECK(name("ExecuteCustomOp_net/Toy_1_88") == "net/Toy_1");
    CHECK(name("ExecuteCustomOpWithInferShape_Toy_88") == "Toy");
    CHECK(name("Const_GatherV2_27") == "-");
    CHECK(
        stated("GE", "[e.cc:1]9 F:[KernelTrace][LaunchKernel_get[1]_x_1]_y_417]stream_id=2, task_id=7").operator_name ==
        "get[1]_x_1]_y");
    CHECK(stated("GE",
                 "[e.cc:1]9 F:[KernelTrace][AicpuLaunchTfKernel_a[0]_8]Launch: op_name b_1], io_num 3, stream_id=2, "
                 "task_id=8")
              .operator_name == "a[0]");
    CHECK_FALSE(fact_of("GE", "[e.cc:1]9 OnExecuteEvent:[KernelTrace][LaunchKernelWithFlag_Mul_3]"));
    CHECK(
        stated("GE", "[e.cc:1]9 F:[KernelTrace][LaunchKernel_Mul_3]stream_id=2, task_id=6, flip_num=3, flip_task_id=9")
            .flip_num == 3);
}

TEST_CASE("log formats: launch lines of all years give the kernel name up to the specific next key") {
    const auto kernel = [](std::string_view message) {
        return stated("RUNTIME", "[c.cc:1]9 F:" + std::string(message)).kernel_name;
    };
    CHECK(kernel("device_id=0, stream_id=514, sq_id=514, task_id=0, kernel_name=a/0_b.om/c, devfunc_name = te "
                 "task_type=AiCoreKernel") == "a/0_b.om/c");
    CHECK(
        kernel(
            "device_id=0, stream_id=5, task_id=6, kernel_name=-1_0_1_a, b, devfunc_name = te task_type=AiVecKernel") ==
        "-1_0_1_a, b");
    CHECK(kernel("stream_id=5, task_id=6, kernelType=0, kernel_name=00_1_a/b, arg_size=32") == "00_1_a/b");
    CHECK(kernel("device_id=0, stream_id=5, task_id=6, kernelType=0, kernel_name=k, arg_size=3, taskRation=0") == "k");
    CHECK(kernel("kernel info : device_id=0, stream_id=5, task_id=6, kernelAttrType=AICORE, kernel_name=k_mix_aic, "
                 "arg_size=3") == "k_mix_aic");
    CHECK(kernel("device_id=0, stream_id=5, task_id=6, kernelAttrType=3, newKey=x y, kernel_name=k, arg_size=3") ==
          "k");
    CHECK(kernel(
              "device_id=0, stream_id=5, task_id=6, flag=0, kernelFlag=0x0, blkdim=1, soName=null, kernel_name=Run.") ==
          "Run");
}

TEST_CASE("log formats: a launch line without kernel name names none, one that is cut before its end states nothing") {
    const Fact unnamed = stated(
        "RUNTIME",
        "[c.cc:1] 9 F: kernel info : device_id=0, stream_id=5, task_id=0, kernelType=0, kernel_name=, arg_size=3");
    CHECK(unnamed.kind == FactKind::unnamed_launch);
    CHECK(unnamed.kernel_name.empty());
    CHECK(unnamed.task_id_provisional);
    CHECK_FALSE(fact_of("RUNTIME", "[c.cc:1] 9 F: device_id=0, stream_id=5, task_id=0, kernelType=0, kernel_name=abc"));
    CHECK_FALSE(
        fact_of("RUNTIME", "[c.cc:1] 9 F: kernel info : stream_id=5, task_id=0, kernelType=0, arg_size=3, mixType=0"));
}

TEST_CASE("log formats: equal texts are told apart by the function") {
    const std::string_view text = "model_id=36, stream_id=135, flag=0.";
    CHECK(stated("RUNTIME", "[l.cc:1] 9 ModelBindStream: " + std::string(text)).kind == FactKind::model_bind);
    CHECK(stated("RUNTIME", "[l.cc:1] 9 ModelExecute: " + std::string(text)).kind == FactKind::model_execute);
    CHECK_FALSE(fact_of("RUNTIME", "[l.cc:1] 9 Other: " + std::string(text)));
    CHECK(stated("RUNTIME", "[l.cc:1] 9 ModelUnbindStream: model_id=36, stream_id=135, ").kind ==
          FactKind::model_unbind);
}

TEST_CASE("log formats: device lines: operator, data node, debug task, end of graph") {
    const auto device = [](std::string_view message) {
        return fact_of("CCECPU", "[d.cpp:1][Load][tid:5] " + std::string(message));
    };
    const auto mapped = device("[stream id:5, task id:6, context id:65535] op name[a/b], op type[Conv2D]");
    REQUIRE(mapped);
    CHECK(mapped->kind == FactKind::operator_of_task);
    CHECK(mapped->log == LogKind::device_log);
    CHECK(mapped->operator_name == "a/b");
    CHECK(mapped->operator_type == "Conv2D");
    CHECK_FALSE(mapped->context_id);
    CHECK_FALSE(device("[stream id:5, task id:6], op name[data], op type[Data]"));
    CHECK(device("[stream id:5, task id:2], op name[Node_OpDebug], op type[Opdebug]")->kind == FactKind::debug_task);
    CHECK(device("[stream id:5, task id:9], op name[Node_EndGraph], op type[EndGraph]")->kind ==
          FactKind::end_of_graph_task);
    CHECK(device("start to dump op info, stream id=5, task id=6, op name=a/b")->operator_name == "a/b");
    CHECK(device("start to dump op info, stream id=5, task id=6, context id=1, thread id=2, op name=a")->thread_id ==
          2);
    CHECK(device("start to dump op info, stream id=5, task id=2, op name=Node_OpDebug")->kind == FactKind::debug_task);
    CHECK(device("Base path[/d/], has model name[0], model name[], has model id[1], model id[1].")->kind ==
          FactKind::part);
}

TEST_CASE("log formats: hybrid models and graphs without a name state nothing") {
    CHECK_FALSE(fact_of("GE", "[h.cc:1]9 P:current execute mode is dynamic in process, model id = 2, model_name = ."));
    CHECK_FALSE(fact_of("GE", "[h.cc:1]9 P:current execute mode is dynamic input, model id = 2, model_name = \"\"."));
    CHECK(stated("GE", "[h.cc:1]9 P:current execute mode is dynamic in process, model id = 2, model_name = a.b.")
              .model_name == "a.b");
    CHECK_FALSE(fact_of("GE", "[a.cc:1]9 AddGraph:Start to add graph in Session. graph_id: 1, session_id: 0."));
}

TEST_CASE("log formats: the line on the end of a graph names no stream where the graph has no end") {
    const std::string line = "[d.cc:1]9 F:Add end_graph_info to aicpu, model_name is toy_net, task_id is ";
    CHECK_FALSE(fact_of("GE", line + "0, stream_id is 0"));
    CHECK(stated("GE", line + "7, stream_id is 0").stream_id == 0);
    CHECK(stated("GE", line + "0, stream_id is 7").stream_id == 7);
}

TEST_CASE("log formats: a number that does not fit 64 bits, or is negative, drops the statement") {
    CHECK(fact_of("GE", "[d.cc:1]9 F:Save dump task a, task id: 1, stream id: 18446744073709551615"));
    CHECK_FALSE(fact_of("GE", "[d.cc:1]9 F:Save dump task a, task id: 1, stream id: 18446744073709551616"));
    CHECK_FALSE(fact_of("GE", "[d.cc:1]9 F:Save dump task a, task id: 1, stream id: -1"));
}

TEST_CASE("log formats: a NUL that ends a name is no part of it, one inside is") {
    const std::string begin = "[d.cc:1]9 F:Save dump task net/mul";
    const std::string ids = ", task id: 1, stream id: 2";
    CHECK(stated("GE", begin + std::string(1, '\0') + ids).operator_name == "net/mul");
    CHECK(stated("GE", begin + std::string(1, '\0') + "x" + ids).operator_name ==
          "net/mul" + std::string(1, '\0') + "x");
    CHECK_FALSE(fact_of("GE", "[d.cc:1]9 F:Save dump task " + std::string(1, '\0') + ids));
}

TEST_CASE("log formats: other modules and short texts match nothing") {
    CHECK_FALSE(fact_of("HCCL", "[d.cc:1]9 F:Save dump task a, task id: 1, stream id: 2"));
    CHECK_FALSE(fact_of("GE", "[d.cc:1]9 F:"));
}

TEST_CASE("log formats: the built-in set is one object and can be used from several threads") {
    const std::shared_ptr<const LogFormats> formats = built_in_log_formats();
    std::vector<std::thread> threads;
    std::vector<int> hits(4, 0);
    for (int& count : hits) {
        threads.emplace_back([&count, &formats] {
            for (const FormatDefinition* format : built_in_log_formats()->definitions()) {
                for (const std::string& sample : format->samples) {
                    std::optional<LogLine> line = parse_line(sample);
                    if (!line) {
                        line = printed_line(sample);
                        line->module = LogFormats::kPrinted;
                    }
                    line->may_be_cut = format->cut_lines;  // samples of cut lines are shorter than real ones
                    const std::optional<Match> match = formats->match(*line);
                    count += match && match->fact.format_id == format->id ? 1 : 0;
                }
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    std::size_t samples = 0;
    for (const FormatDefinition* format : formats->definitions()) {
        // What states nothing is known, but never read from a line.
        samples += format->states == FactKind::nothing ? 0 : format->samples.size();
    }
    CHECK(hits == std::vector<int>(4, static_cast<int>(samples)));
    CHECK(formats == built_in_log_formats());
}
