// A scan of a tree that holds API dumps: what it finds, and calls and dumps on one timeline.
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "api_run.hpp"
#include "dump_tree.hpp"
#include "json_schema.hpp"
#include "overflow_tree.hpp"
#include "report/scan/scan_api.hpp"
#include "scan/kernel_overflows.hpp"
#include "shard_reports.hpp"
#include "text.hpp"
#include "trace_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

ordered_json document_of(const std::string& root) {
    return ordered_json::parse(written(scanned_report({root}, {}), &ScanReport::write_json));
}

/// "api Torch.exp.0.forward" or "dump +10 ms type_only" for each entry; "no" for a dump that is not tied.
std::string shown_entries(const ordered_json& timeline) {
    std::string text;
    for (const ordered_json& entry : timeline.at("entries")) {
        if (entry.at("kind") == "api") {
            text += fmt::format("api {}, ", entry.at("api").get<std::string>());
        } else {
            text +=
                fmt::format("dump +{} ms {}, ", (entry.at("timestamp_us").get<std::uint64_t>() - job_begin_us) / 1000,
                            entry.at("tie").is_null() ? "no" : entry.at("tie").get<std::string>());
        }
    }
    return text;
}

MadeUpOverflow overflow_at(std::uint64_t rank, std::uint64_t milliseconds, bool with_op_dump) {
    MadeUpOverflow overflow;
    overflow.rank = rank;
    overflow.step = 3;
    overflow.milliseconds = milliseconds;
    overflow.inputs = {half_tensor({half_one, half_one})};
    overflow.outputs = {half_tensor({half_one, half_inf})};
    overflow.with_op_dump = with_op_dump;
    return overflow;
}

MadeCall exp_call() {
    return made_call("Torch.exp.0.forward", {made_tensor("20", "1", "float16", {2})},
                     {made_tensor("Infinity", "2.7", "float16", {2})});
}

/// Rank 0: exp, between two clean calls, makes Inf; of three overflow dumps only the second shows its operator, Exp.
/// Rank 2: an overflow dump, and no API dump.
void write_mixed_run(ApiRun& run) {
    run.add(3, 0, {clean_call("Torch.add.0.forward"), exp_call(), clean_call("Torch.add.1.forward")});
    run.add(3, 1, {clean_call("Torch.add.0.forward")});
    for (const auto& [rank, milliseconds, with_op_dump] : {std::tuple(0U, 5U, false), std::tuple(0U, 10U, true),
                                                           std::tuple(0U, 20U, false), std::tuple(2U, 1U, false)}) {
        write_overflow(run.path(), overflow_at(rank, milliseconds, with_op_dump));
    }
}

}  // namespace

TEST_CASE("scan with API dumps: they are other files, and the report has what opdebug api tells") {
    ApiRun run;
    write_mixed_run(run);
    const Scanned scanned = scan_tree({run.path()});
    CHECK(shown(scanned.scan.counts) == "4 4 0 0 1 2");
    REQUIRE(scanned.scan.api);
    REQUIRE(scanned.scan.api->report);
    const ApiReport alone = run.report();
    CHECK(lines_of(scanned.scan.api->report->findings) == lines_of(alone.findings));
    CHECK(lines_of(scanned.scan.api->report->first) == "step 3 rank 0 Torch.exp.0.forward born_here\n");
    CHECK(scanned.scan.api->report->counts.files == 2);
    CHECK(scanned.scan.api->report->counts.entries == 4);
    CHECK(scanned.scan.api->overflows.size() == 4);
}

