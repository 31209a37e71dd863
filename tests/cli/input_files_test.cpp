// No result replaces what it is made from, by whatever name the target is called.
#include <doctest/doctest.h>

#include <filesystem>

#include "build_paths.hpp"
#include "official_text.hpp"
#include "tool.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;

namespace {

const std::string name = "Opdebug.Node_OpDebug.59.7.1597922031178434";
const std::string log_line =
    "[INFO] RUNTIME(1,a):2026-01-02-03:04:05.678.901 [x.cc:1] 1 Launch: device_id=0, stream_id=1, task_id=2\n";

void check_refused(const ProcessResult& run, const std::string& target) {
    CHECK(run.exit_status == 2);
    CHECK(run.out.empty());
    CHECK(contains(run.err, "-o " + target));
    CHECK(contains(run.err, "would be overwritten"));
}

}  // namespace

TEST_CASE("decode -o refuses a dump that it reads, also by a link or another path") {
    const TemporaryDirectory directory;
    const Buffer bytes = build_overflow_dump(ai_core_example(32));
    const std::string dump = write_file(directory / name, bytes);
    fs::create_symlink(name, directory / "symbolic");
    fs::create_hard_link(dump, directory / "hard");
    fs::create_directory(directory / "folder");
    for (const std::string& target :
         {dump, directory / "symbolic", directory / "hard", directory / ("folder/../" + name)}) {
        CAPTURE(target);
        check_refused(run_tool({"decode", dump, "-o", target}), target);
        check_refused(run_tool({"decode", directory / "missing", dump, "-o", target}), target);
    }
    CHECK(read_file(dump) == text_of(bytes));
    CHECK(fs::is_symlink(directory / "symbolic"));
}

TEST_CASE("decode -o refuses a log, given itself or by its folder") {
    const TemporaryDirectory directory;
    const std::string dump = write_file(directory / name, build_overflow_dump(ai_core_example(32)));
    const std::string log = write_file(directory / "logs/debug/plog.log", log_line);
    check_refused(run_tool({"decode", dump, "--logs", log, "-o", log}), log);
    check_refused(run_tool({"decode", dump, "--logs", directory / "logs", "-o", log}), log);
    CHECK(read_file(log) == log_line);
    for (const char* rotated : {"logs/plog.log.1", "logs/new.log", "logs/new.log.gz"}) {
        CHECK(run_tool({"decode", dump, "--logs", directory / "logs", "-o", directory / rotated}).exit_status == 2);
        CHECK_FALSE(fs::exists(directory / rotated));
    }
    // No log has such a name: a result may be there, also a second time.
    for (int i = 0; i < 2; ++i) {
        run_tool({"decode", dump, "--logs", directory / "logs", "-o", directory / "logs/result.json"});
        CHECK(contains(read_file(directory / "logs/result.json"), "opdebug.record/1"));
    }
}

TEST_CASE("decode -o refuses the file that standard input comes from") {
    const TemporaryDirectory directory;
    const Buffer bytes = build_overflow_dump(ai_core_example(32));
    const std::string dump = write_file(directory / name, bytes);
    const std::string line = std::string("'") + tool_path + "' decode - -o '" + dump + "' < '" + dump + "'";
    check_refused(run_process({"/bin/sh", "-c", line}), dump);
    CHECK(read_file(dump) == text_of(bytes));
}

TEST_CASE("scan -o refuses a dump or a log that only links lead to") {
    const TemporaryDirectory directory;
    const Buffer bytes = build_overflow_dump(ai_core_example(32));
    const std::string dump = write_file(directory / ("real/deeper/" + name), bytes);
    fs::create_directories(directory / "in/a");
    fs::create_directory_symlink("../in", directory / "real/loop");
    fs::create_directory_symlink("../real", directory / "in/link");
    const std::string log = write_file(directory / "logs/plog.log", log_line);
    fs::create_directory_symlink("../logs", directory / "in/logs");
    check_refused(run_tool({"scan", directory / "in", "-o", dump}), dump);
    check_refused(run_tool({"scan", dump, "--logs", directory / "in", "-o", log}), log);
    CHECK(read_file(dump) == text_of(bytes));
    CHECK(read_file(log) == log_line);
}

