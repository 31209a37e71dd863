// The model's numbers and name, by each of the lines that show them, for one operator on stream 48.
#include <doctest/doctest.h>

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

/// Lines 1 to 3 as above, then these; the model of the task is wanted.
Location model_in(const std::string& lines) {
    const Location location = located(saved_task + bound + ge_stream + lines, {48, 9, 12}, 4000);
    CHECK(shown(location.op) == "blk/Toy|-|-|exact");
    return location;
}

}  // namespace

TEST_CASE("golden model: without a line that names it, both its numbers") {
    const Location location = model_in("");
    CHECK(shown(location.model) == "-|12|5|-");
    CHECK(model_lines(location) == "plog-7100:2 plog-7100:3");
}

TEST_CASE("golden model: the name in the line that binds the stream") {
    const Location location = located(
        saved_task +
            line("RUNTIME", "ModelBindStream: model_id=12, stream_id=48, model_name=toy, net, flag=0, group_id=0."),
        {48, 9, 12}, 4000);
    CHECK(shown(location.model) == "toy, net|12|-|-");
    CHECK(model_lines(location) == "plog-7100:2");
}

TEST_CASE("golden model: the memory statistics have name and runtime id") {
    const std::string other =
        ge("Init:model_metrics:name=other_net, alloc_dev_mem=4096 B, shared_dev_mem=0 B, device_id=0, rts_model_id=5");
    const Location location = model_in(
        other +
        ge("Init:model_metrics:name=toy_net, alloc_dev_mem=4096 B, shared_dev_mem=0 B, device_id=0, rts_model_id=12"));
    CHECK(shown(location.model) == "toy_net|12|5|-");
    CHECK(model_lines(location) == "plog-7100:2 plog-7100:3 plog-7100:5");
}

TEST_CASE("golden model: the time of the initialization has name, GE's id and graph id") {
    const Location location =
        model_in(ge("Init:[GEPERFTRACE] The time cost of GraphLoader::DavinciModel::Init is [812] micro seconds, "
                    "name[toy_net]model_id[5]graph_id[31]."));
    CHECK(shown(location.model) == "toy_net|12|5|31");
    CHECK(model_lines(location) == "plog-7100:2 plog-7100:3 plog-7100:4");
}

TEST_CASE("golden model: the known-node line has GE's id, graph id and name") {
    const Location location =
        model_in(ge("Init:Known node:0, refreshable:1, model_id:12, graph_id:30, graph_name:other_net.") +
                 ge("Init:Known node:0, refreshable:1, model_id:5, graph_id:31, graph_name:toy_net."));
    CHECK(shown(location.model) == "toy_net|12|5|31");
    CHECK(model_lines(location) == "plog-7100:2 plog-7100:3 plog-7100:5");
}

TEST_CASE("golden model: the end-of-graph announcement has name and stream") {
    const Location location =
        model_in(ge("SetEndGraphIdToAicpu:Add end_graph_info to aicpu, model_name is toy_net, task_id is 64, "
                    "stream_id is 48"));
    CHECK(shown(location.model) == "toy_net|12|5|-");
    CHECK(model_lines(location) == "plog-7100:2 plog-7100:3 plog-7100:4");
}

TEST_CASE("golden model: the list of operators to dump has name and GE's id") {
    const Location location =
        model_in(ge("LoadDumpInfo:model name toy_net, is_single_op_debug 0, op_list size 61, model id 5"));
    CHECK(shown(location.model) == "toy_net|12|5|-");
    CHECK(model_lines(location) == "plog-7100:2 plog-7100:3 plog-7100:4");
}

TEST_CASE("golden model: hybrid models, in each wording, name GE's id") {
    for (const std::string_view text :
         {"PrintDynamicType:current execute mode is dynamic input, model id = 5, model_name = \"toy_net\".",
          "PrintDynamicType:current execute mode is dynamic in process, model id = 5, model_name = \"toy_net\".",
          "CreateModel:Current id of hybrid model toy_net is 5."}) {
        const Location location = model_in(ge(text));
        CHECK_MESSAGE(shown(location.model) == "toy_net|12|5|-", text);
        CHECK_MESSAGE(model_lines(location) == "plog-7100:2 plog-7100:3 plog-7100:4", text);
    }
}

TEST_CASE("golden model: an empty name of a hybrid model is no name") {
    const Location location =
        model_in(ge("PrintDynamicType:current execute mode is dynamic in process, model id = 5, model_name = \"\"."));
    CHECK(shown(location.model) == "-|12|5|-");
}

TEST_CASE("golden model: the graph's name from the session, by the graph of GE's model") {
    const Location location =
        model_in(ge("AddGraph:Start to add graph in Session. graph_id: 31, graph_name: toy_graph, session_id: 0.") +
                 ge("LoadModelOnline:Set graph id to model map, graph id: 31, model id: 5."));
    CHECK(shown(location.model) == "toy_graph|12|5|31");
    CHECK(model_lines(location) == "plog-7100:2 plog-7100:3 plog-7100:4 plog-7100:5");
}

TEST_CASE("golden model: the file that AscendCL loaded gives GE's id its name") {
    const Location location =
        model_in(line("ASCENDCL",
                      "aclmdlLoadFromFileWithMem: Load model from file[/data/om/toy.v2.om] with memory success, "
                      "modelId[5]"));
    CHECK(shown(location.model) == "toy.v2|12|5|-");
    CHECK(model_lines(location) == "plog-7100:2 plog-7100:3 plog-7100:4");
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
