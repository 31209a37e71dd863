// `opdebug watch` over folders that change while it runs.
#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "scan_job.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

/// Does one thing after the other while the tool runs; each waits for a text that the tool wrote.
class Scene {
public:
    /// When `text` is in what the tool wrote, `action` happens; a signal that it returns is sent.
    Scene& when(std::string text, std::function<int()> action) {
        steps_.push_back({std::move(text), std::move(action)});
        return *this;
    }
    Scene& end_when(std::string text) {
        return when(std::move(text), [] { return SIGTERM; });
    }

    ProcessResult run(const std::vector<std::string>& arguments, ProcessOptions options = {}) {
        options.meanwhile = [this](const ProcessResult& result) {
            if (next_ == steps_.size() || !contains(result.out + result.err, steps_[next_].text)) {
                return 0;
            }
            return steps_[next_++].action();
        };
        std::vector<std::string> all{"watch", "--format", "text"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const ProcessResult result = run_tool(all, options);
        CHECK(next_ == steps_.size());
        return result;
    }

private:
    struct Step {
        std::string text;
        std::function<int()> action;
    };
    std::vector<Step> steps_;
    std::size_t next_ = 0;
};

std::string dump_of_rank(const std::string& root, int rank, int task = 57) {
    return root + "/rank_" + std::to_string(rank) + "/Net/0/3/" + dump_name(task);
}

int write_dump(const std::string& file, std::uint64_t status = 32) {
    write_file(file, legacy(status));
    return 0;
}

/// As a job does it: under the final name, part by part.
int append(const std::string& file, const Buffer& bytes, std::size_t begin, std::size_t end) {
    std::ofstream(file, std::ios::binary | std::ios::app)
        .write(reinterpret_cast<const char*>(bytes.data()) + begin, static_cast<std::streamsize>(end - begin));
    return 0;
}

}  // namespace

TEST_CASE("watch: reports the first overflow of each rank and new groups, and ends with the report of a scan") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump", report = directory / "report.json";
    write_dump(dump_of_rank(root, 0));
    Scene scene;
    scene.when("watching", [&] { return write_dump(dump_of_rank(root, 1)); })
        .when("rank 1", [&] { return write_dump(dump_of_rank(root, 1, 58), 0x100); })  // known rank, new group
        .when("conversion to float16", [&] { return write_dump(dump_of_rank(root, 2)); })
        .end_when("rank 2");
    const ProcessResult run = scene.run({root, "-o", report, "--poll", "0.05"});
    CAPTURE(run.err);
    CHECK(run.exit_status == 143);
    const std::vector<std::string> lines = lines_of(run.out);
    REQUIRE(lines.size() >= 10);  // four for the first overflow of a rank, one or two for a new group
    CHECK(lines[0].starts_with("FIRST OF RANK   (unknown)   "));
    CHECK(contains(lines[0], "rank 0  "));
    CHECK(lines[1] == "  model Net   2026-03-04 10:00:05.000 (+00:00)");
    CHECK(lines[2] == "  floating-point overflow");
    CHECK(contains(lines[3], "Opdebug.Node_OpDebug."));
    CHECK(contains(lines[4], "rank 1  "));
    CHECK(lines[8].starts_with("NEW   overflow in a conversion to float16   model Net"));
    CHECK(count_of(run.out, "FIRST OF RANK ") == 3);
    CHECK(count_of(run.out, "NEW ") == 1);
    CHECK(read_file(report) == run_tool({"scan", root, "--format", "json"}).out);
}

TEST_CASE("watch: a dump that is still being written is waited for") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump", file = dump_of_rank(root, 4);
    fs::create_directories(fs::path(file).parent_path());
    const Buffer bytes = legacy();
    Scene scene;
    scene.when("watching", [&] { return append(file, bytes, 0, 700); })
        .when("", [&] { return write_dump(dump_of_rank(root, 0)); })
        .when("rank 0", [&] { return append(file, bytes, 700, bytes.size()); })
        .end_when("rank 4");
    const ProcessResult run = scene.run({root, "--report", "json", "-o", directory / "report.json", "--poll", "0.05"});
    CHECK(run.exit_status == 143);
    CHECK(contains(run.err, "report.json: 2 dumps, 2 overflowed\n"));
}

