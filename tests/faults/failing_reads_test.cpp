// Disks that fail while the library reads: reported with file and location, and only that file is lost.
#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include <opdebug/locate.hpp>
#include <opdebug/logs.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/tensor.hpp>

#include "dump_tree.hpp"
#include "faulty_job.hpp"
#include "outcome.hpp"
#include "planned_faults.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// "code file offset" of a failure, the file without folders.
std::string shown(const Error& error) {
    const std::string file = error.file.substr(error.file.rfind('/') + 1);
    return std::string(to_string(error.code)) + " " + file + (error.offset ? " " + std::to_string(*error.offset) : "");
}

std::string shown(const std::vector<Error>& errors) {
    std::string text;
    for (const Error& error : errors) {
        text += (text.empty() ? "" : "; ") + shown(error);
    }
    return text;
}

bool is_damaged(const DumpedTensor& tensor) {
    return std::any_of(tensor.diagnostics.begin(), tensor.diagnostics.end(),
                       [](const Diagnostic& remark) { return remark.severity == Severity::error; });
}

template <class T>
std::string failure_of(const Result<T>& result) {
    return result.ok() ? "none" : shown(result.error());
}

}  // namespace

TEST_CASE("a dump that fails in its middle") {
    const FaultyJob job;
    const std::string name = job.overflow.substr(job.overflow.rfind('/') + 1);
    const PlannedFaults planned("read *" + name + " EIO after=1000");
    const Result<Dump> dump = decode_file(job.overflow);
    CHECK(failure_of(dump) == "read_failed " + name + " 1000");
    CHECK(contains(dump.error().message, "Input/output error"));

    const Scanned scanned = scan_tree({job.dumps});
    CHECK(shown(scanned.scan.counts) == "5 3 1 1 3 1");
    for (const ScannedDump& one : scanned.dumps) {
        CHECK(one.failure.has_value() == (one.file == job.overflow));
    }
}

TEST_CASE("a dump that cannot be opened, examined or found") {
    const FaultyJob job;
    for (const auto& [call, code] :
         std::vector<std::pair<std::string, std::string>>{{"open * EACCES", "permission_denied"},
                                                          {"open * EMFILE", "read_failed"},
                                                          {"open * ESTALE", "read_failed"},
                                                          {"open * ENOENT", "file_not_found"},
                                                          {"fstat * EIO", "read_failed"}}) {
        const std::string& shown_call = call;  // clang 14 takes no binding into CAPTURE's function
        CAPTURE(shown_call);
        const PlannedFaults planned(call);
        CHECK(outcome(decode_file(job.overflow)) == code);
        CHECK(outcome(measure_op_dump(job.op_dump)) == code);
    }
}

