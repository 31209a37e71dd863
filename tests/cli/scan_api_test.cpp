// opdebug scan and merge of trees that hold API dumps: exit statuses, closing lines, --trace.
#include <doctest/doctest.h>

#include "api_run.hpp"
#include "overflow_tree.hpp"
#include "scan_job.hpp"
#include "tool.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

TEST_CASE("scan: API dumps alone are something to report") {
    ApiRun bad, good;
    bad.add(0, 0, {born()});
    good.add(0, 0, {clean_call("Functional.linear.0.forward")});
    const ProcessResult result = run_tool({"scan", bad.path(), "--format", "json"});
    CHECK(result.exit_status == 0);
    CHECK(result.err.empty());
    CHECK(ordered_json::parse(result.out).at("api").at("first").at(0).at("api") == "Functional.linear.0.forward");
    const ProcessResult failing = run_tool({"scan", bad.path(), "--fail-on", "overflow", "--format", "json"});
    CHECK(failing.exit_status == 3);
    CHECK(failing.err == "opdebug: 0 dumps, 0 overflowed, 1 API dump with 1 first culprit\n");
    CHECK(run_tool({"scan", good.path(), "--fail-on", "overflow"}).exit_status == 0);
    const auto headline = [](const std::string& path, const char* language) {
        const std::string text = run_tool({"scan", path, "--format", "text", "--lang", language}).out;
        return text.substr(0, text.find('\n'));
    };
    CHECK(headline(bad.path(), "en") == "opdebug scan: no overflow dumps; 1 API dump");
    bad.add(0, 1, {born()});
    CHECK(headline(bad.path(), "en") == "opdebug scan: no overflow dumps; 2 API dumps");
    CHECK(headline(bad.path(), "zh") == "opdebug 扫描：没有溢出 dump；2 个 API dump");
}

TEST_CASE("scan: damaged API dumps count") {
    ApiRun run;
    run.add(0, 0, {born()});
    run.add_file("step0/rank1/dump.json", R"({"task": "statistics", "data": {"Functional.linear.0.forward": {"inp)");
    const ProcessResult cut = run_tool({"scan", run.path(), "--format", "json"});
    CHECK(cut.exit_status == 1);
    CHECK(cut.err == "opdebug: 0 dumps, 0 overflowed, 2 API dumps with 1 first culprit\n");
    run.add_file("step0/rank2/dump.pkl", "\x80\x04");
    const ProcessResult refused = run_tool({"scan", run.path(), "--format", "csv"});
    CHECK(refused.exit_status == 1);
    CHECK(contains(refused.err, "rank2/dump.pkl"));
    CHECK(contains(refused.err, "2 API dumps with 1 first culprit, 1 API dump unreadable\n"));
}

TEST_CASE("scan --format html: the heading alone names the first bad call, however long its name is") {
    const std::string name = "Module." + std::string(200, 'n') + ".forward";
    ApiRun run;
    run.add(0, 0, {born(name)});
    const std::string page = run_tool({"scan", run.path(), "--format", "html", "--lang", "en"}).out;
    CHECK(count_of(page, "\"name\":\"" + name + "\"") == 2);  // in both languages
    CHECK_FALSE(contains(page, "\"text\":\"" + name));
}

TEST_CASE("scan --trace: a bad one is reported, and the report is whole otherwise") {
    ApiRun run;
    run.add(0, 0, {born()});
    run.add_file("traces/trace_view.json", "no trace");
    const ProcessResult result =
        run_tool({"scan", run.path(), "--trace", run.path() + "/traces/trace_view.json", "--format", "json"});
    CHECK(result.exit_status == 1);
    const ordered_json api = ordered_json::parse(result.out).at("api");
    CHECK(api.at("first").size() == 1);
    CHECK(contains(api.at("diagnostics").dump(), "\"trace_unread\""));
    const TemporaryDirectory dumps;
    write_overflow(dumps.path().string(), {});
    const std::string trace = run.path() + "/traces/trace_view.json";
    const ProcessResult unused = run_tool({"scan", dumps.path().string(), "--trace", trace, "--format", "json"});
    CHECK(unused.exit_status == 0);
    CHECK(contains(unused.err, "--trace was not used"));
    // Nobody else would look for a trace that is not there: a wrong name is reported all the same.
    const ProcessResult absent = run_tool({"scan", dumps.path().string(), "--trace", "/absent", "--format", "json"});
    CHECK(absent.exit_status == 1);
    CHECK(contains(absent.err, "/absent: not found"));
    const TemporaryDirectory parts;
    const std::string part = parts / "part.jsonl";
    REQUIRE(run_tool({"scan", dumps.path().string(), "--host", "a", "--format", "jsonl", "-o", part}).exit_status == 0);
    CHECK(run_tool({"merge", part, "--trace", trace}).exit_status == 0);
    CHECK(run_tool({"merge", part, "--trace", "/absent"}).exit_status == 1);
}

