// The documents of `opdebug api`: JSON and the page for people.
#include <numeric>
#include <sstream>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>

#include "api_run.hpp"
#include "json_schema.hpp"
#include "report/text/text_table.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

ApiReport example() {
    ApiRun run;
    run.add(0, 1, {made_call("Functional.linear.145.backward", {made_tensor()}, {made_tensor("Infinity", "-3.5")})});
    run.add_file(
        "step0/rank1/stack.json",
        R"json({"0": [["Functional.linear.145.forward"], ["File train.py, line 7, in step, \n loss.backward()"]]})json");
    run.add_file("step0/rank2/dump.json", dump_json({"statistics", "L1", "pytorch", {}}));
    return run.report();
}

}  // namespace

TEST_CASE("api report: the document has the members of the specification, in its order") {
    const ordered_json document = ordered_json::parse(api_report_to_json(example()));
    std::string keys;
    for (const auto& item : document.items()) {
        keys += item.key() + " ";
    }
    CHECK(keys == "schema inputs counts first findings bench failures diagnostics ");
    CHECK(document.at("schema") == "opdebug.api_report/1");
    CHECK(document.at("counts") == ordered_json::parse(R"({"files":2,"entries":1,"steps":1,"ranks":2,"failed":0})"));
    REQUIRE(document.at("first").size() == 1);
    ordered_json first = document.at("first").at(0);
    CHECK(first.at("file").get<std::string>().find("step0/rank1/dump.json") != std::string::npos);
    first.erase("file");
    CHECK(
        first ==
        ordered_json::parse(
            R"json({"source":"msprobe","step":0,"rank":1,"api":"Functional.linear.145.backward","position":0,)json"
            R"json("verdict":"born_here","because":"inputs clean, output[0] Max inf","because_zh":"输入正常，output[0] 最大值为 inf",)json"
            R"json("tensors":[{"kind":"input","index":"0","dtype":"float16","shape":[4,8],"max":1.5,"min":-1.5,)json"
            R"json("state":"clean"},{"kind":"output","index":"0","dtype":"float16","shape":[4,8],"max":"inf","min":-3.5,)json"
            R"json("state":"inf"}],"stack":["File train.py, line 7, in step, \n loss.backward()"],"diagnostics":[]})json"));
    CHECK(document.at("findings").size() == 1);
}

TEST_CASE("api report: numbers that are not finite are texts, unknown ranks are null") {
    ApiRun run;
    run.add_file("dump.json", dump_json({"statistics", "L1", "pytorch", {born()}}));
    const ordered_json document = ordered_json::parse(api_report_to_json(run.report()));
    const ordered_json& first = document.at("first").at(0);
    CHECK(first.at("rank").is_null());
    CHECK(first.at("step").is_null());
    CHECK(first.at("tensors").back().at("max") == "nan");
    CHECK(first.at("stack").empty());
}

TEST_CASE("api report: documents follow their schema") {
    ApiRun run;
    run.add(0, 0, {born(), made_call("Torch.full.0.forward", {}, {made_tensor("-Infinity", "-Infinity")})});
    run.add_file("step0/rank1/dump.pkl", "\x80\x04");
    ReportOptions one_line;
    one_line.one_line = true;
    const std::string lines = api_report_to_json(run.report(), one_line) + "\n" +
                              api_report_to_json(example(), one_line) + "\n" +
                              api_report_to_json(ApiReport(), one_line) + "\n";
    check_schema("api-report", lines, 3);
}

TEST_CASE("api report: the page states the culprit, its reason, its stack and what to do") {
    const std::string text = api_report_to_text(example());
    CAPTURE(text);
    for (const char* const part :
         {"FIRST BAD VALUE   Functional.linear.145.backward  ", "  rank 1  step 0\n",
          "  born here: inputs clean, output[0] Max inf\n", "  position 0 (from 0) in the order of calls\n",
          "\n  next: check this call's arguments", "output 0  float16  [4,8]  inf  -3.5  inf",
          "  call stack\n    File train.py, line 7, in step: loss.backward()\n", "  1 other rank shows no bad value\n",
          "\n1 call in 2 files, 1 step, 2 ranks\n"}) {
        CHECK_MESSAGE(contains(text, part), part);
    }
}

