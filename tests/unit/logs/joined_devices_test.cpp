// ASCEND_RT_VISIBLE_DEVICES: lines by the process's own number of a device mean the driver's device that another line
// shows. That line is of the same run of the process id: in this log or another one, below another root, or in a saved
// map.
#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "joined_logs.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

using Paths = std::vector<std::string>;

LogText& sees(LogText& log, int own, int driver) {
    return log.runtime("ChgUserDevIdToDeviceId",
                       fmt::format("devId={}, drv devId={}, isDeviceSetResetOp=1", own, driver));
}

/// GE's line on the task 7 of stream 5, by the process's own number.
LogText& ge_task(LogText& log, std::string_view name, int own) {
    return log.ge("SaveOpExceptionInfo",
                  fmt::format("[Save][OpExceptionInfo] op[{}] dev_id: {}, stream_id: 5, task_id: 7, context_id: "
                              "4294967295, thread_id: 4294967295, args: 0x1, args_size: 8, tiling_key: 0, "
                              "is_host_args:0.",
                              name, own));
}

Dump dump_on(std::uint64_t device, std::int64_t milliseconds) {
    Dump dump = dump_of({5, 7}, milliseconds);
    dump.path_ids.device_id = device;
    return dump;
}

std::string answer(const std::string& name, const std::string& remarks = "") {
    return name + "|-|-|exact" + (remarks.empty() ? "" : ", " + remarks);
}

/// The process's devices 0 and 1 are the driver's 1 and 2.
LogText shifted_devices() {
    LogText log(7100);
    sees(sees(log.at(0), 0, 1), 1, 2).at(100).set_up_stream(5, 1).set_up_stream(5, 2);
    return log;
}

LogText tasks_of_both() {
    LogText log(7100);
    ge_task(log.at(900), "net/zero", 0);
    return ge_task(log.at(901), "net/one", 1).at(9000).ge("Run", "x");
}

constexpr std::int64_t second_run = 60'000;

}  // namespace

TEST_CASE("joined devices: logs and maps tell alike which device a number means") {
    Logs logs;
    const std::string devices = logs.add("plog-7100_1.log", shifted_devices());
    const std::string tasks = logs.add("plog-7100_2.log", tasks_of_both());
    const std::string saved_devices = logs.save({devices}), saved_tasks = logs.save({tasks});
    for (const Paths& read :
         {Paths{devices, tasks}, Paths{saved_devices, saved_tasks}, Paths{saved_devices, tasks},
          Paths{devices, saved_tasks}, Paths{logs.save({devices, tasks})}, Paths{logs.save({saved_devices, tasks})},
          Paths{logs.save({saved_tasks}), saved_devices}}) {
        CHECK(operator_in(read, dump_on(0, 5000)) == answer("net/zero", "info device_renumbered"));
        CHECK(operator_in(read, dump_on(1, 5000)) == answer("net/one", "info device_renumbered"));
    }
    CHECK(operator_in({saved_tasks}, dump_on(1, 5000)) == answer("net/one"));  // as long as no line states otherwise
}

TEST_CASE("joined devices: the line that tells may stand below another root") {
    Logs logs;
    LogText task(7100), device(7100);
    ge_task(task.at(100).set_up_stream(5, 3).at(900), "net/Exp", 0).at(9000).ge("Run", "x");
    sees(device.at(50), 0, 3);
    const std::string debug = logs.add("copied/debug/plog/plog-7100_1.log", task);
    const std::string run = logs.add("run/plog/plog-7100_1.log", device);
    CHECK(operator_in({debug, run}, dump_on(0, 5000)) == answer("net/Exp", "info device_renumbered"));
}

/// A run of process 7100 that sees one device, as its run log shows, and sets stream 5 up on it and another one.
Paths add_run(Logs& logs, int number, std::int64_t begin, int device, std::string_view op) {
    LogText run(7100), debug(7100);
    sees(run.at(begin), 0, device);
    ge_task(debug.at(begin + 100).set_up_stream(5, 4).set_up_stream(5, 6).at(begin + 900), op, 0);
    debug.at(begin + 30'000).ge("Run", "x");
    return {logs.add(fmt::format("debug/plog/plog-7100_{}.log", number), debug),
            logs.add(fmt::format("run/plog/plog-7100_{}.log", number), run)};
}

TEST_CASE("joined devices: each run of a process id has its own numbers") {
    Logs logs;
    const Paths first = add_run(logs, 1, 0, 4, "old/op"), second = add_run(logs, 2, second_run, 6, "new/op");
    const std::string saved_first = logs.save(first), saved_second = logs.save(second);
    const std::string saved_debug = logs.save({first[0], second[0]}), saved_run = logs.save({first[1], second[1]});
    for (const Paths& read :
         {Paths{first[0], second[0], first[1], second[1]}, Paths{first[1], second[1], first[0], second[0]},
          Paths{saved_first, saved_second}, Paths{saved_debug, saved_run}, Paths{saved_first, second[0], second[1]},
          Paths{logs.save({saved_debug, saved_run})}}) {
        CHECK(operator_in(read, dump_on(0, 10'000)) == answer("old/op", "info device_renumbered"));
        CHECK(operator_in(read, dump_on(0, second_run + 10'000)) == answer("new/op", "info device_renumbered"));
    }
}

TEST_CASE("joined devices: a run that shows nothing of its devices numbers them as the run before") {
    Logs logs;
    LogText first(7100), second(7100);
    ge_task(sees(first.at(0), 0, 4).at(100).set_up_stream(5, 4).at(900), "old/op", 0).at(30'000).ge("Run", "x");
    ge_task(second.at(second_run).set_up_stream(5, 4).set_up_stream(5, 0).at(second_run + 900), "new/op", 0)
        .at(second_run + 30'000)
        .ge("Run", "x");
    const std::string of_first = logs.add("plog-7100_1.log", first), of_second = logs.add("plog-7100_2.log", second);
    for (const Paths& read : {Paths{of_first, of_second}, Paths{logs.save({of_first}), logs.save({of_second})}}) {
        CHECK(operator_in(read, dump_on(0, 10'000)) == answer("old/op", "info device_renumbered"));
        CHECK(operator_in(read, dump_on(0, second_run + 10'000)) == answer("new/op", "info device_renumbered"));
    }
}

TEST_CASE("joined devices: a line that stands before all that tell is of the device of the first one") {
    Logs logs;
    LogText late(7100);
    ge_task(late.at(100).set_up_stream(5, 3).at(900), "net/Exp", 0);
    sees(sees(late.at(1000), 0, 3).at(2000), 0, 2).at(9000).ge("Run", "x");
    const std::string log = logs.add("plog-7100_1.log", late);
    CHECK(operator_in({log}, dump_on(0, 5000)) == answer("net/Exp", "info device_renumbered"));
    CHECK(contains(message_of(located_in({log}, dump_on(0, 5000), true), "device_renumbered"), "lines name device 3."));
}
