// A suspicion: far more dumps on one core than chance would put there.
#include <doctest/doctest.h>

#include "scan_items.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

ScanItem on_core(std::uint64_t rank, std::uint64_t number, std::optional<std::uint64_t> core,
                 std::optional<std::uint64_t> block) {
    ScanItem item = item_of_rank(rank, number, scan_begin_us + number * 100 * second_us);
    item.file += "." + std::to_string(number);
    item.causes[0].core_id = core;
    item.causes[0].block_id = block;
    return item;
}

/// `on_one` dumps of core 17 and as many others as bring the number to `all`, each of another block and core.
std::vector<ScanItem> on_core_17(std::size_t on_one, std::size_t all) {
    std::vector<ScanItem> items;
    for (std::size_t i = 0; i < all; ++i) {
        items.push_back(on_core(0, i, i < on_one ? 17 : i % 8, i));
    }
    return items;
}

std::vector<Diagnostic> suspicions(const std::vector<ScanItem>& items) {
    std::vector<Diagnostic> found;
    const ScanOverview overview = overview_in_order(items);
    for (const Diagnostic& remark : overview.groups.at(0).remarks) {
        if (remark.code.find("concentration") != std::string::npos) {
            found.push_back(remark);
        }
    }
    return found;
}

}  // namespace

TEST_CASE("concentration: 38 of 40 dumps on one core are a suspicion, with the numbers") {
    const auto found = suspicions(on_core_17(38, 40));
    REQUIRE(remark_codes(found) == "core_concentration");
    CHECK(found[0].severity == Severity::warning);
    CHECK(found[0].message ==
          "38 of 40 records are from AI Core core 17 of rank 0. This suggests a fault of the core, not of the numbers, "
          "but does not prove it");
}

TEST_CASE("concentration: too few dumps or too small a share are none") {
    CHECK(remark_codes(suspicions(on_core_17(8, 8))) == "core_concentration");
    CHECK(suspicions(on_core_17(7, 7)).empty());
    CHECK(remark_codes(suspicions(on_core_17(9, 10))) == "core_concentration");
    CHECK(suspicions(on_core_17(35, 40)).empty());
}

TEST_CASE("concentration: nothing is suspected where no work is seen on any other core, or all is of one block") {
    std::vector<ScanItem> items;
    for (std::size_t i = 0; i < 20; ++i) {
        items.push_back(on_core(0, i, 0, 0));
    }
    CHECK(suspicions(items).empty());
    // Another group shows that the device has more than one core.
    ScanItem other = on_core(0, 30, 5, 6);
    other.operator_name = "another";
    items.push_back(other);
    CHECK(suspicions(items).empty());  // the data of block 0 may be the reason
}

TEST_CASE("concentration: dumps without a core are not counted") {
    std::vector<ScanItem> items = on_core_17(8, 8);
    for (std::size_t i = 10; i < 20; ++i) {
        items.push_back(on_core(0, i, std::nullopt, std::nullopt));
    }
    CHECK(message_of(suspicions(items), "core_concentration").find("8 of 8 records are from AI Core core 17") == 0);
}

TEST_CASE("concentration: each record counts with its own core, not the dump's first one") {
    // Each dump: AIC core 3, and an AIV record on a core that differs from dump to dump.
    std::vector<ScanItem> items;
    for (std::size_t i = 0; i < 10; ++i) {
        items.push_back(on_core(0, i, std::nullopt, std::nullopt));
        items.back().causes = {{"aic.float_overflow", Unit::aic}, {"aiv.float_overflow", Unit::aiv}};
        items.back().causes[0].core_id = 3;
        items.back().causes[1].core_id = i;
    }
    const ScanOverview overview = overview_in_order(items);
    REQUIRE(overview.groups.size() == 2);
    CHECK(overview.groups[0].cause == "aic.float_overflow");
    CHECK(
        message_of(overview.groups[0].remarks, "core_concentration").find("10 of 10 records are from AIC core 3 of") ==
        0);
    CHECK(message_of(overview.groups[1].remarks, "core_concentration").empty());
}

TEST_CASE("concentration: the same number of an AIC and of an AIV is two cores") {
    std::vector<ScanItem> items;
    for (std::size_t i = 0; i < 16; ++i) {
        items.push_back(on_core(0, i, 3, i));
        items.back().causes[0].unit = i % 2 == 0 ? Unit::aic : Unit::aiv;
    }
    CHECK(suspicions(items).empty());
}

TEST_CASE("concentration: many records of a few dumps are no suspicion") {
    std::vector<ScanItem> items = on_core_17(2, 2);
    for (ScanItem& item : items) {
        for (std::uint64_t block = 0; block < 20; ++block) {
            item.causes.push_back(item.causes.front());
            item.causes.back().block_id = 100 + block;
        }
    }
    CHECK(suspicions(items).empty());
}
