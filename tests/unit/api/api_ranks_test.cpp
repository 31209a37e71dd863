// First culprits across ranks and steps.
#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <vector>

#include "api_run.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const MadeValue good_call = made_tensor();
const MadeValue bad = nan_tensor();

MadeCall relu_of_bad() {
    return made_call("Functional.relu.0.forward", {bad}, {bad});
}

MadeCall batch(std::uint64_t count, const std::string& operation, std::int64_t peer, const MadeValue& before,
               const MadeValue& after) {
    return made_call("Distributed.batch_isend_irecv." + std::to_string(count) + ".forward",
                     {made_list({made_point_to_point(operation, peer, before)})},
                     {made_list({made_point_to_point(operation, peer, after)})});
}

MadeCall message(const std::string& api, std::int64_t peer, const MadeValue& before, const MadeValue& after) {
    return made_call("Distributed." + api + ".0.forward", {before, made_scalar("int", std::to_string(peer))}, {after});
}

}  // namespace

TEST_CASE("api ranks: a reduction carries the value from the rank that had it") {
    ApiRun run;
    run.add(0, 0, {collective("all_reduce", 0, {good_call}, {bad})});
    run.add(0, 1, {born(), collective("all_reduce", 0, {bad}, {bad})});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 0 rank 1 Functional.linear.0.forward born_here\n");
    REQUIRE(report.findings.size() == 3);
    CHECK(report.findings[0].verdict == ApiVerdict::inherited);
    CHECK(contains(report.findings[0].because, "comes from rank 1 (Distributed.all_reduce.0.forward at position 1)"));
}

TEST_CASE("api ranks: culprits that no call orders are all told") {
    ApiRun run;
    run.add(0, 0, {clean_call("Functional.gelu.0.forward"), born()});
    run.add(0, 1, {born()});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) ==
          "step 0 rank 0 Functional.linear.0.forward born_here\nstep 0 rank 1 Functional.linear.0.forward born_here\n");
    CHECK(contains(codes_of(report.diagnostics), "order_unknown "));
}

TEST_CASE("api ranks: a call between the ranks orders them, whatever it carries") {
    ApiRun run;
    run.add(0, 0, {collective("barrier", 0, {}, {}), born()});
    run.add(0, 1, {born(), collective("barrier", 0, {}, {})});
    CHECK(lines_of(run.report().first) == "step 0 rank 1 Functional.linear.0.forward born_here\n");
}

TEST_CASE("api ranks: a later call between ranks orders them, too, also one that the other rank is late for") {
    const auto first_calls = [](std::int64_t rank, std::int64_t other) {
        return collective("all_reduce", 0, {good_call}, {good_call}, {rank, other});
    };
    ApiRun run;
    run.add(0, 0, {first_calls(0, 2), collective("barrier", 0, {}, {}), born()});
    run.add(0, 1, {first_calls(1, 3), born(), collective("barrier", 0, {}, {})});
    run.add(0, 2, {first_calls(0, 2)});
    run.add(0, 3, {first_calls(1, 3)});
    CHECK(lines_of(run.report().first) == "step 0 rank 1 Functional.linear.0.forward born_here\n");
}

TEST_CASE("api ranks: a call that takes several messages is behind each of their senders") {
    const std::vector<MadeValue> received{made_point_to_point("irecv", 1, good_call),
                                          made_point_to_point("irecv", 2, good_call)};
    ApiRun run;
    run.add(
        0, 0,
        {made_call("Distributed.batch_isend_irecv.0.forward", {made_list(received)}, {made_list(received)}), born()});
    run.add(0, 1, {batch(0, "isend", 0, good_call, good_call)});
    run.add(0, 2,
            {collective("all_reduce", 0, {good_call}, {good_call}, {2, 3}), born(),
             batch(0, "isend", 0, good_call, good_call)});
    run.add(0, 3, {collective("all_reduce", 0, {good_call}, {good_call}, {2, 3})});
    CHECK(lines_of(run.report().first) == "step 0 rank 2 Functional.linear.0.forward born_here\n");
}

TEST_CASE("api ranks: a broadcast orders its receivers behind the sender, not the sender behind them") {
    ApiRun run;
    MadeCall sent = collective("broadcast", 0, {good_call, made_scalar("int", "0")}, {good_call});
    run.add(0, 0, {sent, born()});
    run.add(0, 1, {born(), sent});
    CHECK(run.report().first.size() == 2);
    ApiRun behind;
    behind.add(0, 0, {born(), sent});
    behind.add(0, 1, {sent, born()});
    CHECK(lines_of(behind.report().first) == "step 0 rank 0 Functional.linear.0.forward born_here\n");
}

