// First culprits across ranks: what calls between ranks carry and order, and which of them belong together.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "api_run.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr int kReport = RanksCase::kReport;

const std::string born_there = "Functional.linear(.) nan";
const std::string id_of_all = "77849d8c";  // CRC-32 of "[0, 1]" by Python's zlib.crc32

/// Operations before and after the call.
std::string batch(const std::string& before, const std::string& after) {
    return "Distributed.batch_isend_irecv([" + before + "]) [" + after + "]";
}
std::string batch(const std::string& operations) {
    return batch(operations, operations);
}

}  // namespace

TEST_CASE("api ranks: calls carry values and order the ranks") {
    const std::string sent = "Distributed.broadcast(. #0 group=0,1) .", barrier = "Distributed.barrier(group=0,1)",
                      clean_pair = "Distributed.all_reduce(. group=2,3) .";
    check_ranks({
        {"a reduction carries the value from the rank that had it",
         {"Distributed.all_reduce(. group=0,1) nan", born_there + "; Distributed.all_reduce(nan group=0,1) nan"},
         "1 Functional.linear born_here",
         "0 Distributed.all_reduce inherited, 1 Functional.linear born_here, 1 Distributed.all_reduce inherited",
         {{0, "comes from rank 1 (Distributed.all_reduce.0.forward at position 1)"}}},
        {"culprits that no call orders are all reported",
         {"Functional.gelu(.) .; " + born_there, born_there},
         "0 Functional.linear born_here, 1 Functional.linear born_here",
         {},
         {{kReport, "[order_unknown]"}}},
        {"a call between the ranks orders them, whatever it carries",
         {barrier + ";" + born_there, born_there + ";" + barrier},
         "1 Functional.linear born_here"},
        {"also a later one that the other rank is late for",
         {"Distributed.all_reduce(. group=0,2) .;" + barrier + ";" + born_there,
          "Distributed.all_reduce(. group=1,3) .;" + born_there + ";" + barrier,
          "Distributed.all_reduce(. group=0,2) .", "Distributed.all_reduce(. group=1,3) ."},
         "1 Functional.linear born_here"},
        {"a call that takes several messages is after each of their senders",
         {batch("irecv(1 .) irecv(2 .)") + ";" + born_there, batch("isend(0 .)"),
          clean_pair + ";" + born_there + ";" + batch("isend(0 .)"), clean_pair},
         "2 Functional.linear born_here"},
        {"a broadcast does not order the sender after its receivers",
         {sent + ";" + born_there, born_there + ";" + sent},
         "0 Functional.linear born_here, 1 Functional.linear born_here"},
        {"but the receivers after the sender",
         {born_there + ";" + sent, sent + ";" + born_there},
         "0 Functional.linear born_here"},
        {"the n-th call of a group belongs to the n-th of the others, groups apart",
         {"Distributed.all_reduce(. group=0,1) .;" + born_there + "; Distributed.all_reduce.1(nan group=0,2) nan",
          "Distributed.all_reduce(. group=0,1) .", "Distributed.all_reduce(. group=0,2) nan"},
         "0 Functional.linear born_here",
         "0 Functional.linear born_here, 0 Distributed.all_reduce.1 inherited, 2 Distributed.all_reduce inherited"},
        {"objects that are sent order the ranks, too",
         {born_there + "; Distributed.send_object_list([] #1)", "Distributed.recv_object_list([] #0);" + born_there},
         "0 Functional.linear born_here"},
        {"a circle where each rank receives before it sends is passed, and reported",
         {"Distributed.recv(. #1) .; Distributed.send(. #1) .;" + born_there,
          "Distributed.recv(. #0) .; Distributed.send(. #0) ."},
         "0 Functional.linear born_here",
         {},
         {{kReport, "[order_contradicts]"}}},
        {"without a circle nothing is reported",
         {"Distributed.send(. #1) .; Distributed.recv(. #1) .;" + born_there,
          "Distributed.recv(. #0) .; Distributed.send(. #0) ."},
         "0 Functional.linear born_here",
         {},
         {{kReport, "[order_contradicts]", false}}},
        {"two ranks that send to each other at once do not wait in a circle",
         {batch("isend(1 .) irecv(1 .)") + "; Functional.gelu(.) .", batch("isend(0 .) irecv(0 .)") + ";" + born_there},
         "1 Functional.linear born_here",
         {},
         {{kReport, "[order_contradicts]", false}}},
    });
}

