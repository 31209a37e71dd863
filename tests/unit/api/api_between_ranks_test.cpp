// Calls between ranks that are no functions of torch.distributed: MindSpore's, those of graphs, fused ones.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "api_culprits/known_apis.hpp"
#include "api_run.hpp"
#include "text.hpp"

using namespace opdebug::api_culprits;
using namespace opdebug::test;
using namespace opdebug;

namespace {

/// Rank 0 gives this to the call, rank 1 a clean value; both results are bad.
RanksCase call_with(const std::string& name, const std::string& given, const std::string& verdict,
                    const std::string& arguments_before = "") {
    const std::string begin = name + "(" + arguments_before;
    const std::string expected = "0 " + name + " " + verdict + ", 1 " + name + " " + verdict;
    return {"", {begin + given + ") nan", begin + ".) nan"}, {}, expected};
}

}  // namespace

TEST_CASE("between ranks: a bad input of one rank makes the others inherit") {
    for (const char* const name :
         {"Distributed.reduce_scatter_tensor", "Distributed.all_gather_into_tensor", "Distributed.scatter_tensor",
          "Distributed.gather_into_tensor", "NPU.npu_all_gather_quant_mm", "NPU.npu_moe_distribute_combine_v2",
          "NPU.npu_alltoallv_quant_gmm", "NPU.npu_mm_all_reduce_add_rms_norm_",
          "Torch._c10d_functional.reduce_scatter_tensor", "Torch._c10d_functional.broadcast.default",
          "Torch._c10d_functional.wait_tensor", "Torch.c10d.allreduce_", "Torch.vllm.all_gather"}) {
        CAPTURE(name);
        check_ranks({call_with(name, "nan", "inherited")});
    }
    for (const char* const name : {"Distributed.reduce_scatter_tensor", "MintDistributed.all_gather_into_tensor",
                                   "Torch.c10d._allgather_base_"}) {
        CAPTURE(name);
        check_ranks({call_with(name, "nan", "inherited", "nan@8,8 "),  // after a buffer that held anything
                     call_with(name, ".", "in_collective", "nan@8,8 ")});
    }
    check_ranks({call_with("Distributed.all_to_all_with_output_shape", "nan", "inherited", "[#4 #8] ")});
}

TEST_CASE("between ranks: fused calls and messages") {
    check_ranks({
        {"gradients pass between ranks in the backward of a fused call",
         {"NPU.npu_gmm_alltoallv.3.backward(nan) nan", "NPU.npu_gmm_alltoallv.3.backward(.) nan"},
         {},
         "0 NPU.npu_gmm_alltoallv.3.backward inherited, 1 NPU.npu_gmm_alltoallv.3.backward inherited"},
        {"but not in that of another",
         {"Functional.linear.3.backward(nan) nan", "Functional.linear.3.backward(.) nan"},
         {},
         "0 Functional.linear.3.backward inherited, 1 Functional.linear.3.backward born_here"},
        call_with("NPU.npu_mm_reduce_scatter_base", ".", "born_here"),  // it computes, too
        call_with("Torch._c10d_functional.all_reduce", ".", "in_collective"),
        // Of two ranks, one lacks the call: nothing shows which calls belong together.
        {"a fused call of one rank alone",
         {"NPU.npu_gmm_alltoallv(.) nan", "Functional.linear(.) ."},
         {},
         "0 NPU.npu_gmm_alltoallv in_collective",
         {{0, "[group_not_dumped]"}}},
        {"group_src and group_dst are numbers of members of the group",
         {"Functional.gelu(.) .", "Functional.gelu(.) .",
          "Functional.linear(.) nan; Distributed.isend(nan group_dst=#2 group=2,6,7) nan", "Functional.gelu(.) .",
          "Functional.gelu(.) .", "Functional.gelu(.) .", "Functional.gelu(.) .",
          "Distributed.irecv(. group_src=#0 group=2,6,7) nan"},
         "2 Functional.linear born_here",
         {},
         {{-1, "the bad value comes from rank 2"}}},
        {"messages belong together by their tag, given by name or by position",
         {"Distributed.isend(. #1 null #7) .; Functional.linear(.) nan; Distributed.isend.1(nan #1 null #8) nan",
          "Distributed.irecv(. #0 null #8) nan; Distributed.irecv.1(. #0 null #7) ."},
         "0 Functional.linear born_here",
         {},
         {{-1, "rank 0 (Distributed.isend.1.forward"}}},
    });
}

TEST_CASE("between ranks: kernels of a statistic.csv, of CANN's graphs and of ATB") {
    const auto findings_of = [](const std::string& type) {
        ApiRun run;
        for (const char* const rank : {"0", "1"}) {
            const std::string given = rank == std::string("0") ? "nan" : "1";
            run.add_file("rank_" + std::string(rank) + "/net/0/0/statistic.csv",
                         "Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data Size,Data Type,Shape,Max Value,Min "
                         "Value\n" +
                             type + ",a,1,2,3,input,0,8,float16,\"(4,)\"," + given + ",0\n" + type +
                             ",a,1,2,4,output,0,8,float16,\"(4,)\",nan,0\n");
        }
        return lines_of(run.report().findings);
    };
    for (const char* const type : {"AllReduce", "HcomAllGather", "ReduceScatterOperation", "MatmulAllReduce"}) {
        CAPTURE(type);
        CHECK(findings_of(type) == "step 0 rank 0 a inherited\nstep 0 rank 1 a inherited\n");
    }
}

