// Masks that go from rank to rank: -Inf that was meant stays meant, -Inf that was not does not become a mask.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "api_run.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const std::string mask_maker = "Tensor.masked_fill(. #-inf) 1.5/-inf; ";
const std::string full_mask = "Torch.full(#-inf) 0.0/-inf; ";

std::string broadcast(const std::string& before, const std::string& after) {
    return "Distributed.broadcast(" + before + " #0 group=0,1) " + after + "; ";
}
std::string reduced(const std::string& given, const std::string& result, const std::string& ranks = "0,1") {
    return "Distributed.all_reduce(" + given + " group=" + ranks + ") " + result + "; ";
}
/// The second argument is what the rank gives; `pieces` is what all get.
std::string gathered(const std::string& buffers, const std::string& own, const std::string& pieces,
                     const std::string& ranks = "0,1") {
    return "Distributed.all_gather([" + buffers + "] " + own + " group=" + ranks + ") [" + pieces + "] " + own;
}

const std::string in_both = "0 Distributed.all_reduce in_collective, 1 Distributed.all_reduce in_collective";

}  // namespace

TEST_CASE("api rank masks: what is a mask stays one on other ranks") {
    const std::string gather = mask_maker + gathered(". .", "1.5/-inf", "1.5/-inf 1.5/-inf");
    const std::string masked_elsewhere = broadcast(".", "1.5/-inf") + "Tensor.mul(1.5/-inf) 3.0/-inf; ";
    check_ranks({
        {"a mask that is broadcast is deliberate on every rank, and what is born later is first",
         {broadcast("0.0/-inf", "0.0/-inf"), broadcast(".", "0.0/-inf") + "Functional.linear(.) nan"},
         "1 Functional.linear born_here",
         "0 Distributed.broadcast deliberate, 1 Distributed.broadcast deliberate, 1 Functional.linear born_here",
         {{1, "a mask from rank 0"}}},
        {"in a batch",
         {mask_maker + "Distributed.batch_isend_irecv([isend(1 1.5/-inf)]) [isend(1 1.5/-inf)]",
          "Distributed.batch_isend_irecv([irecv(0 .)]) [irecv(0 1.5/-inf)]"},
         "",
         "0 Tensor.masked_fill deliberate, 1 Distributed.batch_isend_irecv deliberate"},
        {"in a message alone",
         {mask_maker + "Distributed.send(1.5/-inf #1) 1.5/-inf", "Distributed.recv(. #0) 1.5/-inf"},
         "",
         "0 Tensor.masked_fill deliberate, 1 Distributed.recv deliberate"},
        {"in what is gathered", {gather, gather}, ""},
        {"a piece is one though the call of another rank is missing",
         {full_mask + gathered(". . .", "0.0/-inf", "0.0/-inf . .", "0,1,2"),
          gathered(". . .", ".", "0.0/-inf . .", "0,1,2")},
         "",
         "0 Torch.full deliberate, 0 Distributed.all_gather deliberate, 1 Distributed.all_gather deliberate"},
        {"a softmax makes NaN of a mask that another rank gave",
         {broadcast("0.0/-inf", "0.0/-inf"), broadcast(".", "0.0/-inf") + "Functional.softmax(0.0/-inf) nan"},
         "1 Functional.softmax born_here"},
        {"what a rank makes of scores that another rank masked is deliberate",
         {mask_maker + broadcast("1.5/-inf", "1.5/-inf"), masked_elsewhere + "Tensor.mul.1(3.0/-inf) 6.0/-inf"},
         "",
         "0 Tensor.masked_fill deliberate, 0 Distributed.broadcast deliberate, 1 Distributed.broadcast deliberate, "
         "1 Tensor.mul deliberate, 1 Tensor.mul.1 deliberate",
         {{3, "a mask from another rank"}}},
        {"and NaN is its own",
         {mask_maker + broadcast("1.5/-inf", "1.5/-inf"), masked_elsewhere + "Tensor.mul.1(3.0/-inf) nan"},
         "1 Tensor.mul.1 born_here",
         "0 Tensor.masked_fill deliberate, 0 Distributed.broadcast deliberate, 1 Distributed.broadcast deliberate, "
         "1 Tensor.mul deliberate, 1 Tensor.mul.1 born_here",
         {{3, "a mask from another rank"}}},
        {"a sum of masks with the negative limit",
         {"Torch.full(#-65504.0) 0.0/-65504.0; " + reduced("0.0/-65504.0", "0.0/-65504.0"),
          reduced("0.0/0.0", "0.0/-65504.0")},
         ""},
    });
}