namespace {

/// Three calls on each of eight ranks, then the sum over the ranks, then two more calls. On rank 5 the second call
/// makes NaN.
ApiReport eight_ranks() {
    ApiRun run;
    std::vector<std::int64_t> all(8);
    std::iota(all.begin(), all.end(), 0);
    for (std::uint64_t rank = 0; rank < 8; ++rank) {
        const bool is_bad = rank == 5;
        const MadeValue given = is_bad ? nan_tensor() : made_tensor();
        run.add(3, rank,
                {clean_call("Functional.linear.0.forward"),
                 is_bad ? born("Functional.softmax.0.forward") : clean_call("Functional.softmax.0.forward"),
                 made_call("Functional.linear.1.forward", {given}, {given}),
                 collective("all_reduce", 0, {given}, {nan_tensor()}, all),
                 made_call("Functional.gelu.0.forward", {nan_tensor()}, {nan_tensor()}),
                 made_call("Functional.gelu.1.forward", {nan_tensor()}, {nan_tensor()})});
    }
    return run.report();
}

std::string first_lines(const std::string& text, int count) {
    std::size_t end = 0;
    for (int i = 0; i < count && end != std::string::npos; ++i) {
        end = text.find('\n', end == 0 ? 0 : end + 1);
    }
    return text.substr(0, end);
}

bool all_lines_fit(const std::string& text, std::size_t columns) {
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) {
        // Paths have no blanks to break at.
        if (report::display_columns(line) > columns && !contains(line, "/rank5/")) {
            return false;
        }
    }
    return true;
}

}  // namespace

TEST_CASE("api report: calls of ranks that nothing orders are not ordered by their positions") {
    ApiRun run;
    run.add(0, 0, {clean_call("Torch.exp.0.forward"), born()});
    // Its bad input comes from a call that is not in the dump.
    std::vector<MadeCall> calls;
    for (int i = 0; i < 6; ++i) {
        calls.push_back(clean_call("Torch.abs." + std::to_string(i) + ".forward"));
    }
    calls.push_back(made_call("Torch.mul.0.forward", {nan_tensor({2, 3})}, {nan_tensor({2, 3})}));
    run.add(0, 1, calls);
    const std::string text = api_report_to_text(run.report());
    CAPTURE(text);
    REQUIRE(contains(text, "[bad_value_elsewhere]"));
    CHECK(contains(text, "  position 1 (from 0) in the order of calls\n"));
}

TEST_CASE("api report: a rank without a dump of the step is not called clean") {
    ApiRun run;
    run.add(0, 0, {born()});
    run.add(1, 0, {clean_call("Torch.exp.0.forward")});
    run.add(1, 1, {clean_call("Torch.exp.0.forward")});
    const std::string text = api_report_to_text(run.report());
    CAPTURE(text);
    CHECK(contains(text, "rank 0  step 0"));
    CHECK_FALSE(contains(text, "other rank shows no bad value"));
}

TEST_CASE("api report: 25 lines of 100 columns answer which call made the first NaN on eight ranks") {
    const ApiReport report = eight_ranks();
    for (const Language language : {Language::english, Language::chinese}) {
        ApiPageOptions options;
        options.report.language = language;
        const bool is_english = language == Language::english;
        const std::string text = first_lines(api_report_to_text(report, options), 25);
        CAPTURE(text);
        const std::string heading = text.substr(0, text.find('\n'));
        CHECK(contains(heading, is_english ? "FIRST BAD VALUE   Functional.softmax.0.forward "
                                           : "首个异常值   Functional.softmax.0.forward "));
        CHECK(contains(heading, "  rank 5  step 3"));
        CHECK(contains(text, is_english ? "\n  next: check this call's arguments" : "\n  处理方法：检查该调用的参数"));
        CHECK(contains(text,
                       is_english ? "\nFirst bad call of each rank in step 3" : "\nstep 3 中各 rank 的首个异常调用"));
        for (const char* const rank : {"0", "1", "2", "3", "4", "6", "7"}) {
            CHECK(contains(text, std::string("     ") + rank + (is_english ? "         3" : "     3") +
                                     "  Distributed.all_reduce.0.forward"));
        }
        CHECK(contains(text, is_english ? "  from rank 5" : "  来自 rank 5"));
        CHECK_FALSE(contains(text, "gelu"));
    }
}

