// `opdebug PATH...` without a command, and the form of each command's result.
#include <doctest/doctest.h>

#include <filesystem>
#include <tuple>

#include "build_paths.hpp"
#include "scan_job.hpp"
#include "skip.hpp"
#include "tensor_values.hpp"
#include "tool.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;

namespace {

const std::string api_dump =
    R"({"task": "statistics", "level": "L1", "framework": "pytorch", "dump_data_dir": null, "data": {}})";

const std::string training_line =
    " [2026-10-12 09:30:01] iteration        1/    2000 | consumed samples:           16 | lm loss: 6.480000E+00 | "
    "loss scale: 65536.0 | number of skipped iterations:   0 | number of nan iterations:   0 |\n";

/// One of each kind.
struct Paths {
    explicit Paths(const TemporaryDirectory& directory)
        : tree(directory / "tree"),
          dump(write_file(directory / ("tree/" + dump_name(57)), legacy())),
          op_dump(write_file(directory / "ops/Add.bert_Add_17.57.563.1597922031178400", build_v2(example_op_dump()))),
          api(write_file(directory / "api/step0/rank0/dump.json", api_dump)),
          logs(directory / "logs"),
          log(write_file(directory / "logs/run/plog/plog-4711_20260304.log",
                         "[ERROR] RUNTIME(4711,python3):2026-03-04-10:00:00.000.000\n")),
          report(directory / "part.jsonl") {
        REQUIRE(run_tool({"scan", tree, "-o", report}).exit_status == 0);
    }
    std::string tree, dump, op_dump, api, logs, log, report;
};

/// The result of `opdebug PATHS` is that of the command, which standard error names.
void check_runs(const std::vector<std::string>& paths, const std::vector<std::string>& command) {
    std::string line = "opdebug";
    for (const std::string& word : command) {
        line += " " + word;
    }
    CAPTURE(line);
    const ProcessResult guessed = run_tool(paths), named = run_tool(command);
    CHECK(guessed.exit_status == named.exit_status);
    CHECK(guessed.out == named.out);
    CHECK(contains(guessed.err, ": running '" + line + "'\n"));
    CHECK(guessed.err.substr(guessed.err.find('\n') + 1) == named.err);
}

/// What the tool prints on a terminal; nothing where there is no program that gives one.
std::string on_terminal(const std::string& arguments) {
    if (!fs::exists("/usr/bin/script")) {
        skip("no terminal: script is not installed");
        return {};
    }
    ProcessOptions options;
    options.environment = {{"LANG", "C"}, {"TERM", "dumb"}};
    const std::string line = std::string("'") + tool_path + "' " + arguments;
    return run_process({"/usr/bin/script", "-qec", line, "/dev/null"}, options).out;
}

}  // namespace

TEST_CASE("front: paths of one kind run the command that fits") {
    const TemporaryDirectory directory;
    const Paths paths(directory);
    check_runs({paths.dump}, {"decode", paths.dump});
    check_runs({paths.tree}, {"scan", paths.tree});
    check_runs({paths.op_dump}, {"tensors", paths.op_dump});
    check_runs({directory / "ops"}, {"tensors", directory / "ops"});
    check_runs({paths.api}, {"api", paths.api});
    check_runs({directory / "api"}, {"api", directory / "api"});
    check_runs({paths.report}, {"merge", paths.report});
}

TEST_CASE("front: logs next to dumps are read with them, options are passed on") {
    const TemporaryDirectory directory;
    const Paths paths(directory);
    check_runs({paths.logs, paths.dump}, {"decode", paths.dump, "--logs", paths.logs});
    check_runs({paths.tree, paths.log, "--all", "--format", "jsonl"},
               {"scan", paths.tree, "--logs", paths.log, "--all", "--format", "jsonl"});
    check_runs({paths.tree, directory / "api"}, {"scan", paths.tree, directory / "api"});
    const std::string training = write_file(directory / "train.log", training_line);
    check_runs({training, paths.tree}, {"scan", paths.tree, "--train-log", training});
    check_runs({paths.dump, paths.logs, training}, {"scan", paths.dump, "--logs", paths.logs, "--train-log", training});
}