TEST_CASE("an operator's dump that fails among its values") {
    const TemporaryDirectory directory;
    const std::vector<std::uint16_t> many(500'000, half_one);
    const std::string file = write_file(directory / "Exp.net_exp_1.101.563.1772618405000500",
                                        build_v2(op_dump({half_tensor(many)}, {half_tensor(many)})));
    const Result<OpDump> whole = measure_op_dump(file);
    const PlannedFaults planned("read *Exp.net_exp_1* EIO after=1500000");
    const Result<OpDump> dump = measure_op_dump(file);
    REQUIRE(dump.ok());
    REQUIRE(dump->tensors.size() == 2);
    CHECK_FALSE(dump->complete());
    CHECK(dump->tensors[0].statistics.has_value());
    CHECK_FALSE(is_damaged(dump->tensors[0]));
    CHECK(is_damaged(dump->tensors[1]));
    CHECK(dump->tensors[1].elements < 250'000);  // of whole pieces that could be read
    CHECK(contains(dump->tensors[1].diagnostics.at(0).message, "at byte 1500000: cannot read the file: Input/output"));

    std::uint64_t written = 0;
    const std::optional<Error> error = write_npy(file, whole->tensors.at(1), [&written](Bytes piece) {
        written += piece.size();
        return true;
    });
    REQUIRE(error.has_value());
    CHECK(shown(*error) == "read_failed Exp.net_exp_1.101.563.1772618405000500 1500000");
    CHECK(written < 1'000'000);
}

TEST_CASE("a log that fails in its middle keeps its lines up to there, other logs are whole") {
    const FaultyJob job;
    const Result<ReadLogs> whole = read_logs({job.logs});
    REQUIRE(whole.ok());
    CHECK(whole->lines == 3 * 203);
    for (const std::string& file : {job.plain_log, job.gzip_log, job.zstd_log}) {
        CAPTURE(file);
        const std::string name = file.substr(file.rfind('/') + 1);
        const PlannedFaults planned("read *" + name + " EIO after=1000");
        const Result<ReadLogs> logs = read_logs({job.logs});
        REQUIRE(logs.ok());
        CHECK(shown(logs->failures) == "read_failed " + name + " 1000");
        CHECK(logs->files >= 2);
        CHECK(logs->lines >= 2 * 203);
        CHECK(logs->lines < 3 * 203);
        CHECK(logs->complete);
    }
}

TEST_CASE("a log that fails in its middle gives the same lines to any number of threads, and the next log is whole") {
    const FaultyJob job;
    const std::string text = FaultyJob::log_of(5100, "net/exp_1", 101);
    for (const std::size_t fault : {700U, 4096U, 9000U, 20000U}) {
        for (const unsigned threads : {1U, 2U, 8U}) {
            CAPTURE(fault);
            CAPTURE(threads);
            const PlannedFaults planned("read *plog-5100_1.log EIO after=" + std::to_string(fault));
            ReadLogsOptions options;
            options.threads = threads;
            options.buffer_size = 4096;
            const Result<ReadLogs> logs = read_logs({job.logs}, options);
            REQUIRE(logs.ok());
            CHECK(shown(logs->failures) == "read_failed plog-5100_1.log " + std::to_string(fault));
            const std::string before = text.substr(0, fault);
            const auto lines = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
            CHECK(logs->lines == lines + 2 * 203);
        }
    }
}

TEST_CASE("a log that fails at once is not counted") {
    const FaultyJob job;
    const PlannedFaults planned("read *plog-5100_1.log EIO");
    const Result<ReadLogs> logs = read_logs({job.logs});
    REQUIRE(logs.ok());
    CHECK(shown(logs->failures) == "read_failed plog-5100_1.log 0");
    CHECK(logs->files == 2);
    CHECK(logs->lines == 2 * 203);
}

TEST_CASE("a saved map that fails is told, the logs beside it count") {
    const FaultyJob job;
    const Result<IndexedLogs> earlier = index_logs({job.plain_log});
    REQUIRE(earlier.ok());
    const std::string& map = earlier->map;
    const std::string saved = write_file(job.directory / "earlier.map", map);
    for (const std::size_t place : {std::size_t{10}, std::size_t{100}, map.size() / 2, map.size() - 1}) {
        CAPTURE(place);
        const PlannedFaults planned("read *earlier.map EIO after=" + std::to_string(place));
        const Result<ReadLogs> logs = read_logs({saved, job.gzip_log});
        REQUIRE(logs.ok());
        REQUIRE(logs->failures.size() == 1);
        CHECK(to_string(logs->failures[0].code) == "read_failed");
        CHECK(logs->failures[0].file == saved);
        CHECK(logs->lines == 203);
    }
}

TEST_CASE("a mapping.csv that fails is told: the dumps that it names are not found otherwise") {
    const FaultyJob job;
    CHECK(shown(scan_tree({job.dumps}).scan.counts) == "5 4 1 0 3 1");
    const PlannedFaults planned("read *mapping.csv EIO after=10");
    const Scanned scanned = scan_tree({job.dumps});
    CHECK(shown(scanned.scan.counts) == "4 3 1 0 3 2");
    CHECK(shown(scanned.scan.failures) == "read_failed mapping.csv 10");

    const Result<Dump> named = decode_file(job.mapped);
    REQUIRE(named.ok());
    CHECK(severity_of(*named, "read_failed") == "warning");
    CHECK(contains(diagnostic(*named, "read_failed")->message, job.mapping));
    const auto found = find_op_dumps(job.dumps);
    REQUIRE(found.ok());
    CHECK(shown(found->failures) == "read_failed mapping.csv 10");
}

TEST_CASE("a folder that fails while it is listed keeps the entries up to there") {
    const FaultyJob job;
    // "." and ".." are among the entries: of the four files of rank_0 a part is listed.
    const PlannedFaults planned("readdir *rank_0/Net/0/3 EIO skip=4");
    const Scanned scanned = scan_tree({job.dumps});
    CHECK(shown(scanned.scan.failures) == "read_failed 3");
    CHECK(contains(scanned.scan.failures.at(0).file, "rank_0/Net/0/3"));
    const ScanCounts& counts = scanned.scan.counts;
    CHECK(counts.dumps + counts.op_dumps >= 3 + 1);  // those of the other ranks
    CHECK(counts.dumps + counts.op_dumps < 5 + 3);
    CHECK(counts.dumps == counts.overflowed + counts.clean + counts.failed);

    const Result<Dump> dump = decode_file(job.overflow);
    REQUIRE(dump.ok());
    const PlannedFaults again("readdir *rank_0/Net/0/3 EIO");
    const Location location = locate(*dump);
    CHECK(std::any_of(location.diagnostics.begin(), location.diagnostics.end(),
                      [](const Diagnostic& remark) { return remark.code == "op_dumps_unread"; }));
}

TEST_CASE("a folder of logs that fails while it is listed") {
    const FaultyJob job;
    const PlannedFaults planned("readdir *debug/plog EIO skip=3");
    const Result<ReadLogs> logs = read_logs({job.logs});
    REQUIRE(logs.ok());
    CHECK(shown(logs->failures) == "read_failed plog");
    CHECK(logs->files >= 1);
    CHECK(logs->files < 3);
}

TEST_CASE("an entry that nobody can examine is told, and a dump stays a dump") {
    const FaultyJob job;
    // Some file systems do not state what an entry is; then each must be examined.
    const PlannedFaults planned("readdir *rank_0* UNTYPED; stat *rank_0/Net/0 EIO");
    const Scanned scanned = scan_tree({job.dumps});
    CHECK(shown(scanned.scan.counts) == "3 2 1 0 1 1");
    CHECK(shown(scanned.scan.failures) == "read_failed 0");

    const PlannedFaults other("readdir *rank_0* UNTYPED; stat *rank_0/Net/0/3/Opdebug* EIO");
    const Scanned dumps = scan_tree({job.dumps});
    CHECK(shown(dumps.scan.counts) == "5 4 1 0 3 1");
    CHECK(dumps.scan.failures.empty());
}

TEST_CASE("a link that nobody can follow is not taken for one that leads nowhere") {
    const FaultyJob job;
    std::filesystem::create_directory_symlink("../elsewhere", job.dumps + "/link");
    const PlannedFaults planned("stat */link EIO");
    const Scanned scanned = scan_tree({job.dumps});
    CHECK(shown(scanned.scan.failures) == "read_failed link");
    CHECK(shown(scanned.scan.counts) == "5 4 1 0 3 1");
}
