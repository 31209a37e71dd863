// Calls that signals interrupt, and reads that give less than was requested, change nothing that the library states.
#include <doctest/doctest.h>

#include <opdebug/logs.hpp>
#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/tensor.hpp>

#include "faulty_job.hpp"
#include "planned_faults.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// What is read of the logs: the document without the paths' order of threads, and their map.
std::string read_of(const std::vector<std::string>& paths, std::shared_ptr<const TaskMap>& map) {
    const Result<ReadLogs> logs = read_logs(paths);
    REQUIRE(logs.ok());
    map = logs->task_map;
    return logs_to_json(*logs) + index_logs(paths)->map;
}

std::string report_of_scan(const std::string& dumps, const std::shared_ptr<const TaskMap>& map) {
    ScanOptions options;
    options.locate.task_map = map;
    options.tensors = true;
    options.threads = 2;
    ScanReportOptions shown;
    shown.report.tensors = true;
    ScanReport report(shown);
    const Result<Scan> scanned = scan({dumps}, options, [&report](ScannedDump&& dump) { report.add(dump); });
    REQUIRE(scanned.ok());
    CHECK_FALSE(report.finish(*scanned));
    std::string text;
    CHECK_FALSE(report.write_json([&text](std::string_view piece) {
        text += piece;
        return true;
    }));
    return text;
}

std::string npy_of(const OpDump& dump) {
    std::string files;
    for (const DumpedTensor& tensor : dump.tensors) {
        CHECK_FALSE(write_npy(dump.file, tensor, [&files](Bytes piece) {
            files += piece.text();
            return true;
        }));
    }
    return files;
}

/// Everything that the library states about the job.
std::string told_of(const FaultyJob& job, const std::string& saved_map) {
    std::shared_ptr<const TaskMap> map;
    std::string told = read_of({job.logs, saved_map}, map);
    told += report_of_scan(job.dumps, map);
    for (const std::string& file : {job.overflow, job.clean, job.mapped}) {
        const Result<Dump> dump = decode_file(file);
        REQUIRE(dump.ok());
        told += record_to_json(*dump, locate(*dump));
        told += dump_to_converter_json(*dump)->front().json;
    }
    const Result<FoundDumps> found = find_op_dumps(job.dumps);
    REQUIRE(found.ok());
    for (const std::string& file : found->files) {
        const Result<OpDump> dump = measure_op_dump(file);
        REQUIRE(dump.ok());
        told += tensors_to_json(*dump) + npy_of(*dump);
    }
    return told;
}

}  // namespace

TEST_CASE("what the library says does not depend on interrupted calls and short reads") {
    const FaultyJob job;
    const Result<IndexedLogs> earlier = index_logs({job.plain_log});
    REQUIRE(earlier.ok());
    const std::string saved = write_file(job.directory / "earlier.map", earlier->map);
    const std::string undisturbed = told_of(job, saved);
    CHECK(contains(undisturbed, "net/exp_1"));
    CHECK(contains(undisturbed, "born_here"));
    for (const char* plan :
         {"open|read|opendir|readdir|close * EINTR every=2", "read * SHORT bytes=1",
          "read * EINTR every=3; read * SHORT bytes=7", "read * SHORT bytes=4096", "readdir * UNTYPED"}) {
        CAPTURE(plan);
        const PlannedFaults planned(plan);
        CHECK(told_of(job, saved) == undisturbed);
        CHECK(faults::hits() > 10);
    }
}
