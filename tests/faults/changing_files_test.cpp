// Files that change between two calls that read them: reported, or read as they were when they were opened.
#include <doctest/doctest.h>

#include <filesystem>

#include <opdebug/logs.hpp>
#include <opdebug/tensor.hpp>

#include "dump_tree.hpp"
#include "faulty_job.hpp"
#include "outcome.hpp"
#include "planned_faults.hpp"

namespace fs = std::filesystem;
using namespace opdebug;
using namespace opdebug::test;

namespace {

const std::string kName = "Opdebug.Node_OpDebug.57.563.1772618405000016";

/// A dump of an overflow, and what happens to it while it is read.
struct ChangingDump {
    TemporaryDirectory directory;
    std::string file = write_file(directory / kName, build_overflow_dump(ai_core_example(32)));

    Result<Dump> decoded(const std::string& plan) const {
        const PlannedFaults planned(plan);
        Result<Dump> dump = decode_file(file);
        CHECK(faults::hits() == 1);
        return dump;
    }
};

std::uint64_t records_of(const Result<Dump>& dump) {
    REQUIRE(dump.ok());
    return dump->payloads.at(0).records.size();
}

}  // namespace

TEST_CASE("a dump that is cut after it was opened is as damaged as one that was cut before") {
    for (const int size : {0, 5, 60, 100, 1000}) {
        CAPTURE(size);
        const std::string bytes = " bytes=" + std::to_string(size);
        const ChangingDump changing;
        const Result<Dump> late = changing.decoded("read * TRUNCATE" + bytes);
        const Result<Dump> early = decode_file(changing.file);  // it has that size now
        CHECK(fs::file_size(changing.file) == static_cast<std::uintmax_t>(size));
        CHECK(outcome(late) == outcome(early));
        if (late) {
            CHECK(late->complete() == early->complete());
            CHECK(records_of(late) == records_of(early));
        }
    }
}

TEST_CASE("a scan whose files and folders change costs those files only") {
    for (const auto& [plan, counts] :
         std::vector<std::pair<std::string, std::string>>{{"open *rank_0*Opdebug*101* REMOVE", "5 3 1 1 3 1"},
                                                          {"open *rank_0*Opdebug*101* FOLDER", "5 3 1 1 3 1"},
                                                          {"read *rank_0*Opdebug*101* TRUNCATE bytes=0", "5 3 1 1 3 1"},
                                                          {"opendir *rank_0/Net/0/3 EACCES times=1", "3 2 1 0 1 1"}}) {
        const std::string& shown_plan = plan;  // clang 14 takes no binding into CAPTURE's function
        CAPTURE(shown_plan);
        const FaultyJob job;
        const PlannedFaults planned(plan);
        CHECK(shown(scan_tree({job.dumps}).scan.counts) == counts);
        CHECK(faults::hits() == 1);
    }
}

TEST_CASE("a log that is cut while it is read gives its lines up to there") {
    const FaultyJob job;
    const PlannedFaults planned("read *plog-5100* TRUNCATE bytes=2000 skip=1");
    const Result<ReadLogs> logs = read_logs({job.logs});
    REQUIRE(logs.ok());
    CHECK(logs->lines < 3 * 203);
    CHECK(logs->lines > 2 * 203);
}

TEST_CASE("a saved map that changes while it is read is refused") {
    const FaultyJob job;
    const Result<IndexedLogs> earlier = index_logs({job.plain_log});
    REQUIRE(earlier.ok());
    const std::string& map = earlier->map;
    const std::string saved = write_file(job.directory / "earlier.map", map);
    const PlannedFaults planned("read *earlier.map TRUNCATE skip=3 bytes=" + std::to_string(map.size() / 2));
    const Result<ReadLogs> logs = read_logs({saved, job.gzip_log});
    REQUIRE(logs.ok());
    REQUIRE(logs->failures.size() == 1);
    CHECK(to_string(logs->failures[0].code) == "task_map_invalid");
    CHECK(logs->lines == 203);
}