TEST_CASE("api rank masks: what only looks like a mask") {
    const std::string sum = reduced("-100.0/-60000.0", "-200.0/-inf") +
                            "Functional.linear(-200.0/-inf .) nan; Tensor.mul(-200.0/-inf .) -1.0/-inf";
    check_ranks({
        {"-Inf that a call made of clean values stays bad on other ranks",
         {"Functional.linear(.) 1.5/-inf; " + broadcast("1.5/-inf", "1.5/-inf"),
          broadcast(".", "1.5/-inf") + "Functional.gelu(1.5/-inf) 1.5/-inf"},
         "0 Functional.linear born_here",
         "0 Functional.linear born_here, 0 Distributed.broadcast inherited, 1 Distributed.broadcast inherited, "
         "1 Functional.gelu inherited"},
        {"also where it turns into what looks like one",
         {"Functional.linear(.) -1.0/-inf; " + broadcast("-1.0/-inf", "-1.0/-inf"),
          broadcast(".", "-1.0/-inf") + "Tensor.mul(-1.0/-inf) 0.0/-inf; Functional.softmax(0.0/-inf) nan"},
         "0 Functional.linear born_here",
         "0 Functional.linear born_here, 0 Distributed.broadcast inherited, 1 Distributed.broadcast inherited, "
         "1 Tensor.mul inherited, 1 Functional.softmax inherited"},
        {"a negative sum that passes the limit",
         {reduced("1.0/-60000.0", "1.5/-inf"), reduced("1.0/-60000.0", "1.5/-inf")},
         in_both},
        {"NaN next to a mask",
         {broadcast("0.0/-inf", "0.0/-inf"), broadcast(".", "nan")},
         "1 Distributed.broadcast in_collective"},
        {"-Inf that a sum made stays bad behind it",
         {sum, sum},
         in_both,
         "0 Distributed.all_reduce in_collective, 0 Functional.linear inherited, 0 Tensor.mul inherited, "
         "1 Distributed.all_reduce in_collective, 1 Functional.linear inherited, 1 Tensor.mul inherited"},
        {"a mask with the negative limit explains -Inf in no sum",
         {"Torch.full(#-65504.0) 0.0/-65504.0; " + reduced("0.0/-65504.0", "0.0/-inf"),
          reduced("0.5/-60000.0", "0.0/-inf")},
         in_both},
        // 65504 + 60000 is above the limit, which a sum that saturates shows, too.
        {"and does not excuse a sum that passes the limit",
         {"Torch.full(#-65504.0) 0.0/-65504.0; " + reduced("0.0/-65504.0", "0.0/-65504.0"),
          reduced("0.5/-60000.0", "0.0/-65504.0")},
         in_both,
         {},
         {{-1, "[sum_overflow]"}}},
        {"a mask of one rank does not hide that the call of another is missing",
         {full_mask + reduced("0.0/-inf", "1.5/-inf", "0,1,2"), reduced(".", "1.5/-inf", "0,1,2")},
         {},
         {},
         {{-1, "[ranks_missing]"}}},
        {"a mask of one rank excuses its own piece of what is gathered only",
         {full_mask + gathered(". .", "0.0/-inf", "0.0/-inf 1.5/-inf"), gathered(". .", ".", "0.0/-inf 1.5/-inf")},
         "0 Distributed.all_gather in_collective, 1 Distributed.all_gather in_collective",
         {},
         {{-1, "[communication_fault]"}}},
    });
    // A mask that is added to a tensor with a real -Inf makes no mask of it.
    CHECK(verdicts_of("Functional.linear(.) 1.5/-inf; Tensor.add_(1.5/-inf 0.0/-inf) 1.5/-inf; "
                      "Functional.softmax(1.5/-inf) nan",
                      MsprobeVersion::may_2024) ==
          "Functional.linear born_here, Tensor.add_ inherited, Functional.softmax inherited");
}