TEST_CASE("between ranks: a wait gives what was given to the call that it waits for") {
    const std::string wait = "; Torch._c10d_functional.wait_tensor(.) nan";
    ApiRun run;
    run.add(0, 0, calls_of("Torch._c10d_functional.all_reduce(.) ." + wait));
    run.add(0, 1, calls_of("Torch._c10d_functional.all_reduce(nan) ." + wait));
    const std::string text = lines_of(run.report().findings);
    CHECK(contains(text, "rank 0 Torch._c10d_functional.wait_tensor.0.forward inherited"));
    CHECK(contains(text, "rank 1 Torch._c10d_functional.wait_tensor.0.forward inherited"));
}

TEST_CASE("between ranks: a name that some ranks use is that of their group") {
    // Rank 0 gives a bad value to rank 1 in its group; rank 3 makes one by itself after the call in the other group.
    const auto culprits_of = [](const std::string& api, const std::string& texts, const char* key,
                                const auto& name_of) {
        ApiRun run;
        for (const std::uint64_t rank : {0U, 1U, 2U, 3U}) {
            const std::string given = rank == 0 ? "nan" : ".";
            run.add(0, rank,
                    calls_of("Functional.linear(.) " + given + ";" + api + "(" + given + texts + " " + key + "\"" +
                             name_of(rank) + "\") " + (rank < 2 ? "nan" : ".") + "; Functional.exp(.) " +
                             (rank == 3 ? "nan" : ".")));
        }
        return lines_of(run.report().first);
    };
    const std::string first = "rank 0 Functional.linear.0.forward born_here",
                      other = "rank 3 Functional.exp.0.forward born_here";
    for (const char* const key : {"group=", ""}) {
        for (const char* const api : {"NPU.npu_mm_all_reduce_base", "Distributed.reduce_scatter_tensor"}) {
            CAPTURE(api);
            const std::string both =
                culprits_of(api, " \"sum\"", key, [](std::uint64_t rank) { return "tp-" + std::to_string(rank / 2); });
            CHECK(contains(both, first));
            CHECK(contains(both, other));
        }
    }
    // A name of all ranks may be that of several groups, one for each rank that of the rank.
    const auto has_other = [&](const auto& name_of) {
        return contains(culprits_of("NPU.npu_mm_all_reduce_base", "", "group=", name_of), other);
    };
    CHECK_FALSE(has_other([](std::uint64_t) { return std::string("tp"); }));
    CHECK_FALSE(has_other([](std::uint64_t rank) { return std::to_string(rank); }));
}

TEST_CASE("between ranks: dtypes by the names of c10 have limits") {
    const auto verdict_of = [](const std::string& dtype, const std::string& max) {
        MadeDump dump;
        dump.calls = {made_call("Aten.mul.Tensor.0.forward", {made_tensor("1", "-1", "DTYPE")},
                                {made_tensor(max, "-1", "DTYPE")})};
        std::string text = dump_json(dump);
        for (std::size_t at = text.find("torch.DTYPE"); at != std::string::npos; at = text.find("torch.DTYPE")) {
            text.replace(at, 11, dtype);
        }
        ApiRun run;
        run.add_file("step0/rank0/dump.json", text);
        const ApiReport report = run.report();
        return report.first.empty() ? std::string("clean") : std::string(to_string(report.first[0].verdict));
    };
    CHECK(verdict_of("Float8_e5m2", "57344.0") == "saturated");
    CHECK(verdict_of("Float8_e5m2", "448.0") == "clean");
    CHECK(verdict_of("BFloat16", "3.3895313892515355e+38") == "saturated");
    CHECK(verdict_of("Half", "65504.0") == "saturated");
    CHECK(verdict_of("Long", "65504.0") == "clean");
}

TEST_CASE("known APIs: calls between ranks, of torch by their prefix only") {
    const CommunicationApi* const gather = communication_api("Distributed.all_gather");
    REQUIRE(gather != nullptr);
    CHECK(gather->flow == Flow::everyone);
    CHECK(gather->received_keyword == "tensor_list");
    CHECK_FALSE(gather->without_group);
    const CommunicationApi* const reduce = communication_api("AllReduce");
    REQUIRE(reduce != nullptr);
    CHECK(reduce->sums);
    CHECK(reduce->without_group);
    CHECK(communication_api("Distributed.broadcast")->received_off_root);
    CHECK_FALSE(communication_api("Distributed.scatter")->received_off_root);
    // torch.distributed.scatter(tensor, scatter_list=None, src=0, ...), but broadcast(tensor, src, ...)
    CHECK(communication_api("Distributed.scatter")->partner_0_by_default);
    CHECK(communication_api("Distributed.gather")->partner_0_by_default);
    CHECK_FALSE(communication_api("Distributed.broadcast")->partner_0_by_default);
    CHECK(communication_api("Torch.gather") == nullptr);
    CHECK(communication_api("Torch._c10d_functional.all_reduce") != nullptr);
    CHECK(communication_api("Aten.c10d.allgather_.default") == communication_api("Torch.c10d.allgather_"));
    CHECK(communication_api("Torch.all_reduce") == nullptr);
    CHECK(communication_api("Distributed.gather_into_tensor")->received_position.empty());
    CHECK(communication_api("MintDistributed.gather_into_tensor")->received_position == "0");
    CHECK(communication_api("NPU.npu_gmm_alltoallv")->computes);
    CHECK(communication_api("Distributed.get_rank") == nullptr);
}
