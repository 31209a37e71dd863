// Which record of a dump is looked up: clean dumps, several overflowed units, several tasks.
#include <doctest/doctest.h>

#include "location.hpp"
#include "log_builder.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

std::shared_ptr<const TaskMap> two_operators() {
    LogText log;
    log.at(0).bind(3, 21, "toy_net").save_dump_task("net/Exp", 21, 118).save_dump_task("net/AllReduce", 21, 130);
    return task_map_of(log);
}

/// A legacy dump with the units in the order of the payload: DHA, L2, AI Core.
Dump legacy_dump(std::vector<Record> records) {
    Dump dump = dump_of({0, 0}, 5000);
    dump.payloads.front().records = std::move(records);
    return dump;
}

}  // namespace

TEST_CASE("records: a clean dump is not looked up") {
    Dump dump = dump_of({21, 118, 3}, 5000);
    dump.payloads.front().records.front().overflow = false;
    check_located(locate_in(two_operators(), dump), {.op = "none", .model = "none", .remarks = "info no_overflow"});
}

TEST_CASE("records: a dump whose records could not be decoded is not looked up") {
    Dump dump = dump_of({21, 118, 3}, 5000);
    dump.payloads.clear();
    CHECK(shown(locate_in(two_operators(), dump).op) == "none");
}

TEST_CASE("records: units that did not overflow are passed over") {
    Record clean = overflowed_record({21, 118, 3}, Unit::dha_atomic);
    clean.overflow = false;
    check_located(locate_in(two_operators(), legacy_dump({clean, overflowed_record({21, 130, 3})})),
                  {.op = "net/AllReduce|-|-|exact", .remarks = ""});
}

TEST_CASE("records: AI Core leads, the other unit's task is remarked with its operator") {
    const Location location =
        locate_in(two_operators(),
                  legacy_dump({overflowed_record({21, 130, 3}, Unit::dha_atomic), overflowed_record({21, 118, 3})}));
    check_located(location, {.op = "net/Exp|-|-|exact", .candidates = "", .remarks = "info other_record_operator"});
    const std::string message = message_of(location, "other_record_operator");
    CHECK(contains(message, "DHA Atomic Add"));
    CHECK(contains(message, "stream 21 task 130"));
    CHECK(contains(message, "net/AllReduce"));
}

TEST_CASE("records: units with the same task need no remark") {
    check_located(locate_in(two_operators(), legacy_dump({overflowed_record({21, 118, 3}, Unit::dha_atomic),
                                                          overflowed_record({21, 118, 3})})),
                  {.op = "net/Exp|-|-|exact", .remarks = ""});
}

TEST_CASE("records: a further task whose operator is unknown is remarked as well") {
    check_located(locate_in(two_operators(), legacy_dump({overflowed_record({21, 999, 3}, Unit::l2_atomic),
                                                          overflowed_record({21, 118, 3})})),
                  {.said = {"other_record_operator", "no operator was found"}});
}

TEST_CASE("records: which record the answer is for") {
    const Dump legacy =
        legacy_dump({overflowed_record({21, 130, 3}, Unit::dha_atomic), overflowed_record({21, 118, 3})});
    REQUIRE(located_record(legacy) == &legacy.payloads.front().records.back());
    const Record task = overflowed_record({21, 118, 3});
    CHECK(same_task(*located_record(legacy), task));
    CHECK_FALSE(same_task(task, legacy.payloads.front().records.front()));
    CHECK_FALSE(same_task(task, overflowed_record({22, 118, 3})));
    CHECK_FALSE(same_task(overflowed_record({21, 40, 3, 1, 0}), overflowed_record({21, 40, 3, 2, 0})));
    CHECK_FALSE(same_task(overflowed_record({21, 40, 3, 1, 0}), overflowed_record({21, 40, 3, 1, 1})));
    Dump clean = dump_of({21, 118, 3}, 5000);
    clean.payloads.front().records.front().overflow = false;
    CHECK(located_record(clean) == nullptr);
}

TEST_CASE("records: contexts of one FFTS+ task are different tasks") {
    LogText log;
    log.at(0).bind(3, 21).save_dump_context("part/Add", 21, 40, 1, 0).save_dump_context("part/Mul", 21, 40, 2, 0);
    Dump dump = dump_of({21, 40, 3, 1, 0}, 5000);
    dump.payloads.front().records.push_back(overflowed_record({21, 40, 3, 2, 0}));
    check_located(locate_in(task_map_of(log), dump),
                  {.op = "part/Add|-|-|exact", .said = {"other_record_operator", "part/Mul"}});
}

TEST_CASE("a task that was sent as one of another kind than the record's is doubtful") {
    struct Row {
        Unit unit;
        std::uint64_t type;
        int sent;
        bool agrees;
    };
    for (const Row& row :
         {Row{Unit::aic, 0, 0, true}, Row{Unit::aiv, 66, 0, true}, Row{Unit::aic, 0, 108, true},
          Row{Unit::aic, 0, 52, true}, Row{Unit::aic, 52, 0, false}, Row{Unit::aic, 0, 1, false},
          Row{Unit::aicpu, 1, 1, true}, Row{Unit::aicpu, 0, 0, false}, Row{Unit::aicpu, 1, 51, true},
          Row{Unit::sdma, 5, 0, false}, Row{Unit::sdma, 0, 90, true}, Row{Unit::l2_atomic, 0, 1, true}}) {
        CAPTURE(unit_name(row.unit));
        CAPTURE(row.type);
        CAPTURE(row.sent);
        LogText log;
        log.at(0).set_up_stream(21).bind(3, 21).sent(21, 118, row.sent).save_dump_task("op", 21, 118);
        Dump dump = dump_of({21, 118, 3}, 5000);
        Record& record = dump.payloads.front().records.front();
        record.unit = row.unit;
        record.fields.push_back({Field::task_type, row.type});
        const Location location = locate_in(task_map_of(log), dump);
        CHECK(shown(location.op) == (row.agrees ? "op|-|-|exact" : "op|-|-|type"));
        CHECK(remarks_of(location) == (row.agrees ? "" : "warning sources_disagree"));
    }
}
