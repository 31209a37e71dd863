// Calls between ranks that are no functions of torch.distributed: MindSpore's, those of graphs, fused ones.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "api_run.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// Verdicts of both ranks on the same call: what rank 1 gives is clean, and both results are bad.
std::string verdicts_with(const std::string& name, const MadeValue& given_by_rank_0,
                          const std::vector<MadeValue>& arguments_before = {}) {
    ApiRun run;
    for (const std::uint64_t rank : {0U, 1U}) {
        std::vector<MadeValue> arguments = arguments_before;
        arguments.push_back(rank == 0 ? given_by_rank_0 : made_tensor());
        run.add(0, rank, {made_call(name + ".0.forward", arguments, {nan_tensor()})});
    }
    std::string text;
    for (const ApiFinding& finding : run.report().findings) {
        text += std::to_string(finding.rank.value_or(99)) + " " + std::string(to_string(finding.verdict)) + " ";
    }
    return text;
}

}  // namespace

TEST_CASE("between ranks: a bad input of one rank makes the others inherit") {
    const std::string inherited = "0 inherited 1 inherited ";
    for (const char* const name :
         {"Distributed.reduce_scatter_tensor", "Distributed.all_gather_into_tensor", "Distributed.scatter_tensor",
          "Distributed.gather_into_tensor", "NPU.npu_all_gather_quant_mm", "NPU.npu_moe_distribute_combine_v2",
          "NPU.npu_alltoallv_quant_gmm", "NPU.npu_mm_all_reduce_add_rms_norm_",
          "Torch._c10d_functional.reduce_scatter_tensor", "Torch._c10d_functional.broadcast.default",
          "Torch._c10d_functional.wait_tensor", "Torch.c10d.allreduce_", "Torch.vllm.all_gather"}) {
        CAPTURE(name);
        CHECK(verdicts_with(name, nan_tensor()) == inherited);
    }
    const MadeValue buffer = made_tensor("NaN", "NaN", "float16", {8, 8});
    for (const char* const name : {"Distributed.reduce_scatter_tensor", "MintDistributed.all_gather_into_tensor",
                                   "Torch.c10d._allgather_base_"}) {
        CAPTURE(name);
        CHECK(verdicts_with(name, nan_tensor(), {buffer}) == inherited);
        CHECK(verdicts_with(name, made_tensor(), {buffer}) == "0 in_collective 1 in_collective ");
    }
    CHECK(verdicts_with("Distributed.all_to_all_with_output_shape", nan_tensor(),
                        {made_list({made_scalar("int", "4"), made_scalar("int", "8")})}) == inherited);
}

