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

LogText bound(std::string_view name, std::string_view end_of_graph_name) {
    LogText log;
    log.at(0).bind(3, 21, name).save_dump_task("op", 21, 118);
    return log.ge("SetEndGraphIdToAicpu", end_of_graph(end_of_graph_name, 21));
}

/// The stream was the first model's before. `is_bound`: a line binds it to this one.
LogText reused(bool is_bound) {
    LogText log;
    log.at(0).bind(2, 21).ge("SetEndGraphIdToAicpu", end_of_graph("first_net", 21)).at(100).unbind(2, 21).at(200);
    return (is_bound ? log.bind(3, 21) : log).save_dump_task("op", 21, 118);
}

}  // namespace

TEST_CASE("model folder: another name of the model than the folder's is reported, and neither is shown") {
    struct Row {
        std::string folders;
        LogText log;
        std::string remarks;
        std::string model;
    };
    LogText two_ends = toy_model();
    two_ends.at(10).ge("SetEndGraphIdToAicpu", end_of_graph("other_net", 21, 219));
    const std::vector<Row> rows{
        {"other_net/7/0", toy_model(), "warning model_differs", "-|3|-|-"},
        // The number is GE's or the runtime's.
        {"toy_net/3/0", toy_model(), "", "toy_net|3|1|-"},
        {"toy_net/1/0", toy_model(), "", "toy_net|3|1|-"},
        {"toy_net/7/0", toy_model(), "warning model_differs", "toy_net|3|1|-"},
        {"7/0", toy_model(), "warning model_differs", "toy_net|3|1|-"},
        {"1/0", toy_model(), "", "toy_net|3|1|-"},
        // Characters that writers replace are no other name.
        {"a_b_c_d_e/3/0", toy_model("a/b.c d\\e"), "", "a/b.c d\\e|3|1|-"},
        {"toy_net/7/0", bound("", "toy_net"), "", "toy_net|3|7|-"},
        {"other_net/7/0", bound("", "toy_net"), "warning model_differs", "-|3|-|-"},
        {"ge_default_1/1/0", bound("toy_net", "toy_net"), "warning model_differs", "-|3|-|-"},
        // One line with the folder's name is enough, also where the runtime calls the model differently.
        {"other_net/1/0", two_ends, "", "other_net|3|1|-"},
        {"third_net/1/0", two_ends, "warning model_differs", "-|3|-|-"},
        {"graph_7/3/0", bound("graph_7", "toy_net"), "", "graph_7|3|-|-"},
        {"other_net/3/0", bound("graph_7", "toy_net"), "warning model_differs", "-|3|-|-"},
        // Streams are reused, so the line must be of the binding.
        {"toy_net/3/0", reused(true), "", "toy_net|3|-|-"},
        // A folder without a number may have any name.
        {"copied", toy_model(), "", "toy_net|3|1|-"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.folders);
        CAPTURE(row.log.text());
        const Location location = found_below(row.folders, {row.log.text()});
        CHECK(remarks_of(location) == row.remarks);
        CHECK(shown(location.model) == row.model);
        CHECK(shown(location.op) == (row.remarks.empty() ? "op|-|-|exact" : "op|-|-|type"));
    }
    CHECK(remarks_of(found_below("toy_net/3/0", {reused(false).text()})).find("model_differs") == std::string::npos);
    CHECK(remarks_of(found_below("toy_net/7/0", {toy_model().text()}, 7)) ==
          "warning model_id_differs, warning model_differs");
}

TEST_CASE("model folder: a net of MindSpore's own folders is not GE's model") {
    Dump dump = dump_of({21, 118, 3}, 5000);
    dump.path_ids = parse_path_ids("/nowhere/rank_0/other_net/7/0/Opdebug.Node_OpDebug.118.21.1772618405000000");
    CHECK(dump.path_ids.model_name == "other_net");
    CHECK(remarks_of(locate_in(task_map_of(toy_model()), dump)).empty());
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
