// Clocks that go backwards or are far away: no number is divided by, and no name made of, what they state amiss.
#include <doctest/doctest.h>

#include "faulty_job.hpp"
#include "planned_faults.hpp"

using namespace opdebug::test;

TEST_CASE("scan: the clock changes neither the report nor the exit status") {
    const FaultyJob job;
    const std::vector<std::string> arguments{"scan", job.dumps, "--logs", job.logs, "--format", "json"};
    const std::string undisturbed = run_tool(arguments).out;
    ProcessOptions terminal;
    terminal.terminal_columns = 80;
    for (const char* plan : {"clock * JUMP seconds=-1 times=1000000", "clock * JUMP seconds=-3600 skip=2",
                             "clock * JUMP seconds=8000000000", "clock * JUMP seconds=1 times=1000000"}) {
        CAPTURE(plan);
        const FaultyRun run = run_faulty_tool(plan, arguments, terminal);
        CHECK(run.hits > 0);
        CHECK(run.result.exit_status == 0);
        CHECK(run.result.out == undisturbed);
        CHECK_FALSE(contains(run.result.err, "inf"));
        CHECK_FALSE(contains(run.result.err, "nan"));
        CHECK_FALSE(contains(run.result.err, " -"));
    }
}

TEST_CASE("overflow: a wrong clock costs the name of the summary only") {
    const FaultyJob job;
    for (const char* plan : {"clock * JUMP seconds=-4000000000", "clock * JUMP seconds=80000000000",
                             "clock * JUMP seconds=90000000000000000", "clock * JUMP seconds=-1 times=1000000"}) {
        CAPTURE(plan);
        const FaultyRun run = run_faulty_tool(plan, {"overflow", "-d", job.dumps, "-out", job.directory / "out"});
        CAPTURE(run.result.err);
        CHECK(run.hits > 0);
        CHECK(run.result.exit_status == 0);
        CHECK(contains(run.result.err, "overflows in the summary: 1"));
    }
}
