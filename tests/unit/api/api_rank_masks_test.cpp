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
    CHECK(contains(report.findings[1].because, "a mask from rank 0"));
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

TEST_CASE("api rank masks: -Inf that a sum made stays bad behind it, though it looks like a mask") {
    const MadeValue given = made_tensor("-100.0", "-60000.0");
    const MadeValue sum = made_tensor("-200.0", "-Infinity");
    ApiRun run;
    for (const std::uint64_t rank : {0U, 1U}) {
        run.add(0, rank,
                {collective("all_reduce", 0, {given}, {sum}),
                 made_call("Functional.linear.0.forward", {sum, good}, {nan_tensor()}),
                 made_call("Tensor.mul.0.forward", {sum, good}, {made_tensor("-1.0", "-Infinity")})});
    }
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) ==
          "step 0 rank 0 Distributed.all_reduce.0.forward in_collective\n"
          "step 0 rank 1 Distributed.all_reduce.0.forward in_collective\n");
    REQUIRE(report.findings.size() == 6);
    CHECK(report.findings[1].verdict == ApiVerdict::inherited);
    CHECK(report.findings[2].verdict == ApiVerdict::inherited);
}

TEST_CASE("api rank masks: what a rank makes of scores that another rank masked is deliberate, and NaN is its own") {
    for (const bool makes_nan : {false, true}) {
        CAPTURE(makes_nan);
        ApiRun run;
        run.add(0, 0, {mask_maker(), broadcast(overflown, overflown)});
        const MadeValue scaled = made_tensor("3.0", "-Infinity");
        const MadeValue last = makes_nan ? nan_tensor() : made_tensor("6.0", "-Infinity");
        run.add(0, 1,
                {broadcast(good, overflown), made_call("Tensor.mul.0.forward", {overflown}, {scaled}),
                 made_call("Tensor.mul.1.forward", {scaled}, {last})});
        const ApiReport report = run.report();
        CHECK(lines_of(report.first) == (makes_nan ? "step 0 rank 1 Tensor.mul.1.forward born_here\n" : ""));
        REQUIRE(report.findings.size() == 5);
        CHECK(report.findings[3].verdict == ApiVerdict::deliberate);
        CHECK(contains(report.findings[3].because, "a mask from another rank"));
    }
}

TEST_CASE("api rank masks: what looks like a mask and is a bad value of another rank is inherited") {
    const MadeValue negative = made_tensor("-1.0", "-Infinity");
    ApiRun run;
    run.add(0, 0, {made_call("Functional.linear.0.forward", {good}, {negative}), broadcast(negative, negative)});
    run.add(0, 1,
            {broadcast(good, negative), made_call("Tensor.mul.0.forward", {negative}, {mask}),
             made_call("Functional.softmax.0.forward", {mask}, {nan_tensor()})});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 0 rank 0 Functional.linear.0.forward born_here\n");
    REQUIRE(report.findings.size() == 5);
    CHECK(report.findings[3].verdict == ApiVerdict::inherited);
    CHECK(report.findings[4].verdict == ApiVerdict::inherited);
}

TEST_CASE("api rank masks: a mask with the negative limit explains -Inf in no sum") {
    const auto first_of = [](const MadeValue& other, const MadeValue& result) {
        const MadeValue limit = made_tensor("0.0", "-65504.0");
        ApiRun run;
        run.add(0, 0,
                {made_call("Torch.full.0.forward", {made_scalar("float", "-65504.0")}, {limit}),
                 collective("all_reduce", 0, {limit}, {result})});
        run.add(0, 1, {collective("all_reduce", 0, {other}, {result})});
        return lines_of(run.report().first);
    };
    CHECK(first_of(made_tensor("0.5", "-60000.0"), made_tensor("0.0", "-Infinity")) ==
          "step 0 rank 0 Distributed.all_reduce.0.forward in_collective\n"
          "step 0 rank 1 Distributed.all_reduce.0.forward in_collective\n");
    CHECK(first_of(made_tensor("0.0", "0.0"), made_tensor("0.0", "-65504.0")).empty());
}

