// On how many devices dumps of a group are: numbers of devices count within a host.
#include <doctest/doctest.h>

#include <functional>

#include "scan_items.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// {root}/{time}/{device}/, the second dump of a device in a later run.
ScanItem on_device(const std::string& host, const std::string& root, std::uint64_t device, bool is_later_run) {
    ScanItem item = overflowed_item("");
    item.host = host;
    item.path_ids.time = is_later_run ? "20260304120000" : "20260304100000";
    item.path_ids.device_id = device;
    item.file = root + *item.path_ids.time + "/" + std::to_string(device) + "/dump";
    return item;
}

/// Three trees with the devices 0 to 3, two runs of each: the dumps overflowed where it is stated so, the others are
/// clean.
ScanOverview three_trees(bool have_hosts,
                         const std::function<bool(std::uint64_t tree, std::uint64_t device)>& overflowed) {
    std::vector<ScanItem> items;
    for (std::uint64_t tree = 0; tree < 3; ++tree) {
        const std::string name = "h" + std::to_string(tree);
        for (std::uint64_t device = 0; device < 4; ++device) {
            for (const bool is_later_run : {false, true}) {
                items.push_back(have_hosts ? on_device(name, "dump/", device, is_later_run)
                                           : on_device("", name + "/", device, is_later_run));
                items.back().state = overflowed(tree, device) ? DumpState::overflowed : DumpState::clean;
            }
        }
    }
    return overview_in_order(items);
}

/// "CODE: MESSAGE" of the remarks on devices.
std::string on_devices(const ScanOverview& overview) {
    std::string text;
    for (const ScanRemark& remark : overview.groups.at(0).remarks) {
        text += remark.code.find("device") == std::string::npos ? "" : remark.code + ": " + remark.message;
    }
    return text;
}

bool of_number_3(std::uint64_t, std::uint64_t device) {
    return device == 3;
}
bool one_of_each_number(std::uint64_t tree, std::uint64_t device) {
    return tree == device % 3;
}
bool all_of_them(std::uint64_t, std::uint64_t) {
    return true;
}
bool of_one(std::uint64_t tree, std::uint64_t device) {
    return tree == 1 && device == 3;
}

}  // namespace

TEST_CASE("devices: equal numbers of several hosts are several devices") {
    CHECK(on_devices(three_trees(true, of_number_3)).empty());         // 3 of 12
    CHECK(on_devices(three_trees(true, one_of_each_number)).empty());  // 4 of 12
    CHECK(on_devices(three_trees(true, all_of_them)) ==
          "all_devices: on all 12 devices that have dumps, so a fault of one device is unlikely");
    CHECK(on_devices(three_trees(true, of_one)) ==
          "single_device: all 2 dumps are from device 3 of host h1, out of 12 devices that have dumps");
}

TEST_CASE("devices: below several folders of unnamed hosts their number is unknown") {
    CHECK(on_devices(three_trees(false, of_number_3)).empty());
    CHECK(on_devices(three_trees(false, all_of_them)).empty());
    CHECK(on_devices(three_trees(false, of_one)).empty());
}

TEST_CASE("devices: one number alone shows no other device, unless hosts do") {
    const auto two = [](const std::string& host_a, const std::string& host_b, const char* root_b) {
        ScanItem clean = on_device(host_b, root_b, 0, false);
        clean.state = DumpState::clean;
        return on_devices(
            overview_in_order({on_device(host_a, "a/", 0, false), on_device(host_a, "a/", 0, true), clean}));
    };
    CHECK(two("", "", "a/").empty());
    CHECK(two("", "", "b/").empty());
    CHECK(two("", "h2", "a/").empty());  // the unknown host may be h2
    CHECK(two("h1", "h2", "a/") ==
          "single_device: all 2 dumps are from device 0 of host h1, out of 2 devices that have dumps");
}
