// Following dumps: when a dump is decoded, in which order overflows come, what is new about them.
#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <opdebug/scan.hpp>

#include "dump_builder.hpp"
#include "temporary_directory.hpp"

namespace fs = std::filesystem;
using namespace opdebug;
using namespace opdebug::test;
using std::chrono::milliseconds;

namespace {

Buffer overflowed(std::uint64_t status = 32) {
    return build_v2(overflow_dump(build_payload(ai_core_example(status)), Era::now));
}

std::string dump_below(const TemporaryDirectory& directory, int rank, int task,
                       const std::string& time = "1772618405000000") {
    return directory /
           ("rank_" + std::to_string(rank) + "/Net/0/3/Opdebug.Node_OpDebug." + std::to_string(task) + ".563." + time);
}

WatchOptions without_settling() {
    WatchOptions options;
    options.settle = milliseconds(0);
    return options;
}

std::vector<WatchedOverflow> look(DumpWatch& watch, bool last = false) {
    std::vector<WatchedOverflow> overflows;
    watch.look([&](WatchedOverflow&& overflow) { overflows.push_back(std::move(overflow)); }, last);
    return overflows;
}

std::vector<std::string> codes(DumpWatch& watch) {
    std::vector<std::string> codes;
    for (const Diagnostic& diagnostic : watch.take_diagnostics()) {
        codes.push_back(diagnostic.code);
    }
    return codes;
}

}  // namespace

TEST_CASE("watch: each overflow once, the first of its rank and new groups marked") {
    const TemporaryDirectory directory;
    write_file(dump_below(directory, 0, 1), overflowed());
    DumpWatch watch({directory / ""}, without_settling());
    const auto first = look(watch);
    REQUIRE(first.size() == 1);
    CHECK(first[0].first_of_rank);
    REQUIRE(first[0].new_groups.size() == 1);
    CHECK(first[0].new_groups[0].cause == "ai_core.float_overflow");
    CHECK(first[0].new_groups[0].model == "Net");

    write_file(dump_below(directory, 0, 2), overflowed());
    const auto second = look(watch);
    REQUIRE(second.size() == 1);
    CHECK(second[0].scanned.file == dump_below(directory, 0, 2));
    CHECK_FALSE(second[0].first_of_rank);
    CHECK(second[0].new_groups.empty());

    write_file(dump_below(directory, 1, 1), overflowed(0));  // clean: no first and no a group
    write_file(dump_below(directory, 1, 2), overflowed(0x120));
    const auto third = look(watch);
    REQUIRE(third.size() == 1);
    CHECK(third[0].first_of_rank);
    REQUIRE(third[0].new_groups.size() == 1);  // of the conversion; that of float overflows is known
    CHECK(third[0].new_groups[0].cause == "ai_core.fp16_conversion_overflow");
    CHECK(look(watch).empty());
}

TEST_CASE("watch: dumps that are there together come in the order of the times in their names") {
    const TemporaryDirectory directory;
    const std::string late = dump_below(directory, 0, 1, "1772618405000002");
    const std::string early = dump_below(directory, 0, 2, "1772618405000001");
    write_file(late, overflowed());
    write_file(early, overflowed());
    DumpWatch watch({directory / ""}, without_settling());
    const auto overflows = look(watch);
    REQUIRE(overflows.size() == 2);
    CHECK(overflows[0].scanned.file == early);
    CHECK(overflows[0].first_of_rank);
    CHECK_FALSE(overflows[1].first_of_rank);
}

TEST_CASE("watch: a dump is decoded when it did not change for a while, when it is old, or at the end") {
    const TemporaryDirectory directory;
    WatchOptions options;
    options.settle = milliseconds(300);
    const std::string file = dump_below(directory, 0, 1);
    write_file(file, cut(overflowed(), 100));
    DumpWatch watch({directory / ""}, options);
    CHECK(look(watch).empty());
    CHECK(watch.waiting() == 1);
    std::this_thread::sleep_for(milliseconds(200));
    write_file(file, overflowed());
    CHECK(look(watch).empty());
    std::this_thread::sleep_for(milliseconds(200));
    CHECK(look(watch).empty());  // 200 ms since the last change
    std::this_thread::sleep_for(milliseconds(150));
    CHECK(look(watch).size() == 1);
    CHECK(watch.waiting() == 0);

    const std::string old = dump_below(directory, 0, 2);
    write_file(old, overflowed());
    fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(1));
    write_file(dump_below(directory, 0, 3), overflowed());
    const auto at_once = look(watch);
    REQUIRE(at_once.size() == 1);
    CHECK(at_once[0].scanned.file == old);
    CHECK(watch.waiting() == 1);
    CHECK(look(watch, true).size() == 1);
}

TEST_CASE("watch: a dump that was cut and is written to its end comes then") {
    const TemporaryDirectory directory;
    const std::string file = dump_below(directory, 0, 1);
    write_file(file, cut(overflowed(), 1500));
    DumpWatch watch({directory / ""}, without_settling());
    CHECK(look(watch).empty());
    CHECK(watch.waiting() == 0);
    write_file(file, overflowed());
    CHECK(look(watch).size() == 1);
}

TEST_CASE("watch: the operator's dump that came meanwhile names the operator") {
    const TemporaryDirectory directory;
    WatchOptions options;
    options.settle = milliseconds(100);
    write_file(dump_below(directory, 0, 1), overflowed());
    DumpWatch watch({directory / ""}, options);
    CHECK(look(watch).empty());
    // The record's task and stream (ai_core_example) are in the name.
    write_file(directory / "rank_0/Net/0/3/Mul.net_mul.57.563.1772618405000100", Buffer{});
    std::this_thread::sleep_for(milliseconds(150));
    const auto overflows = look(watch);
    REQUIRE(overflows.size() == 1);
    CHECK(overflows[0].item.operator_type == "Mul");
}

TEST_CASE("watch: paths that come and go; a stop ends a look") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump";
    bool stop = false;
    WatchOptions options = without_settling();
    options.scan.stop = [&stop] { return stop; };
    DumpWatch watch({root}, options);
    CHECK(look(watch).empty());
    CHECK(codes(watch) == std::vector<std::string>{"path_awaited"});
    CHECK(look(watch).empty());
    CHECK(codes(watch).empty());  // reported once
    const std::string file = root + "/rank_0/Net/0/3/Opdebug.Node_OpDebug.1.563.1772618405000000";
    write_file(file, overflowed());
    stop = true;
    CHECK(look(watch).empty());
    stop = false;
    CHECK(look(watch).size() == 1);
    fs::remove_all(root);
    CHECK(look(watch).empty());
    CHECK(codes(watch) == std::vector<std::string>{"path_awaited"});
}

TEST_CASE("watch: a dump called by a number comes when mapping.csv names it") {
    const TemporaryDirectory directory;
    const std::string dump = directory / "m/1234567890123456";
    write_file(dump, overflowed());
    write_file(directory / "m/mapping.csv", "77,Add.net_Add.9.9.1772618405000000\n");
    DumpWatch watch({directory / ""}, without_settling());
    CHECK(look(watch).empty());
    write_file(directory / "m/mapping.csv", "1234567890123456,Opdebug.Node_OpDebug.57.563.1772618405000000\n");
    const auto overflows = look(watch);
    REQUIRE(overflows.size() == 1);
    CHECK(overflows[0].scanned.file == dump);
}