TEST_CASE("front: options may come before the paths or the command") {
    const TemporaryDirectory directory;
    const Paths paths(directory);
    check_runs({"--logs", paths.logs, "-v", paths.dump}, {"decode", paths.dump, "--logs", paths.logs, "-v"});
    check_runs({"--format", "text", paths.tree, "--all"}, {"scan", paths.tree, "--all", "--format", "text"});
    CHECK(run_tool({"--format=json", "scan", paths.tree}).out == run_tool({"scan", paths.tree, "--format=json"}).out);
    const std::vector<std::string> next{"next", paths.api, "--for", "bench"};
    CHECK(run_tool({"--for", "bench", "next", paths.api}).err == run_tool(next).err);
    const ProcessResult unknown = run_tool({"--nope", paths.dump});
    CHECK(unknown.exit_status == 2);
    CHECK(contains(unknown.err, "unrecognised option '--nope'"));
    CHECK(contains(run_tool({"scan", paths.tree, "--lgos", paths.logs}).err, "did you mean '--logs'?"));
    CHECK(run_tool({"--format", "text"}).exit_status == 2);
}

TEST_CASE("front: what is not there, and what does not fit together, is wrong usage") {
    const TemporaryDirectory directory;
    const Paths paths(directory);
    const ProcessResult absent = run_tool({directory / "absent"});
    CHECK(absent.exit_status == 2);
    CHECK(contains(absent.err, directory / "absent: no such file or folder"));
    const ProcessResult both = run_tool({paths.report, paths.dump});
    CHECK(both.exit_status == 2);
    CHECK(contains(both.err, paths.dump + " (overflow dump) together with " + paths.report + " (report)"));
    CHECK(run_tool({paths.op_dump, paths.log}).exit_status == 2);
}

TEST_CASE("front: a command that does not read a kind of path names the command that does") {
    const TemporaryDirectory directory;
    const Paths paths(directory);
    const std::string training = write_file(directory / "train.log", training_line);
    for (const auto& [command, path, other] : {std::tuple("scan", paths.log, "log: run 'opdebug logs "),
                                               {"scan", paths.logs, "log: run 'opdebug logs "},
                                               {"decode", paths.log, "log: run 'opdebug logs "},
                                               {"decode", paths.tree, "folder of dumps: run 'opdebug scan "},
                                               {"decode", paths.api, "API dump: run 'opdebug api "},
                                               {"api", paths.tree, "folder of dumps: run 'opdebug scan "},
                                               {"api", paths.log, "log: run 'opdebug logs "},
                                               {"logs", training, "training log: run 'opdebug train "},
                                               {"scan", training, "training log: run 'opdebug train "},
                                               {"train", paths.tree, "folder of dumps: run 'opdebug scan "}}) {
        const ProcessResult run = run_tool({command, path, "--format", "text"});
        CHECK(run.exit_status != 0);
        CHECK(run.out.empty());
        CHECK(run.err == "opdebug: " + path + ": " + other + path + "'\n");
    }
    check_runs({training}, {"train", training});
}

TEST_CASE("front: JSON lists the failure after the hint, as -o does") {
    const TemporaryDirectory directory;
    const std::string training = write_file(directory / "train.log", training_line), out = directory / "report.txt";
    for (const char* command : {"scan", "api"}) {
        CAPTURE(command);
        const ProcessResult run = run_tool({command, training, "--format", "json"});
        CHECK(run.exit_status == 1);
        CHECK(contains(run.err, training + ": training log: run 'opdebug train "));
        REQUIRE_FALSE(run.out.empty());
        CHECK(nlohmann::ordered_json::parse(run.out).at("failures").at(0).at("file") == training);
        CHECK(run_tool({command, training, "--format", "text", "-o", out}).exit_status == 1);
        CHECK_FALSE(read_file(out).empty());
        fs::remove(out);
    }
}

