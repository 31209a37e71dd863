// The order of dumps in a report; hosts and bursts of dumps.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "dump_builder.hpp"
#include "dump_tree.hpp"
#include "scan/groups.hpp"
#include "scan_items.hpp"
#include "temporary_directory.hpp"

using namespace opdebug::test;
using namespace opdebug;
using opdebug::scan_stage::Bursts;

TEST_CASE("report order: the step decides before the time, the time before the path") {
    CHECK(comes_before(overflowed_item("z", 3, 900), overflowed_item("a", 4, 100)));
    CHECK_FALSE(comes_before(overflowed_item("a", 4, 100), overflowed_item("z", 3, 900)));
    CHECK(comes_before(overflowed_item("z", 3, 100), overflowed_item("a", 3, 101)));
    CHECK(comes_before(overflowed_item("a", 3, 100), overflowed_item("b", 3, 100)));
    CHECK_FALSE(comes_before(overflowed_item("a", 3, 100), overflowed_item("a", 3, 100)));
}

TEST_CASE("report order: of one path on the disks of two hosts the host decides, by its name") {
    ScanItem a = overflowed_item("run/x", 3, 100), b = a, later = a;
    a.host = "a";
    b.host = "b";
    later.timestamp_us = 101;
    CHECK(comes_before(a, b));
    CHECK_FALSE(comes_before(b, a));
    CHECK(comes_before(b, later));
}

TEST_CASE("report order: numbers compare as numbers, not as text") {
    CHECK(comes_before(overflowed_item("a", 9, 1), overflowed_item("a", 10, 1)));
    CHECK(comes_before(overflowed_item("a", 1, 999), overflowed_item("a", 1, 1000)));
}

TEST_CASE("report order: what has no step or no time comes after what has one") {
    CHECK(comes_before(overflowed_item("z", 7, std::nullopt), overflowed_item("a", std::nullopt, 1)));
    CHECK(comes_before(overflowed_item("z", 7, 900), overflowed_item("a", 7, std::nullopt)));
    CHECK(comes_before(overflowed_item("z", std::nullopt, 900), overflowed_item("a", std::nullopt, std::nullopt)));
    CHECK(comes_before(overflowed_item("a"), overflowed_item("b")));
}

TEST_CASE("report order: sorting gives the same sequence from any beginning") {
    std::vector<ScanItem> items;
    for (const auto step : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(1), {2}}) {
        for (const auto time : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(5), {6}}) {
            items.push_back(overflowed_item("b", step, time));
            items.push_back(overflowed_item("a", step, time));
        }
    }
    const auto shown = [](const std::vector<ScanItem>& list) {
        std::string text;
        for (const ScanItem& item : list) {
            text += std::to_string(item.path_ids.data_index.value_or(0)) +
                    std::to_string(item.timestamp_us.value_or(0)) + item.file + " ";
        }
        return text;
    };
    const std::string expected = "15a 15b 16a 16b 10a 10b 25a 25b 26a 26b 20a 20b 05a 05b 06a 06b 00a 00b ";
    for (std::size_t shift = 0; shift < items.size(); ++shift) {
        std::rotate(items.begin(), items.begin() + 7, items.end());
        std::vector<ScanItem> sorted = items;
        std::sort(sorted.begin(), sorted.end(), comes_before);
        CHECK(shown(sorted) == expected);
    }
}

TEST_CASE("several hosts: equal time and device below different folders, unless ranks distinguish them") {
    const auto warns = [](const std::string& first, const std::string& second) {
        const TemporaryDirectory directory;
        for (const std::string& folder : {first, second}) {
            write_file(directory / (folder + "/net/1/2/Opdebug.Node_OpDebug.6.5.1732082705000000"),
                       build_overflow_dump(ai_core_example(32)));
        }
        const auto diagnostics = scan_tree({directory.path().string()}).scan.diagnostics;
        return std::any_of(diagnostics.begin(), diagnostics.end(),
                           [](const Diagnostic& one) { return one.code == "several_hosts"; });
    };
    CHECK(warns("node-1/20241120060505/0", "node-2/20241120060505/0"));
    CHECK_FALSE(warns("node-1/20241120060505/0", "node-2/20241120060505/1"));
    CHECK_FALSE(warns("node-1/20241120060505/0", "node-2/20241120060506/0"));
    CHECK_FALSE(warns("rank_0/20241120060505/0", "rank_1/20241120060505/0"));
}

namespace {

/// Tenths of a second.
std::uint64_t bursts_of(const std::vector<std::uint64_t>& tenths) {
    Bursts bursts;
    for (const std::uint64_t time : tenths) {
        bursts.add(time * 100'000);
    }
    return bursts.count();
}

/// Sorted, a gap of ten tenths begins the next one.
std::uint64_t counted_in_order(std::vector<std::uint64_t> tenths) {
    std::sort(tenths.begin(), tenths.end());
    std::uint64_t count = tenths.empty() ? 0 : 1;
    for (std::size_t i = 1; i < tenths.size(); ++i) {
        count += tenths[i] - tenths[i - 1] >= 10 ? 1U : 0U;
    }
    return count;
}

}  // namespace

TEST_CASE("bursts: a whole second apart is another one") {
    CHECK(bursts_of({}) == 0);
    CHECK(bursts_of({5}) == 1);
    CHECK(bursts_of({0, 9, 18, 27}) == 1);
    CHECK(bursts_of({0, 10}) == 2);
}

TEST_CASE("bursts: any order gives what the sorted times give") {
    for (unsigned seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        std::vector<std::uint64_t> times(random() % 200);
        for (std::uint64_t& time : times) {
            time = random() % 2000;
        }
        REQUIRE(bursts_of(times) == counted_in_order(times));
    }
}