TEST_CASE("api ranks: what happens inside calls between ranks") {
    const std::string in_all = "0 Distributed.all_reduce in_collective, 1 Distributed.all_reduce in_collective";
    check_ranks({
        {"a sum that passes the limit is born in the collective, on all ranks",
         {"Distributed.all_reduce(60000.0/-1.0 group=0,1) inf/-2.0",
          "Distributed.all_reduce(60000.0/-1.0 group=0,1) inf/-2.0"},
         in_all,
         {},
         {{0, "add up to 120000, above the limit 65504"}, {0, "[sum_overflow]"}}},
        {"a bad result of small clean inputs is a fault of the communication",
         {"Distributed.all_reduce(. group=0,1) nan", "Distributed.all_reduce(. group=0,1) nan"},
         in_all,
         {},
         {{0, "[communication_fault]"}}},
        {"gathered lists are results, their buffers no inputs",
         {born_there + "; Distributed.all_gather([nan nan] nan group=0,1) [nan .] nan",
          "Distributed.all_gather([nan nan] . group=0,1) [nan .] ."},
         "0 Functional.linear born_here",
         {},
         {{-1, "comes from rank 0"}}},
        {"ranks that were not dumped are reported",
         {"Distributed.all_reduce(. group=0,1,2,3) nan"},
         "0 Distributed.all_reduce in_collective",
         {},
         {{0, "[ranks_missing]"}, {0, "ranks 1, 2, 3"}}},
    });
    for (const std::size_t missing : {16U, 17U}) {  // sixteen are named
        std::string group = "0";
        for (std::size_t rank = 1; rank <= missing; ++rank) {
            group += "," + std::to_string(rank);
        }
        check_ranks({{"many that were not dumped",
                      {"Distributed.all_reduce(. group=" + group + ") nan"},
                      "0 Distributed.all_reduce in_collective",
                      {},
                      {{0, "[ranks_missing]"},
                       {0, missing == 16 ? "14, 15, 16: the bad value" : "14, 15, 16 and 1 more: the bad value"}}}});
    }
}

TEST_CASE("api ranks: messages, alone and in batches") {
    const std::string culprit = "0 Functional.linear born_here", batches = "Distributed.batch_isend_irecv inherited";
    const std::string sends_bad = born_there + ";" + batch("isend(1 nan)");
    check_ranks({
        {"a batch carries the value, into a buffer that held anything",
         {sends_bad, batch("irecv(0 nan)") + "; Functional.relu(nan) nan"},
         culprit,
         culprit + ", 0 " + batches + ", 1 " + batches + ", 1 Functional.relu inherited",
         {{2, "comes from rank 0"}}},
        {"so does a message alone",
         {born_there + "; Distributed.send(nan #1) nan", "Distributed.recv(nan #0) nan; Functional.relu(nan) nan"},
         culprit,
         culprit + ", 0 Distributed.send inherited, 1 Distributed.recv inherited, 1 Functional.relu inherited",
         {{2, "comes from rank 0"}}},
        {"one that was not waited for shows nothing, what uses it is after the sender",
         {sends_bad, batch("irecv(0 .)") + "; Functional.relu(nan) nan"},
         culprit},
        {"a batch that sends a bad value and receives a clean one passes it on, and absorbs nothing",
         {born_there + ";" + batch("isend(1 nan) irecv(1 .)"),
          "Functional.gelu(.) .;" + batch("isend(0 .) irecv(0 .)", "isend(0 .) irecv(0 nan)")},
         culprit,
         culprit + ", 0 " + batches + ", 1 " + batches},
        {"a batch that was called by name",
         {sends_bad, "Distributed.batch_isend_irecv(p2p_op_list=[irecv(0 .)]) [irecv(0 nan)]"},
         culprit,
         {},
         {{-1, "comes from rank 0"}}},
        {"one whose buffer was not dumped",
         {sends_bad, batch("irecv(0 null)", "irecv(0 nan)")},
         culprit,
         {},
         {{-1, "comes from rank 0"}}},
        {"a batch names its group by the checksum of all ranks, a message by none",
         {born_there + ";" + batch("isend(1 nan " + id_of_all + ")"), "Distributed.irecv(. #0) nan"},
         {},
         {},
         {{-1, "comes from rank 0 (Distributed.batch_isend_irecv.0.forward"}}},
        {"another checksum is another group",
         {sends_bad, "Distributed.irecv(. #0) nan"},
         {},
         {},
         {{-1, "comes from rank 0", false}}},
        {"batches and messages of one pair of ranks are counted together",
         {batch("isend(1 . " + id_of_all + ")") + ";" + born_there + "; Distributed.isend(nan #1) nan",
          "Distributed.irecv(. #0) .;" + batch("irecv(0 . " + id_of_all + ")", "irecv(0 nan " + id_of_all + ")")},
         culprit,
         {},
         {{-1, "comes from rank 0 (Distributed.isend.0.forward at position 2)"}}},
        {"a message that names no sender is from nobody for certain",
         {"Distributed.send(nan #2) nan", "Distributed.send(. #2) .", "Distributed.recv(.) nan"},
         {},
         "0 Distributed.send inherited, 2 Distributed.recv inherited",
         {{-1, "comes from rank", false}, {-1, "the sender is unknown"}, {-1, "[sender_unknown]"}}},
        {"a batch that sends a value without statistics is not called clean",
         {batch("isend(1 null/null)"), batch("irecv(0 .)", "irecv(0 nan)")},
         {},
         {},
         {{-1, "[input_without_statistics]"}}},
    });
}