TEST_CASE("front: advice never names a command that refuses the path") {
    const TemporaryDirectory directory;
    write_file(directory / "runs/train.log", training_line);
    const std::string runs = directory / "runs", tensor = write_file(directory / "x.pt", "PK\x03\x04");
    CHECK(run_tool({"train", runs}).exit_status == 0);
    CHECK_FALSE(contains(run_tool({"scan", runs}).err, "opdebug logs"));
    CHECK_FALSE(contains(run_tool({"decode", tensor}).err, "opdebug tensors"));
}

TEST_CASE("front: logs near the dumps are offered as --logs reads them, in quotes where the shell needs them") {
    const TemporaryDirectory directory;
    for (const char* part : {"debug", "run"}) {
        fs::create_directories(directory / "my job/" + part + "/plog");
        fs::create_directories(directory / "other/log/" + part + "/plog");
    }
    write_file(directory / ("my job/dump/" + dump_name(57)), legacy());
    write_file(directory / ("other/dump/" + dump_name(57)), legacy());
    const std::string job = directory / "my job";
    CHECK(contains(run_tool({"scan", job}).err, "logs found: add --logs '" + job + "'\n"));
    CHECK(contains(run_tool({"scan", job + "/dump"}).err, "--logs '" + job + "'\n"));
    const ProcessResult here =
        run_process({"/bin/sh", "-c", "cd \"$1\" && \"$0\" scan . --lang en", tool_path, directory / "other/dump"});
    CHECK(contains(here.err, "logs found: add --logs ../log\n"));
}

TEST_CASE("front: a file that no command reads costs one sentence, a damaged dump is decoded") {
    const TemporaryDirectory directory;
    struct Case {
        const char *name, *content, *sentence;
    };
    for (const Case& one : {Case{"text", "some text\n", "unknown kind of file"},
                            {"other.json", R"({"a": 1})", "unknown kind of file"},
                            {"list.json", "[1, 2]", "unknown kind of file"},
                            {"grad_2024-01-02.csv", "a,b\n", "unknown kind of file"},
                            {"stack.json", R"({"Torch.exp.0.forward": []})", "give the dump.json of the same folder"},
                            {"construct.json", R"({"Torch.exp.0.forward": null})", "give the dump.json of the same"},
                            {"anomaly_analyze_1.json", "{}", "a result of msprobe or msaccucmp"},
                            {"anomaly_analyse.json", "[]", "a result of msprobe or msaccucmp"},
                            {"compare_result_20241120060505.csv", "a,b\n", "a result of msprobe or msaccucmp"},
                            {"grad_reduced_0-4.csv", "vpp_stage,name\n", "a result of msprobe or msaccucmp"},
                            {"overflow_summary_2024.txt", "x\n", "a result of msprobe or msaccucmp"},
                            {"trace_view.json", "[]", "with --trace"},
                            {"tensor.pt", "PK\x03\x04 x/data.pkl", "PyTorch .pt file"}}) {
        CAPTURE(one.name);
        const std::string path = write_file(directory / one.name, one.content);
        const ProcessResult run = run_tool({path});
        CHECK(run.exit_status == 2);
        CHECK(run.out.empty());
        CHECK(contains(run.err, path + ": "));
        CHECK(contains(run.err, one.sentence));
        CHECK(run.err.find('\n') == run.err.size() - 1);
        CHECK_FALSE(contains(run_tool({path, "--lang", "zh"}).err, "原文"));
    }
    const std::string damaged = write_file(directory / "renamed", cut(legacy(), 1500));
    check_runs({damaged}, {"decode", damaged});
    const std::string converted = write_file(directory / "x.json", R"({"AI Core": 1})");
    check_runs({converted}, {"decode", converted});
}