TEST_CASE("scan with API dumps: calls and dumps on one timeline of each step and rank") {
    ApiRun run;
    write_mixed_run(run);
    const ordered_json api = document_of(run.path()).at("api");
    REQUIRE(api.at("timeline").size() == 2);
    const ordered_json& rank_0 = api.at("timeline").at(0);
    CHECK(rank_0.at("step") == 3);
    CHECK(rank_0.at("rank") == 0);
    // By time alone all three dumps would be together: the second is tied to exp, so the first is before.
    CHECK(shown_entries(rank_0) ==
          "dump +5 ms rank_or_device_only, api Torch.exp.0.forward, dump +10 ms type_only, "
          "dump +20 ms rank_or_device_only, ");
    CHECK(api.at("timeline").at(1).at("rank") == 2);
    CHECK(shown_entries(api.at("timeline").at(1)) == "dump +1 ms no, ");
    const auto& ties = api.at("ties");
    const auto sure =
        std::find_if(ties.begin(), ties.end(), [](const ordered_json& tie) { return tie.at("level") == "type_only"; });
    REQUIRE(sure != ties.end());
    CHECK(sure->at("api") == "Torch.exp.0.forward");
    CHECK(sure->at("position") == 1);
    CHECK(sure->at("step") == 3);
    CHECK(sure->at("rank") == 0);
    CHECK(sure->at("source_file") == run.path() + "/step3/rank0/dump.json");
    CHECK(sure->at("dump") == overflow_file(run.path(), overflow_at(0, 10, true)));
}

TEST_CASE("scan with API dumps: documents follow their schema, in JSON, lines and parts") {
    ApiRun run;
    write_mixed_run(run);
    run.add_file("step3/rank5/dump.pkl", "\x80\x04");
    run.add_file("step3/rank6/dump.json", R"({"task": "statistics", "data": {"Torch.e)");
    const ScanReport report = scanned_report({run.path()}, {});
    ordered_json document = ordered_json::parse(written(report, &ScanReport::write_json));
    CHECK(document.at("api").at("counts").at("failed") == 1);
    const auto whole = schema_verdict("report", document.dump() + "\n");
    CHECK(whole.value_or("1 valid\n") == "1 valid\n");
    const auto lines = schema_verdict("report-line", written(report, &ScanReport::write_json_lines));
    CHECK(contains(lines.value_or(" valid"), " valid"));
    const auto part = schema_verdict("report-line", part_text({run.path()}, {}, ScanShard{0, 2}));
    CHECK(contains(part.value_or(" valid"), " valid"));
}

TEST_CASE("scan without API dumps: the report says so and nothing else changes") {
    const TemporaryDirectory directory;
    write_overflow(directory.path().string(), overflow_at(0, 5, false));
    write_file(directory / "mapping.csv", "1,Exp.net_op.1.2.3\n");
    write_file(directory / "dump.json", R"({"anybody": "may call a file so"})");
    write_file(directory / "rank0/weights.pkl", "weights");
    const std::string lines = written(scanned_report({directory.path().string()}, {}), &ScanReport::write_json_lines);
    CHECK(count_of(lines, R"("api":null,"failures":[])") == 1);
    const ScanReport report = scanned_report({directory.path().string()}, {});
    CHECK_FALSE(contains(written(report, &ScanReport::write_text), "API"));
    CHECK_FALSE(contains(written(report, &ScanReport::write_html), "\"api\":{"));
    CHECK(report.api_diagnostics().empty());
}

TEST_CASE("scan with API dumps: one that is given itself is no overflow dump") {
    ApiRun run;
    write_mixed_run(run);
    const std::string file = run.path() + "/step3/rank0/dump.json";
    const Scanned alone = scan_tree({file});
    CHECK(shown(alone.scan.counts) == "0 0 0 0 0 1");
    REQUIRE(alone.scan.api);
    CHECK(alone.scan.api->report->counts.files == 1);
    // Next to the tree that it is in it counts once; a file that is none stays a dump, which cannot be decoded.
    CHECK(shown(scan_tree({file, run.path()}).scan.counts) == "4 4 0 0 1 2");
    run.add_file("table.csv", "a,b\n");
    CHECK(shown(scan_tree({run.path() + "/table.csv"}).scan.counts) == "1 0 0 1 0 0");
}

TEST_CASE("scan with API dumps: one that is given itself may have any name; its content alone tells it then") {
    const MadeDump calls{"statistics", "L1", "pytorch", {exp_call()}};
    const std::string text = dump_json(calls);
    PtdbgForm form;
    form.major = 5;
    const struct {
        const char* name;
        std::string text;
        bool is_api_dump;
    } files[] = {{"x.json", text, true},
                 {"rank0", text.substr(0, text.size() / 2), true},
                 {"calls.txt", ptdbg_text(calls.calls, form), true},
                 {"x.json", "", false},
                 {"x.json", R"({"a": )", false},
                 {"x.json", R"({"DHA Atomic Add": {}})", false}};
    for (const auto& file : files) {
        CAPTURE(file.name);
        CAPTURE(file.text);
        ApiRun run;
        run.add_file(file.name, file.text);
        const Scanned scanned = scan_tree({run.path() + "/" + file.name});
        CHECK(scanned.scan.api.has_value() == file.is_api_dump);
        CHECK(shown(scanned.scan.counts) == (file.is_api_dump ? "0 0 0 0 0 1" : "1 0 0 1 0 0"));
        CHECK_FALSE(scan_tree({run.path()}).scan.api.has_value());
    }
}

