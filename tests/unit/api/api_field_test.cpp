// Dumps rebuilt from public reports, each with its right answer.
#include <string>

#include <doctest/doctest.h>

#include <opdebug/report.hpp>

#include "api_run.hpp"
#include "reference_data.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

struct FieldCase {
    const char* folder;
    const char* first;     ///< all of the first culprits
    const char* findings;  ///< all findings
    std::uint64_t entries;
};

constexpr FieldCase kFieldCases[] = {
    {"mindspore-csv-row-times/rank_0", "step 0 rank 0 Default_Div-op0 born_here\n",
     "step 0 rank 0 Default_Div-op0 born_here\nstep 0 rank 0 Default_Mul-op0 inherited\n", 5},
    {"mindspore-csv-row-times/control_equal_times", "step 0 rank 0 Default_Div-op0 born_here\n",
     "step 0 rank 0 Default_Div-op0 born_here\nstep 0 rank 0 Default_Mul-op0 inherited\n", 5},
    {"csv-quoted-newlines", "step 0 rank 0 Default_Div-op0 born_here\n", "step 0 rank 0 Default_Div-op0 born_here\n",
     1},
    {"cann-stats-short-row", "step 0 rank - b1 born_here\n", "step 0 rank - b1 born_here\n", 1},
    {"atb-statistic-csv", "step 0 rank - Prefill_layer/Attention born_here\n",
     "step 0 rank - Prefill_layer/Attention born_here\n", 1},
    {"mindspore-communication/all_gather_into_tensor",
     "step 0 rank 0 Distributed.all_gather_into_tensor.0.forward inherited\n",
     "step 0 rank 0 Distributed.all_gather_into_tensor.0.forward inherited\n"
     "step 0 rank 1 Distributed.all_gather_into_tensor.0.forward inherited\n",
     2},
    {"mindspore-communication/gather_into_tensor", "step 0 rank 0 Functional.dense.0.forward born_here\n",
     "step 0 rank 0 Functional.dense.0.forward born_here\n"
     "step 0 rank 0 Distributed.gather_into_tensor.0.forward inherited\n"
     "step 0 rank 1 Distributed.gather_into_tensor.0.forward inherited\n",
     4},
    {"mindspore-communication/all_to_all_single_with_output_shape",
     "step 0 rank 0 Functional.dense.0.forward born_here\n",
     "step 0 rank 0 Functional.dense.0.forward born_here\n"
     "step 0 rank 0 Distributed.all_to_all_single_with_output_shape.0.forward inherited\n"
     "step 0 rank 1 Distributed.all_to_all_single_with_output_shape.0.forward inherited\n",
     4},
    {"fused-compute-communication/NPU.npu_mm_all_reduce_base", "step 0 rank 0 Functional.linear.0.forward born_here\n",
     "step 0 rank 0 Functional.linear.0.forward born_here\n"
     "step 0 rank 0 NPU.npu_mm_all_reduce_base.0.forward inherited\n"
     "step 0 rank 1 NPU.npu_mm_all_reduce_base.0.forward inherited\n",
     4},
    {"aclgraph-collectives/c10d_functional", "step 0 rank 0 Aten.exp.0.forward born_here\n",
     "step 0 rank 0 Aten.exp.0.forward born_here\n"
     "step 0 rank 0 Torch._c10d_functional.all_reduce.0.forward inherited\n"
     "step 0 rank 0 Aten.add.Tensor.0.forward inherited\n"
     "step 0 rank 1 Torch._c10d_functional.all_reduce.0.forward inherited\n"
     "step 0 rank 1 Aten.add.Tensor.0.forward inherited\n",
     6},
    {"group-dst-src/group_dst", "step 0 rank 4 Functional.linear.0.forward born_here\n",
     "step 0 rank 4 Functional.linear.0.forward born_here\n"
     "step 0 rank 4 Distributed.send.0.forward inherited\n"
     "step 0 rank 5 Distributed.recv.0.forward inherited\n"
     "step 0 rank 5 Functional.relu.0.forward inherited\n",
     4},
    {"group-dst-src/dst_order", "step 0 rank 4 Functional.linear.0.forward born_here\n",
     "step 0 rank 4 Functional.linear.0.forward born_here\nstep 0 rank 5 Functional.exp.0.forward born_here\n", 4},
    {"16-aclgraph-fp8-dtype", "step 0 rank - Aten.mul.Tensor.0.forward saturated\n",
     "step 0 rank - Aten.mul.Tensor.0.forward saturated\nstep 0 rank - Aten.mul.Tensor.1.forward saturated\n", 2},
    {"17-nan-check-mode", "step 0 rank 0 Functional.softmax.0.forward process\n",
     "step 0 rank 0 Functional.softmax.0.forward process\n", 4},
    {"15-tensor-without-dtype", "step 0 rank 0 Torch.add.0.forward inherited\n",
     "step 0 rank 0 Torch.add.0.forward inherited\nstep 0 rank 0 Torch.mul.0.forward born_here\n"
     "step 0 rank 0 Torch.div.0.forward inherited\nstep 0 rank 0 Torch.relu.0.forward absorbed\n"
     "step 0 rank 0 Functional.linear.0.forward inherited\n",
     6}};

}  // namespace

TEST_CASE("api field: every case has its right answer (reference data)") {
    const auto reference = reference_data();
    if (!reference) {
        return;
    }
    for (const FieldCase& known : kFieldCases) {
        CAPTURE(known.folder);
        const Result<ApiReport> report = find_api_culprits({(*reference / "field/api" / known.folder).string()});
        REQUIRE(report.ok());
        CHECK(lines_of(report->first) == known.first);
        CHECK(lines_of(report->findings) == known.findings);
        CHECK(report->counts.entries == known.entries);
        CHECK(report->counts.failed == 0);
        CHECK_FALSE(contains(codes_of(report->diagnostics), "no_statistics"));
    }
}

TEST_CASE("api field: task nan_check does not show the mode of the devices (reference data)") {
    const auto reference = reference_data();
    if (!reference) {
        return;
    }
    const Result<ApiReport> report = find_api_culprits({(*reference / "field/api/17-nan-check-mode").string()});
    REQUIRE(report.ok());
    CHECK(codes_of(report->diagnostics) == "register_unread ");
}

TEST_CASE("api field: in the text of several runs each row names its run (reference data)") {
    const auto reference = reference_data();
    if (!reference) {
        return;
    }
    const std::string folder = (*reference / "field/api/group-dst-src").string();
    ApiPageOptions all;
    all.all = true;
    const std::string text = api_report_to_text(*find_api_culprits({folder}), all);
    const std::string rows = text.substr(text.find("All findings"));
    CHECK(contains(rows, "  run "));
    CHECK(contains(rows, "/dst_order "));
    CHECK(contains(rows, "/group_dst "));
    const std::string of_one = api_report_to_text(*find_api_culprits({folder + "/dst_order"}), all);
    CHECK_FALSE(contains(of_one.substr(of_one.find("All findings")), "  run "));
}