TEST_CASE("api report: the page keeps its width, and has inherited values and other ranks on demand") {
    const ApiReport report = eight_ranks();
    for (const std::size_t columns : {80U, 100U, 140U}) {
        CAPTURE(columns);
        ApiPageOptions options;
        options.report.columns = columns;
        CHECK(all_lines_fit(api_report_to_text(report, options), columns));
        CHECK_FALSE(contains(api_report_to_text(report, options), "\x1b["));
        options.report.color = true;
        CHECK(contains(api_report_to_text(report, options), "\x1b[1;31mFIRST BAD VALUE\x1b[0m"));
    }
    ApiPageOptions one_rank;
    one_rank.all = true;
    one_rank.filter.ranks = {2};
    one_rank.filter.op = "*gelu*";
    const std::string text = api_report_to_text(report, one_rank);
    CHECK(contains(text, "FIRST BAD VALUE   Functional.softmax.0.forward "));  // filters never change what is first
    const std::string findings = text.substr(text.find("All findings"));
    CHECK(contains(findings, "(2 of 2)"));
    CHECK(contains(findings, "     3     2         4  Functional.gelu.0.forward  inherited  input[0] Max nan"));
    CHECK_FALSE(contains(findings, "all_reduce"));
    one_rank.filter.ranks = {9};
    CHECK(contains(api_report_to_text(report, one_rank), "No finding matches the filters."));
}

TEST_CASE("api report: the page says that stacks could not be read") {
    ApiRun run;
    run.add(0, 0, {born()});
    CHECK(contains(api_report_to_text(run.report()), "call stack: not dumped"));
    run.add_file("step0/rank0/stack.json", "");
    const ApiReport report = run.report();
    CHECK(contains(codes_of(report.diagnostics), "stacks_unread "));
    CHECK(contains(api_report_to_text(report), "call stack: could not be read"));
}

TEST_CASE("api report: an infinity is not called the limit of its type, and a sum that is large not doubted") {
    ApiRun run;
    for (const std::uint64_t rank : {0U, 1U}) {
        run.add(0, rank,
                {collective("all_reduce", 0, {made_tensor("60000.0", "-1.0")}, {made_tensor("Infinity", "-2.0")})});
    }
    const std::string text = api_report_to_text(run.report());
    CHECK(contains(text, "next: reduce in float32, or scale before reducing\n"));

    ApiRun rounded;
    const std::string kernel = "Mul,m,7,2,1,";
    rounded.add_file(
        "rank_0/net/0/1/statistic.csv",
        "Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data Size,Data Type,Shape,Max Value,Min Value\n" + kernel +
            "input,0,4,float32,\"(2,)\",1,0\n" + kernel + "output,0,4,float32,\"(2,)\",inf,0\n");
    CHECK(rounded.report().first.at(0).because == "inputs clean, output[0] Max inf");
}

TEST_CASE("api report: an overflow whose results have no statistics is not called harmless") {
    MadeValue no_statistics = made_tensor("null", "null");
    no_statistics.norm = "null";
    MadeCall flagged = made_call("Functional.linear.0.forward", {no_statistics}, {no_statistics});
    const auto page_of = [&flagged](const std::string& task) {
        ApiRun run;
        run.add(0, 0, {flagged}, MsprobeVersion::march_2026, task);
        ApiPageOptions wide;
        wide.report.columns = 200;
        return api_report_to_text(run.report(), wide);
    };
    CHECK(contains(page_of("overflow_check"), "listed as overflowed, the results have no statistics"));
    flagged.is_nan = 1;
    CHECK(contains(page_of("nan_check"), "zeros where none belong, is wrong; else compare it with float32"));
    flagged.is_nan.reset();
    flagged.outputs = {made_tensor()};
    CHECK(contains(page_of("overflow_check"), "harmless unless they are wrong"));
}