TEST_CASE("-o of every command refuses a new file that the next run would read in a folder of the inputs") {
    const TemporaryDirectory directory;
    const std::string dump = write_file(directory / ("job/rank_0/" + name), build_overflow_dump(ai_core_example(32)));
    const std::string log = write_file(directory / "logs/plog.log", log_line);
    const std::string part = directory / "parts/part.jsonl";
    fs::create_directories(directory / "job/new");
    fs::create_directories(directory / "parts");
    fs::create_directory_symlink("job/rank_0", directory / "way");
    const std::string job = directory / "job";
    REQUIRE(run_tool({"scan", job, "--format", "jsonl", "-o", part}).exit_status == 0);
    const std::string beside = directory / "job/rank_0/mapping.csv", below = directory / "job/new/mapping.csv";
    const std::vector<std::vector<std::string>> commands = {
        {"decode", dump, "-o", beside},
        {"scan", dump, "-o", beside},
        {"scan", job, "-o", beside},
        {"scan", job, "-o", directory / "way/Add.bert_Add_17.57.563.1597922031178439"},
        {"scan", job, "-o", directory / "job/Opdebug.Node_OpDebug.1.2.1597922031178439.output.0.json"},
        {"tensors", dump, "-o", beside},
        {"tensors", job, "-o", below},
        {"merge", part, "-o", directory / "parts/dump.json"},
        {"index", log, "-o", directory / "logs/tasks.log"},
        {"index", directory.path().string(), "-o", below},
        {"doctor", "--format", "text", job, "-o", below},
        {"api", job, "-o", below},
        {"watch", "--format", "text", job, "-o", below},
        {"decode", dump, "-o", directory / "job/rank_0/Opdebug.Node_OpDebug.1.2.1597922031178439"},
    };
    for (const std::vector<std::string>& command : commands) {
        CAPTURE(command[0]);
        CAPTURE(command[1]);
        const ProcessResult run = run_tool(command);
        CHECK(run.exit_status == 2);
        CHECK(contains(run.err, "-o " + command.back() + ": the next run would read this file as an input"));
        CHECK_FALSE(fs::exists(command.back()));
    }
    // A number is the name of a dump only next to a mapping.csv; elsewhere such names are nobody's.
    CHECK(run_tool({"decode", dump, "-o", directory / "job/rank_0/123"}).exit_status == 0);
    fs::remove(directory / "job/rank_0/123");
    write_file(beside, "1,x\n");
    CHECK(run_tool({"decode", dump, "-o", directory / "job/rank_0/123"}).exit_status == 2);
    CHECK(run_tool({"decode", dump, "-o", directory / "parts/dump.json"}).exit_status == 0);
}

TEST_CASE("scan -o puts its report where the user says, also next to the dumps and a second time") {
    const TemporaryDirectory directory;
    const std::string dump = write_file(directory / ("job/rank_0/" + name), build_overflow_dump(ai_core_example(32)));
    const std::string job = directory / "job";
    const fs::path before = fs::current_path();
    for (int i = 0; i < 2; ++i) {
        fs::current_path(job);
        const ProcessResult here = run_tool({"scan", ".", "-o", "report.json"});
        fs::current_path(before);
        CHECK(here.exit_status == 0);
        for (const std::vector<std::string>& arguments :
             {std::vector<std::string>{"scan", dump, "-o", directory / "job/rank_0/report.json"},
              {"scan", job, "-o", directory / "job.json"},
              {"scan", job, "-o", directory / "1.2"},
              {"scan", job, "-o", "/dev/null"}}) {
            CAPTURE(arguments.back());
            CHECK(run_tool(arguments).exit_status == 0);
        }
    }
}

