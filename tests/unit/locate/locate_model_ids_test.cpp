// Both numbers of a model, by all ways that lead to them, and model ids that come back.
#include <doctest/doctest.h>

#include "location.hpp"
#include "made_up_map.hpp"

using namespace opdebug;
using namespace opdebug::test;
using logs::FactKind;
using logs::LogKind;

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
    const Location location = found({launch("-1_0_4_net/Add")});
    CHECK(shown(location.model) == "-|-|4|-");
    CHECK(proof_of_model(location) == "runtime_log log0:1");
    CHECK(shown(found({launch("88-1_0_4_Add_35")}).model) == "-|-|4|-");
    CHECK(shown(found({launch("12_34_-1_0_while/Add")}).model) == "none");
    CHECK(shown(found({launch("2_0_11_Add")}).model) == "none");
}

TEST_CASE("model ids: where a line names the node, the numbers in front of it are sure") {
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
    const Location location = found({bound_to(9, 30, ""), fact}, 2);
    CHECK(shown(location.model) == "-|-|2|-");
    CHECK(remarks_of(location) == "info model_id_is_ge");
}

TEST_CASE("model ids: an execution that shows both numbers leads from one to the other") {
    MadeUpFact run = ge_fact(FactKind::model_execute, 2000, 5);
    run.fact.model_id = 36;
    MadeUpFact name = ge_fact(FactKind::ge_model, 100, 5);
    name.fact.model_name = "toy_net";
    const Location location = found({bound_to(36, 21, ""), name, launch("k"), run}, 36);
    CHECK(shown(location.model) == "toy_net|36|5|-");
    CHECK(proof_of_model(location) == "runtime_log log0:1, ge_log log0:4, ge_log log0:2");
}

TEST_CASE("model ids: the report of a failed execution gives the runtime's number of the task") {
    MadeUpFact failed(FactKind::model_of_task, 1100, "made.execute_failed", LogKind::runtime_log);
    failed.fact.model_id = 3;
    failed.fact.report_stream_id = 20;
    failed.task(21, 6);
    MadeUpFact fault(FactKind::fault_kernel, 1100, "made.fault", LogKind::runtime_log);
    fault.fact.kernel_name = "16805-1_0_1_Add_35";
    const Location location = found({fault.task(21, 6), failed}, 3);
    CHECK(shown(location.op) == "Add_35|-|16805-1_0_1_Add_35|kernel");
    CHECK(shown(location.model) == "-|3|1|-");
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
    const Location location = found({failure.task(21, 6)});
    CHECK(shown(location.model) == "-|640|-|7");
    CHECK(proof_of_model(location) == "runtime_log log0:1");
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
    const Location location = locate_in(task_map_of(log), dump_of({21, 6}, 5000));
    CHECK(shown(location.op) == "net/Add|-|-|exact");
    CHECK(shown(location.model) == "toy_net|640|4|-");
    CHECK(proof_of_model(location) == "ge_log log0:1, ge_log log0:2, ge_log log0:3");
}
