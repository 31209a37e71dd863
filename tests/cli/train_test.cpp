// `opdebug train`: verdicts on training logs as text and JSON, and the exit statuses.
#include <doctest/doctest.h>

#include <string>

#include <fmt/format.h>

#include "json_schema.hpp"
#include "scan_job.hpp"
#include "tool.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

std::string megatron_line(int step, double scale, bool skipped) {
    return fmt::format(
        " iteration {}/ 2000 | consumed samples: 1 |{} loss scale: {:.1f} |{} number of skipped iterations: {} | "
        "number of "
        "nan iterations: 0 |\n",
        step, skipped ? "" : " lm loss: 6.0E+00 |", scale, skipped ? "" : " grad norm: 1.7 |", skipped ? 1 : 0);
}

/// The scale is halved in steps 101 to 112, and never again grows.
std::string sinking_log() {
    std::string text;
    double scale = 65536;
    for (int step = 1; step <= 112; ++step) {
        scale = step > 100 ? scale / 2 : scale;
        text += megatron_line(step, scale, step > 100);
    }
    return text;
}

/// One fall in step 101.
std::string probing_log() {
    std::string text;
    for (int step = 1; step <= 200; ++step) {
        text += megatron_line(step, step > 100 ? 512 : 1024, step == 101);
    }
    return text;
}

ordered_json report_of(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "train");
    const ProcessResult run = run_tool(arguments);
    CAPTURE(run.err);
    CHECK(run.exit_status == 0);
    if (const auto verdict = schema_verdict("train", as_line(run.out))) {
        CHECK(*verdict == "1 valid\n");
    }
    return ordered_json::parse(run.out);
}

}  // namespace

TEST_CASE("train: a log whose steps begin again names the part with the fault") {
    const TemporaryDirectory directory;
    const std::string log = write_file(directory / "train.log", sinking_log() + probing_log());
    const ProcessResult text = run_tool({"train", log, "--format", "text", "--lang", "en"});
    CHECK(text.out.find("SINKING SCALE") == 0);
    CHECK(text.out.find("part 1 of 2 of this log: step numbers restart") != std::string::npos);
    CHECK(run_tool({"train", log, "--format", "text", "--lang", "zh"}).out.find("此为第 1 段，共 2 段") !=
          std::string::npos);
}

TEST_CASE("train: the chart of the loss scale leaves no change out") {
    const TemporaryDirectory directory;
    std::string text;
    for (int step = 1; step <= 56; ++step) {  // a change in each step
        text += megatron_line(step, step % 2 == 0 ? 512 : 1024, step % 2 == 0);
    }
    const std::string log = write_file(directory / "train.log", text);
    const std::string chart = run_tool({"train", log, "--format", "text"}).out;
    CHECK(contains(chart,
                   "Loss scale   (55 changes, several per line; -v: one per line)\n"
                   "  step        1      512-1024  ==========-\n"
                   "  step        5      512-1024  ==========-\n"));
    CHECK(contains(run_tool({"train", log, "--format", "text", "-v"}).out,
                   "Loss scale\n"
                   "  step        1          1024  ===========\n"
                   "  step        2           512  ==========\n"));
}

TEST_CASE("train: the verdict with its rule, step and counts") {
    const TemporaryDirectory directory;
    const std::string log = write_file(directory / "train.log", sinking_log());
    const ordered_json report = report_of({log, "--all"});
    CHECK(report["schema"] == "opdebug.train_report/1");
    CHECK(report["verdict"] == "sinking");
    CHECK(report["deciding_run"] == 0);
    CHECK(report["bench"].is_null());
    CHECK(report["inputs"][0]["lines_matched"] == 112);
    REQUIRE(report["runs"].size() == 1);
    const ordered_json& run = report["runs"][0];
    CHECK(run["format"] == "Megatron-LM");
    CHECK(run["rank"].is_null());
    CHECK(run["findings"][0]["rule"] == "falls_in_window");
    CHECK(run["findings"][0]["step"] == 101);
    CHECK(run["findings"][0]["line"] == 101);
    CHECK(run["counts"]["skipped"] == 12);
    CHECK(run["counts"]["falls"] == 12);
    CHECK(run["scale"]["last"] == 16);
    CHECK(run["scale"]["changes"].size() == 12);
    CHECK(run["steps"].size() == 112);
    CHECK(run["steps"][100]["skipped"] == 1);
    CHECK(run["steps"][100]["loss"].is_null());
}