TEST_CASE("between ranks: gradients pass between ranks in the backward of a fused call") {
    const auto findings_of = [](const std::string& api) {
        ApiRun run;
        run.add(0, 0, {made_call(api + ".3.backward", {nan_tensor()}, {nan_tensor()})});
        run.add(0, 1, {made_call(api + ".3.backward", {made_tensor()}, {nan_tensor()})});
        return lines_of(run.report().findings);
    };
    CHECK(contains(findings_of("NPU.npu_gmm_alltoallv"), "rank 1 NPU.npu_gmm_alltoallv.3.backward inherited"));
    CHECK(contains(findings_of("Functional.linear"), "rank 1 Functional.linear.3.backward born_here"));
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

TEST_CASE("between ranks: a call that computes, too, can have made the bad value itself") {
    CHECK(verdicts_with("NPU.npu_mm_reduce_scatter_base", made_tensor()) == "0 born_here 1 born_here ");
    CHECK(verdicts_with("Torch._c10d_functional.all_reduce", made_tensor()) == "0 in_collective 1 in_collective ");
    ApiRun alone;  // of two ranks, one lacks the call: nothing shows which calls belong together
    alone.add(0, 0, {made_call("NPU.npu_gmm_alltoallv.0.forward", {made_tensor()}, {nan_tensor()})});
    alone.add(0, 1, {clean_call("Functional.linear.0.forward")});
    const ApiReport report = alone.report();
    CHECK(lines_of(report.findings) == "step 0 rank 0 NPU.npu_gmm_alltoallv.0.forward in_collective\n");
    CHECK(contains(codes_of(report.findings.at(0).remarks), "group_not_dumped"));
}

TEST_CASE("between ranks: a wait gives what was given to the call that it waits for") {
    const auto calls_of = [](const MadeValue& given) {
        return std::vector<MadeCall>{
            made_call("Torch._c10d_functional.all_reduce.0.forward", {given}, {made_tensor()}),
            made_call("Torch._c10d_functional.wait_tensor.0.forward", {made_tensor()}, {nan_tensor()})};
    };
    ApiRun run;
    run.add(0, 0, calls_of(made_tensor()));
    run.add(0, 1, calls_of(nan_tensor()));
    const std::string text = lines_of(run.report().findings);
    CHECK(contains(text, "rank 0 Torch._c10d_functional.wait_tensor.0.forward inherited"));
    CHECK(contains(text, "rank 1 Torch._c10d_functional.wait_tensor.0.forward inherited"));
}

TEST_CASE("between ranks: group_src and group_dst are numbers of members of the group") {
    const auto message = [](const std::string& api, const char* partner, std::int64_t member, const MadeValue& before,
                            const MadeValue& behind) {
        MadeCall call = made_call("Distributed." + api + ".0.forward", {before}, {behind});
        call.named_inputs.emplace_back(partner, made_scalar("int", std::to_string(member)));
        call.named_inputs.emplace_back("group", made_group({2, 6, 7}, "abc"));
        return call;
    };
    ApiRun run;
    run.add(0, 2, {born(), message("isend", "group_dst", 2, nan_tensor(), nan_tensor())});
    run.add(0, 7, {message("irecv", "group_src", 0, made_tensor(), nan_tensor())});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 0 rank 2 Functional.linear.0.forward born_here\n");
    CHECK(contains(report.findings.back().because, "the bad value comes from rank 2"));
}

TEST_CASE("between ranks: messages belong together by their tag, given by name or by position") {
    const auto message = [](const std::string& name, const char* partner, const MadeValue& tag, const MadeValue& before,
                            const MadeValue& behind) {
        MadeCall call = made_call("Distributed." + name + ".forward", {before, made_scalar("int", partner)}, {behind});
        MadeValue group;
        group.kind = MadeValue::Kind::null;
        call.inputs.push_back(group);
        call.inputs.push_back(tag);
        return call;
    };
    const MadeValue seven = made_scalar("int", "7"), eight = made_scalar("int", "8");
    ApiRun run;
    run.add(0, 0,
            {message("isend.0", "1", seven, made_tensor(), made_tensor()), born(),
             message("isend.1", "1", eight, nan_tensor(), nan_tensor())});
    run.add(0, 1,
            {message("irecv.0", "0", eight, made_tensor(), nan_tensor()),
             message("irecv.1", "0", seven, made_tensor(), made_tensor())});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 0 rank 0 Functional.linear.0.forward born_here\n");
    CHECK(contains(report.findings.back().because, "rank 0 (Distributed.isend.1.forward"));
}

TEST_CASE("between ranks: a name that some ranks use is that of their group") {
    // Rank 0 gives a bad value to rank 1 in its group; rank 3 makes one by itself after the call in the other group.
    const auto culprits_of = [](const std::string& api, const std::vector<MadeValue>& texts, bool by_keyword,
                                const auto& name_of) {
        ApiRun run;
        for (const std::uint64_t rank : {0U, 1U, 2U, 3U}) {
            const MadeValue name = made_scalar("str", '"' + name_of(rank) + '"');
            MadeCall call = made_call(api + ".0.forward", {rank == 0 ? nan_tensor() : made_tensor()},
                                      {rank < 2 ? nan_tensor() : made_tensor()});
            call.inputs.insert(call.inputs.end(), texts.begin(), texts.end());
            if (by_keyword) {
                call.named_inputs.emplace_back("group", name);
            } else {
                call.inputs.push_back(name);
            }
            run.add(
                0, rank,
                {made_call("Functional.linear.0.forward", {made_tensor()}, {rank == 0 ? nan_tensor() : made_tensor()}),
                 call,
                 made_call("Functional.exp.0.forward", {made_tensor()}, {rank == 3 ? nan_tensor() : made_tensor()})});
        }
        return lines_of(run.report().first);
    };
    const std::string first = "rank 0 Functional.linear.0.forward born_here",
                      other = "rank 3 Functional.exp.0.forward born_here";
    const auto of_pair = [](std::uint64_t rank) { return "tp-" + std::to_string(rank / 2); };
    const MadeValue sum = made_scalar("str", "\"sum\"");
    for (const bool by_keyword : {true, false}) {
        for (const char* const api : {"NPU.npu_mm_all_reduce_base", "Distributed.reduce_scatter_tensor"}) {
            CAPTURE(api);
            const std::string both = culprits_of(api, {sum}, by_keyword, of_pair);
            CHECK(contains(both, first));
            CHECK(contains(both, other));
        }
    }
    // A name of all ranks may be that of several groups, one for each rank that of the rank.
    CHECK_FALSE(contains(
        culprits_of("NPU.npu_mm_all_reduce_base", {}, true, [](std::uint64_t) { return std::string("tp"); }), other));
    CHECK_FALSE(contains(
        culprits_of("NPU.npu_mm_all_reduce_base", {}, true, [](std::uint64_t rank) { return std::to_string(rank); }),
        other));
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
