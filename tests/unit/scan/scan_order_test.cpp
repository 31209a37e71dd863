// Which dump comes first in a report.
#include <doctest/doctest.h>

#include <algorithm>

#include "scan_items.hpp"

using namespace opdebug;
using namespace opdebug::test;

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

TEST_CASE("report order: what has no step or no time comes behind what has one") {
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