TEST_CASE("scan with API dumps: an overflow dump that is given itself is one wherever it lies, and counts once") {
    for (const char* name : {"step1/rank0/dump.pkl", "tag_v5.0/rank0/x.pkl", "rank_0/statistic.csv"}) {
        CAPTURE(name);
        ApiRun run;
        const Buffer dump = build_overflow_dump(ai_core_example());
        run.add_file(name, std::string(dump.begin(), dump.end()));
        CHECK(shown(scan_tree({run.path() + "/" + name}).scan.counts) == "1 1 0 0 0 0");
    }
    ApiRun run;
    PtdbgForm form;
    run.add_file("rank0/a.pkl", ptdbg_text({exp_call()}, form));
    run.add_file("rank1/a.pkl", std::string(500, '\0'));
    for (const std::string& whole : {run.path() + "/rank0/a.pkl", run.path()}) {
        const Scanned scanned = scan_tree({whole, run.path() + "/rank1/a.pkl"});
        CHECK(shown(scanned.scan.counts) == "1 0 0 1 0 1");
        REQUIRE(scanned.scan.api.has_value());
        CHECK(scanned.scan.api->report->counts.files == 1);
        CHECK(scanned.scan.api->report->failures.empty());
    }
}

TEST_CASE("scan with API dumps: an archive whose folder lies there, too, lacks nothing") {
    ApiRun run;
    run.add_file("step1/rank0/dump.json", dump_json({"statistics", "L1", "pytorch", {exp_call()}}));
    run.add_file("step1.tgz", "");
    const Scanned scanned = scan_tree({run.path()});
    REQUIRE(scanned.scan.api.has_value());
    CHECK_FALSE(contains(codes_of(scanned.scan.api->report->diagnostics), "packed_not_read "));
}

TEST_CASE("scan with API dumps: an archive next to the folders of steps is reported as opdebug api tells it") {
    ApiRun run;
    run.add(1, 0, {exp_call()});
    run.add_file("step0.tar.gz", "");
    const Scanned scanned = scan_tree({run.path()});
    REQUIRE(scanned.scan.api.has_value());
    CHECK(contains(codes_of(scanned.scan.api->report->diagnostics), "packed_not_read "));
    CHECK(shown(scanned.scan.counts) == "0 0 0 0 0 2");
}

TEST_CASE("scan with API dumps: links to one file count once") {
    ApiRun run;
    write_mixed_run(run);
    std::filesystem::create_directories(run.path() + "/again");
    std::filesystem::create_symlink(run.path() + "/step3/rank0/dump.json", run.path() + "/again/dump.json");
    std::filesystem::create_directory_symlink(run.path() + "/step3", run.path() + "/step3_again");
    const Scanned scanned = scan_tree({run.path()});
    REQUIRE(scanned.scan.api);
    CHECK(scanned.scan.api->report->counts.files == 2);
    REQUIRE_FALSE(scanned.scan.api->report->first.empty());
    CHECK(scanned.scan.api->report->first.front().step == 3U);  // the folder of the link has none
}

TEST_CASE("scan with API dumps: a trace that cannot be read is reported, and costs only itself") {
    ApiRun run;
    write_mixed_run(run);
    run.add_file("trace_view.json", "no trace");
    ScanReportOptions options;
    options.ties.traces = {run.path() + "/trace_view.json", run.path() + "/absent.json"};
    ScanReport report(options);
    const Result<Scan> scanned = scan({run.path()}, {}, [&report](ScannedDump&& dump) { report.add(dump); });
    REQUIRE(scanned.ok());
    REQUIRE_FALSE(report.finish(*scanned));
    CHECK(count_of(codes_of(report.api_diagnostics()), "trace_unread ") == 2);
    CHECK(contains(written(report, &ScanReport::write_json_lines), R"("level":"type_only")"));
}

