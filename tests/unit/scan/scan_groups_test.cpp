// Overflows that belong together, and the patterns in them.
#include <doctest/doctest.h>

#include "scan_items.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;
using Numbers = std::vector<std::uint64_t>;

namespace {

ScanItem of_operator(ScanItem item, const std::string& type, const std::string& name) {
    item.operator_type = type;
    item.operator_name = name;
    return item;
}

ScanItem clean_item(ScanItem item) {
    item.state = DumpState::clean;
    item.causes.clear();
    return item;
}

/// The group of that operator; the test fails when there is none.
ScanGroup group_named(const ScanOverview& overview, const std::string& name) {
    for (const ScanGroup& group : overview.groups) {
        if (group.operator_name == name) {
            return group;
        }
    }
    FAIL("no group of " << name);
    return {};
}

ScanItem on_device(ScanItem item, std::uint64_t device) {
    item.path_ids.time = "20260304100000";
    item.path_ids.device_id = device;
    item.file = "run/20260304100000/" + std::to_string(device) + "/" + item.file;
    return item;
}

}  // namespace

TEST_CASE("groups: cause, operator type, operator and model make a group; most frequent first") {
    std::vector<ScanItem> items;
    for (const std::uint64_t step : {4U, 5U, 6U}) {
        items.push_back(of_operator(item_of_rank(0, step, 100 * second_us * step), "Add", "net/add"));
    }
    items.push_back(of_operator(item_of_rank(1, 5, 501 * second_us), "Add", "net/add"));
    items.push_back(of_operator(item_of_rank(1, 4, 399 * second_us), "Mul", "net/mul"));
    items.back().causes = {{"ai_core.cube_overflow"}, {"ai_core.float_overflow"}};
    const ScanOverview overview = overview_in_order(items);
    REQUIRE(overview.groups.size() == 3);
    const ScanGroup& add = overview.groups[0];
    CHECK(add.cause == "ai_core.float_overflow");
    CHECK(add.operator_type == "Add");
    CHECK(add.operator_name == "net/add");
    CHECK(add.count == 4);
    CHECK(add.ranks == Numbers{0, 1});
    CHECK(add.steps == Numbers{4, 5, 6});
    CHECK(add.devices.empty());
    CHECK(add.first_us == 400 * second_us);
    CHECK(add.last_us == 600 * second_us);
    CHECK(add.first_file == "run/rank_0/4/400000000");
    // A dump with two causes is in two groups; equal in count and time, the cause's name decides.
    CHECK(overview.groups[1].cause == "ai_core.cube_overflow");
    CHECK(overview.groups[2].cause == "ai_core.float_overflow");
    CHECK(overview.groups[2].operator_name == "net/mul");
}

TEST_CASE("groups: operator and model are not put down to records of other tasks and models") {
    ScanItem item = of_operator(item_of_rank(0, 1, 10), "MatMul", "net/matmul");
    item.model = "net";
    ScanCause other{"aiv.float_overflow", Unit::aiv};
    other.other_task = true;
    item.causes = {{"aic.float_overflow", Unit::aic}, other};
    other.other_model = true;
    item.causes.push_back(other);
    const ScanOverview overview = overview_in_order({item});
    REQUIRE(overview.groups.size() == 3);
    CHECK(overview.groups[0].cause == "aic.float_overflow");
    CHECK(overview.groups[0].operator_name == "net/matmul");
    CHECK(overview.groups[0].operator_type == "MatMul");
    CHECK(overview.groups[1].cause == "aiv.float_overflow");
    CHECK(overview.groups[1].operator_name.empty());
    CHECK(overview.groups[1].operator_type.empty());
    CHECK(overview.groups[1].model.empty());
    CHECK(overview.groups[2].operator_name.empty());
    CHECK(overview.groups[2].model == "net");
}

TEST_CASE("groups: a dump with several records of one cause counts once") {
    ScanItem item = item_of_rank(0, 1, 10);
    item.causes = {{"aiv.float_overflow", Unit::aiv}, {"aiv.float_overflow", Unit::aiv}};
    item.causes[0].core_id = 1;
    item.causes[1].core_id = 2;
    const ScanOverview overview = overview_in_order({item});
    REQUIRE(overview.groups.size() == 1);
    CHECK(overview.groups[0].count == 1);
}

