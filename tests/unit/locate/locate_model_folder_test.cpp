// The folder of a dump against what the log states about the model: a contradiction is reported where lines state the
// folder.
#include <doctest/doctest.h>

#include "location.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

std::string end_of_graph(std::string_view model, int stream, int task = 119) {
    return "Add end_graph_info to aicpu, model_name is " + std::string(model) + ", task_id is " + std::to_string(task) +
           ", stream_id is " + std::to_string(stream);
}

/// Runtime model 3, GE's 1, with a line on the end of its graph.
LogText toy_model(std::string_view name = "toy_net") {
    LogText log;
    log.at(0).ge("InitRuntimeResource", "Logical stream index: 0, rtstream: 21, model: 1, stream flag: 256.");
    log.bind(3, 21).save_dump_task("op", 21, 118);
    log.ge("SetEndGraphIdToAicpu", end_of_graph(name, 21));
    return log;
}

/// Of the record of runtime model 3, in a folder below time and device.
Location found_below(const std::string& folders, const std::vector<std::string>& logs, std::uint64_t model = 3) {
    Dump dump = dump_of({21, 118, model}, 5000);
    dump.file = "/nowhere/20260304100000/0/" + folders + "/Opdebug.Node_OpDebug.118.21.1772618405000000";
    dump.path_ids = parse_path_ids(dump.file);
    return locate_in(task_map_of(logs), dump);
}

std::string remarks_below(const std::string& folders, const LogText& log = toy_model()) {
    return remarks_of(found_below(folders, {log.text()}));
}

}  // namespace

TEST_CASE("model folder: one of another model is told, with both names and the line; neither is taken") {
    const Location location = found_below("other_net/7/0", {toy_model().text()});
    CHECK(remarks_of(location) == "warning model_differs");
    const std::string message = message_of(location, "model_differs");
    CHECK(message.find("folder of model other_net, the log's line") != std::string::npos);
    CHECK(message.find("(log0:4) names toy_net") != std::string::npos);
    CHECK(shown(location.op) == "op|-|-|type");  // the operator is as doubtful as its model
    CHECK(shown(location.model) == "-|3|-|-");
}

TEST_CASE("model folder: its number does not contradict: there are several numberings") {
    for (const std::string folders : {"toy_net/3/0", "toy_net/1/0", "toy_net/7/0", "1/0", "7/0"}) {
        CAPTURE(folders);
        CHECK(remarks_below(folders).empty());
    }
}

TEST_CASE("model folder: a folder that is contradicted adds nothing to the model") {
    LogText log;
    log.at(0).bind(3, 21).save_dump_task("op", 21, 118).ge("SetEndGraphIdToAicpu", end_of_graph("toy_net", 21));
    CHECK(shown(found_below("toy_net/7/0", {log.text()}).model) == "toy_net|3|7|-");
    CHECK(shown(found_below("other_net/7/0", {log.text()}).model) == "-|3|-|-");
}

TEST_CASE("model folder: characters that writers replace are no other name") {
    CHECK(remarks_below("a_b_c_d_e/3/0", toy_model("a/b.c d\\e")).empty());
}

TEST_CASE("model folder: another name of the stream's binding is told") {
    LogText log;
    log.at(0).ge("InitRuntimeResource", "Logical stream index: 0, rtstream: 21, model: 1, stream flag: 256.");
    log.bind(3, 21, "toy_net").save_dump_task("op", 21, 118);
    const Location location = found_below("ge_default_20260304100000_1/1/0", {log.text()});
    CHECK(remarks_of(location) == "warning model_differs");
    CHECK(shown(location.model) == "-|3|-|-");
}

TEST_CASE("model folder: one line with the folder's name is enough") {
    LogText log = toy_model();
    log.at(10).ge("SetEndGraphIdToAicpu", end_of_graph("other_net", 21, 219));
    CHECK(remarks_below("other_net/1/0", log).empty());
    CHECK(remarks_below("third_net/1/0", log) == "warning model_differs");
}

TEST_CASE("model folder: the name that the runtime gives the model may be the folder's as well") {
    LogText log;
    log.at(0).bind(3, 21, "graph_7").save_dump_task("op", 21, 118);
    log.ge("SetEndGraphIdToAicpu", end_of_graph("toy_net", 21));
    CHECK(remarks_below("graph_7/3/0", log).empty());
    CHECK(remarks_below("other_net/3/0", log) == "warning model_differs");
}

TEST_CASE("model folder: streams are reused, so the line must be of the binding; without one nothing is said") {
    LogText first;
    first.at(0).bind(2, 21).ge("SetEndGraphIdToAicpu", end_of_graph("first_net", 21)).at(100).unbind(2, 21);
    LogText second = first;  // the end of its graph is on another stream
    second.at(200).bind(3, 21).save_dump_task("op", 21, 118);
    CHECK(shown(found_below("toy_net/3/0", {second.text()}).op) == "op|-|-|exact");
    CHECK(remarks_below("toy_net/3/0", second).empty());
    LogText unbound;
    unbound.at(0).ge("SetEndGraphIdToAicpu", end_of_graph("first_net", 21)).save_dump_task("op", 21, 118);
    CHECK(remarks_below("toy_net/3/0", unbound).find("model_differs") == std::string::npos);
}

TEST_CASE("model folder: a folder without a number may have any name") {
    CHECK(remarks_below("copied", toy_model()).empty());
}

TEST_CASE("model folder: a net of MindSpore's own folders is not GE's model") {
    Dump dump = dump_of({21, 118, 3}, 5000);
    dump.path_ids = parse_path_ids("/nowhere/rank_0/other_net/7/0/Opdebug.Node_OpDebug.118.21.1772618405000000");
    CHECK(dump.path_ids.model_name == "other_net");
    CHECK(remarks_of(locate_in(task_map_of(toy_model()), dump)).empty());
}

TEST_CASE("model folder: the record's own number in the folder is told once") {
    CHECK(remarks_of(found_below("toy_net/7/0", {toy_model().text()}, 7)) == "warning model_id_differs");
}

TEST_CASE("model folder: the device's table states the name, with a host's log and without") {
    LogText device(990), host;
    device.at(10).device("PreProcessOpMappingInfo",
                         "Base path[/out/], has model name[1], model name[toy_net], has model id[1], model id[7].");
    device.device("PreProcessOpMappingInfo", "[stream id:21, task id:118, context id:65535] op name[op], op type[Exp]");
    host.at(0).bind(3, 21).save_dump_task("op", 21, 118);
    for (const std::vector<std::string>& logs :
         {std::vector<std::string>{device.text()}, std::vector<std::string>{device.text(), host.text()}}) {
        CAPTURE(logs.size());
        CHECK(remarks_of(found_below("toy_net/7/0", logs)).empty());
        const Location other = found_below("other_net/7/0", logs);
        CHECK(remarks_of(other) == "warning model_differs");
        CHECK(message_of(other, "model_differs").find("(log0:1) names toy_net") != std::string::npos);
    }
}