TEST_CASE("scan with API dumps: a profiler's trace ties to its calls, and so does the merge of parts") {
    ApiRun run;
    run.add(3, 0, {born("Functional.linear.0.forward")});
    for (const std::uint64_t milliseconds : {5U, 20U}) {
        write_overflow(run.path(), overflow_at(0, milliseconds, false));
    }
    const std::uint64_t begin = job_begin_us + 4'000 - MadeTrace::kBegin;  // a millisecond before the first dump
    MadeTrace trace;
    trace.step(3, begin - 20'000, 60'000);
    trace.operation("aten::linear", begin, 50);
    trace.launch(563, 105, "aclnnAddmm_MatMulCommon_MatMulV2", begin + 100, begin + 10);
    run.add_file("profile/rank0/trace_view.json", trace.text());
    ScanReportOptions options;
    options.ties.traces = {run.path() + "/profile/rank0/trace_view.json"};
    ScanReport report(options);
    const Result<Scan> scanned = scan({run.path()}, {}, [&report](ScannedDump&& dump) { report.add(dump); });
    REQUIRE(scanned.ok());
    REQUIRE_FALSE(report.finish(*scanned));
    const std::string document = written(report, &ScanReport::write_json);
    // No log shows the operator type of the dump: stream, task and time alone are not exact.
    CHECK(shown_entries(ordered_json::parse(document).at("api").at("timeline").at(0)) ==
          "api Functional.linear.0.forward, dump +5 ms type_only, dump +20 ms rank_or_device_only, ");
    const TemporaryDirectory parts;
    MergeOptions merging;
    merging.report = options;
    const Merge merge = merged({write_file(parts / "0", part_text({run.path()}, {}, ScanShard{0, 2})),
                                write_file(parts / "1", part_text({run.path()}, {}, ScanShard{1, 2}))},
                               merging);
    CHECK(written(merge.report, &ScanReport::write_json) == document);
}

TEST_CASE("scan with API dumps: text and page show culprit, timeline and ties, in both languages") {
    ApiRun run;
    write_mixed_run(run);
    const ScanReport report = scanned_report({run.path()}, {});
    const std::string text = written(report, &ScanReport::write_text);
    const std::size_t section = text.find("\nAPI dumps\n");
    REQUIRE(section != std::string::npos);
    CHECK(contains(text, "   Torch.exp.0.forward  "));
    CHECK(contains(text, "  rank 0  step 3\n"));
    CHECK(contains(text, "type only: Torch.exp.0.forward: "));
    const std::string page = written(report, &ScanReport::write_html);
    CHECK(contains(page, "Torch.exp.0.forward"));
    CHECK(contains(page, "仅类型"));
}

TEST_CASE("scan with API dumps: names that are HTML or speak to a terminal are shown, not obeyed") {
    ApiRun run;
    run.add(3, 0, {born("Torch.<script>alert(1)</script>\\u001b[2J.0.forward")});
    write_overflow(run.path(), overflow_at(0, 5, false));
    const ScanReport report = scanned_report({run.path()}, {});
    const std::string text = written(report, &ScanReport::write_text);
    CHECK(contains(text, "Torch.<script>alert(1)</script>\\x1b[2J.0.forward"));
    CHECK_FALSE(contains(text, "\x1b"));
    const std::string page = written(report, &ScanReport::write_html);
    CHECK(contains(page, "Torch.\\u003cscript>alert(1)"));
    CHECK_FALSE(contains(page, "<script>alert"));
    CHECK_FALSE(contains(page, "\x1b"));
}

TEST_CASE("scan with API dumps only: no overflow is spoken of") {
    ApiRun run;
    run.add(0, 0, {born()});
    const ScanReport report = scanned_report({run.path()}, {});
    CHECK_FALSE(contains(written(report, &ScanReport::write_text), "No overflow"));
    CHECK_FALSE(contains(written(report, &ScanReport::write_html), "No overflow was found"));
    CHECK(contains(written(report, &ScanReport::write_text), "   Functional.linear.0.forward  "));
    CHECK(contains(written(report, &ScanReport::write_text), "  rank 0  step 0\n"));
}
