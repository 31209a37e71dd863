// Masks that go from rank to rank: -Inf that was meant stays meant, -Inf that was not does not become a mask.
#include <doctest/doctest.h>

#include "api_run.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const MadeValue good = made_tensor();
const MadeValue mask = made_tensor("0.0", "-Infinity");
const MadeValue overflown = made_tensor("1.5", "-Infinity");

MadeCall mask_maker() {
    return made_call("Tensor.masked_fill.0.forward", {good, made_scalar("float", "-Infinity")}, {overflown});
}

MadeCall broadcast(const MadeValue& before, const MadeValue& after) {
    return collective("broadcast", 0, {before, made_scalar("int", "0")}, {after});
}

MadeCall batch(const std::string& operation, std::int64_t peer, const MadeValue& before, const MadeValue& after) {
    return made_call("Distributed.batch_isend_irecv.0.forward",
                     {made_list({made_point_to_point(operation, peer, before)})},
                     {made_list({made_point_to_point(operation, peer, after)})});
}

}  // namespace

TEST_CASE("api rank masks: a mask that is broadcast is deliberate on every rank, and what is born later is first") {
    ApiRun run;
    run.add(0, 0, {broadcast(mask, mask)});
    run.add(0, 1, {broadcast(good, mask), born()});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 0 rank 1 Functional.linear.0.forward born_here\n");
    CHECK(lines_of(report.findings) ==
          "step 0 rank 0 Distributed.broadcast.0.forward deliberate\n"
          "step 0 rank 1 Distributed.broadcast.0.forward deliberate\n"
          "step 0 rank 1 Functional.linear.0.forward born_here\n");
    REQUIRE(report.findings.size() == 3);
    CHECK(contains(report.findings[1].because, "a mask that rank 0 gave"));
}

TEST_CASE("api rank masks: masks in messages, alone and in batches, and in what is gathered") {
    for (const bool in_batch : {true, false}) {
        CAPTURE(in_batch);
        ApiRun run;
        run.add(0, 0,
                {mask_maker(), in_batch ? batch("isend", 1, overflown, overflown)
                                        : made_call("Distributed.send.0.forward", {overflown, made_scalar("int", "1")},
                                                    {overflown})});
        run.add(0, 1,
                {in_batch ? batch("irecv", 0, good, overflown)
                          : made_call("Distributed.recv.0.forward", {good, made_scalar("int", "0")}, {overflown})});
        const ApiReport report = run.report();
        CHECK(report.first.empty());
        REQUIRE(!report.findings.empty());
        CHECK(report.findings.back().verdict == ApiVerdict::deliberate);
    }
    ApiRun run;
    const MadeCall gather = collective("all_gather", 0, {made_list({good, good}), overflown},
                                       {made_list({overflown, overflown}), overflown});
    run.add(0, 0, {mask_maker(), gather});
    run.add(0, 1, {mask_maker(), gather});
    CHECK(run.report().first.empty());
}

TEST_CASE("api rank masks: a softmax makes NaN of a mask that another rank gave") {
    ApiRun run;
    run.add(0, 0, {broadcast(mask, mask)});
    run.add(0, 1, {broadcast(good, mask), made_call("Functional.softmax.0.forward", {mask}, {nan_tensor()})});
    CHECK(lines_of(run.report().first) == "step 0 rank 1 Functional.softmax.0.forward born_here\n");
}

TEST_CASE("api rank masks: -Inf that a call made of clean values stays bad on other ranks") {
    ApiRun run;
    run.add(0, 0, {made_call("Functional.linear.0.forward", {good}, {overflown}), broadcast(overflown, overflown)});
    run.add(0, 1, {broadcast(good, overflown), made_call("Functional.gelu.0.forward", {overflown}, {overflown})});
    CHECK(lines_of(run.report().findings) ==
          "step 0 rank 0 Functional.linear.0.forward born_here\n"
          "step 0 rank 0 Distributed.broadcast.0.forward inherited\n"
          "step 0 rank 1 Distributed.broadcast.0.forward inherited\n"
          "step 0 rank 1 Functional.gelu.0.forward inherited\n");
}

TEST_CASE("api rank masks: a negative sum that passes the limit is no mask, nor is NaN beside one") {
    ApiRun sum;
    const MadeValue large = made_tensor("1.0", "-60000.0");
    sum.add(0, 0, {collective("all_reduce", 0, {large}, {overflown})});
    sum.add(0, 1, {collective("all_reduce", 0, {large}, {overflown})});
    CHECK(lines_of(sum.report().first) ==
          "step 0 rank 0 Distributed.all_reduce.0.forward in_collective\n"
          "step 0 rank 1 Distributed.all_reduce.0.forward in_collective\n");
    ApiRun nan;
    nan.add(0, 0, {broadcast(mask, mask)});
    nan.add(0, 1, {broadcast(good, nan_tensor())});
    CHECK(lines_of(nan.report().first) == "step 0 rank 1 Distributed.broadcast.0.forward in_collective\n");
}
