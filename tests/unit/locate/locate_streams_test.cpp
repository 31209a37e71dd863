// What is known of the stream when no host line shows the task: the device's answer, and the stream's model.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "location.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// A device names the operator of stream 21 task 118.
std::string device_log(std::string_view op, int pid = 990) {
    LogText log(pid);
    log.at(5000).device("DumpOpInfo",
                        "start to dump op info, stream id=21, task id=118, context id=65535, thread "
                        "id=65535, op name=" +
                            std::string(op));
    return log.text();
}

Dump dump_of_device(std::uint64_t device, const RecordIds& ids = {21, 118, 3}) {
    Dump dump = dump_of(ids, 6000);
    dump.path_ids.device_id = device;
    return dump;
}

/// Two processes, each with a model of its own on stream 21 of its device, and the devices' logs of them.
std::vector<LogFileText> two_devices() {
    LogText a(100), b(200);
    a.at(0).set_up_stream(21, 0).bind(3, 21, "net_a").at(60'000).bind(9, 99);
    b.at(0).set_up_stream(21, 1).bind(3, 21, "net_b").at(60'000).bind(9, 99);
    return {{"log/run/plog/plog-100_1.log", a.text()},
            {"log/run/plog/plog-200_1.log", b.text()},
            {"log/run/device-0/device-100_1.log", device_log("a/Add")},
            {"log/run/device-1/device-200_1.log", device_log("b/Mul")}};
}

}  // namespace

TEST_CASE("streams: a binding does not throw the device log's answer away, and gives the model") {
    LogText host;
    host.at(0).bind(3, 21, "toy_net");
    check_located(
        locate_in(task_map_of({host.text(), device_log("net/Exp")}), dump_of({21, 118, 3}, 6000)),
        {.op = "net/Exp|-|-|exact", .model = "toy_net|3|-|-", .remarks = "", .model_proof = "runtime_log log0:1"});
}

TEST_CASE("streams: a line that only reports the overflow leaves the device log's answer") {
    LogText host;
    host.at(5500).runtime("ProcessReport",
                          "CQE warning, device_id=0, stream_id=21, task_id=118, sqe_type=0(aicore), errType=0x1(x), "
                          "sqSwStatus=0x2f",
                          "WARNING");
    CHECK(shown(locate_in(task_map_of({host.text(), device_log("net/Exp")}), dump_of({21, 118, 3}, 6000)).op) ==
          "net/Exp|-|-|exact");
}

TEST_CASE("streams: without lines of the runtime a task is of GE's model until that is unloaded") {
    LogText log;
    const auto load = [&log](std::int64_t at, int model, std::string_view op, int task) {
        log.at(at).ge("InitRuntimeResource",
                      "Logical stream index: 0, rtstream: 21, model: " + std::to_string(model) + ", stream flag: 256.");
        log.save_dump_task(op, 21, task);
    };
    load(0, 2, "net/Exp", 118);
    log.at(10'000).ge("UnLoad", "UnLoad model success, model id:2.");
    load(12'000, 3, "net/Add", 4);
    log.at(30'000).ge("UnLoad", "UnLoad model success, model id:3.");
    load(40'000, 4, "net/Exp", 118);  // the same task again
    const auto map = task_map_of(log.at(60'000).ge("Run", "noise"));
    const auto found = [&map](std::int64_t at) { return locate_in(map, dump_of({21, 118, 9}, at)); };
    CHECK(shown(found(4000).op) == "net/Exp|-|-|exact");
    CHECK(shown(found(20'000).op) == "none");
    CHECK(remarks_of(found(20'000)) == "warning stream_closed");
    CHECK(shown(found(20'000).model) == "-|9|3|-");
    CHECK(shown(found(50'000).op) == "net/Exp|-|-|exact");
    CHECK(shown(found(50'000).model) == "-|9|4|-");
    CHECK(candidates_of(found(50'000)).empty());
}

TEST_CASE("streams: the first set-up and release of a stream may be lost, its tasks answer until it is set up again") {
    LogText log;
    log.at(0).launch_2023(21, 118, "2_0_11_Early").at(10'000).set_up_stream(21);
    log.at(25'000).launch_2023(21, 118, "2_0_11_Late").at(60'000).ge("Run", "alive");
    const auto found = [map = task_map_of(log)](std::int64_t at) { return locate_in(map, dump_of({21, 118}, at)); };
    CHECK(shown(found(5000).op) == "Early|-|2_0_11_Early|kernel");
    CHECK(remarks_of(found(5000)).empty());
    CHECK(shown(found(16'000).op) == "none");  // the stream is another one, and has no task yet
    CHECK(shown(found(31'000).op) == "Late|-|2_0_11_Late|kernel");
}

TEST_CASE("streams: the device of the dump's folder chooses between the logs of devices") {
    const auto map = map_of_files(two_devices());
    check_located(locate_in(map, dump_of_device(0)), {.op = "a/Add|-|-|exact", .model = "net_a|3|-|-"});
    check_located(locate_in(map, dump_of_device(1)), {.op = "b/Mul|-|-|exact", .model = "net_b|3|-|-"});
}

TEST_CASE("streams: without a device of the dump all devices' answers are candidates, and no model is sure") {
    check_located(locate_in(map_of_files(two_devices()), dump_of({21, 118, 3}, 6000)),
                  {.candidates = "a/Add|-|-|type; b/Mul|-|-|type", .model = "none"});
}

TEST_CASE("streams: without a task's lines the dump's device chooses between the models of two processes") {
    const std::vector<LogFileText> files = two_devices();
    const auto hosts = map_of_files({files[0], files[1]});
    CHECK(shown(locate_in(hosts, dump_of_device(0)).model) == "net_a|3|-|-");
    CHECK(shown(locate_in(hosts, dump_of_device(1)).model) == "net_b|3|-|-");
}

TEST_CASE("streams: only another device's log knows the ids") {
    check_located(locate_in(map_of_files({{"log/device-0/device-100_1.log", device_log("a/Add")}}), dump_of_device(3)),
                  {.op = "none", .said = {"device_differs", "only a log of device 0"}});
}

TEST_CASE("streams: lines of another host process's device log do not name this one's operator") {
    LogText host(100);
    host.at(0).bind(3, 21, "toy_net").at(10).launch(21, 0, "Exp_0123456789abcdef0123456789abcdef_7").sent(21, 118);
    const auto named_by = [&host](const std::string& path) {
        return shown(locate_in(map_of_files({{"log/plog/plog-100_1.log", host.text()}, {path, device_log("net/Exp")}}),
                               dump_of({21, 118, 3}, 6000))
                         .op);
    };
    CHECK(named_by("log/device-0/device-100_1.log") == "net/Exp|Exp|Exp_0123456789abcdef0123456789abcdef_7|exact");
    CHECK(named_by("log/device-0/device-200_1.log") == "-|Exp|Exp_0123456789abcdef0123456789abcdef_7|kernel");
    CHECK(named_by("slog/device-0/device-0_1.log") == "net/Exp|Exp|Exp_0123456789abcdef0123456789abcdef_7|exact");
}

TEST_CASE("streams: the task is unknown, the stream's model is reported") {
    LogText host;
    host.at(0).bind(3, 21, "toy_net").at(60'000).bind(9, 99);
    check_located(locate_in(task_map_of(host), dump_of({21, 118, 3}, 6000)), {.op = "none", .model = "toy_net|3|-|-"});
}

TEST_CASE("streams: GE's line on a stream gives the runtime model where nothing binds") {
    LogText host;
    host.at(0).ge("Create",
                  "Create new stream: 0x9, rt stream id: 21, rt model id: 12, priority: 0, stream flag: 0, "
                  "task num: 4.");
    host.ge("Init", "model_metrics:name=toy_net, alloc_dev_mem=1 B, shared_dev_mem=0 B, device_id=0, rts_model_id=12");
    host.save_dump_task("net/Exp", 21, 118);
    check_located(locate_in(task_map_of(host), dump_of({21, 118}, 6000)),
                  {.model = "toy_net|12|-|-", .model_proof = "ge_log log0:1, ge_log log0:2"});
}

TEST_CASE("streams: the record's model alone leads to GE's line that names the runtime model") {
    LogText host;
    host.at(0).ge("Init",
                  "model_metrics:name=toy_net, alloc_dev_mem=1 B, shared_dev_mem=0 B, device_id=0, "
                  "rts_model_id=12");
    host.save_dump_task("net/Exp", 21, 118);
    CHECK(shown(locate_in(task_map_of(host), dump_of({21, 118, 12}, 6000)).model) == "toy_net|12|-|-");
}

TEST_CASE("streams: the device's table names the model where the host does not") {
    LogText device(990), host;
    device.at(10).device("PreProcessOpMappingInfo",
                         "Base path[/out/], has model name[1], model name[toy_net], has model id[1], model id[7].");
    device.device("PreProcessOpMappingInfo",
                  "[stream id:21, task id:118, context id:65535] op name[net/Exp], op type[Exp]");
    host.at(0).bind(3, 21).save_dump_task("net/Exp", 21, 118);
    check_located(
        locate_in(task_map_of({device.text()}), dump_of({21, 118, 3}, 6000)),
        {.op = "net/Exp|Exp|-|exact", .model = "toy_net|3|7|-", .model_proof = "device_log log0:1, device_log log0:2"});
    const auto both = task_map_of({host.text(), device.text()});
    CHECK(shown(locate_in(both, dump_of({21, 118, 3}, 6000)).model) == "toy_net|3|7|-");
    // A number that is the record's may be the runtime's: it is not reported as GE's.
    CHECK(shown(locate_in(task_map_of({device.text()}), dump_of({21, 118, 7}, 6000)).model) == "toy_net|7|-|-");
}