TEST_CASE("scan -o tells of a place where nothing can be written before it reads anything") {
    const TemporaryDirectory directory;
    const std::string dump = write_file(directory / name, build_overflow_dump(ai_core_example(32)));
    write_file(directory / "file", "x");
    for (const std::string& place :
         {std::string(), directory.path().string(), directory / "missing/report", directory / "file/report",
          directory / std::string(300, 'n'), std::string("/proc/report"), std::string("/sys/report")}) {
        CAPTURE(place);
        const ProcessResult run = run_tool({"scan", dump, directory / "absent", "-o", place});
        CHECK(run.exit_status == 2);
        CHECK(contains(run.err, "opdebug: -o "));
        CHECK_FALSE(contains(run.err, "absent"));
        CHECK(run_tool({"status", "--format", "text", "ai-core", "32", "-o", place}).exit_status == 2);
    }
    CHECK(contains(run_tool({"scan", dump, "-o", "/proc/report"}).err,
                   "-o /proc/report cannot be written: /proc is a kernel folder"));
}

TEST_CASE("a folder for results in which nothing can be written is reported once, before anything is read") {
    const TemporaryDirectory directory;
    const std::string dump = write_file(directory / ("job/" + name), build_overflow_dump(ai_core_example(32)));
    write_file(directory / "file", "x");
    fs::create_symlink("nowhere", directory / "dangling");
    for (const std::string& place : {directory / "file", directory / "file/below", directory / "dangling/below",
                                     std::string("/proc/results"), std::string("/proc/results/below")}) {
        for (const std::vector<std::string>& command :
             {std::vector<std::string>{"tensors", dump, directory / "absent", "--npy", place},
              {"convert", "-d", directory / "job", "-d", directory / "absent", "-out", place},
              {"overflow", "-d", directory / "job", "-d", directory / "absent", "-out", place}}) {
            CAPTURE(place);
            CAPTURE(command.front());
            const ProcessResult run = run_tool(command);
            CHECK(run.exit_status == 2);
            CHECK(run.out.empty());
            CHECK(contains(run.err, place + " cannot be written: "));
            CHECK_FALSE(contains(run.err, "absent"));
        }
    }
    // What is not there yet is made.
    CHECK(run_tool({"convert", "-d", directory / "job", "-out", directory / "new/below/"}).exit_status == 0);
    CHECK(fs::exists(directory / ("new/below/" + name + ".output.0.json")));
    const fs::path before = fs::current_path();
    fs::current_path("/proc");
    const ProcessResult here = run_tool({"convert", "-d", directory / "job"});
    fs::current_path(before);
    CHECK(here.exit_status == 2);
    CHECK(contains(here.err, "-out . cannot be written: "));
}

TEST_CASE("convert never replaces a dump that it converts") {
    const TemporaryDirectory directory;
    const std::string first = write_file(directory / name, build_overflow_dump(ai_core_example(8)));
    const Buffer bytes = build_overflow_dump(ai_core_example(16));
    const std::string second = write_file(directory / (name + ".output.0.json"), bytes);
    const ProcessResult run = run_tool({"convert", "-d", first + "," + second, "-out", directory.path().string()});
    CHECK(run.exit_status == 1);
    CHECK(contains(run.err, second + ": not written"));
    CHECK(read_file(second) == text_of(bytes));
    CHECK(read_file(second + ".output.0.json") == official_ai_core_text(16));
}

