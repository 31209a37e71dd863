// The model's numbers and name, by each of the lines that show them, for one operator on stream 48.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "golden_log.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

std::string line(std::string_view module, std::string_view text) {
    return "[INFO] " + std::string(module) + "(7100,python):2026-03-04-10:00:01.000.100 [model.cc:7]7155 " +
           std::string(text) + "\n";
}

std::string ge(std::string_view text) {
    return line("GE", text);
}

const std::string saved_task =
    ge("SaveDumpTask:Save dump task blk/Toy, task id: 9, stream id: 48, context id: 65535, "
       "thread id: 65535, is_op_debug: 1.");
/// The runtime's model 12, which has no name there, is GE's model 5.
const std::string bound =
    line("RUNTIME", "ModelBindStream: model_id=12, stream_id=48, model_name=, flag=0, group_id=0.");
const std::string ge_stream =
    ge("InitRuntimeResource:Logical stream index: 0, rtstream: 48, model: 5, stream flag: "
       "256.");

/// Lines that follow the three above, the model that is then known, and the lines that prove it.
struct ModelLines {
    std::string lines, model, proof;
};

std::vector<ModelLines> further_lines() {
    const std::string metrics = "Init:model_metrics:name=", sizes = ", alloc_dev_mem=4096 B, shared_dev_mem=0 B, ";
    const std::string both = "plog-7100:2 plog-7100:3";
    return {
        {"", "-|12|5|-", both},
        // Memory statistics: name and the runtime's number.
        {ge(metrics + "other_net" + sizes + "device_id=0, rts_model_id=5") +
             ge(metrics + "toy_net" + sizes + "device_id=0, rts_model_id=12"),
         "toy_net|12|5|-", both + " plog-7100:5"},
        {ge("Init:[GEPERFTRACE] The time cost of GraphLoader::DavinciModel::Init is [812] micro seconds, "
            "name[toy_net]model_id[5]graph_id[31]."),
         "toy_net|12|5|31", both + " plog-7100:4"},
        {ge("Init:Known node:0, refreshable:1, model_id:12, graph_id:30, graph_name:other_net.") +
             ge("Init:Known node:0, refreshable:1, model_id:5, graph_id:31, graph_name:toy_net."),
         "toy_net|12|5|31", both + " plog-7100:5"},
        {ge("SetEndGraphIdToAicpu:Add end_graph_info to aicpu, model_name is toy_net, task_id is 64, stream_id is 48"),
         "toy_net|12|5|-", both + " plog-7100:4"},
        {ge("LoadDumpInfo:model name toy_net, is_single_op_debug 0, op_list size 61, model id 5"), "toy_net|12|5|-",
         both + " plog-7100:4"},
        // Hybrid models; an empty name is none.
        {ge("PrintDynamicType:current execute mode is dynamic input, model id = 5, model_name = \"toy_net\"."),
         "toy_net|12|5|-", both + " plog-7100:4"},
        {ge("PrintDynamicType:current execute mode is dynamic in process, model id = 5, model_name = \"toy_net\"."),
         "toy_net|12|5|-", both + " plog-7100:4"},
        {ge("CreateModel:Current id of hybrid model toy_net is 5."), "toy_net|12|5|-", both + " plog-7100:4"},
        {ge("PrintDynamicType:current execute mode is dynamic in process, model id = 5, model_name = \"\"."),
         "-|12|5|-", both},
        // The graph's name from the session, by the graph of GE's model.
        {ge("AddGraph:Start to add graph in Session. graph_id: 31, graph_name: toy_graph, session_id: 0.") +
             ge("LoadModelOnline:Set graph id to model map, graph id: 31, model id: 5."),
         "toy_graph|12|5|31", both + " plog-7100:4 plog-7100:5"},
        // The file that AscendCL loaded gives GE's model its name.
        {line("ASCENDCL",
              "aclmdlLoadFromFileWithMem: Load model from file[/data/om/toy.v2.om] with memory success, modelId[5]"),
         "toy.v2|12|5|-", both + " plog-7100:4"},
    };
}

}  // namespace

TEST_CASE("golden model: each line that names it or a number of it") {
    for (const ModelLines& further : further_lines()) {
        CAPTURE(further.lines);
        const Location location = located(saved_task + bound + ge_stream + further.lines, {48, 9, 12}, 4000);
        CHECK(shown(location.op) == "blk/Toy|-|-|exact");
        CHECK(shown(location.model) == further.model);
        CHECK(model_lines(location) == further.proof);
    }
}

TEST_CASE("golden model: the name in the line that binds the stream") {
    const Location location = located(
        saved_task +
            line("RUNTIME", "ModelBindStream: model_id=12, stream_id=48, model_name=toy, net, flag=0, group_id=0."),
        {48, 9, 12}, 4000);
    CHECK(shown(location.model) == "toy, net|12|-|-");
    CHECK(model_lines(location) == "plog-7100:2");
}

TEST_CASE("golden model: an execution of 2023 that shows both numbers") {
    const Location location = located(saved_task + bound + ge("Run:rtModelExecute start, model id:5.") +
                                          line("RUNTIME", "ModelExecute: model_id=12, stream_id=50, flag=0."),
                                      {48, 9, 12}, 4000);
    CHECK(shown(location.model) == "-|12|5|-");
    CHECK(model_lines(location) == "plog-7100:2 plog-7100:3 plog-7100:4");
}

TEST_CASE("golden model: the binding by the firmware's maintenance task, where the run log is missing") {
    for (const std::string_view text :
         {"ToCommandBody: model maintaince type=0, bind stream_id=48 to model_id=12",
          "ConstructSqe: model maintaince type=0, device_id=0, bind stream_id=48 to modelId=12, task_id=3",
          "ToCommandBody: set bind flag true, model_id=12, stream_id=48.",
          "BindSq: stream bind sq, device_id=0, model_id=12, auto_split_sq=0, stream_id=48, sq_id=5, cq_id=5"}) {
        const Location location = located(saved_task + line("RUNTIME", text), {48, 9}, 4000);
        CHECK_MESSAGE(shown(location.model) == "-|12|-|-", text);
        CHECK_MESSAGE(model_lines(location) == "plog-7100:2", text);
    }
}

TEST_CASE("golden model: logical streams and streams of an execution bind nothing") {
    const Location location = located(saved_task + ge("BindModelStream:model_id=6, stream id 48, first task id 3") +
                                          line("RUNTIME", "ModelExecute: model_id=13, stream_id=48, flag=0."),
                                      {48, 9}, 4000);
    CHECK(shown(location.model) == "none");
}
