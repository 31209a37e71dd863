// Device logs name the operators of every model that had a stream: which of them counts.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "location.hpp"
#include "log_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// The device gets a model's table.
void add_table(LogText& device, std::int64_t at, std::string_view model, std::string_view op) {
    device.at(at).device(
        "PreProcessOpMappingInfo",
        fmt::format("Base path[/d], has model name[1], model name[{}], has model id[1], model id[2].", model));
    device.device("PreProcessOpMappingInfo",
                  fmt::format("[stream id:6, task id:5, context id:65535] op name[{}], op type[Type]", op));
}

/// Stream 6 belongs to one model, then to another.
LogText two_models() {
    LogText host(100);
    host.at(500).bind(2, 6, "net").at(10'500).unbind(2, 6, "net").at(12'500).bind(3, 6, "net2");
    return host;
}

Location locate_at(std::int64_t milliseconds, std::uint64_t model, const LogText& device) {
    return locate_in(task_map_of({two_models().text(), device.text()}), dump_of({6, 5, model}, milliseconds));
}

}  // namespace

TEST_CASE("device lines: of operators that had the ids one after the other, the one of the time counts") {
    LogText device(990);
    add_table(device, 1000, "net", "net/mul");
    add_table(device, 13'000, "net2", "net2/add");
    CHECK(shown(locate_at(20'000, 3, device).op) == "net2/add|Type|-|exact");
    CHECK(candidates_of(locate_at(20'000, 3, device)).empty());
    CHECK(shown(locate_at(6000, 2, device).op) == "net/mul|Type|-|exact");
}

TEST_CASE("device lines: so do lines of execution, which name no model") {
    LogText device(990);
    const std::string line =
        "start to dump op info, stream id=6, task id=5, context id=65535, thread id=65535, op name=";
    device.at(5000).device("DumpOpInfo", line + "net/mul").at(20'000).device("DumpOpInfo", line + "net2/add");
    CHECK(shown(locate_at(20'000, 3, device).op) == "net2/add|-|-|exact");
    CHECK(shown(locate_at(5500, 2, device).op) == "net/mul|-|-|exact");
}

TEST_CASE("device lines: the table of a model that lost the stream names nothing any more") {
    LogText device(990);
    add_table(device, 1000, "net", "net/mul");
    check_located(locate_at(20'000, 3, device), {.op = "none", .model = "net2|3|-|-"});
    // A name that no binding has may be another name of the model that has the stream.
    LogText renamed(990);
    add_table(renamed, 13'000, "net_dumped", "net2/add");
    CHECK(shown(locate_at(20'000, 3, renamed).op) == "net2/add|Type|-|exact");
}

TEST_CASE("device lines: operators of one table are all candidates") {
    LogText device(990);
    add_table(device, 13'000, "net2", "net2/add");
    add_table(device, 13'001, "net2", "net2/relu");
    CHECK(candidates_of(locate_at(20'000, 3, device)) == "net2/add|Type|-|type; net2/relu|Type|-|type");
}

TEST_CASE("device lines: where host and device tell the task only later, neither is taken") {
    constexpr std::int64_t later = 9 * 3'600'000;
    LogText host(100), device(990);
    host.at(0).ge("Init", "x").at(later).bind(3, 6, "net").save_dump_task("net/mul", 6, 5);
    add_table(device, later + 100, "net", "net/mul");
    const auto map = task_map_of({host.text(), device.text()});
    const Location location = locate_in(map, dump_of({6, 5, 3}, 20'000));
    CHECK(shown(location.op) == "none");
    CHECK(message_of(location, "task_set_up_later").starts_with("process 100: stream 6 task 5"));
    const Location alone = locate_in(task_map_of(device), dump_of({6, 5, 3}, 20'000));
    CHECK(shown(alone.op) == "none");
    CHECK(shown(locate_in(map, dump_of({6, 5, 3}, later + 20'000)).op) == "net/mul|Type|-|exact");
}

TEST_CASE("device lines: a log that does not cover the dump's time cannot tell which operator came last") {
    constexpr std::int64_t hours = 3'600'000;  // a device in another zone than its host
    LogText device(990);
    const std::string line =
        "start to dump op info, stream id=6, task id=5, context id=65535, thread id=65535, op name=";
    device.at(-8 * hours).device("DumpOpInfo", line + "a").at(-8 * hours + 300'000).device("DumpOpInfo", line + "b");
    CHECK(candidates_of(locate_at(20'000, 3, device)) == "a|-|-|type; b|-|-|type");
}

TEST_CASE("device lines: a binding just after the time, by clocks that differ, is none of a past model") {
    LogText host(100), device(990);
    host.at(3000).bind(3, 6, "net").launch_2023(6, 5, "te_kernel");
    add_table(device, 100, "net", "net/mul");
    const auto map = task_map_of({host.text(), device.text()});
    // Not exact: clocks that differ by 2 s are only one explanation.
    CHECK(shown(locate_in(map, dump_of({6, 5, 3}, 1000)).op) == "net/mul|Type|te_kernel|type");
}

TEST_CASE("device lines: a line up to a second after the dump counts, a later one is of another use") {
    const std::string line =
        "start to dump op info, stream id=6, task id=5, context id=65535, thread id=65535, op name=a";
    LogText device(990);
    device.at(20'000).device("DumpOpInfo", line);
    CHECK(shown(locate_in(task_map_of(device), dump_of({6, 5, 3}, 19'000)).op) == "a|-|-|exact");
    CHECK(shown(locate_in(task_map_of(device), dump_of({6, 5, 3}, 12'500)).op) == "none");
}

TEST_CASE("device lines: the device's own line on the dump decides between uses") {
    LogText host(100), device(990);
    host.at(0).launch_2023(6, 5, "2_0_11_mul").at(3000).launch_2023(6, 5, "2_0_12_add").at(60'000).ge("Run", "x");
    device.at(3010).device(
        "DumpOpInfo", "start to dump op info, stream id=6, task id=5, context id=65535, thread id=65535, op name=mul");
    const auto map = task_map_of({host.text(), device.text()});
    CHECK(shown(locate_in(map, dump_of({6, 5}, 3000)).op) == "mul|-|2_0_11_mul|exact");
    CHECK(candidates_of(locate_in(map, dump_of({6, 5}, 3000))).empty());
    CHECK(candidates_of(locate_in(task_map_of(host), dump_of({6, 5}, 3000))) ==
          "add|-|2_0_12_add|kernel; mul|-|2_0_11_mul|kernel");
}