TEST_CASE("front: dump settings are examined, or named next to dumps") {
    const TemporaryDirectory directory;
    const Paths paths(directory);
    const std::string acl = write_file(directory / "acl.json", R"({"dump": {"dump_path": "/d", "dump_debug": "on"}})"),
                      msprobe = write_file(directory / "config.json", R"({"task": "statistics", "dump_path": "/d"})"),
                      mindspore = write_file(directory / "ms.json", R"({"common_dump_settings": {"path": "/d"}})");
    for (const std::string& file : {acl, msprobe, mindspore}) {
        check_runs({file}, {"doctor", file});
    }
    const ProcessResult both = run_tool({paths.tree, acl, "--format", "text"});
    CHECK(both.out == run_tool({"scan", paths.tree, "--format", "text"}).out);
    CHECK(contains(both.err, acl + ": dump settings: run 'opdebug doctor " + acl + "'"));
    const std::string stack = write_file(directory / "api/step0/rank0/stack.json", "{}");
    const ProcessResult with_stack = run_tool({paths.api, stack, "--format", "text"});
    CHECK(with_stack.out == run_tool({"api", paths.api, "--format", "text"}).out);
    CHECK(with_stack.exit_status == 1);  // not all files were read
}

TEST_CASE("front: folders without a dump are described") {
    const TemporaryDirectory directory;
    write_file(directory / "monitor/grad_reduced_0-4.csv", "vpp_stage,name\n");
    write_file(directory / "packed/step0/rank0/dump.json.gz", "\x1F\x8B\x08");
    write_file(directory / "renamed/Rank0_step3.json", api_dump);
    write_file(directory / "torch/a.output.0.pt", "PK\x03\x04");
    for (const auto& [folder, there] :
         {std::pair("monitor", "1 .csv"), {"packed", "1 .gz"}, {"renamed", "1 .json"}, {"torch", "1 .pt"}}) {
        for (const char* const command : {"api", "scan", "tensors"}) {
            const ProcessResult run = run_tool({command, directory / folder});
            CHECK(run.exit_status == 2);
            CHECK(contains(run.err, std::string("found there: ") + there));
        }
    }
}

TEST_CASE("front: the suffix of -o sets the form, and may not contradict --format") {
    const TemporaryDirectory directory;
    const Paths paths(directory);
    for (const auto& form : {std::pair<std::string, std::string>{"json", "{\n"},
                             {"jsonl", "{\"schema\""},
                             {"csv", "file,"},
                             {"html", "<!DOCTYPE html>"},
                             {"other", "{\n"}}) {
        const std::string &suffix = form.first, &begin = form.second;
        CAPTURE(suffix);
        const std::string report = directory / ("report." + suffix);
        REQUIRE(run_tool({"scan", paths.tree, "-o", report}).exit_status == 0);
        CHECK(read_file(report).compare(0, begin.size(), begin) == 0);
    }
    REQUIRE(run_tool({"status", "ai-core", "32", "-o", directory / "status.txt"}).exit_status == 0);
    CHECK(contains(read_file(directory / "status.txt"), "AI Core 32 (0x20)"));
    const ProcessResult both = run_tool({"scan", paths.tree, "--format", "json", "-o", directory / "report.html"});
    CHECK(both.exit_status == 2);
    CHECK(contains(both.err, "report.html and --format json contradict each other"));
    const ProcessResult none = run_tool({"decode", paths.dump, "-o", directory / "record.html"});
    CHECK(none.exit_status == 2);
    CHECK(contains(none.err, "for an HTML report use 'opdebug scan PATH... -o " + (directory / "record.html") + "'"));
    CHECK_FALSE(fs::exists(directory / "record.html"));
}

TEST_CASE("front: text on a terminal, JSON elsewhere, for every command with forms") {
    const TemporaryDirectory directory;
    const Paths paths(directory);
    for (const std::string& arguments :
         {"decode " + paths.dump, "scan " + paths.tree, "merge " + paths.report, std::string("status ai-core 32"),
          "tensors " + paths.op_dump, "api " + paths.api, "doctor " + paths.tree, std::string("formats"),
          std::string("explain exact"), "watch " + paths.tree + " --duration 0"}) {
        CAPTURE(arguments);
        const std::string shown = on_terminal(arguments);
        if (shown.empty()) {
            return;
        }
        CHECK(shown.find_first_of("{[") != 0);
        const ProcessResult piped = run_process({"/bin/sh", "-c", std::string("'") + tool_path + "' " + arguments});
        REQUIRE_FALSE(piped.out.empty());
        CHECK(piped.out.find_first_of("{[") == 0);
    }
}