TEST_CASE("watch: a dump that stays cut is reported when the watch ends") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump";
    write_file(dump_of_rank(root, 4), cut(legacy(0), 1500));
    const ProcessResult run = Scene().end_when("watching").run({root});
    CHECK(run.exit_status == 143);
    CHECK(contains(run.out, "rank_4"));
    CHECK(contains(run.err, "1 dump, 0 overflowed, 1 unreadable\n"));
}

TEST_CASE("watch: the report is that of a scan where operators' dumps come late and dumps grow or are renamed") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump", report = directory / "report.json";
    const std::string grows = dump_of_rank(root, 1);
    write_dump(grows, 0);
    Scene scene;
    scene.when("watching", [&] { return append(grows, legacy(), 0, legacy().size()); })
        .when("rank 1", [&] { return write_dump(dump_of_rank(root, 0)); })
        .when("rank 0",
              [&] {
                  write_file(root + "/rank_0/Net/0/3/Mul.net_mul.57.563.1772618405000100", Buffer(100));
                  fs::rename(dump_of_rank(root, 0), dump_of_rank(root, 0, 59));
                  return write_dump(dump_of_rank(root, 2));
              })
        .end_when("rank 2");
    const ProcessResult run = scene.run({root, "-o", report, "--fail-on", "overflow", "--poll", "0.05"});
    CAPTURE(run.err);
    CHECK(run.exit_status == 3);
    CHECK(contains(run.err, "3 dumps, 3 overflowed\n"));
    const std::string written = read_file(report);
    CHECK(contains(written, "\"net_mul\""));
    CHECK(written == run_tool({"scan", root, "--format", "json"}).out);
}

TEST_CASE("watch: --format jsonl prints each overflow's record document, and nothing else") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump";
    write_dump(dump_of_rank(root, 0));
    write_dump(dump_of_rank(root, 0, 58));
    write_dump(dump_of_rank(root, 0, 59), 0);  // clean
    const ProcessResult run = run_tool({"watch", root, "--format", "jsonl", "--until-idle", "0"});
    CHECK(run.exit_status == 0);
    CHECK(lines_of(run.out).size() == 2);
    if (const auto verdict = schema_verdict("record", run.out)) {
        CHECK(*verdict == "2 valid\n");
    }
}

TEST_CASE("watch: --exec runs once, with the record on its standard input and no name in the command") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump $(touch evil) `touch evil`; touch evil #";
    write_dump(dump_of_rank(root, 0));
    write_dump(dump_of_rank(root, 1));
    ProcessOptions options;
    options.environment.emplace_back("OUT", directory / "record");
    const ProcessResult run = run_tool(
        {"watch", root, "--until-idle", "0", "--format", "jsonl", "--exec", "cat >> \"$OUT\"; echo beside; exit 3"},
        options);
    CHECK(run.exit_status == 0);
    const std::string record = read_file(directory / "record");
    CHECK(record == lines_of(run.out).at(0) + "\n");
    CHECK(count_of(run.err, "the --exec command exited with status 3\n") == 1);
    CHECK(contains(run.err, "beside\n"));
    CHECK_FALSE(fs::exists("evil"));
}

TEST_CASE("watch: a command that takes its time, or does not read, holds nothing up") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump";
    write_dump(dump_of_rank(root, 0));
    Scene scene;
    scene.when("watching", [&] { return write_dump(dump_of_rank(root, 1)); }).end_when("rank 1");
    const ProcessResult run = scene.run({root, "--exec", "exec sleep 1"});
    CHECK(run.exit_status == 143);
    CHECK(contains(run.err, "exited with status 0"));
    CHECK(contains(run_tool({"watch", "--format", "text", root, "--until-idle", "0", "--exec", "kill -9 $$"}).err,
                   "was terminated by signal 9"));
}

TEST_CASE("watch: ends by itself, also where nobody reads any more") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump";
    fs::create_directories(root);
    CHECK(run_tool({"watch", "--format", "text", root, "--until-idle", "0.1"}).exit_status == 0);
    CHECK(run_tool({"watch", "--format", "text", root, "--duration", "0.1"}).exit_status == 0);
    // A path that never came was not watched.
    CHECK(run_tool({"watch", "--format", "text", directory / "nowhere", "--duration", "0.1"}).exit_status == 1);
    write_dump(dump_of_rank(root, 0));
    ProcessOptions closed;
    closed.closed_output = true;
    CHECK(run_tool({"watch", "--format", "text", root}, closed).exit_status == 0);
    CHECK(run_tool({"watch", "--format", "text", root, "--until-idle", "0", "--fail-on", "overflow"}).exit_status == 3);
}
