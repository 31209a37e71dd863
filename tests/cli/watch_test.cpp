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
    CHECK(run.exit_status == 0);
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
    CHECK(run.exit_status == 0);
    CHECK(contains(run.err, "report.json: 2 dumps, 2 overflowed\n"));
}

TEST_CASE("watch: a dump that stays cut is reported when the watch ends, and gives exit status 1") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump";
    write_file(dump_of_rank(root, 4), cut(legacy(0), 1500));
    const ProcessResult run = Scene().end_when("watching").run({root});
    CHECK(run.exit_status == 1);
    CHECK(contains(run.out, "rank_4"));
    CHECK(contains(run.err, "1 dump, 0 overflowed, 1 unreadable\n"));
}

TEST_CASE("watch: an operator's dump that cannot be measured wholly gives exit status 1, as for a scan") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump", report = directory / "report.json";
    write_dump(dump_of_rank(root, 0));
    write_file(root + "/rank_0/Net/0/3/Mul.net_mul.57.563.1772618405000100", Buffer(100));
    const ProcessResult scan = run_tool({"scan", root, "--tensors", "--format", "json"});
    const ProcessResult run =
        run_tool({"watch", "--format", "text", root, "--tensors", "--until-idle", "0", "-o", report});
    CHECK(scan.exit_status == 1);
    CHECK(run.exit_status == 1);
    CHECK(read_file(report) == scan.out);
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

TEST_CASE("watch: folders come, go and come again") {
    const TemporaryDirectory directory;
    const std::string root = directory / "later/dump";
    Scene scene;
    scene.when("does not exist. Waiting until it appears", [&] { return write_dump(dump_of_rank(root, 0)); })
        .when("rank 0", [&] { return static_cast<int>(fs::remove_all(directory / "later") * 0); })
        .when("no longer exists. Waiting until it appears again", [&] { return write_dump(dump_of_rank(root, 1)); })
        .end_when("rank 1");
    const ProcessResult run = scene.run({root, "--poll", "0.05"});
    CAPTURE(run.err);
    CHECK(run.exit_status == 0);
    // The report is that of a scan: it does not know the dump that is gone.
    CHECK(contains(run.err, "1 dump, 1 overflowed\n"));
}

TEST_CASE("watch: dumps called by numbers are known by mapping.csv, whichever comes first") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump", report = directory / "report.json";
    const std::string folder = root + "/rank_0/Net/0/3/", mapping = folder + "mapping.csv";
    const std::string first = "1111," + dump_name(57) + "\n", second = "2222," + dump_name(58, dump_us + 1) + "\n";
    const std::string third = "3333," + dump_name(59, dump_us + 2) + "\n";
    write_dump(folder + "1111");
    write_file(mapping, first);
    Scene scene;
    scene
        .when("watching",
              [&] {
                  write_dump(folder + "2222", 0x100);  // its line comes after it
                  write_file(mapping, first + second);
                  return 0;
              })
        .when("conversion to float16",
              [&] {
                  write_file(mapping, first + second + third);  // the line comes first
                  return write_dump(folder + "3333", 0x10);
              })
        .end_when("integer arithmetic overflow");
    const ProcessResult run = scene.run({root, "-o", report, "--poll", "0.05"});
    CAPTURE(run.err);
    CHECK(run.exit_status == 0);
    CHECK(contains(run.err, "3 dumps, 3 overflowed\n"));
    CHECK(read_file(report) == run_tool({"scan", root, "--format", "json"}).out);
}

TEST_CASE("watch: a link that leads nowhere is another file, as for a scan, until what it leads to comes") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump", report = directory / "report.json";
    write_dump(dump_of_rank(root, 0));
    fs::create_symlink("nowhere", dump_of_rank(root, 0, 58));
    fs::create_symlink(directory / "later", dump_of_rank(root, 0, 59));
    Scene scene;
    scene.when("rank 0", [&] { return write_dump(directory / "later", 0x100); }).end_when("conversion to float16");
    const ProcessResult run = scene.run({root, "-o", report});
    CAPTURE(run.err);
    CHECK(contains(run.err, "2 dumps, 2 overflowed\n"));
    CHECK_FALSE(contains(run.err, "gone"));
    CHECK(contains(read_file(report), "\"dangling_links\""));
    CHECK(read_file(report) == run_tool({"scan", root, "--format", "json"}).out);
}

TEST_CASE("watch: a tree that is moved into the folder is read as a whole") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump";
    fs::create_directories(root);
    write_dump(dump_of_rank(directory / "elsewhere", 0));
    write_dump(dump_of_rank(directory / "elsewhere", 1));
    Scene scene;
    scene
        .when("watching",
              [&] {
                  fs::rename(directory / "elsewhere", root + "/here");
                  return 0;
              })
        .end_when("rank 1");
    const ProcessResult run = scene.run({root});
    CHECK(run.exit_status == 0);
    CHECK(count_of(run.out, "FIRST OF RANK ") == 2);
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
    CHECK(count_of(run.err, "the command of --exec ended with status 3\n") == 1);
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
    CHECK(run.exit_status == 0);
    CHECK(contains(run.err, "ended with status 0"));
    CHECK(contains(run_tool({"watch", "--format", "text", root, "--until-idle", "0", "--exec", "kill -9 $$"}).err,
                   "was ended by signal 9"));
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

TEST_CASE("watch: what may hide dumps is said where no report says it, and options it has not are not advised") {
    const TemporaryDirectory directory;
    const std::string root = directory / "dump";
    fs::create_directories(root);
    fs::create_symlink("nowhere", root + "/" + dump_name(58));
    for (const std::string form : {"text", "jsonl"}) {
        const ProcessResult run = run_tool({"watch", root, "--duration", "0", "--format", form});
        CHECK(run.exit_status == 0);
        CHECK(contains(run.err, "missing targets: 1, for example " + root + "/" + dump_name(58)));
        CHECK_FALSE(contains(run.err, "gone"));
    }
    const ProcessResult quiet =
        run_tool({"watch", "--format", "text", root, directory / "missing", "--duration", "0", "--quiet"});
    CHECK(quiet.exit_status == 1);
    CHECK(quiet.err ==
          "opdebug: " + (directory / "missing") + ": cannot find the file or folder: No such file or directory\n");
    write_dump(dump_of_rank(root, 0));
    const ProcessResult run = run_tool({"watch", "--format", "text", root, "--duration", "0", "--lang", "en"});
    CHECK(contains(run.out, "add the logs of the run: --logs"));
    CHECK_FALSE(contains(run.err, "missing targets"));  // the report states it
    CHECK(contains(run.out, "missing targets"));
}
