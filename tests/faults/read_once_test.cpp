// Files that many dumps share are read once, not once for each dump.
#include <string>

#include <doctest/doctest.h>

#include <opdebug/scan.hpp>

#include "api_run.hpp"
#include "dump_tree.hpp"
#include "overflow_tree.hpp"
#include "planned_faults.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr int kDumpsOfFolder = 40;

/// Dumps that are called by numbers: every other one overflowed.
void write_numbered(const std::string& folder) {
    std::string mapping;
    for (int i = 0; i < kDumpsOfFolder; ++i) {
        const std::string number = std::to_string(1000 + i);
        write_file(folder + "/" + number, build_overflow_dump(ai_core_example(i % 2 == 0 ? 32 : 0)));
        mapping += number + ",Opdebug.Node_OpDebug.57.563." + std::to_string(1772618405000000 + i) + "\n";
    }
    write_file(folder + "/2000", "no dump");
    mapping += "2000,Add.add.33.46.1772618405000000\n";
    write_file(folder + "/mapping.csv", mapping);
}

}  // namespace

TEST_CASE("the mapping.csv of a folder is read for its names, and once for all of its dumps") {
    const TemporaryDirectory directory;
    for (const char* folder : {"a", "b", "c"}) {
        write_numbered(directory / folder);
    }
    for (const unsigned threads : {1U, 4U}) {
        CAPTURE(threads);
        ScanOptions options;
        options.threads = threads;
        const PlannedFaults planned("open */mapping.csv UNTYPED");  // counts; it is about readdir
        const Scanned scanned = scan_tree({directory.path().string()}, options);
        CHECK(shown(scanned.scan.counts) == "120 60 60 0 3 3");
        for (const ScannedDump& one : scanned.dumps) {
            REQUIRE(one.dump);
            REQUIRE(one.dump->name);
            CHECK(one.dump->name->timestamp_us.value_or(0) >= 1772618405000000);
        }
        CHECK(faults::hits() == 2 * 3);
    }
}

TEST_CASE("a folder is listed once, for its dumps and for the operators' dumps beside them") {
    const TemporaryDirectory directory;
    for (const char* folder : {"a", "b", "c"}) {
        write_file(directory / (std::string(folder) + "/Opdebug.Node_OpDebug.57.563.1772618405000000"),
                   build_overflow_dump(ai_core_example(32)));
        write_file(directory / (std::string(folder) + "/Add.add.57.563.1772618404999000"), "no dump");
    }
    for (const unsigned threads : {1U, 4U}) {
        CAPTURE(threads);
        ScanOptions options;
        options.threads = threads;
        const PlannedFaults planned("opendir * UNTYPED");  // counts; it is about readdir
        const Scanned scanned = scan_tree({directory.path().string()}, options);
        CHECK(shown(scanned.scan.counts) == "3 3 0 0 3 0");
        for (const ScannedDump& one : scanned.dumps) {
            REQUIRE(one.location.op);
            CHECK(one.location.op->best.name == "add");
        }
        CHECK(faults::hits() == 1 + 3);
    }
}

TEST_CASE("a mapping.csv that cannot be read any more is told with each dump, and not tried for each") {
    const TemporaryDirectory directory;
    write_numbered(directory / "a");
    const PlannedFaults planned("open */mapping.csv EIO skip=1");
    const Scanned scanned = scan_tree({directory.path().string()});
    CHECK(shown(scanned.scan.counts) == "40 20 20 0 1 1");
    for (const ScannedDump& one : scanned.dumps) {
        REQUIRE(one.dump);
        CHECK_FALSE(one.dump->name.has_value());
        REQUIRE(one.dump->diagnostics.size() == 1);
        CHECK(one.dump->diagnostics[0].code == "read_failed");
    }
    CHECK(faults::hits() == 1);
}

TEST_CASE("a dump of API calls is opened to find it and to read it; shards other than 0 look for one only") {
    ApiRun run;
    for (std::uint64_t rank = 0; rank < 6; ++rank) {
        run.add(0, rank, {clean_call("Torch.add.0.forward"), clean_call("Torch.mul.0.forward")});
    }
    const auto opened = [&run](const ScanOptions& options) {
        const PlannedFaults planned("open */dump.json UNTYPED");
        const Scanned scanned = scan_tree({run.path()}, options);
        REQUIRE(scanned.scan.api);
        const bool reads = !options.shard || options.shard->index == 0;
        CHECK((scanned.scan.api->report != nullptr) == reads);
        CHECK((!reads || scanned.scan.api->report->counts.entries == 12));
        return faults::hits();
    };
    ScanOptions options;
    CHECK(opened(options) == 2 * 6);
    options.shard = ScanShard{0, 4};
    CHECK(opened(options) == 2 * 6);
    options.shard = ScanShard{3, 4};
    CHECK(opened(options) == 1);
    const PlannedFaults planned("open */dump.json UNTYPED");
    CHECK(find_api_culprits({run.path()}, {})->counts.entries == 12);
    CHECK(faults::hits() == 2 * 6);
}