TEST_CASE("api ranks: groups that are not reported, or in different ways") {
    check_ranks({
        {"operators of MindSpore match by their number when every rank has as many",
         {"Primitive.net.AllReduce(.) nan", "Primitive.net.MatMul(.) nan; Primitive.net.AllReduce(nan) nan"},
         "1 Primitive.net.MatMul born_here",
         "0 Primitive.net.AllReduce inherited, 1 Primitive.net.MatMul born_here, 1 Primitive.net.AllReduce inherited",
         {{0, "[group_assumed]"}}},
        {"what cannot be matched is no culprit next to a proven one, and no rank is missing",
         {"Primitive.net.AllReduce(.) .; Primitive.net.AllReduce.1(.) nan",
          "Primitive.net.MatMul(.) nan; Primitive.net.AllReduce(nan) nan"},
         "1 Primitive.net.MatMul born_here",
         "0 Primitive.net.AllReduce.1 inherited, 1 Primitive.net.MatMul born_here, 1 Primitive.net.AllReduce inherited",
         {{0, "[last_clean]"}, {0, "[group_not_dumped]"}, {0, "[ranks_missing]", false}}},
        {"the default group is that of all ranks",
         {born_there + "; Distributed.all_reduce(nan group=0,1) nan", "Distributed.all_reduce(.) nan"},
         "0 Functional.linear born_here",
         "0 Functional.linear born_here, 0 Distributed.all_reduce inherited, 1 Distributed.all_reduce inherited"},
        // Matched as one group the first calls would be the default one of rank 0 and the other one of rank 1.
        {"where every rank uses a group of all ranks next to the default one, they are two",
         {"Distributed.all_reduce(.) .;" + born_there + "; Distributed.all_reduce.1(nan group=0,1) nan",
          "Distributed.all_reduce(. group=0,1) nan; Distributed.all_reduce.1(.) ."},
         {},
         "0 Functional.linear born_here, 0 Distributed.all_reduce.1 inherited, 1 Distributed.all_reduce inherited"},
        {"one rank alone does not count as all ranks of a group that no dump shows",
         {"Primitive.net.AllReduce(.) nan"},
         {},
         "0 Primitive.net.AllReduce inherited",
         {{0, "the values from other ranks are unknown"}, {0, "[group_not_dumped]"}}},
    });
}

TEST_CASE("api ranks: only sums and averages pass the limit by adding") {
    const auto codes_with = [](const std::string& operation) {  // both ranks reduce large clean values to infinity
        MadeCall call = calls_of("Distributed.all_reduce(60000.0/-1.0 group=0,1) inf/-2.0").at(0);
        call.named_inputs.emplace_back("op",
                                       made_scalar("torch.distributed.ReduceOp", "\"RedOpType." + operation + "\""));
        ApiRun run;
        run.add(0, 0, {call});
        run.add(0, 1, {call});
        return codes_of(run.report().first.at(0).remarks);
    };
    CHECK(contains(codes_with("SUM"), "sum_overflow "));
    CHECK(contains(codes_with("AVG"), "sum_overflow "));
    for (const char* other : {"MAX", "MIN"}) {
        CAPTURE(other);
        CHECK(contains(codes_with(other), "communication_fault "));
        CHECK_FALSE(contains(codes_with(other), "sum_overflow "));
    }
    CHECK(codes_with("PRODUCT") == "product_overflow ");
}

TEST_CASE("api ranks: how many findings are wanted does not change what is first") {
    ApiRun run;
    std::string calls;
    for (const char* number : {"0", "1", "2"}) {  // other verdicts, until the ranks are put together
        calls += "Distributed.broadcast." + std::string(number) + "(0.0/-inf #0 group=0,1) 0.0/-inf;";
    }
    calls += "Distributed.all_reduce(60000.0/-1.0 group=0,1) inf/-2.0";
    run.add(0, 0, calls_of(calls));
    run.add(0, 1, calls_of(calls));
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