TEST_CASE("api ranks: the n-th call of a group belongs to the n-th of the others, groups apart") {
    ApiRun run;
    // Rank 0 takes part in two groups; its first all_reduce with rank 2 is the group's first.
    run.add(0, 0,
            {collective("all_reduce", 0, {good_call}, {good_call}, {0, 1}), born(),
             collective("all_reduce", 1, {bad}, {bad}, {0, 2})});
    run.add(0, 1, {collective("all_reduce", 0, {good_call}, {good_call}, {0, 1})});
    run.add(0, 2, {collective("all_reduce", 0, {good_call}, {bad}, {0, 2})});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 0 rank 0 Functional.linear.0.forward born_here\n");
    CHECK(report.findings.back().verdict == ApiVerdict::inherited);
}

TEST_CASE("api ranks: messages carry the value, in batches and alone, with a buffer that held anything") {
    for (const bool in_batch : {true, false}) {
        CAPTURE(in_batch);
        ApiRun run;
        run.add(0, 0, {born(), in_batch ? batch(0, "isend", 1, bad, bad) : message("send", 1, bad, bad)});
        run.add(0, 1, {in_batch ? batch(0, "irecv", 0, bad, bad) : message("recv", 0, bad, bad), relu_of_bad()});
        const ApiReport report = run.report();
        CHECK(lines_of(report.first) == "step 0 rank 0 Functional.linear.0.forward born_here\n");
        REQUIRE(report.findings.size() == 4);
        CHECK(report.findings[2].verdict == ApiVerdict::inherited);
        CHECK(contains(report.findings[2].because, "comes from rank 0"));
    }
}

TEST_CASE("api ranks: two ranks that send to each other at once do not wait in a circle") {
    ApiRun run;
    for (const std::uint64_t rank : {0U, 1U}) {
        const auto other = static_cast<std::int64_t>(1 - rank);
        run.add(0, rank,
                {made_call("Distributed.batch_isend_irecv.0.forward",
                           {made_list({made_point_to_point("isend", other, good_call),
                                       made_point_to_point("irecv", other, good_call)})},
                           {made_list({made_point_to_point("isend", other, good_call),
                                       made_point_to_point("irecv", other, good_call)})}),
                 rank == 0 ? clean_call("Functional.gelu.0.forward") : born()});
    }
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 0 rank 1 Functional.linear.0.forward born_here\n");
    CHECK_FALSE(contains(codes_of(report.diagnostics), "order_contradicts"));
}

TEST_CASE("api ranks: a sum that passes the limit is born in the collective, on all ranks") {
    ApiRun run;
    const MadeValue large = made_tensor("60000.0", "-1.0"), infinite = made_tensor("Infinity", "-2.0");
    run.add(0, 0, {collective("all_reduce", 0, {large}, {infinite})});
    run.add(0, 1, {collective("all_reduce", 0, {large}, {infinite})});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) ==
          "step 0 rank 0 Distributed.all_reduce.0.forward in_collective\n"
          "step 0 rank 1 Distributed.all_reduce.0.forward in_collective\n");
    CHECK(contains(report.first[0].because, "add up to 120000, above the limit 65504"));
    CHECK(contains(codes_of(report.first[0].remarks), "sum_overflow "));
}

TEST_CASE("api ranks: a bad result of small clean inputs is a fault of the communication") {
    ApiRun run;
    run.add(0, 0, {collective("all_reduce", 0, {good_call}, {bad})});
    run.add(0, 1, {collective("all_reduce", 0, {good_call}, {bad})});
    const ApiReport report = run.report();
    REQUIRE(report.first.size() == 2);
    CHECK(contains(codes_of(report.first[0].remarks), "communication_fault "));
}

TEST_CASE("api ranks: gathered lists are results, their buffers no inputs") {
    ApiRun run;
    run.add(0, 0,
            {born(), collective("all_gather", 0, {made_list({bad, bad}), bad}, {made_list({bad, good_call}), bad})});
    run.add(
        0, 1,
        {collective("all_gather", 0, {made_list({bad, bad}), good_call}, {made_list({bad, good_call}), good_call})});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 0 rank 0 Functional.linear.0.forward born_here\n");
    CHECK(contains(report.findings.back().because, "comes from rank 0"));
}

