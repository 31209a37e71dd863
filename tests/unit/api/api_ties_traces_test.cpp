// Ties by traces: which trace is used for which overflow.
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "api_run.hpp"
#include "text.hpp"
#include "trace_ties.hpp"

using namespace opdebug;
using namespace opdebug::test;

TEST_CASE("ties by trace: the rank of a trace is that of its profiler_info") {
    TraceFolder folder;
    ApiFinding of_rank_1 = of_step(2, "Functional.linear.0.forward");
    of_rank_1.rank = 1;
    const ApiReport report = made_report({of_step(2, "Functional.linear.0.forward"), of_rank_1});
    KernelOverflow first = of_task_at(3, 19, 540), second = of_task_at(3, 19, 540);
    second.rank = 1;
    write_file(folder.folder() / "x_ascend_pt/profiler_info_1.json", "{}");
    const ApiTies ties =
        folder.ties(one_linear().text(), report, {first, second}, "x_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json");
    CHECK(lines_of(ties) ==
          "0 type_only Functional.linear.0.forward\n"
          "1 exact Functional.linear.0.forward\n");
    CHECK(ties.ties[1].finding == std::size_t{1});
    // Of two ranks, a trace without one is of neither for certain.
    const ApiTies unknown = folder.ties(one_linear().text(), report, {first, second});
    CHECK_FALSE(contains(lines_of(unknown), "exact"));
    CHECK(codes_of(unknown.diagnostics) == "steps_assumed ");
    // A device that is treated as the trace's rank makes it less sure, and is reported without a finding, too.
    second.rank.reset();
    second.device_id = 1;
    const ApiTies device = folder.ties(one_linear().text(), made_report({}), {second},
                                       "x_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json");
    CHECK(lines_of(device) == "0 type_only aten::linear -\n");
    CHECK(contains(device.ties[0].because, "device 1 is assumed to be rank 1"));
    CHECK(codes_of(device.diagnostics) == "device_rank_assumed steps_assumed ");
}

TEST_CASE("ties by trace: a trace that cannot be read is reported, and the others are used") {
    TemporaryDirectory folder;
    ApiTieOptions options;
    options.traces = {write_file(folder / "rank0/bad.json", "no trace"),
                      write_file(folder / "rank0/good.json", one_linear().text()), folder / "rank0/absent.json"};
    const Result<ApiTies> ties =
        tie_api_findings(made_report({of_step(2, "Functional.linear.0.forward")}), {of_task_at(3, 19, 540)}, options);
    REQUIRE(ties.ok());
    CHECK(lines_of(*ties) == "0 exact Functional.linear.0.forward\n");
    CHECK(codes_of(ties->diagnostics) == "trace_unread trace_unread steps_assumed ");
    CHECK(ties->diagnostics[0].severity == Severity::error);
}

TEST_CASE("ties by trace: of several traces of a rank the one of the overflow's time counts") {
    TemporaryDirectory folder;
    MadeTrace first, later;
    constexpr std::uint64_t kHour = 3'600'000'000;
    for (const auto& [trace, begin] : {std::pair(&first, std::uint64_t{0}), std::pair(&later, kHour)}) {
        trace->step(begin == 0 ? 0 : 50, begin, 1000);
        trace->operation("aten::linear", begin + 10, 10);
        trace->launch(3, 5, kMatMul, begin + 100, begin + 11);
    }
    const ApiReport report =
        made_report({of_step(0, "Functional.linear.0.forward"), of_step(50, "Functional.linear.0.forward")});
    KernelOverflow overflow = of_task(3, 5);
    overflow.timestamp_us = MadeTrace::kBegin + kHour + 102;
    const auto ties = [&](const char* first_path, const char* later_path) {
        ApiTieOptions options;
        options.traces = {write_file(folder / first_path, first.text()), write_file(folder / later_path, later.text())};
        return *tie_api_findings(report, {overflow}, options);
    };
    const ApiTies known = ties("rank0/a.json", "rank0/b.json");
    CHECK(lines_of(known) == "0 exact Functional.linear.0.forward\n");
    CHECK(known.ties[0].finding == std::size_t{1});
    CHECK(codes_of(known.diagnostics) == "trace_unused steps_assumed ");
    CHECK(contains(known.diagnostics[0].message, "rank0/a.json"));
    CHECK(known.diagnostics[0].severity == Severity::info);
    // That of another rank has nothing to state; two that name no rank are of one rank or of two.
    CHECK_FALSE(contains(lines_of(ties("rank0/a.json", "rank1/b.json")), "exact"));
    const ApiTies unknown = ties("a.json", "b.json");
    CHECK(lines_of(unknown) ==
          "0 type_only Functional.linear.0.forward\n0 type_only Functional.linear.0.forward\n");  // in both steps
    CHECK(codes_of(unknown.diagnostics) == "trace_unused steps_assumed ");
}