TEST_CASE("api report: the next step knows the call, and what the communication did") {
    ApiRun attention;
    attention.add(0, 0, {born("NPU.npu_fusion_attention.0.forward")});
    CHECK(contains(api_report_to_text(attention.report()), "next: check this call's arguments, which are often wrong"));
    ApiRun fault;
    for (const std::uint64_t rank : {0U, 1U}) {
        fault.add(0, rank,
                  {collective("all_gather", 0, {made_list({made_tensor()}), made_tensor()},
                              {made_list({nan_tensor()}), made_tensor()})});
    }
    CHECK(
        contains(api_report_to_text(fault.report()), "next: check the communication: switch off options that overlap"));
}

TEST_CASE("api report: processes without a rank are reported apart in the list of findings") {
    ApiRun run;
    for (const std::string process : {"41", "42"}) {
        run.add_file("step0/proc" + process + "/dump.json", dump_json({"statistics", "L1", "pytorch", {born()}}));
    }
    const std::string text = api_report_to_text(run.report());
    const std::string findings = text.substr(text.find("First bad call of each rank"));
    CHECK(contains(findings, "process 41"));
    CHECK(contains(findings, "process 42"));
}

TEST_CASE("api report: the page in Chinese, and the page of nothing") {
    ApiPageOptions chinese;
    chinese.report.language = Language::chinese;
    const std::string page = api_report_to_text(example(), chinese);
    CHECK(contains(page, "首个异常值   Functional.linear.145.backward "));
    CHECK(contains(page, "\n  在此产生：输入正常，output[0] 最大值为 inf\n"));
    CHECK(contains(api_report_to_text(ApiReport()), "No call could be judged."));
}

