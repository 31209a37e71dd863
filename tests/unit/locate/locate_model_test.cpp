// The model of the task's stream: runtime id, GE id, graph id and name, from the lines of each generation.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "location.hpp"
#include "log_builder.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// What the log of one operator (stream 21, task 118) states about its model, for a record with that model id.
Location location_in(const LogText& log, std::uint64_t record_model = 3, std::int64_t time = 5000) {
    return locate_in(task_map_of(log), dump_of({21, 118, record_model}, time));
}

}  // namespace

TEST_CASE("model: in 2021 the kernel's name gives GE's id, and the file that was loaded under it the name") {
    LogText log;
    log.at(0).thread(1).acl("ModelLoadFromFileWithMem",
                            "start to execute ModelLoadFromFileWithMem, modelPath[../model/toy_net.om], "
                            "workSize[4096], weightSize[8192], priority[0]");
    log.thread(2).acl("ModelLoadFromFileWithMem",
                      "start to execute ModelLoadFromFileWithMem, modelPath[../model/other.om], workSize[4096], "
                      "weightSize[8192], priority[0]");
    log.thread(1)
        .ge("Init", "Logical stream index:0, stream:0x1f2e3d, rtstream: 21.")
        .launch_2021(21, 118, "-1_0_2_op");
    log.thread(2).acl("aclmdlLoadFromFileWithMem",
                      "Load model from file[../model/other.om] with memory success, modelId[1]");
    log.thread(1).acl("aclmdlLoadFromFileWithMem",
                      "Load model from file[../model/toy_net.om] with memory success, modelId[2]");
    CHECK(shown(location_in(log, 0).model) == "toy_net|0|2|-");
}

TEST_CASE("model: the file that a thread began to load names the model also where only the end of it has the id") {
    LogText log;
    const auto begun = [](std::string_view file) {
        return fmt::format("start to execute ModelLoadFromFileWithMem, modelPath[{}], workSize[1]", file);
    };
    log.at(0).thread(1).acl("ModelLoadFromFileWithMem", begun("../model/toy_net.om"));
    log.thread(2).acl("ModelLoadFromFileWithMem", begun("../model/other.om"));
    log.thread(1).ge("Init", "Logical stream index:0, rtstream: 21, model: 2.").launch_2021(21, 118, "-1_0_2_op");
    log.at(60'000).thread(2).acl(
        "ModelLoadFromFileWithMem",
        "successfully execute ModelLoadFromFileWithMem, workSize[1], weightSize[1], modelId[1]");
    log.thread(1).acl("ModelLoadFromFileWithMem",
                      "successfully execute ModelLoadFromFileWithMem, workSize[1], weightSize[1], modelId[2]");
    CHECK(shown(location_in(log, 0, 61'000).model) == "toy_net|0|2|-");
}

TEST_CASE("model: one that is loaded from memory has no file, also where the thread loaded another one from a file") {
    LogText log;
    log.at(0).acl("ModelLoadFromFileWithMem",
                  "start to execute ModelLoadFromFileWithMem, modelPath[../a.om], workSize[1]");
    log.at(1000).acl("ModelLoadFromMemWithMem", "start to execute ModelLoadFromMemWithMem, workSize[1], weightSize[1]");
    log.ge("Init", "Logical stream index:0, rtstream: 21, model: 2.").launch_2021(21, 118, "-1_0_2_op");
    log.acl("ModelLoadFromMemWithMem",
            "successfully execute ModelLoadFromMemWithMem, modelSize[1], workSize[1], weightSize[1], modelId[2]");
    CHECK(contains(shown(location_in(log, 0, 2000).model), "|0|2|-"));
    CHECK(shown(location_in(log, 0, 2000).model).find("a|") != 0);
}

TEST_CASE("model: a record that carries GE's number is explained, the runtime's is shown as such") {
    LogText log;
    log.at(0).ge("InitRuntimeResource", "Logical stream index: 0, rtstream: 21, model: 5, stream flag: 256.");
    log.bind(3, 21, "toy_net").save_dump_task("op", 21, 118);
    check_located(location_in(log, 5), {.model = "toy_net|3|5|-", .remarks = "info model_id_differs"});
}

TEST_CASE("model: a record whose number is neither the runtime's nor GE's is warned of") {
    LogText log;
    log.at(0).bind(3, 21, "toy_net").save_dump_task("op", 21, 118);
    const Location location = location_in(log, 8);
    check_located(location, {.model = "toy_net|3|-|-", .remarks = "warning model_id_differs"});
    CHECK(shown(location.op) == "op|-|-|type");  // the line may be of another binding of the stream
}

TEST_CASE("model: a stream that the log binds to no model has none, whatever the record says") {
    LogText log;
    log.at(0).bind(3, 22, "toy_net").at(1000).launch_2023(21, 118, "2_0_11_op");
    check_located(location_in(log, 8),
                  {.op = "op|-|2_0_11_op|kernel", .model = "none", .remarks = "warning stream_without_model"});
}

TEST_CASE("model: without any binding in the log the record's number stands") {
    LogText log;
    log.at(1000).launch_2023(21, 118, "2_0_11_op");
    CHECK(shown(location_in(log, 8).model) == "-|8|-|-");
}

TEST_CASE("model: without operator the record's number stands") {
    LogText log;
    log.at(0).bind(3, 22, "toy_net").at(9000).ge("Run", "noise");
    CHECK(shown(location_in(log, 8).model) == "-|8|-|-");
}

TEST_CASE("model: record numbers that mean none give no model") {
    LogText log;
    log.at(1000).launch_2023(21, 118, "2_0_11_op");
    CHECK(shown(location_in(log, 65535).model) == "none");
}

TEST_CASE("model: the folders of the dump name the model where the log does not") {
    LogText log;
    log.at(0).bind(514, 21).save_dump_task("op", 21, 118);
    Dump dump = dump_of({21, 118, 514}, 5000);
    dump.file = "/nowhere/out/20260304100000/0/toy_net/11/0/Opdebug.Node_OpDebug.2.5.1772618405000000";
    dump.path_ids = parse_path_ids(dump.file);
    check_located(locate_in(task_map_of(log), dump),
                  {.model = "toy_net|514|11|-", .model_proof = "runtime_log log0:1, op_dump " + dump.file + ":-"});
}

TEST_CASE("model: a folder number equal to the record's is the runtime's and not taken for GE's") {
    Dump dump = dump_of({21, 118, 11}, 5000);
    dump.file = "/nowhere/out/20260304100000/0/toy_net/11/0/Opdebug.Node_OpDebug.2.5.1772618405000000";
    dump.path_ids = parse_path_ids(dump.file);
    CHECK(shown(locate(dump, {}).model) == "toy_net|11|-|-");
}

TEST_CASE("model: the log's name is preferred to the folder's") {
    LogText log;
    log.at(0).bind(3, 21, "toy/net").save_dump_task("op", 21, 118);
    Dump dump = dump_of({21, 118, 3}, 5000);
    dump.path_ids.model_name = "toy_net";
    CHECK(shown(locate_in(task_map_of(log), dump).model) == "toy/net|3|-|-");
}
