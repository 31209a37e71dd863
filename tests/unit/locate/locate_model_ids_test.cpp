// GE's, the runtime's and the folder's names and numbers of one model.
#include <doctest/doctest.h>

#include "location.hpp"
#include "log_builder.hpp"
#include "made_up_map.hpp"
#include "text.hpp"

using logs::FactKind;
using logs::LogKind;
using namespace opdebug::test;
using namespace opdebug;

namespace {

MadeUpFact launch(std::string_view kernel, std::int64_t at = 1000) {
    MadeUpFact fact(FactKind::kernel_of_task, at, "runtime.launch", LogKind::runtime_log);
    fact.fact.kernel_name = kernel;
    return fact.task(21, 6);
}

MadeUpFact ge_fact(FactKind kind, std::int64_t at, std::uint64_t ge_model) {
    MadeUpFact fact(kind, at, "made.ge", LogKind::ge_log);
    fact.fact.ge_model_id = ge_model;
    return fact;
}

MadeUpFact bound_to(std::uint64_t model, std::uint64_t stream, std::string_view name, std::int64_t at = 0) {
    MadeUpFact fact(FactKind::model_bind, at, "made.bind", LogKind::runtime_log);
    fact.fact.stream_id = stream;
    fact.fact.model_id = model;
    fact.fact.model_name = name;
    return fact;
}

Location found(const std::vector<MadeUpFact>& facts, std::uint64_t record_model = 65535, std::int64_t at = 5000) {
    return locate_in(map_of(facts), dump_of({21, 6, record_model}, at));
}

}  // namespace

TEST_CASE("model ids: the kernel's name of an offline model holds GE's number") {
    check_located(found({launch("-1_0_4_net/Add")}), {.model = "-|-|4|-", .model_proof = "runtime_log log0:1"});
    CHECK(shown(found({launch("88-1_0_4_Add_35")}).model) == "-|-|4|-");
    CHECK(shown(found({launch("12_34_-1_0_while/Add")}).model) == "none");
    CHECK(shown(found({launch("2_0_11_Add")}).model) == "none");
}

TEST_CASE("model ids: where a line names the node, the numbers before it are sure") {
    MadeUpFact named(FactKind::operator_of_task, 900, "ge.save_dump_task", LogKind::ge_log);
    named.fact.operator_name = "3_dense";
    CHECK(shown(found({named.task(21, 6), launch("-1_0_3_dense")}).model) == "none");
    CHECK(shown(found({launch("-1_0_3_dense")}).model) == "-|-|3|-");
}

TEST_CASE("model ids: the kernel's name of a session of 2020 holds the graph") {
    CHECK(shown(found({launch("0_7_Gather")}).model) == "-|-|-|7");
    CHECK(shown(found({launch("00_7_Gather")}).model) == "none");
}

TEST_CASE("model ids: a line on the task itself gives GE's number") {
    MadeUpFact fact = launch("2_0_11_Gather");
    fact.fact.ge_model_id = 2;
    check_located(found({bound_to(9, 30, ""), fact}, 2), {.model = "-|-|2|-", .remarks = "info model_id_is_ge"});
}

TEST_CASE("model ids: an execution that shows both numbers leads from one to the other") {
    MadeUpFact run = ge_fact(FactKind::model_execute, 2000, 5);
    run.fact.model_id = 36;
    MadeUpFact name = ge_fact(FactKind::ge_model, 100, 5);
    name.fact.model_name = "toy_net";
    check_located(found({bound_to(36, 21, ""), name, launch("k"), run}, 36),
                  {.model = "toy_net|36|5|-", .model_proof = "runtime_log log0:1, ge_log log0:4, ge_log log0:2"});
}

TEST_CASE("model ids: the report of a failed execution gives the runtime's number of the task") {
    MadeUpFact failed(FactKind::model_of_task, 1100, "made.execute_failed", LogKind::runtime_log);
    failed.fact.model_id = 3;
    failed.fact.report_stream_id = 20;
    failed.task(21, 6);
    MadeUpFact fault(FactKind::fault_kernel, 1100, "made.fault", LogKind::runtime_log);
    fault.fact.kernel_name = "16805-1_0_1_Add_35";
    check_located(found({fault.task(21, 6), failed}, 3),
                  {.op = "Add_35|-|16805-1_0_1_Add_35|kernel", .model = "-|3|1|-"});
}

TEST_CASE("model ids: a name is not taken from a model that ended, or that came after it under the same number") {
    MadeUpFact first = ge_fact(FactKind::ge_model, 100, 5), second = ge_fact(FactKind::ge_model, 20'000, 5);
    first.fact.model_name = "first_net";
    second.fact.model_name = "second_net";
    const MadeUpFact end = ge_fact(FactKind::model_end, 19'000, 5);
    MadeUpFact early = launch("k", 10'500), late = launch("k", 30'000);
    early.fact.ge_model_id = late.fact.ge_model_id = 5;
    CHECK(shown(found({first, early, end, second, late}, 65535, 11'000).model) == "first_net|-|5|-");
    CHECK(shown(found({first, early, end, second, late}, 65535, 31'000).model) == "second_net|-|5|-");
    // Without the second's line the first's name would be the nearest, but its model is gone.
    CHECK(shown(found({first, early, end, late}, 65535, 31'000).model) == "-|-|5|-");
}

TEST_CASE("model ids: a failure that the line before tells the model of gives the runtime's number") {
    MadeUpFact failure(FactKind::fault_kernel, 1000, "runtime.fault_kernel_2020", LogKind::runtime_log);
    failure.fact.kernel_name = "0_7_Gather";
    failure.fact.model_id = 640;
    check_located(found({failure.task(21, 6)}), {.model = "-|640|-|7", .model_proof = "runtime_log log0:1"});
}

TEST_CASE("model ids: without a line that binds, both of GE's lines on the stream's set-up count") {
    LogText log;
    log.at(0).ge("Create",
                 "Create new stream: 0x10, rt stream id: 21, rt model id: 640, priority: 0, stream flag: 257, "
                 "task num: 12.");
    log.at(1).ge("InitRuntimeResource", "Logical stream index: 0, rtstream: 21, model: 4, stream flag: 257.");
    log.at(2).ge("Init",
                 "model_metrics:name=toy_net, alloc_dev_mem=4096 B, shared_dev_mem=0 B, device_id=0, "
                 "rts_model_id=640");
    log.at(3).save_dump_task("net/Add", 21, 6);
    check_located(locate_in(task_map_of(log), dump_of({21, 6}, 5000)),
                  {.op = "net/Add|-|-|exact",
                   .model = "toy_net|640|4|-",
                   .model_proof = "ge_log log0:1, ge_log log0:2, ge_log log0:3"});
}

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
        check_located(
            found_below(row.folders, {row.log.text()}),
            {.op = (row.remarks.empty() ? "op|-|-|exact" : "op|-|-|type"), .model = row.model, .remarks = row.remarks});
    }
    CHECK_FALSE(contains(remarks_of(found_below("toy_net/3/0", {reused(false).text()})), "model_differs"));
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
        check_located(found_below("other_net/7/0", logs),
                      {.remarks = "warning model_differs", .said = {"model_differs", "(log0:1) names toy_net"}});
    }
}
