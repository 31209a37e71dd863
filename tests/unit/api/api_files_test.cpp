// First culprits in several files: what each costs, and how they follow one another.
#include <doctest/doctest.h>

#include <string>

#include "api_run.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

TEST_CASE("api files: kernels of a statistic.csv, by the columns that count") {
    ApiRun run;
    run.add_file("rank_2/net/0/3/statistic.csv",
                 "Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data "
                 "Size,Data Type,Shape,Max Value,Min Value,Nan Count,"
                 "Negative Inf Count,Positive Inf Count\n"
                 "MatMul,Default/"
                 "MatMul-op1,7,2,1700000000000001,input,0,16,float16,\"(2,4)\",1."
                 "5,-1.5,0,0,0,\n"
                 "MatMul,Default/"
                 "MatMul-op1,7,2,1700000000000001,output,0,16,float16,\"(2,4)\","
                 "null,null,0,0,8,\n"
                 "ReLU,Default/"
                 "ReLU-op2,8,2,1700000000000002,input,0,16,float16,\"(2,4)\","
                 "null,null,0,0,8,\n"
                 "ReLU,Default/"
                 "ReLU-op2,8,2,1700000000000002,output,0,16,float16,\"(2,4)\","
                 "null,null,0,0,8,\n");
    const ApiReport report = run.report();
    REQUIRE(report.first.size() == 1);
    CHECK(report.first[0].verdict == ApiVerdict::born_here);
    CHECK(report.first[0].rank == 2U);
    CHECK(report.first[0].step == 3U);
    CHECK(contains(report.first[0].api, "MatMul-op1"));
    CHECK(report.first[0].because == "inputs clean, output[0] contains 8 +Inf");
    REQUIRE(report.findings.size() == 2);
    CHECK(report.findings[1].verdict == ApiVerdict::inherited);
}

TEST_CASE("api files: processes without a rank are time lines of their own") {
    ApiRun run;
    run.add_file("step0/proc11/dump.json", dump_json({"statistics", "L1", "pytorch", {born()}}));
    run.add_file("step0/proc12/dump.json", dump_json({"statistics", "L1", "pytorch", {born()}}));
    const ApiReport report = run.report();
    REQUIRE(report.first.size() == 2);
    CHECK_FALSE(report.first[0].rank);
    CHECK(report.first[0].process == 11U);
    CHECK(report.counts.ranks == 2);
}

TEST_CASE(
    "api files: overflow files follow one another by their number, not "
    "by their name") {
    ApiRun run;
    PtdbgForm form;
    form.is_overflow_file = true;
    run.add_file("ptdbg_dump_v4.0/step0/rank0/Tensor_add_0_forward_2.pkl",
                 ptdbg_text({made_call("Tensor.add.0.forward", {nan_tensor()}, {nan_tensor()})}, form));
    run.add_file("ptdbg_dump_v4.0/step0/rank0/Torch_matmul_0_forward_1.pkl",
                 ptdbg_text({born("Torch.matmul.0.forward")}, form));
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 0 rank 0 Torch_matmul_0_forward born_here\n");
    CHECK(report.findings.front().api == "Torch_matmul_0_forward");
}

TEST_CASE("api files: the same rank below two folders is two runs") {
    ApiRun run;
    for (const char* const root : {"before", "after"}) {
        run.add_file(std::string(root) + "/step0/rank0/dump.json",
                     dump_json({"statistics", "L1", "pytorch", {born()}}));
    }
    const ApiReport report = run.report();
    CHECK(report.first.size() == 2);
    CHECK(contains(codes_of(report.diagnostics), "several_runs "));
}

TEST_CASE(
    "api files: the number of threads changes nothing, a bound of "
    "findings is told") {
    ApiRun run;
    const MadeCall passed_on = made_call("Functional.relu.0.forward", {nan_tensor()}, {nan_tensor()});
    for (std::uint64_t rank = 0; rank < 6; ++rank) {
        run.add(0, rank, {rank == 4 ? born() : clean_call("Functional.linear.0.forward"), passed_on, passed_on});
    }
    ApiOptions one, many;
    one.threads = 1;
    many.threads = 6;
    many.findings_per_verdict = one.findings_per_verdict = 1;
    const ApiReport alone = run.report(one), together = run.report(many);
    CHECK(lines_of(alone.findings) == lines_of(together.findings));
    CHECK(lines_of(alone.first) == lines_of(together.first));
    CHECK(contains(codes_of(alone.diagnostics), "findings_left_out "));
}
