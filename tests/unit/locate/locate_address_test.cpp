// The kernel by the address of its code, and what a dump wants from the logs.
#include <doctest/doctest.h>

#include "location.hpp"
#include "made_up_map.hpp"

using namespace opdebug;
using namespace opdebug::test;
using logs::FactKind;
using logs::LogKind;

namespace {

MadeUpFact launch(std::string_view kernel, std::int64_t at, std::uint64_t task, std::uint64_t address) {
    MadeUpFact fact(FactKind::kernel_of_task, at, "runtime.launch", LogKind::runtime_log);
    fact.fact.kernel_name = kernel;
    fact.fact.address1 = address;
    return fact.task(21, task);
}

MadeUpFact on_device(MadeUpFact fact, std::uint64_t device) {
    fact.fact.device_id = device;
    return fact;
}

/// The process sees the driver's device under a number of its own.
MadeUpFact sees(std::uint64_t own_number, std::uint64_t device) {
    MadeUpFact fact(FactKind::visible_device, 0, "runtime.visible_device", LogKind::runtime_log);
    fact.fact.user_device_id = own_number;
    return on_device(fact, device);
}

Dump with_code(Dump dump, std::uint64_t pc_start, std::uint64_t kernel_code) {
    Record& record = dump.payloads.front().records.front();
    record.fields.push_back({Field::pc_start, pc_start});
    record.fields.push_back({Field::kernel_code, kernel_code});
    return dump;
}

}  // namespace

TEST_CASE("address: the last launch of the code answers when the ids lead nowhere, with a warning") {
    const auto map = map_of({launch("old", 1000, 1, 0x12c0), launch("mine", 2000, 2, 0x12c0),
                             launch("later", 9000, 3, 0x12c0), launch("other", 3000, 4, 0x9900)});
    for (const auto& [pc_start, kernel_code] : {std::pair{0x12c0U, 0U}, std::pair{0x777U, 0x12c0U}}) {
        check_located(locate_in(map, with_code(dump_of({21, 500}, 5000), pc_start, kernel_code)),
                      {.op = "-|-|mine|kernel",
                       .remarks = "warning found_by_address",
                       .proof = "runtime_log log0:2",
                       .said = {"found_by_address", "inferred"}});
    }
}

TEST_CASE("address: of launches at two addresses of the record the last one answers, wherever they lie in memory") {
    for (int round = 0; round < 20; ++round) {  // what an earlier map gave back is given out again, the last part first
        const auto map = map_of({launch("a", 1000, 1, 0x12c0), launch("b", 2000, 2, 0x9900),
                                 launch("c", 3000, 3, 0x12c0), launch("d", 4000, 4, 0x9900)});
        const Dump between = with_code(dump_of({21, 500}, 3500), 0x12c0, 0x9900);
        CHECK(shown(locate_in(map, between).op) == "-|-|d|kernel");  // the clocks may be a second apart
        const auto early = map_of({launch("a", 1000, 1, 0x9900), launch("b", 2000, 2, 0x12c0)});
        CHECK(shown(locate_in(early, between).op) == "-|-|b|kernel");
    }
}

TEST_CASE("address: 0 and all ones are no addresses") {
    const auto map = map_of({launch("a", 1000, 1, 0), launch("b", 1000, 2, ~std::uint64_t{0})});
    CHECK(shown(locate_in(map, with_code(dump_of({21, 500}, 5000), 0, ~std::uint64_t{0})).op) == "none");
}

TEST_CASE("address: a record without ids is looked up by the address") {
    const auto map = map_of({launch("mine", 2000, 2, 0x12c0)});
    check_located(locate_in(map, with_code(dump_of({65535, 65535}, 5000), 0x12c0, 0)),
                  {.op = "-|-|mine|kernel", .remarks = "warning ids_not_set, warning found_by_address"});
}

TEST_CASE("address: without a time, code that held several kernels answers for none of them") {
    const Dump timeless = with_code(dump_of({21, 500}, std::nullopt), 0x12c0, 0);
    const auto one = map_of({launch("mine", 1000, 1, 0x12c0), launch("mine", 2000, 2, 0x12c0)});
    CHECK(shown(locate_in(one, timeless).op) == "-|-|mine|kernel");
    const auto two = map_of({launch("mine", 1000, 1, 0x12c0), launch("other", 2000, 2, 0x12c0)});
    CHECK(shown(locate_in(two, timeless).op) == "none");
}

TEST_CASE("address: another kernel than the ids lead to is warned of, the same one is further proof") {
    const auto map =
        map_of({launch("other", 1000, 1, 0x9900), launch("mine", 2000, 6, 0x12c0), launch("mine", 2500, 7, 0x12c0)});
    check_located(locate_in(map, with_code(dump_of({21, 6}, 5000), 0x9900, 0)),
                  {.op = "-|-|mine|kernel", .remarks = "warning address_disagrees"});
    check_located(locate_in(map, with_code(dump_of({21, 6}, 5000), 0x12c0, 0)),
                  {.remarks = "", .proof = "runtime_log log0:2, runtime_log log0:3"});
    check_located(locate_in(map, with_code(dump_of({21, 7}, 5000), 0x12c0, 0)), {.proof = "runtime_log log0:3"});
}

TEST_CASE("address: days away from the log nothing is taken, for addresses are given anew in each run") {
    const auto map = map_of({launch("mine", 2000, 2, 0x12c0)});
    const Dump far = with_code(dump_of({21, 500}, 5 * 86'400'000LL), 0x12c0, 0);
    CHECK(shown(locate_in(map, far).op) == "none");
}

TEST_CASE("address: launches that name no device count, also where no line tells which one the dump's is") {
    Dump dump = with_code(dump_of({21, 500}, 5000), 0x12c0, 0);
    dump.path_ids.device_id = 1;  // after a device that is another one's none is known to be equal
    CHECK(shown(locate_in(map_of({sees(0, 5), launch("mine", 2000, 2, 0x12c0)}), dump).op) == "-|-|mine|kernel");
    const auto of_other = map_of({sees(0, 5), on_device(launch("other", 2000, 2, 0x12c0), 1)});
    CHECK(shown(locate_in(of_other, dump).op) == "none");
}

TEST_CASE("address: of launches on all devices that may be the dump's the last one answers") {
    Dump dump = with_code(dump_of({21, 500}, 5000), 0x12c0, 0);
    dump.path_ids.device_id = 0;
    const auto map = map_of({sees(0, 5), sees(0, 6), on_device(launch("early", 1000, 1, 0x12c0), 5),
                             on_device(launch("late", 2000, 2, 0x12c0), 6)});
    CHECK(shown(locate_in(map, dump).op) == "-|-|late|kernel");
}

TEST_CASE("wanted: ids and addresses of records that overflowed, markers for none left out") {
    WantedTasks wanted;
    add_wanted(with_code(dump_of({21, 6}, 5000), 0x12c0, ~std::uint64_t{0}), wanted);
    add_wanted(with_code(dump_of({65535, 6}, 5000), 0, 0x88), wanted);
    Dump clean = with_code(dump_of({30, 7}, 5000), 0x5, 0x6);
    clean.payloads.front().records.front().overflow = false;
    add_wanted(clean, wanted);
    CHECK(wanted.tasks == std::vector<std::pair<std::uint64_t, std::uint64_t>>{{21, 6}});
    CHECK(wanted.addresses == std::vector<std::uint64_t>{0x12c0, 0x88});
}
