// What a merged report says of hosts: those with disks of their own, and those that share the work on one tree.
#include <doctest/doctest.h>

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dump_builder.hpp"
#include "shard_reports.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

/// Two devices, the second of which overflows in two steps.
void write_devices(const std::string& root, std::uint64_t first_us) {
    for (unsigned device = 0; device < 2; ++device) {
        for (unsigned step = 3; step < 5; ++step) {
            write_file(fmt::format("{}/20260304100000/{}/net/1/{}/Opdebug.Node_OpDebug.57.5.{}", root, device, step,
                                   first_us + device + step * 10 * second_us),
                       build_overflow_dump(ai_core_example(device == 0 ? 0 : 0x20)));
        }
    }
}

ordered_json json_of(const ScanReport& report) {
    return ordered_json::parse(written(report, &ScanReport::write_json));
}

std::string remark_on_devices(const ordered_json& report) {
    for (const ordered_json& remark : report["groups"][0]["remarks"]) {
        if (remark["code"].get<std::string>().find("device") != std::string::npos) {
            return remark["message"];
        }
    }
    return "";
}

}  // namespace

TEST_CASE("merge: hosts with disks of their own have devices of their own, and equal paths are told apart") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump";
    std::vector<std::string> parts;
    for (const char* host : {"a", "b"}) {
        const bool is_first = parts.empty();
        std::filesystem::remove_all(root);
        write_devices(root, scan_begin_us + (is_first ? 0 : second_us / 2));
        ReportRequest request;
        request.host = host;
        parts.push_back(
            write_file(directory / (std::string("part-") + host), part_text({root}, request, std::nullopt)));
    }
    const ordered_json report = json_of(merged(parts).report);
    CHECK(remark_on_devices(report) ==
          "all 4 dumps are of devices with the number 1, 2 of the 4 devices that have dumps");
    const std::string place = root + "/20260304100000/1/net/1/3/Opdebug.Node_OpDebug.57.5.";
    const std::string doubt = report["diagnostics"][0]["message"];
    CHECK(doubt.find(
              fmt::format("a:{}{} is listed as the first overflow", place, scan_begin_us + 30 * second_us + 1)) == 0);
    CHECK(doubt.find(fmt::format("may be earlier: b:{}{} (0.500 s later", place,
                                 scan_begin_us + 30 * second_us + second_us / 2 + 1)) != std::string::npos);
}

TEST_CASE("merge: hosts that scanned shares of one tree tell of it what one scan does") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump";
    write_devices(root, scan_begin_us);
    std::vector<std::string> parts;
    for (std::uint64_t i = 0; i < 4; ++i) {  // a folder for each: the two of a device come to different hosts
        ReportRequest request;
        request.host = fmt::format("node-{}", i);
        parts.push_back(write_file(directory / fmt::format("part-{}", i), part_text({root}, request, ScanShard{i, 4})));
    }
    const ordered_json report = json_of(merged(parts).report);
    CHECK(report["timeline"][0]["host"] != report["timeline"][1]["host"]);
    CHECK(remark_on_devices(report) == "all 2 dumps are of device 1, out of 2 devices that have dumps");
    CHECK(report["diagnostics"].empty());
}
