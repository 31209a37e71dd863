// The tool on disks that are slow, interrupted or failing: the same answer, or one file less, reported, and exit
// status 1.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "faulty_job.hpp"
#include "planned_faults.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

struct Command {
    std::vector<std::string> arguments;
    std::vector<std::string> results;  ///< files that it writes; else standard output
};

/// Each command that reads files.
std::vector<Command> commands_of(const FaultyJob& job) {
    const std::string out = job.directory / "out";
    const std::string converted = out + "/" + job.overflow.substr(job.overflow.rfind('/') + 1) + ".output.0.json";
    return {{{"decode", job.overflow, job.clean, job.mapped, "--logs", job.logs, "--tensors"}, {}},
            {{"scan", job.dumps, "--logs", job.logs, "--tensors", "--format", "json", "-j2"}, {}},
            {{"scan", job.dumps, "--format", "html", "-o", out + "/page.html"}, {out + "/page.html"}},
            {{"tensors", job.op_dump, "--npy", out},
             {out + "/" + job.op_dump.substr(job.op_dump.rfind('/') + 1) + ".output.0.npy"}},
            {{"convert", "-d", job.overflow, "-out", out}, {converted}},
            {{"overflow", "-d", job.dumps, "-out", out, "-n", "2"}, {}},
            {{"index", job.logs, "-o", out + "/saved.map"}, {out + "/saved.map"}},
            {{"status", "--format", "text", "ai-core", "0x20"}, {}}};
}

std::string result_of(const ProcessResult& run, const Command& command) {
    std::string result = std::to_string(run.exit_status) + "\n" + run.out;
    for (const std::string& file : command.results) {
        result += read_file(file);
    }
    return result;
}

}  // namespace

TEST_CASE("what the tool writes does not depend on interrupted calls and short reads and writes") {
    const FaultyJob job;
    std::filesystem::create_directory(job.directory / "out");
    for (const Command& command : commands_of(job)) {
        CAPTURE(command.arguments[0]);
        const ProcessResult plain = run_tool(command.arguments);
        CAPTURE(plain.err);
        REQUIRE(plain.exit_status == 0);
        const std::string undisturbed = result_of(plain, command);
        for (const char* plan : {"open|read|write|opendir|readdir|close|create * EINTR every=2",
                                 "read|write */opdebug-test-* SHORT bytes=3; write pipe* SHORT bytes=3"}) {
            CAPTURE(plan);
            const FaultyRun run = run_faulty_tool(plan, command.arguments);
            CAPTURE(run.result.err);
            CHECK(result_of(run.result, command) == undisturbed);
            CHECK(run.hits > 0);
        }
    }
}

TEST_CASE("scan: a dump, a mapping.csv, a folder or a log that fails costs exit status 1 and itself only") {
    struct Case {
        std::string plan, file, counts;
    };
    const FaultyJob job;
    const std::string name = job.overflow.substr(job.overflow.rfind('/') + 1);
    for (const Case& one : std::vector<Case>{
             {"read *" + name + " EIO after=1000", name, "5 dumps, 3 overflowed, 1 unreadable"},
             {"read *mapping.csv EIO", "mapping.csv", "4 dumps, 3 overflowed, 1 path not read"},
             {"opendir *rank_1 EIO", "rank_1", "3 dumps, 3 overflowed, 1 path not read"},
             {"open *" + name + " EACCES", name, "5 dumps, 3 overflowed, 1 unreadable"},
             {"read *plog-5100_1.log EIO after=3000", "plog-5100_1.log", "5 dumps, 4 overflowed"},
             {"read *plog-5200_1.log.gz EIO after=800", "plog-5200_1.log.gz", "5 dumps, 4 overflowed"},
             {"read *plog-5300_1.log.zst EIO after=800", "plog-5300_1.log.zst", "5 dumps, 4 overflowed"}}) {
        CAPTURE(one.plan);
        const FaultyRun run =
            run_faulty_tool(one.plan, {"scan", job.dumps, "--logs", job.logs, "--format", "json", "-j2"});
        CAPTURE(run.result.err);
        CHECK(run.result.exit_status == 1);
        CHECK(run.hits > 0);
        CHECK(contains(run.result.err, one.counts));
        CHECK(contains(run.result.out + run.result.err, one.file));
        const ordered_json report = ordered_json::parse(run.result.out);
        const ordered_json& counts = report.at("counts");
        CHECK(counts.at("dumps") ==
              counts.at("overflowed").get<int>() + counts.at("clean").get<int>() + counts.at("failed").get<int>());
        CHECK(report.at("complete") == true);
    }
}

TEST_CASE("decode, tensors, convert, overflow and index tell of a file that fails") {
    const FaultyJob job;
    const std::string out = job.directory / "out";
    const std::string dump = job.overflow.substr(job.overflow.rfind('/') + 1);
    struct Case {
        std::string plan;
        std::vector<std::string> arguments;
    };
    for (const Case& one :
         std::vector<Case>{{"read *" + dump + " EIO after=100", {"decode", job.overflow, job.clean}},
                           {"read *" + dump + " EIO after=100", {"convert", "-d", job.dumps, "-out", out}},
                           {"read *Exp.net_exp_1* EIO after=10", {"tensors", job.op_dump}},
                           {"read *Exp.net_exp_1* EIO after=10", {"overflow", "-d", job.dumps, "-out", out, "-n", "4"}},
                           {"read *Exp.net_exp_1* EIO after=10", {"decode", job.overflow, "--tensors"}},
                           {"read *plog-5200_1.log.gz EIO after=100", {"index", job.logs, "-o", out + "/saved.map"}}}) {
        CAPTURE(one.plan);
        CAPTURE(one.arguments[0]);
        std::filesystem::create_directory(out);
        const FaultyRun run = run_faulty_tool(one.plan, one.arguments);
        CAPTURE(run.result.err);
        CHECK(run.result.exit_status == 1);
        CHECK(run.hits > 0);
        CHECK(contains(run.result.err, "Input/output error"));
    }
}

TEST_CASE("standard input that fails is told") {
    const FaultyJob job;
    ProcessOptions options;
    options.input = read_file(job.overflow);
    const FaultyRun run = run_faulty_tool("read pipe* EIO", {"decode", "-"}, options);
    CHECK(run.result.exit_status == 1);
    CHECK(contains(run.result.err, "cannot read standard input: Input/output error"));
    const FaultyRun interrupted =
        run_faulty_tool("read pipe* EINTR every=2; read pipe* SHORT bytes=9", {"decode", "-"}, options);
    CHECK(interrupted.result.exit_status == 0);
    CHECK(interrupted.result.out == run_tool({"decode", "-"}, options).out);
}