TEST_CASE("api rank masks: masks with the negative limit do not excuse a sum that passes it") {
    const MadeValue limit = made_tensor("0.0", "-65504.0");
    ApiRun run;
    run.add(0, 0,
            {made_call("Torch.full.0.forward", {made_scalar("float", "-65504.0")}, {limit}),
             collective("all_reduce", 0, {limit}, {limit})});
    // 65504 + 60000 is above the limit, which a sum that saturates shows, too.
    run.add(0, 1, {collective("all_reduce", 0, {made_tensor("0.5", "-60000.0")}, {limit})});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) ==
          "step 0 rank 0 Distributed.all_reduce.0.forward in_collective\n"
          "step 0 rank 1 Distributed.all_reduce.0.forward in_collective\n");
    REQUIRE(!report.first.empty());
    CHECK(contains(codes_of(report.first[0].remarks), "sum_overflow "));
}

TEST_CASE("api rank masks: a mask of one rank does not hide that the call of another is missing") {
    ApiRun run;
    run.add(0, 0,
            {made_call("Torch.full.0.forward", {made_scalar("float", "-Infinity")}, {mask}),
             collective("all_reduce", 0, {mask}, {overflown}, {0, 1, 2})});
    run.add(0, 1, {collective("all_reduce", 0, {good}, {overflown}, {0, 1, 2})});
    const ApiReport report = run.report();
    REQUIRE(!report.first.empty());
    CHECK(contains(codes_of(report.first[0].remarks), "ranks_missing"));
}

TEST_CASE("api rank masks: a mask that is added in place behind a real -Inf makes no mask of it") {
    ApiRun run;
    run.add(0, 0,
            {made_call("Functional.linear.0.forward", {good}, {overflown}),
             made_call("Tensor.add_.0.forward", {overflown, mask}, {overflown}),
             made_call("Functional.softmax.0.forward", {overflown}, {nan_tensor()})},
            MsprobeVersion::may_2024);
    CHECK(lines_of(run.report().findings) ==
          "step 0 rank 0 Functional.linear.0.forward born_here\n"
          "step 0 rank 0 Tensor.add_.0.forward inherited\n"
          "step 0 rank 0 Functional.softmax.0.forward inherited\n");
}

TEST_CASE("api rank masks: a mask of one rank excuses its own piece of what is gathered only") {
    const auto gather = [](const MadeValue& own) {
        return collective("all_gather", 0, {made_list({good, good}), own}, {made_list({mask, overflown}), own});
    };
    ApiRun run;
    run.add(0, 0, {made_call("Torch.full.0.forward", {made_scalar("float", "-Infinity")}, {mask}), gather(mask)});
    run.add(0, 1, {gather(good)});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) ==
          "step 0 rank 0 Distributed.all_gather.0.forward in_collective\n"
          "step 0 rank 1 Distributed.all_gather.0.forward in_collective\n");
    REQUIRE(report.first.size() == 2);
    CHECK(contains(codes_of(report.first[0].remarks), "communication_fault"));
}

TEST_CASE("api rank masks: a piece that is a mask is one though the call of another rank is missing") {
    const auto gather = [](const MadeValue& own) {
        return collective("all_gather", 0, {made_list({good, good, good}), own}, {made_list({mask, good, good}), own},
                          {0, 1, 2});
    };
    ApiRun run;
    run.add(0, 0, {made_call("Torch.full.0.forward", {made_scalar("float", "-Infinity")}, {mask}), gather(mask)});
    run.add(0, 1, {gather(good)});
    const ApiReport report = run.report();
    CHECK(report.first.empty());
    CHECK(lines_of(report.findings) ==
          "step 0 rank 0 Torch.full.0.forward deliberate\n"
          "step 0 rank 0 Distributed.all_gather.0.forward deliberate\n"
          "step 0 rank 1 Distributed.all_gather.0.forward deliberate\n");
}
