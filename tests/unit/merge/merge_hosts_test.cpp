// What a merged report states about hosts: those with disks of their own, and those that share the work on one tree.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dump_builder.hpp"
#include "overflow_tree.hpp"
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

/// Bad values of one step within a second: of two graphs of rank 0, which has one clock, and of rank 1.
void write_bad_values(const std::string& root) {
    MadeUpOverflow overflow;
    overflow.step = 4;
    overflow.inputs = {half_tensor({half_one, half_two})};
    overflow.outputs = {half_tensor({half_one, half_inf})};
    write_overflow(root, overflow);
    std::filesystem::rename(root + "/rank_0/Net/0", root + "/rank_0/Net/1");
    overflow.milliseconds = 500;
    write_overflow(root, overflow);
    overflow.rank = 1;
    overflow.milliseconds = 900;
    write_overflow(root, overflow);
}

/// "STEP RANK CODE" of the remarks of all chains.
std::vector<std::string> chain_remarks(const ordered_json& report) {
    std::vector<std::string> remarks;
    for (const ordered_json& chain : report["chains"]) {
        for (const ordered_json& remark : chain["remarks"]) {
            remarks.push_back(fmt::format("{} {} {}", chain["step"].get<int>(), chain["rank"].get<int>(),
                                          remark["code"].get<std::string>()));
        }
    }
    return remarks;
}

/// The part of a host's share; `name` for the file.
std::string write_part(const TemporaryDirectory& directory, const std::string& name, const std::string& root,
                       ReportRequest request, const std::string& host, ScanShard shard) {
    request.host = host;
    return write_file(directory / name, part_text({root}, request, shard));
}

}  // namespace

TEST_CASE("merge: hosts with disks of their own have devices of their own, and equal paths are reported apart") {
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
    CHECK(remark_on_devices(report).empty());  // on 2 of 4 devices
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
    CHECK(remark_on_devices(report) == "all 2 dumps are from device 1, out of 2 devices that have dumps");
    CHECK(report["diagnostics"].empty());
}

TEST_CASE("merge: chains are of one clock, whichever hosts scanned their shares") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump";
    write_bad_values(root);
    ReportRequest request;
    request.tensors = true;
    std::vector<std::string> parts;
    for (std::uint64_t i = 0; i < 3; ++i) {  // a folder for each
        parts.push_back(write_part(directory, fmt::format("part-{}", i), root, request, fmt::format("node-{}", i),
                                   ScanShard{i, 3}));
    }
    const std::vector<std::string> expected = {"4 0 first_bad_uncertain", "4 1 first_bad_uncertain"};
    CHECK(chain_remarks(json_of(scanned_report({root}, request))) == expected);
    CHECK(chain_remarks(json_of(merged(parts).report)) == expected);
}

TEST_CASE("merge: hosts that scanned trees of their own in shares have clocks of their own") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump";
    std::vector<std::string> parts;
    for (const char* host : {"a", "b"}) {
        std::filesystem::remove_all(root);
        write_devices(root, scan_begin_us + (parts.empty() ? 0 : second_us / 2));
        for (std::uint64_t i = 0; i < 2; ++i) {
            parts.push_back(write_part(directory, fmt::format("part-{}-{}", host, i), root, {}, host, ScanShard{i, 2}));
        }
    }
    const auto has_doubt = [&parts] {
        return json_of(merged(parts).report)["diagnostics"].dump().find("first_uncertain") != std::string::npos;
    };
    CHECK(has_doubt());

    // A tree that both share, too: each host still has one of its own.
    const std::string shared = directory / "shared";
    write_file(shared + "/20260304100000/0/net/1/3/Opdebug.Node_OpDebug.57.5.1772618400000000",
               build_overflow_dump(ai_core_example(0)));
    parts.push_back(write_part(directory, "shared-a", shared, {}, "a", ScanShard{0, 2}));
    parts.push_back(write_part(directory, "shared-b", shared, {}, "b", ScanShard{1, 2}));
    CHECK(has_doubt());
}

TEST_CASE("merge: hosts share a tree that grew while they scanned, and one of which a share is missing") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump", other = directory / "other";
    const auto write_clean = [](const std::string& tree, unsigned device, unsigned step) {
        write_file(fmt::format("{}/20260304100000/{}/net/1/{}/Opdebug.Node_OpDebug.57.5.{}", tree, device, step,
                               scan_begin_us + step * 10 * second_us),
                   build_overflow_dump(ai_core_example(0)));
    };
    write_devices(root, scan_begin_us);
    write_clean(other, 0, 3);
    std::vector<std::string> parts;
    parts.push_back(write_part(directory, "other-a", other, {}, "a", ScanShard{0, 2}));  // that of b is lost
    parts.push_back(write_part(directory, "part-a", root, {}, "a", ScanShard{0, 2}));
    write_clean(root, 1, 5);  // the last folder: those before it are dealt out as before
    parts.push_back(write_part(directory, "part-b", root, {}, "b", ScanShard{1, 2}));
    const ordered_json report = json_of(merged(parts).report);
    const std::string told = report["diagnostics"].dump();
    CHECK(told.find("trees_differ") != std::string::npos);
    CHECK(told.find("part_missing") != std::string::npos);
    CHECK(report["timeline"][0]["host"] != report["timeline"][1]["host"]);
}