TEST_CASE("groups: one dump makes a group of what is known of it, and more dumps are added to that") {
    ScanItem nameless = overflowed_item("a");
    nameless.model = "nothing known";
    ScanItem known = on_device(item_of_rank(3, 8, 10), 5);
    known.model = "known";
    const ScanOverview overview = overview_in_order({nameless, known});
    REQUIRE(overview.groups.size() == 2);
    const ScanGroup& first = overview.groups[0];  // a known time leads
    CHECK(first.model == "known");
    CHECK(first.ranks == Numbers{3});
    CHECK(first.devices == Numbers{5});
    CHECK(first.steps == Numbers{8});
    CHECK(first.first_us == 10);
    CHECK(first.last_us == 10);
    CHECK(first.bursts == 1);
    CHECK(remark_codes(first.remarks) == "one_off");
    const ScanGroup& second = overview.groups[1];
    CHECK(second.ranks.empty());
    CHECK(second.devices.empty());
    CHECK(second.steps.empty());
    CHECK_FALSE(second.first_us);
    CHECK_FALSE(second.last_us);
    CHECK(second.bursts == 1);
    CHECK(second.first_file == "a");

    ScanItem later = on_device(item_of_rank(4, 9, 3 * second_us), 5);
    later.model = "known";
    const ScanGroup both = overview_in_order({later, nameless, known}).groups.at(0);
    CHECK(both.count == 2);
    CHECK(both.ranks == Numbers{3, 4});
    CHECK(both.devices == Numbers{5});
    CHECK(both.steps == Numbers{8, 9});
    CHECK(both.first_us == 10);
    CHECK(both.last_us == 3 * second_us);
    CHECK(both.bursts == 2);
    CHECK(both.first_file == known.file);
}

TEST_CASE("groups: models and clean or failed dumps are kept apart") {
    ScanItem one = item_of_rank(0, 1, 10), two = item_of_rank(0, 1, 20), failed = item_of_rank(0, 1, 40);
    one.model = "first";
    two.model = "second";
    failed.state = DumpState::failed;
    const ScanOverview overview = overview_in_order({two, one, clean_item(item_of_rank(0, 1, 30)), failed});
    REQUIRE(overview.groups.size() == 2);
    CHECK(overview.groups[0].model == "first");
    CHECK(overview.groups[1].model == "second");
    CHECK(overview_of({}).groups.empty());
}