TEST_CASE("train: the benchmark decides how often") {
    const TemporaryDirectory directory;
    const std::string here = write_file(directory / "npu.log", sinking_log());
    const std::string there = write_file(directory / "gpu.log", probing_log());
    const ordered_json bench = report_of({here, "--bench", there})["bench"];
    CHECK(bench["rule"] == "more_often");
    CHECK(bench["counted"] == "skipped");
    CHECK(bench["here"] == 12);
    CHECK(bench["there"] == 1);
    CHECK(bench["problem_step"] == 102);
    CHECK(bench["window"]["strength"] == "strong");
    CHECK(bench["falls_only_here"] == true);
    CHECK(bench["runs"][0]["verdict"] == "probing");
}

TEST_CASE("train: several logs, ranks of file names, an unreadable file") {
    const TemporaryDirectory directory;
    const std::string first = write_file(directory / "rank_0/train.log", probing_log());
    const std::string second = write_file(directory / "rank_1/train.log", sinking_log());
    const ordered_json report = report_of({first, second});
    CHECK(report["verdict"] == "sinking");
    CHECK(report["deciding_run"] == 1);
    CHECK(report["runs"][0]["rank"] == 0);
    CHECK(report["runs"][1]["rank"] == 1);

    const ProcessResult partly = run_tool({"train", first, directory / "absent.log"});
    CHECK(partly.exit_status == 1);
    CHECK(ordered_json::parse(partly.out)["failures"][0]["code"] == "file_not_found");
}

TEST_CASE("train: logs of ranks that print no step, and a folder of logs") {
    const TemporaryDirectory directory;
    const std::string silent = write_file(directory / "job/rank_0.log", std::string("> building the model ...\n"));
    const std::string empty = write_file(directory / "job/rank_1.log", std::string_view());
    const std::string last = write_file(directory / "job/logs/rank_2.log", sinking_log());
    write_file(directory / "job/events.out", std::string_view("\0\1\2step 1 loss 2\n", 17));
    const ProcessResult listed = run_tool({"train", silent, empty, last});
    CHECK(listed.exit_status == 0);
    CHECK(lines_of(listed.err).size() == 1);
    CHECK_MESSAGE(contains(listed.err, "rank_0.log and 1 other log contain no step lines"), listed.err);
    CHECK(ordered_json::parse(listed.out)["failures"].empty());
    CHECK(ordered_json::parse(listed.out)["without_steps"] == ordered_json({silent, empty}));
    write_file(directory / "job/README.md", std::string("step 12 loss: nan\n"));
    write_file(directory / "job/.old/train.log", std::string("step 12 loss: nan\n"));
    const ProcessResult folder = run_tool({"train", directory / "job"});
    CHECK(folder.exit_status == 0);
    CHECK(lines_of(folder.err).size() == 1);
    CHECK(ordered_json::parse(folder.out)["without_steps"] == ordered_json({silent, empty}));
    CHECK(ordered_json::parse(folder.out)["runs"][0]["rank"] == 2);
    CHECK(ordered_json::parse(folder.out)["inputs"].size() == 1);
    write_file(directory / "job/worker_5.log", std::string_view("\0\1", 2));
    CHECK(run_tool({"train", directory / "job"}).exit_status == 1);
    write_file(directory / "other/notes.txt", std::string("nothing\n"));
    const ProcessResult none = run_tool({"train", directory / "other"});
    CHECK(none.exit_status == 2);
    CHECK_MESSAGE(contains(none.err, "other: no file in this folder contains a known training log line"), none.err);
}

TEST_CASE("train: a second verdict shows where its fault begins") {
    const TemporaryDirectory directory;
    const std::string log =
        write_file(directory / "train.log", sinking_log() +
                                                " iteration 113/ 2000 | consumed samples: 1 | loss scale: "
                                                "8.0 | number of skipped iterations: 1 | number of nan "
                                                "iterations: 1 |\n");
    CHECK(contains(run_tool({"train", log, "--format", "text", "--lang", "en"}).out,
                   "      SINKING SCALE since step 101: 13 falls in 13 steps"));
}