TEST_CASE("api ranks: ranks that were not dumped are told") {
    ApiRun run;
    run.add(0, 0, {collective("all_reduce", 0, {good_call}, {bad}, {0, 1, 2, 3})});
    const ApiReport report = run.report();
    REQUIRE(report.first.size() == 1);
    CHECK(report.first[0].verdict == ApiVerdict::in_collective);
    REQUIRE(contains(codes_of(report.first[0].remarks), "ranks_missing "));
    CHECK(contains(report.first[0].remarks[0].message, "ranks 1, 2, 3"));
}

TEST_CASE("api ranks: of many ranks that were not dumped sixteen are named") {
    for (const std::int64_t missing : {16, 17}) {
        std::vector<std::int64_t> group(static_cast<std::size_t>(missing) + 1);
        std::iota(group.begin(), group.end(), 0);
        ApiRun run;
        run.add(0, 0, {collective("all_reduce", 0, {good_call}, {bad}, group)});
        const ApiReport report = run.report();
        REQUIRE(report.first.size() == 1);
        REQUIRE(contains(codes_of(report.first[0].remarks), "ranks_missing "));
        const std::string& message = report.first[0].remarks[0].message;
        CHECK(contains(message, missing == 16 ? "14, 15, 16: the bad value" : "14, 15, 16 and 1 more: the bad value"));
    }
}

TEST_CASE("api ranks: calls that were not waited for show nothing, what uses them is behind the sender") {
    ApiRun run;
    run.add(0, 0, {born(), batch(0, "isend", 1, bad, bad)});
    run.add(0, 1, {batch(0, "irecv", 0, good_call, good_call), relu_of_bad()});
    CHECK(lines_of(run.report().first) == "step 0 rank 0 Functional.linear.0.forward born_here\n");
}

TEST_CASE("api ranks: a batch that sends a bad value and receives a clean one passes it on, and absorbs nothing") {
    ApiRun run;
    for (const std::uint64_t rank : {0U, 1U}) {
        const auto other = static_cast<std::int64_t>(1 - rank);
        const MadeValue& sent = rank == 0 ? bad : good_call;
        const MadeValue& received = rank == 0 ? good_call : bad;
        run.add(0, rank,
                {rank == 0 ? born() : clean_call("Functional.gelu.0.forward"),
                 made_call("Distributed.batch_isend_irecv.0.forward",
                           {made_list({made_point_to_point("isend", other, sent),
                                       made_point_to_point("irecv", other, good_call)})},
                           {made_list({made_point_to_point("isend", other, sent),
                                       made_point_to_point("irecv", other, received)})})});
    }
    CHECK(lines_of(run.report().findings) ==
          "step 0 rank 0 Functional.linear.0.forward born_here\n"
          "step 0 rank 0 Distributed.batch_isend_irecv.0.forward inherited\n"
          "step 0 rank 1 Distributed.batch_isend_irecv.0.forward inherited\n");
}

TEST_CASE("api ranks: messages of a batch that was called by name, or whose buffer was not dumped") {
    MadeValue no_buffer = made_point_to_point("irecv", 0, good_call);
    no_buffer.items[0].kind = MadeValue::Kind::null;
    MadeCall by_name =
        made_call("Distributed.batch_isend_irecv.0.forward", {}, {made_list({made_point_to_point("irecv", 0, bad)})});
    MadeCall by_place = by_name;
    by_name.named_inputs = {{"p2p_op_list", made_list({made_point_to_point("irecv", 0, good_call)})}};
    by_place.inputs = {made_list({no_buffer})};
    for (const MadeCall& call : {by_name, by_place}) {
        ApiRun run;
        run.add(0, 0, {born(), batch(0, "isend", 1, bad, bad)});
        run.add(0, 1, {call});
        const ApiReport report = run.report();
        CHECK(lines_of(report.first) == "step 0 rank 0 Functional.linear.0.forward born_here\n");
        CHECK(contains(report.findings.back().because, "comes from rank 0"));
    }
}

TEST_CASE("api ranks: a batch names its group by the checksum of all ranks, a message beside it by none") {
    // CRC-32 of "[0, 1]" by Python's zlib.crc32.
    const auto all_ranks = [](const std::string& id) {
        ApiRun run;
        const MadeValue sent = made_point_to_point("isend", 1, bad, 0, id);
        run.add(
            0, 0,
            {born(), made_call("Distributed.batch_isend_irecv.0.forward", {made_list({sent})}, {made_list({sent})})});
        run.add(0, 1, {message("irecv", 0, good_call, bad)});
        return run.report().findings.back().because;
    };
    CHECK(contains(all_ranks("77849d8c"), "comes from rank 0 (Distributed.batch_isend_irecv.0.forward"));
    CHECK_FALSE(contains(all_ranks("00000000"), "comes from rank 0"));
}

