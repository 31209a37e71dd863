// Groups are found again by their names, however many there are.
#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "scan/overview.hpp"

using opdebug::scan_stage::Group;
using opdebug::scan_stage::GroupTable;
using opdebug::scan_stage::hash_of;

namespace {

/// Names whose hashes end alike, so that they want the same place in a small table.
std::vector<std::string> names_of_like_hashes(std::size_t count) {
    constexpr std::uint32_t kLowBits = 0x1ff;
    std::vector<std::string> names;
    for (std::uint64_t i = 0; names.size() < count; ++i) {
        std::string name = "layer_" + std::to_string(i);
        if ((hash_of({"", "", name, ""}) & kLowBits) == kLowBits) {
            names.push_back(std::move(name));
        }
    }
    return names;
}

}  // namespace

TEST_CASE("group table: a group for each of the names, in the order they came, at the same place each time") {
    constexpr std::uint64_t kGroups = 50'000;
    GroupTable table;
    std::set<const Group*> places;
    const auto group_of = [&table](std::uint64_t i) -> Group& {
        const std::string name = "net/layer_" + std::to_string(i) + "/MatMul";
        return table.group_of({"ai_core.float_overflow", "MatMul", name, "net"});
    };
    for (std::uint64_t i = 0; i < kGroups; ++i) {
        places.insert(&group_of(i));
    }
    CHECK(places.size() == kGroups);
    REQUIRE(table.size() == kGroups);
    bool all_again = true, all_in_order = true;
    for (std::uint64_t i = 0; i < kGroups; ++i) {
        all_again = all_again && &group_of(i) == &table.at(i);
        all_in_order = all_in_order && table.at(i).operator_name == "net/layer_" + std::to_string(i) + "/MatMul";
    }
    CHECK(all_again);
    CHECK(all_in_order);
    CHECK(table.size() == kGroups);
}

TEST_CASE("group table: names that have nearly one hash are found as others are") {
    constexpr std::size_t kGroups = 100;
    const std::vector<std::string> names = names_of_like_hashes(kGroups);
    GroupTable table;
    for (int round = 0; round < 2; ++round) {
        for (std::size_t i = 0; i < kGroups; ++i) {
            const Group& group = table.group_of({"", "", names[i], ""});
            CHECK(group.operator_name == names[i]);
            CHECK(&group == &table.at(i));
        }
    }
    CHECK(table.size() == kGroups);
}

TEST_CASE("group table: names that were crowded are found again when there is room for them") {
    constexpr std::uint64_t kCrowded = 100, kOthers = 5'000;
    const std::vector<std::string> names = names_of_like_hashes(kCrowded);
    GroupTable table;
    for (const std::string& name : names) {
        table.group_of({"", "", name, ""});
    }
    for (std::uint64_t i = 0; i < kOthers; ++i) {
        table.group_of({"", "", "other_" + std::to_string(i), ""});
    }
    for (std::size_t i = 0; i < kCrowded; ++i) {
        CHECK(&table.group_of({"", "", names[i], ""}) == &table.at(i));
    }
    CHECK(table.size() == kCrowded + kOthers);
}

TEST_CASE("group table: each of the names tells groups apart, and none stands for another") {
    GroupTable table;
    table.group_of({"a", "b", "c", "d"});
    table.group_of({"a", "b", "c", ""});
    table.group_of({"a", "b", "", "c"});
    table.group_of({"a", "", "b", "c"});
    table.group_of({"", "a", "b", "c"});
    table.group_of({"ab", "", "c", "d"});
    table.group_of({"b", "a", "c", "d"});
    table.group_of({"", "", "", ""});
    CHECK(table.size() == 8);
    CHECK(&table.group_of({"", "a", "b", "c"}) == &table.at(4));
}