TEST_CASE("ties by trace: of several traces only the one without a rank is doubted") {
    TemporaryDirectory folder;
    ApiFinding of_rank_1 = of_step(2, "Functional.linear.0.forward"), of_rank_2 = of_rank_1;
    of_rank_1.rank = 1;
    of_rank_2.rank = 2;
    const ApiReport report = made_report({of_step(2, "Functional.linear.0.forward"), of_rank_1, of_rank_2});
    std::vector<KernelOverflow> overflows(3, of_task_at(3, 19, 540));
    overflows[1].rank = 1;
    overflows[2].rank = 2;
    ApiTieOptions options;
    for (const char* const path : {"x/trace.json", "rank1/trace.json", "rank0/trace.json", "rank0/again.json"}) {
        options.traces.push_back(write_file(folder / path, one_linear().text()));
    }
    const ApiTies ties = *tie_api_findings(report, overflows, options);
    CHECK(lines_of(ties) ==
          "0 exact Functional.linear.0.forward\n"
          "1 exact Functional.linear.0.forward\n"
          "2 type_only Functional.linear.0.forward\n");
    REQUIRE(ties.ties.size() == 3);
    CHECK(contains(ties.ties[2].because, "the rank of the trace is unknown"));
    CHECK(codes_of(ties.diagnostics) == "steps_assumed ");
    // Without rank 2 nothing needs it.
    overflows.pop_back();
    CHECK(codes_of(tie_api_findings(report, overflows, options)->diagnostics) == "trace_unused steps_assumed ");
}

TEST_CASE("ties by trace: a trace of another rank, or without these tasks, is reported to be of no use") {
    TraceFolder folder;
    const ApiReport report = made_report({of_step(2, "Functional.linear.0.forward")});
    const ApiTies other_rank =
        folder.ties(one_linear().text(), report, {of_task_at(3, 19, 540)}, "rank7/trace_view.json");
    CHECK(codes_of(other_rank.diagnostics) == "trace_unused ");
    CHECK(contains(other_rank.diagnostics[0].message, "no overflow dump of its rank (7) has a task and time"));
    CHECK(codes_of(folder.ties(one_linear().text(), report, {of_task_at(3, 20, 540)}).diagnostics) == "trace_unused ");
    CHECK(codes_of(folder.ties(one_linear().text(), report, {}).diagnostics) == "trace_unused ");
}

TEST_CASE("ties by trace: an overflow without rank and device is of one of the ranks, and nothing is exact") {
    TraceFolder folder;
    ApiFinding of_rank_1 = of_step(2, "Functional.linear.0.forward");
    of_rank_1.rank = 1;
    KernelOverflow overflow = of_task_at(3, 19, 540);
    overflow.rank.reset();
    const ApiTies two = folder.ties(one_linear().text(),
                                    made_report({of_step(2, "Functional.linear.0.forward"), of_rank_1}), {overflow});
    CHECK(lines_of(two) == "0 type_only aten::linear -\n");
    REQUIRE(two.ties.size() == 1);
    CHECK(contains(two.ties[0].because, "the rank of the overflow is unknown"));
    CHECK_FALSE(contains(two.ties[0].because, "no finding of this step"));
    // Of one rank there is a finding: that the overflow is of it is assumed.
    const ApiTies one = folder.ties(one_linear().text(), made_report({of_rank_1}), {overflow});
    CHECK(lines_of(one) == "0 type_only Functional.linear.0.forward\n");
    CHECK(codes_of(one.diagnostics) == "steps_assumed place_assumed ");
}

TEST_CASE("ties by trace: a trace that is given twice is one") {
    TemporaryDirectory folder;
    const std::string trace = write_file(folder / "rank5/trace_view.json", one_linear().text());
    const ApiReport report = made_report({of_step(2, "Functional.linear.0.forward")});
    ApiTieOptions options;
    options.traces = {trace, trace};
    KernelOverflow late = of_task_at(3, 19, 540);
    late.rank = 5;
    *late.timestamp_us += 3'600'000'000;
    const ApiTies other_time = *tie_api_findings(report, {late}, options);
    REQUIRE(contains(codes_of(other_time.diagnostics), "trace_other_time"));
    CHECK(contains(other_time.diagnostics[0].message, ": 1 overflow dump is"));
}