TEST_CASE("groups: dumps of one rank and device less than a second apart are one burst") {
    const auto bursts = [](const std::vector<ScanItem>& items) { return overview_in_order(items).groups[0].bursts; };
    CHECK(bursts({item_of_rank(0, 1, 0), item_of_rank(0, 1, 999'999)}) == 1);
    CHECK(bursts({item_of_rank(0, 1, 0), item_of_rank(0, 1, 1'000'000)}) == 2);
    // A chain counts once, however long; another rank is a burst of its own, and so is a dump without a time.
    CHECK(bursts({item_of_rank(0, 1, 0), item_of_rank(0, 1, 900'000), item_of_rank(0, 1, 1'800'000)}) == 1);
    CHECK(bursts({item_of_rank(0, 1, 0), item_of_rank(1, 1, 1)}) == 2);
    CHECK(bursts({item_of_rank(0, 1, 0), item_of_rank(0, 1, std::nullopt)}) == 2);
}

TEST_CASE("patterns: once, now and then, and in every step") {
    std::vector<ScanItem> items;
    for (std::uint64_t step = 1; step <= 4; ++step) {
        const std::uint64_t time = step * 100 * second_us;
        items.push_back(clean_item(item_of_rank(0, step, time)));
        items.push_back(of_operator(item_of_rank(0, step, time + 1), "Add", "always"));
        if (step % 2 == 0) {
            items.push_back(of_operator(item_of_rank(0, step, time + 2), "Add", "sometimes"));
        }
    }
    items.push_back(of_operator(item_of_rank(0, 3, 300 * second_us + 5), "Add", "once"));
    for (const std::uint64_t time : {10U, 20U}) {
        items.push_back(of_operator(item_of_rank(0, 3, 300 * second_us + time), "Add", "one burst"));
        items.push_back(of_operator(item_of_rank(0, 3, 300 * second_us), "Add", "one time"));
    }
    const ScanOverview overview = overview_in_order(items);
    CHECK(remark_codes(group_named(overview, "once").remarks) == "one_off");
    CHECK(message_of(group_named(overview, "one burst").remarks, "one_off") == "2 dumps within 10 us, and no others");
    CHECK(message_of(group_named(overview, "one time").remarks, "one_off") ==
          "2 dumps at the same time, and no others");
    CHECK(message_of(group_named(overview, "sometimes").remarks, "recurring") ==
          "in 2 of 4 steps that have dumps, from step 2 to step 4");
    CHECK(remark_codes(group_named(overview, "always").remarks) == "every_step");
    CHECK(message_of(group_named(overview, "always").remarks, "every_step")
              .find("in all 4 steps that have dumps, from step 1 to step 4") == 0);
}

TEST_CASE("patterns: without steps, bursts tell what comes again") {
    const ScanOverview overview = overview_in_order(
        {overflowed_item("run/a", std::nullopt, 0), overflowed_item("run/b", std::nullopt, 30 * second_us)});
    CHECK(message_of(overview.groups[0].remarks, "recurring") == "2 dumps in 2 bursts over 30.000 s");
}

TEST_CASE("patterns: one event on all ranks is not recurring, a second burst of one rank is") {
    const auto message = [](const std::vector<ScanItem>& items) {
        return message_of(overview_in_order(items).groups[0].remarks, "recurring");
    };
    // One step, ranks two seconds apart: three bursts, but none comes again.
    CHECK(
        message({item_of_rank(0, 1, 0), item_of_rank(1, 1, 2 * second_us), item_of_rank(2, 1, 4 * second_us)}).empty());
    const auto loose = [](std::uint64_t rank, std::uint64_t time) { return item_of_rank(rank, std::nullopt, time); };
    CHECK(message({loose(0, 0), loose(1, 2 * second_us), loose(2, 4 * second_us)}).empty());
    CHECK(message({loose(0, 0), loose(1, 2 * second_us), loose(1, 4 * second_us)}) ==
          "3 dumps in 3 bursts (at most 2 on one rank and device) over 4.000 s");
    // Bursts within one step are one iteration's.
    CHECK(message({item_of_rank(0, 1, 0), item_of_rank(0, 1, 30 * second_us)}).empty());
    // A dump without a time shows no other burst.
    CHECK(message({loose(0, 0), item_of_rank(0, std::nullopt, std::nullopt)}).empty());
}

TEST_CASE("patterns: every step is said of three steps or more in a row") {
    const auto remarks = [](const std::vector<std::uint64_t>& steps) {
        std::vector<ScanItem> items;
        for (const std::uint64_t step : steps) {
            items.push_back(overflowed_item("run/0/" + std::to_string(step), step, step * 100 * second_us));
        }
        return overview_in_order(items).groups[0].remarks;
    };
    CHECK(remark_codes(remarks({5, 6, 7})) == "every_step");
    CHECK(message_of(remarks({9, 10, 100}), "recurring") == "in 3 of 3 steps that have dumps, from step 9 to step 100");
    CHECK(remark_codes(remarks({1, 2})) == "recurring");
}

TEST_CASE("patterns: dumps of which one has no time are not said to be one event") {
    const ScanOverview overview =
        overview_in_order({overflowed_item("run/a", 3, 10 * second_us), overflowed_item("run/b", 3)});
    REQUIRE(overview.groups.size() == 1);
    CHECK(overview.groups[0].count == 2);
    CHECK(message_of(overview.groups[0].remarks, "one_off").empty());
}

TEST_CASE("patterns: dumps of the same time are said to be so") {
    ScanItem twin = item_of_rank(0, 1, 5);
    twin.file += ".b";
    CHECK(message_of(overview_in_order({item_of_rank(0, 1, 5), twin}).groups[0].remarks, "one_off") ==
          "2 dumps at the same time, and no others");
}

TEST_CASE("patterns: a span that no number of the program holds is not stated as one that does") {
    const ScanOverview overview = overview_in_order(
        {overflowed_item("run/a", std::nullopt, 0), overflowed_item("run/b", std::nullopt, ~std::uint64_t{0})});
    CHECK(contains(message_of(overview.groups[0].remarks, "recurring"), " over at least 106751991 d"));
}

TEST_CASE("patterns: one rank of several, and all ranks; clean ranks count") {
    const auto codes = [](const std::vector<ScanItem>& items) {
        return remark_codes(overview_in_order(items).groups[0].remarks);
    };
    const ScanItem clean_rank = clean_item(item_of_rank(1, 1, 5));
    CHECK(codes({item_of_rank(0, 1, 1), item_of_rank(0, 1, 2), clean_rank}) == "one_off, single_rank");
    CHECK(codes({item_of_rank(0, 1, 1), item_of_rank(1, 1, 2), clean_rank}) == "one_off, all_ranks");
    CHECK(codes({item_of_rank(0, 1, 1), clean_rank}) == "one_off");             // one dump is on one rank by nature
    CHECK(codes({item_of_rank(0, 1, 1), item_of_rank(0, 1, 2)}) == "one_off");  // no other rank to compare with
    CHECK(codes({item_of_rank(0, 1, 1), item_of_rank(1, 1, 2), clean_item(item_of_rank(2, 1, 3))}) == "one_off");
    ScanItem unknown = overflowed_item("run/x", 1, 3);
    CHECK(codes({item_of_rank(0, 1, 1), item_of_rank(0, 1, 2), clean_rank, unknown}) == "one_off");
}

TEST_CASE("patterns: devices stand in where no rank is known") {
    const ScanItem a = on_device(overflowed_item("a", 1, 1), 0), b = on_device(overflowed_item("b", 1, 2), 0);
    const ScanItem c = on_device(overflowed_item("c", 1, 3), 1);
    CHECK(remark_codes(overview_in_order({a, b, clean_item(c)}).groups[0].remarks) == "one_off, single_device");
    CHECK(message_of(overview_in_order({a, b, clean_item(c)}).groups[0].remarks, "single_device") ==
          "all 2 dumps are from device 0, out of 2 devices that have dumps");
    CHECK(remark_codes(overview_in_order({a, b, c}).groups[0].remarks) == "one_off, all_devices");
}