TEST_CASE("scan --trace: parts have none, the merge of all has") {
    ApiRun run;
    run.add(0, 0, {born()});
    for (const char* const share : {"--shard=0/2", "--host=node1"}) {
        const ProcessResult result = run_tool({"scan", run.path(), share, "--trace", "t.json", "--format", "jsonl"});
        CHECK(result.exit_status == 2);
        CHECK(contains(result.err, "use it with 'opdebug merge'"));
    }
    const TemporaryDirectory parts;
    for (const std::string index : {"0", "1"}) {
        const ProcessResult part = run_tool(
            {"scan", run.path(), "--shard", index + "/2", "--format", "jsonl", "-o", parts / ("p" + index + ".jsonl")});
        CHECK(part.exit_status == 0);
    }
    const std::vector<std::string> merge{"merge", parts / "p0.jsonl", parts / "p1.jsonl", "--format", "json"};
    const ProcessResult merged = run_tool(merge);
    CHECK(merged.exit_status == 0);
    CHECK(merged.out == run_tool({"scan", run.path(), "--format", "json"}).out);
    std::vector<std::string> with_trace = merge;
    with_trace.insert(with_trace.end(), {"--trace", "/absent/trace_view.json", "--fail-on", "overflow"});
    const ProcessResult told = run_tool(with_trace);
    CHECK(told.exit_status == 3);
    CHECK(contains(told.out, "trace_unread"));
    CHECK(contains(told.err, "1 API dump with 1 first culprit"));
}

TEST_CASE("scan, merge --format csv: what has no place in the table is counted on standard error") {
    ApiRun run;
    run.add(0, 0, {born(), born("Functional.linear.1.forward")});
    const std::string told =
        "opdebug: CSV does not contain 2 findings from API dumps: use --format text, json or html, or 'opdebug api'\n";
    const ProcessResult shown = run_tool({"scan", run.path(), "--format", "csv"});
    CHECK(shown.exit_status == 0);
    CHECK(shown.err == told);
    const TemporaryDirectory results;
    const ProcessResult written =
        run_tool({"scan", run.path(), "--format", "csv", "-q", "-o", results / "overflows.csv"});
    CHECK(written.err == told);
    REQUIRE(run_tool({"scan", run.path(), "--host", "a", "--format", "jsonl", "-o", results / "p.jsonl"}).exit_status ==
            0);
    CHECK(run_tool({"merge", results / "p.jsonl", "--format", "csv"}).err == told);
    ApiRun clean;
    clean.add(0, 0, {clean_call("Functional.linear.0.forward")});
    CHECK(run_tool({"scan", clean.path(), "--format", "csv"}).err.empty());
}

TEST_CASE("scan: no step leads to statistics whose finding the page shows") {
    const TemporaryDirectory folder;
    const std::string dumps = folder / "dump/rank_0/Net/0/3";
    const std::string dump = write_file(dumps + "/" + dump_name(57), legacy());
    const std::string time = dump.substr(dump.rfind('.') + 1);
    const std::string row = "Mul,net_Mul-op3,57,563," + time;
    write_file(dumps + "/statistic.csv",
               "Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data Size,Data Type,Shape,Max Value,Min Value,Avg "
               "Value,Count,Negative Zero Count,Positive Zero Count,NaN Count,Negative Inf Count,Positive Inf "
               "Count,Zero Count\n" +
                   row + ",input,0,2,float16,\"(1,)\",60000,60000,60000,1,0,0,0,0,0,0\n" + row +
                   ",output,0,2,float16,\"(1,)\",inf,inf,inf,1,0,0,0,0,1,0\n");
    const std::string step = "See their statistics";
    CHECK(contains(run_tool({"decode", dump, "--format", "text"}).out, step));
    const std::string page = run_tool({"scan", folder / "dump", "--format", "text"}).out;
    CHECK(contains(page, "net_Mul-op3 (Mul)"));
    CHECK(contains(page, "born here: inputs clean"));
    CHECK_FALSE(contains(page, step));
}