TEST_CASE("train: exit statuses") {
    const TemporaryDirectory directory;
    const std::string log = write_file(directory / "train.log", sinking_log());
    const std::string bench = write_file(directory / "bench.log", probing_log());
    CHECK(run_tool({"train", log, "--fail-on", "sinking"}).exit_status == 3);
    CHECK(run_tool({"train", log, "--fail-on", "nan_loss"}).exit_status == 0);
    CHECK(run_tool({"train", log, "--bench", bench, "--fail-on", "more_often"}).exit_status == 3);
    const std::string none = write_file(directory / "plain.txt", std::string_view("nothing of a training\n"));
    const std::string empty = write_file(directory / "empty.log", std::string_view());
    const std::string binary = write_file(directory / "events.out", std::string_view("\0\1\2step 1 loss 2\n", 17));
    const std::pair<std::vector<std::string>, const char*> wrong[] = {
        {{"train"}, "missing training log"},
        {{"train", directory / "absent"}, "absent: cannot open the file"},
        {{"train", none}, "plain.txt: no known training log line in 1 line"},
        {{"train", empty}, "empty.log: the file is empty"},
        {{"train", binary}, "events.out: binary file"},
        {{"train", log, "--bench", none}, "plain.txt: no known"},
        {{"train", log, "--fail-on", "clean"}, "--fail-on"}};
    for (const auto& [arguments, message] : wrong) {
        const ProcessResult run = run_tool(arguments);
        CHECK(run.exit_status == 2);
        CHECK(run.out.empty());
        CHECK_MESSAGE(contains(run.err, message), run.err);
    }
}

TEST_CASE("train: scan joins overflows with the steps of a training log") {
    const TemporaryDirectory directory;
    write_job(directory / "job");
    // The dumps are of 10:00:05 UTC; the log has the time of UTC+8. Step 2 ends at 18:01, and was skipped.
    const auto line = [](int step, int minute, bool skipped) {
        return fmt::format(" [2026-03-04 {}:{:02}:00]", minute < 60 ? 17 : 18, minute % 60) +
               megatron_line(step, skipped ? 512 : 1024, skipped);
    };
    const std::string log =
        write_file(directory / "train.log", line(1, 59, false) + line(2, 61, true) + line(3, 63, false));
    const std::vector<std::string> options{"--train-log", log, "--utc-offset", "+08:00"};
    const ordered_json report = opdebug::test::report_of(scan_in(directory / "job", "json", options));
    CHECK(report["training"]["runs"][0]["format"] == "Megatron-LM");
    CHECK(report["training"]["alignment"]["utc_offset_minutes"] == 480);
    CHECK(report["training"]["overflows"]["skipped"] == report["counts"]["overflowed"]);
    CHECK(report["training"]["overflows"]["unknown"] == 0);
    CHECK(report["first"]["training_step"]["step"] == 2);
    CHECK(report["first"]["training_step"]["skipped"] == true);
    CHECK(report["first"]["training_step"]["alignment"] == "by_time");
    CHECK_FALSE(report["timeline"].empty());
    for (const ordered_json& record : report["timeline"]) {
        CHECK(record["training_step"]["step"] == 2);
    }
    const ProcessResult lines = scan_in(directory / "job", "jsonl", options);
    if (const auto verdict = schema_verdict("report-line", lines.out)) {
        CHECK(*verdict == fmt::format("{} valid\n", lines_of(lines.out).size()));
    }
    const std::string text = scan_in(directory / "job", "text", options).out;
    CHECK(text.find("Training log\n  UNDECIDED  ") != std::string::npos);
    CHECK(text.find("  first overflow: training step 2, its update was skipped\n") != std::string::npos);
    const std::string page = scan_in(directory / "job", "html", options).out;
    CHECK(page.find("\"first overflow: training step 2, its update was skipped\"") != std::string::npos);
    CHECK(page.find("\"首个溢出：训练第 2 步，其更新被跳过\"") != std::string::npos);
    // Without the zone, this machine's is used, which is UTC for the tests: no overflow is inside.
    const ordered_json unknown = opdebug::test::report_of(scan_in(directory / "job", "json", {"--train-log", log}));
    CHECK(unknown["training"]["alignment"]["alignment"] == "unknown");
    CHECK(unknown["training"]["overflows"]["unknown"] == unknown["counts"]["overflowed"]);
}

TEST_CASE("train: scan with a training log that cannot be used") {
    const TemporaryDirectory directory;
    write_job(directory / "job");
    const ProcessResult missing = scan_in(directory / "job", "json", {"--train-log", directory / "none.log"});
    CHECK(missing.exit_status == 1);  // the report is written
    CHECK(missing.err.find("none.log") != std::string::npos);
    CHECK(opdebug::test::report_of(missing)["counts"]["overflowed"] != 0);
    const std::string other = write_file(directory / "other.log", std::string("no step here\n"));
    const ProcessResult without = scan_in(directory / "job", "json", {"--train-log", other});
    CHECK(without.exit_status == 1);
    CHECK(without.err.find("other.log") != std::string::npos);
    CHECK_FALSE(opdebug::test::report_of(without).contains("training"));
    const ProcessResult part = scan_in(directory / "job", "jsonl", {"--train-log", other, "--shard", "0/2"});
    CHECK(part.exit_status == 2);
    CHECK(part.err.find("--train-log") != std::string::npos);
}