TEST_CASE("api ranks: batches and messages of one pair of ranks are counted together, whatever names their group") {
    const auto in_batch = [](const char* operation, std::int64_t peer, const MadeValue& before,
                             const MadeValue& after) {
        return made_call("Distributed.batch_isend_irecv.0.forward",
                         {made_list({made_point_to_point(operation, peer, before, 0, "77849d8c")})},
                         {made_list({made_point_to_point(operation, peer, after, 0, "77849d8c")})});
    };
    ApiRun run;
    run.add(0, 0, {in_batch("isend", 1, good_call, good_call), born(), message("isend", 1, bad, bad)});
    run.add(0, 1, {message("irecv", 0, good_call, good_call), in_batch("irecv", 0, good_call, bad)});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 0 rank 0 Functional.linear.0.forward born_here\n");
    CHECK(contains(report.findings.back().because, "comes from rank 0 (Distributed.isend.0.forward at position 2)"));
}

TEST_CASE("api ranks: how many findings are wanted does not change what is first") {
    ApiRun run;
    const MadeValue large = made_tensor("60000.0", "-1.0"), infinite = made_tensor("Infinity", "-2.0");
    const MadeValue mask = made_tensor("0.0", "-Infinity");
    for (const std::uint64_t rank : {0U, 1U}) {
        std::vector<MadeCall> calls;
        for (std::uint64_t i = 0; i < 3; ++i) {  // other verdicts, until the ranks are put together
            calls.push_back(collective("broadcast", i, {mask, made_scalar("int", "0")}, {mask}));
        }
        calls.push_back(collective("all_reduce", 0, {large}, {infinite}));
        run.add(0, rank, std::move(calls));
    }
    ApiOptions one;
    one.findings_per_verdict = 1;
    const ApiReport report = run.report(one);
    CHECK(lines_of(report.first) ==
          "step 0 rank 0 Distributed.all_reduce.0.forward in_collective\n"
          "step 0 rank 1 Distributed.all_reduce.0.forward in_collective\n");
    CHECK(lines_of(report.findings) ==
          "step 0 rank 0 Distributed.broadcast.0.forward deliberate\n"
          "step 0 rank 0 Distributed.all_reduce.0.forward in_collective\n"
          "step 0 rank 1 Distributed.broadcast.0.forward deliberate\n"
          "step 0 rank 1 Distributed.all_reduce.0.forward in_collective\n");
    REQUIRE(contains(codes_of(report.diagnostics), "findings_left_out "));
    CHECK(contains(report.diagnostics.back().message, "2 more findings are not listed"));
}

TEST_CASE("api ranks: calls that wait for each other in a circle are passed, and it is said") {
    const MadeCall receives = message("recv", 1, good_call, good_call),
                   sends = message("send", 1, good_call, good_call);
    for (const bool is_circle : {true, false}) {
        CAPTURE(is_circle);
        ApiRun run;  // a circle where each rank receives before it sends
        run.add(0, 0, {is_circle ? receives : sends, is_circle ? sends : receives, born()});
        run.add(0, 1, {message("recv", 0, good_call, good_call), message("send", 0, good_call, good_call)});
        const ApiReport report = run.report();
        CHECK(lines_of(report.first) == "step 0 rank 0 Functional.linear.0.forward born_here\n");
        CHECK(contains(codes_of(report.diagnostics), "order_contradicts ") == is_circle);
    }
}

TEST_CASE("api steps: the first step with a culprit answers") {
    ApiRun run;
    run.add(10, 0, {born("Functional.gelu.0.forward")});
    run.add(2, 0, {born()});
    run.add(0, 0, {clean_call("Functional.linear.0.forward")});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 2 rank 0 Functional.linear.0.forward born_here\n");
    CHECK(lines_of(report.findings) ==
          "step 2 rank 0 Functional.linear.0.forward born_here\nstep 10 rank 0 Functional.gelu.0.forward born_here\n");
    CHECK(report.counts.steps == 3);
    CHECK(report.counts.files == 3);
    CHECK(report.counts.ranks == 1);
}

TEST_CASE("api ranks: a batch that sends a value without statistics is not called clean") {
    MadeValue untold = made_tensor("null", "null");
    untold.norm = "null";
    ApiRun run;
    run.add(0, 0, {batch(0, "isend", 1, untold, untold)});
    run.add(0, 1, {batch(0, "irecv", 0, good_call, bad)});
    const ApiReport report = run.report();
    REQUIRE(report.first.size() == 1);
    CHECK(codes_of(report.first[0].remarks) == "input_without_statistics ");
}