TEST_CASE("api report: where nothing could be judged, the page does not say that nothing is bad") {
    const auto says = [](const ApiRun& run, const char* text) {
        return contains(api_report_to_text(run.report()), text);
    };
    constexpr const char* kNone = "No bad value was found.";
    constexpr const char* kNotJudged = "No call could be judged.";
    ApiRun clean, cut, checksums, refused;
    clean.add(0, 0, {clean_call("Torch.add.0.forward")});
    CHECK(says(clean, kNone));
    CHECK_FALSE(says(clean, kNotJudged));
    cut.add_file("step0/rank0/dump.json", R"({"task": "statistics", "data": {"Torch.add.0.forward": {"inp)");
    refused.add_file("step0/rank0/dump.pkl", "\x80\x04");
    checksums.add_file("step0/rank0/dump.json", R"({"task": "md5", "level": "L1", "data": {"Torch.add.0.forward": {
 "input_args": [{"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2], "md5": "0f3e1b2a"}],
 "input_kwargs": {}, "output": [{"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2], "md5": "0f3e1b2b"}]}}})");
    for (const ApiRun* const run : {&cut, &refused, &checksums}) {
        CHECK(says(*run, kNotJudged));
        CHECK_FALSE(says(*run, kNone));
    }
}

TEST_CASE("api report: names cannot speak to the terminal") {
    ApiReport report;
    ApiFinding finding;
    finding.api = "Functional.\x1b[31mlinear\n.0.forward";
    finding.because = finding.file = "\x1b]0;x\a";
    finding.stack = {"File \x1b[2J"};
    finding.values.resize(1);
    finding.values[0].value.dtype = finding.values[0].value.index = "\x1b[1m";
    finding.remarks = {{Severity::info, "\x1b[1m", "\x1b[1m"}};
    report.first = report.findings = {finding};
    report.failures = {{ErrorCode::pickle_refused, "\x1b[1m", "\x1b[1m", std::nullopt}};
    report.diagnostics = finding.remarks;
    for (const std::string& text : {api_report_to_text(report), api_report_to_json(report)}) {
        CHECK_FALSE(contains(text, "\x1b"));
        CHECK_FALSE(contains(text, "\a"));
    }
}

TEST_CASE("api report: a name and a reason without end are shortened in the table of findings, too") {
    ApiReport report;
    ApiFinding& finding = report.findings.emplace_back();
    finding.verdict = ApiVerdict::inherited;
    finding.api = std::string(100'000, 'n');
    finding.because = std::string(100'000, 'b');
    ApiPageOptions all;
    all.all = true;
    CHECK(contains(api_report_to_text(report, all), "nnn"));
    CHECK(api_report_to_text(report, all).size() < 10'000);
}

TEST_CASE("api report: failures to collect are reported once for each folder") {
    ApiRun run;
    run.add(0, 0, {clean_call("Functional.gelu.0.forward")});
    run.add_file("step0/rank0/debug.json", dump_json({"statistics", "L1", "pytorch", {}}));
    run.add_file("step0/rank0/dump_error_info.log", "[2026-05-20 10:11:12 +0800] RuntimeError: one\n");
    run.add(0, 1, {clean_call("Functional.gelu.0.forward")});
    run.add_file("step0/rank1/dump_error_info.log", "[2026-05-20 10:11:12 +0800] RuntimeError: one\n");
    CHECK(run.report().counts.files == 3);
    CHECK(codes_of(run.report().diagnostics) == "no_calls collection_failed collection_failed ");
}

TEST_CASE("api report: ranks that are not known count by their processes, and those without a number as one") {
    const std::string text = dump_json({"statistics", "L1", "pytorch", {born()}});
    ApiRun run;
    for (const char* const folder : {"rank0", "proc99", "proc100", "rank", "."}) {
        run.add_file("step0/" + std::string(folder) + "/dump.json", text);
    }
    CHECK(run.report().counts.ranks == 4);  // 0, two processes, and what has neither
}

TEST_CASE("api report: an archive next to the folders of steps or ranks is reported, for its calls are missing") {
    ApiRun run;
    run.add(1, 0, {born()});
    for (const char* const other : {"other/step0.tgz", "step1/rank0/step2.tar", "steps.tar", "step1.log", "mystep2.zip",
                                    "step.zip", "rank5.tar", "backup.tar"}) {
        run.add_file(other, "");
        CHECK_FALSE(contains(codes_of(run.report().diagnostics), "packed_not_read"));
    }
    run.add_file("step10.tar.gz", "");
    run.add_file("step_2.zip", "");
    run.add_file("step1/rank3.tar", "");
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 1 rank 0 Functional.linear.0.forward born_here\n");
    REQUIRE_FALSE(report.diagnostics.empty());
    CHECK(report.diagnostics.front().code == "packed_not_read");
    CHECK(contains(report.diagnostics.front().message, run.path() + "/step1/rank3.tar and 2 more not read: unpack"));
}

TEST_CASE("api report: the heading of several first culprits says of their order what is known") {
    const auto heading = [](const ApiRun& run, Language language) {
        ApiPageOptions options;
        options.report.language = language;
        const std::string text = api_report_to_text(run.report(), options);
        return text.substr(0, text.find('\n'));
    };
    ApiRun ranks, runs, exchange, exchanges;
    for (const std::uint64_t rank : {0U, 1U}) {
        ranks.add(0, rank, {born()});
        exchange.add(0, rank, {collective("all_reduce", 0, {made_tensor()}, {nan_tensor()})});
        exchanges.add(0, rank, {collective("all_reduce", 0, {made_tensor()}, {nan_tensor()})});
        exchanges.add(0, rank + 2, {collective("all_gather", 0, {made_tensor()}, {nan_tensor()}, {2, 3})});
        runs.add_file("run" + std::to_string(rank) + "/step" + std::to_string(rank) + "/rank0/dump.json",
                      dump_json({"statistics", "L1", "pytorch", {born()}}));
        runs.add_file("run" + std::to_string(rank) + "/step7/rank0/dump.json",
                      dump_json({"statistics", "L1", "pytorch", {born()}}));
    }
    CHECK(heading(ranks, Language::english) == "FIRST BAD VALUES (2, in unknown order)");
    CHECK(heading(ranks, Language::chinese) == "首个异常值（2 个，先后无法判断）");
    // One call is one culprit, with all its ranks.
    CHECK(contains(heading(exchange, Language::english), "FIRST BAD VALUE   Distributed.all_reduce.0.forward "));
    CHECK(contains(heading(exchange, Language::english), " ranks 0-1  step 0"));
    CHECK(heading(exchanges, Language::english) == "FIRST BAD VALUES (2, in calls between ranks)");
    CHECK(heading(exchanges, Language::chinese) == "首个异常值（2 个，位于 rank 间的通信调用）");
    CHECK(heading(runs, Language::english) == "FIRST BAD VALUES (2, separately for each run)");
    CHECK(heading(runs, Language::chinese) == "首个异常值（2 个，各次运行分别判断）");
}
