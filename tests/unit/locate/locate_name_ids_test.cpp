// The operator's dump by the ids of the overflow dump's name, where the record's own lead to nothing.
#include <doctest/doctest.h>

#include <opdebug/tree.hpp>

#include "dump_builder.hpp"
#include "location.hpp"
#include "log_builder.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr std::int64_t dump_time = log_time_us(5000);

std::string at(std::int64_t microseconds_later) {
    return std::to_string(dump_time + microseconds_later);
}

/// An overflow dump with a record of these ids, and an operator's dump next to it. The overflow dump's name states task
/// 59 and stream 9, or `name_ids`.
struct NamedDump {
    explicit NamedDump(const RecordIds& ids, const std::string& name_ids = "59.9") : dump(dump_of(ids, 5000)) {
        const std::string name = "Opdebug.Node_OpDebug." + name_ids + "." + at(0);
        dump.file = folder / name;
        dump.name = parse_dump_name(name);
    }

    NamedDump& add(const std::string& file, const std::string& header_name) {
        DumpFile op_dump;
        op_dump.outputs.push_back(tensor({1, 2, 3, 4}));
        op_dump.op_name = header_name;
        write_file(folder / file, build_v2(op_dump));
        return *this;
    }

    TemporaryDirectory folder;
    Dump dump;
};

Location located(const NamedDump& named, const std::shared_ptr<const TaskMap>& map = nullptr) {
    return locate_in(map, named.dump);
}

/// A log of another task, and of `task` on stream 7 where there is one.
std::shared_ptr<const TaskMap> log_of(int task = 0, std::string_view kernel = "00_1_net/from_log") {
    LogText log;
    log.at(0).bind(3, 21).launch_2023(21, 118, "00_1_net/other");
    if (task != 0) {
        log.launch_2023(7, task, kernel);
    }
    return task_map_of(log);
}

}  // namespace

TEST_CASE("name ids: a record without ids has the operator whose dump carries those of the name, as a hint") {
    NamedDump named({65535, 65535});
    named.add("Add.net_add.59.9." + at(100), "net/add");
    const Location location = located(named);
    check_located(location, {.op = "net/add|Add|-|type",
                             .remarks = "warning ids_not_set, warning name_ids_used",
                             .said = {"name_ids_used", "(stream 9 task 59). The record's ids are not set"}});
    REQUIRE(location.op_dump.has_value());
    CHECK(location.op_dump->file == named.folder / ("Add.net_add.59.9." + at(100)));
    CHECK(shown(located(named, log_of()).op) == "net/add|Add|-|type");
}

TEST_CASE("name ids: they answer where neither dump nor log knows the record's") {
    NamedDump named({7, 57});
    named.add("Add.net_add.59.9." + at(100), "net/add");
    CHECK(remarks_of(located(named)) == "warning no_logs, warning name_ids_used");
    CHECK(contains(message_of(located(named), "name_ids_used"), "found by the record's ids (stream 7 task 57)"));
    check_located(located(named, log_of()), {.op = "net/add|Add|-|type", .said = {"name_ids_used", "hint"}});
}

TEST_CASE("name ids: nothing is asked of them where the record's own find a dump or a line of the log") {
    NamedDump named({7, 57});
    named.add("Add.net_add.59.9." + at(100), "net/add");
    CHECK(shown(located(named, log_of(57)).op) == "net/from_log|-|00_1_net/from_log|kernel");
    SUBCASE("a line that names no operator") {
        CHECK(shown(located(named, log_of(57, "")).op) == "none");
    }
    SUBCASE("a dump") {
        named.add("Mul.net_mul.57.7." + at(900), "net/mul");
        CHECK(shown(located(named).op) == "net/mul|Mul|-|exact");
        CHECK(message_of(located(named), "name_ids_used").empty());
    }
}

TEST_CASE("name ids: of several dumps the nearest is taken, and none that is more than a minute away") {
    NamedDump named({65535, 65535});
    named.add("Add.far.59.9." + at(-60'000'001), "far");
    CHECK(shown(located(named).op) == "none");
    named.add("Add.later.59.9." + at(900), "later").add("Add.near.59.9." + at(-100), "near");
    CHECK(shown(located(named).op) == "near|Add|-|type");
}

TEST_CASE("name ids: a name without a stream, or a dump without one, may mean any stream's task") {
    NamedDump in_2020({65535, 65535}, "59");
    in_2020.add("Add.a.59." + at(1), "a").add("Add.b.59.9." + at(1), "b");
    CHECK(shown(located(in_2020).op) == "none");
    NamedDump named({65535, 65535});
    named.add("Add.a.59." + at(1), "a").add("Add.c.59.10." + at(1), "c").add("Add.d.60.9." + at(1), "d");
    CHECK(shown(located(named).op) == "none");
}

TEST_CASE("name ids: an id that the record has must be that of the name") {
    NamedDump other_task({65535, 57});
    other_task.add("Add.net_add.59.9." + at(100), "net/add");
    CHECK(shown(located(other_task).op) == "none");
    NamedDump same_task({65535, 59});
    same_task.add("Add.net_add.59.9." + at(100), "net/add");
    CHECK(shown(located(same_task).op) == "net/add|Add|-|type");
}

TEST_CASE("name ids: which of a dump's tasks they mean is not known") {
    NamedDump named({65535, 65535});
    named.dump.payloads.front().records.push_back(overflowed_record({7, 57}, Unit::l2_atomic));
    named.dump.payloads.front().records.push_back(overflowed_record({65535, 65535}, Unit::dha_atomic));
    named.add("Add.net_add.59.9." + at(100), "net/add");
    CHECK(shown(located(named).op) == "none");
}