TEST_CASE("scan and merge -o refuse API dumps and what lies next to them") {
    const std::string api_dump =
        R"({"task": "statistics", "level": "L1", "framework": "pytorch", "dump_data_dir": null, "data": {}})";
    const std::string line = R"(["Functional_linear_0_forward_output", 1, [], "torch.float32", [3], [1.0, 0.5, 0.7]])";
    const TemporaryDirectory directory;
    const std::string job = directory / "job";
    const std::string outside = write_file(directory / "report", api_dump);
    fs::create_directories(job + "/step1/rank0");
    fs::create_symlink(outside, job + "/step1/rank0/dump.json");
    const std::string part = directory / "part.jsonl";
    REQUIRE(run_tool({"scan", job, "--format", "jsonl", "--host", "a", "-o", part}).exit_status == 0);
    for (const char* beside : {"dump.json", "stack.json", "construct.json", "api_stack.pkl"}) {
        const std::string file = write_file(job + "/step0/rank0/" + beside, api_dump);
        check_refused(run_tool({"scan", job, "-o", file}), file);
        CHECK(run_tool({"merge", part, "-o", file}).exit_status == 2);
        CHECK(read_file(file) == api_dump);
    }
    const std::string ptdbg = write_file(directory / "job/rank0/calls.pkl", line + "\n");
    check_refused(run_tool({"scan", job, "-o", ptdbg}), ptdbg);
    check_refused(run_tool({"scan", job, "-o", outside}), outside);
    CHECK(run_tool({"merge", part, "-o", outside}).exit_status == 2);
    CHECK(read_file(outside) == api_dump);
    for (const char* place : {"job/new/dump.json", "job/new/statistic.csv", "job/new/x.pkl"}) {
        fs::create_directories(directory / "job/new");
        CHECK(contains(run_tool({"scan", job, "-o", directory / place}).err,
                       "the next run would read this file as an input"));
        CHECK_FALSE(fs::exists(directory / place));
    }
    // A table next to the dumps is nobody's name, and its second report replaces the first.
    for (int i = 0; i < 2; ++i) {
        CHECK(run_tool({"scan", job, "--format", "csv", "-o", job + "/report.csv"}).exit_status == 0);
    }
}

TEST_CASE("-o refuses what is read next to a file, and what doctor and formats examine") {
    const TemporaryDirectory directory;
    const std::string dump = write_file(directory / "w/Opdebug.Node_OpDebug.1.2.1700000000000000", "a dump");
    const std::string op_dump = write_file(directory / "w/Add.net_add.1.2.1700000000000100", "an operator's");
    const std::string mapping = write_file(directory / "w/mapping.csv", "123,Add.net_add.1.2.1700000000000100\n");
    const std::string numbered = write_file(directory / "w/123", "an operator's");
    const std::string settings = write_file(directory / "acl.json", R"({"dump":{"dump_path":"/tmp"}})");
    const std::string api_dump = write_file(directory / "api/dump.json", "{}");
    const std::string stack = write_file(directory / "api/stack.json", "{}");
    const std::string formats = write_file(directory / "formats.json", run_tool({"formats", "--format", "json"}).out);
    const std::vector<std::vector<std::string>> commands = {
        {"decode", "--tensors", dump, "-o", op_dump},
        {"decode", dump, "-o", mapping},
        {"tensors", numbered, "-o", mapping},
        {"api", api_dump, "-o", stack},
        {"scan", api_dump, "-o", stack},
        {"doctor", "--format", "text", directory / "w", "-o", dump},
        {"doctor", "--format", "text", settings, "-o", settings},
        {"formats", "--format", "text", "check", formats, "-o", formats},
    };
    for (const std::vector<std::string>& command : commands) {
        CAPTURE(command[0]);
        CAPTURE(command[1]);
        const std::string before = read_file(command.back());
        const ProcessResult run = run_tool(command);
        CHECK(run.exit_status == 2);
        CHECK(contains(run.err, "-o " + command.back()));
        CHECK(contains(run.err, "would be overwritten"));
        CHECK(read_file(command.back()) == before);
    }
    // A report next to the dump is nobody's name.
    const std::string report = write_file(directory / "w/report.json", "old");
    CHECK(run_tool({"decode", dump, "-o", report}).exit_status != 2);
    CHECK(read_file(report) != "old");
}
