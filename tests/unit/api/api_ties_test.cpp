// Ties by location and by operator type. What fits what: docs/internals/api-rules.md, "Ties to kernels".
#include <string>

#include <doctest/doctest.h>

#include "api_run.hpp"
#include "api_ties/kernel_table.hpp"
#include "made_ties.hpp"
#include "text.hpp"

using namespace opdebug::api_ties;
using namespace opdebug::test;
using namespace opdebug;

TEST_CASE("ties: without a type only rank, device and step fit") {
    const ApiReport report = made_report({made_finding("Functional.linear.0.forward")});
    CHECK(tied(report, {made_overflow("")}) == "0 rank_or_device_only Functional.linear.0.forward\n");
    KernelOverflow other = made_overflow("");
    other.rank = 1;
    CHECK(tied(report, {other}).empty());
    CHECK(tied(made_report({}), {made_overflow("MatMulV2")}).empty());
    CHECK(tied(report, {}).empty());
}

TEST_CASE("ties: a device is assumed to be the rank of its number, and it is said once") {
    const ApiReport report = made_report({made_finding("Functional.linear.0.forward")});
    KernelOverflow of_device = made_overflow("MatMulV2");
    of_device.rank.reset();
    of_device.device_id = 0;
    KernelOverflow of_other = of_device;
    of_other.device_id = 3;
    const ApiTies ties = *tie_api_findings(report, {of_device, of_other, of_device});
    CHECK(lines_of(ties) ==
          "0 type_only Functional.linear.0.forward\n"
          "2 type_only Functional.linear.0.forward\n");
    REQUIRE(ties.ties.size() == 2);
    CHECK(contains(ties.ties[0].because, "device 0 is assumed to be rank 0"));
    CHECK(codes_of(ties.diagnostics) == "device_rank_assumed ");
    // Rank and device are both known: the rank counts, and nothing is assumed.
    of_device.rank = 0;
    of_device.device_id = 5;
    CHECK(tie_api_findings(report, {of_device})->diagnostics.empty());
}

TEST_CASE("ties: dumps of one process that name no rank belong to overflows of one device only") {
    ApiFinding nameless = made_finding("Functional.linear.0.forward");
    nameless.rank.reset();
    nameless.process = 77;
    KernelOverflow first = made_overflow("MatMulV2"), second = made_overflow("MatMulV2");
    first.rank = second.rank = std::nullopt;
    first.device_id = 2;
    second.device_id = 3;
    const ApiTies one = *tie_api_findings(made_report({nameless}), {first});
    CHECK(lines_of(one) == "0 type_only Functional.linear.0.forward\n");
    CHECK(codes_of(one.diagnostics) == "place_assumed ");
    const ApiTies two = *tie_api_findings(made_report({nameless}), {first, second});
    CHECK(lines_of(two).empty());
    CHECK(codes_of(two.diagnostics) == "rank_unknown ");
}

TEST_CASE("ties: steps are compared where both are known") {
    ApiFinding later = made_finding("Functional.linear.0.forward");
    later.step = 1;
    later.file = "dump/step1/rank0/dump.json";
    const ApiReport report = made_report({made_finding("Functional.linear.0.forward"), later});
    KernelOverflow overflow = made_overflow("MatMulV2");
    overflow.step = 1;
    const ApiTies ties = *tie_api_findings(report, {overflow});
    REQUIRE(ties.ties.size() == 1);
    CHECK(ties.ties[0].level == ApiTieLevel::type_only);
    CHECK(ties.ties[0].finding == std::size_t{1});
    CHECK(codes_of(ties.diagnostics) == "steps_assumed ");
    overflow.step = 2;
    CHECK(tied(report, {overflow}).empty());
    overflow.step.reset();
    CHECK(tied(report, {overflow}) ==
          "0 type_only Functional.linear.0.forward\n0 type_only Functional.linear.0.forward\n");
}

TEST_CASE("ties: all calls whose type fits are candidates") {
    const ApiReport report =
        made_report({made_finding("Functional.linear.3.forward", 10), made_finding("Functional.relu.0.forward", 11),
                     made_finding("Torch.matmul.1.forward", 12)});
    // Both linear and matmul launch MatMulV2. That there are two overflows and two calls does not pair them.
    CHECK(tied(report, {made_overflow("MatMulV2", 2000), made_overflow("MatMulV2", 1000)}) ==
          "0 type_only Functional.linear.3.forward\n0 type_only Torch.matmul.1.forward\n"
          "1 type_only Functional.linear.3.forward\n1 type_only Torch.matmul.1.forward\n");
    const ApiTies ties = *tie_api_findings(report, {made_overflow("MatMulV2")});
    CHECK(ties.ties[0].because == "operator type MatMulV2 fits; calls that fit: 2");
}

TEST_CASE("ties: calls of a statistic.csv with the stream and task of the overflow come first") {
    const auto row = [](const char* name, std::uint64_t task) {
        ApiFinding finding = made_finding(name, task);
        finding.source = ApiSource::statistic_csv;
        finding.operator_type = "MatMulV2";
        finding.stream_id = 7;
        finding.task_id = task;
        return finding;
    };
    const ApiReport report = made_report({row("Default/MatMul-op3", 21), row("Default/MatMul-op4", 22)});
    KernelOverflow overflow = made_overflow("MatMulV2");
    overflow.stream_id = 7;
    overflow.task_id = 22;
    const ApiTies ties = *tie_api_findings(report, {overflow});
    CHECK(lines_of(ties) == "0 type_only Default/MatMul-op4\n");
    REQUIRE(ties.ties.size() == 1);
    CHECK(contains(ties.ties[0].because, "stream 7 and task 22 are equal"));
    overflow.task_id = 23;
    CHECK(tied(report, {overflow}) == "0 type_only Default/MatMul-op3\n0 type_only Default/MatMul-op4\n");
    // The same ids of another operator are of another run.
    overflow.task_id = 22;
    overflow.operator_type = "Add";
    CHECK_FALSE(contains(tied(report, {overflow}), "type_only"));
}

TEST_CASE("ties: findings of statistic.csv have the ids of their kernel") {
    ApiRun run;
    run.add_file("rank_0/net/0/3/statistic.csv",
                 "Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data Size,Data Type,Shape,Max Value,Min Value\n"
                 "MatMulV2,Default/MatMul-op3,21,7,1700000000000000,input,0,8,float16,\"(2,2)\",1,0\n"
                 "MatMulV2,Default/MatMul-op3,21,7,1700000000000000,output,0,8,float16,\"(2,2)\",inf,0\n");
    const ApiReport report = run.report();
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].operator_type == "MatMulV2");
    CHECK(report.findings[0].task_id == 21U);
    CHECK(report.findings[0].stream_id == 7U);
    CHECK(report.findings[0].timestamp_us == 1'700'000'000'000'000U);
    CHECK(tied(report, {made_overflow("MatMulV2")}) == "0 type_only Default/MatMul-op3\n");
}

TEST_CASE("ties: names of kernels in eager mode") {
    // aclnn{Api}_{L0 function}_{operator type}: the API goes before the type, for linear launches Add, too.
    const ApiReport report =
        made_report({made_finding("Functional.linear.0.forward", 0), made_finding("Tensor.add.0.forward", 1),
                     made_finding("Tensor.mul_.4.forward", 2)});
    KernelOverflow add = made_overflow("");
    add.kernel = "aclnnAdd_AddAiCore_Add";
    CHECK(tied(report, {add}) == "0 type_only Tensor.add.0.forward\n");
    KernelOverflow muls = made_overflow("");
    muls.kernel = "aclnnInplaceMul_MulAiCore_Mul";
    CHECK(tied(report, {muls}) == "0 type_only Tensor.mul_.4.forward\n");
    KernelOverflow matmul = made_overflow("");
    matmul.kernel = "aclnnAddmm_MatMulCommon_MatMulV2";
    CHECK(tied(report, {matmul}) == "0 type_only Functional.linear.0.forward\n");
    KernelOverflow unclear = made_overflow("");
    unclear.kernel = "te_matmul_1";
    CHECK_FALSE(contains(tied(report, {unclear}), "type"));
}

TEST_CASE("ties: overloaded operators, modules and backwards have kernels of their own") {
    const auto fits = [](const char* api, const char* type) {
        return tied(made_report({made_finding(api)}), {made_overflow(type)}).find("type_only") != std::string::npos;
    };
    CHECK(fits("Tensor.__add__.0.forward", "Add"));
    CHECK(fits("Tensor.__iadd__.0.forward", "Add"));
    CHECK(fits("Tensor.__truediv__.3.forward", "RealDiv"));
    CHECK(fits("Tensor.__mod__.3.forward", "FloorMod"));
    CHECK(fits("Tensor.__getitem__.3.forward", "StridedSlice"));
    CHECK(fits("Module.layer.0.fc.Linear.forward.0", "MatMulV2"));
    CHECK(fits("Functional.relu.7.backward", "ReluGrad"));
    CHECK(fits("Functional.conv2d.0.backward", "Conv2DBackpropFilter"));
    CHECK(fits("Functional.hardsigmoid.0.forward", "HardSigmoid"));       // by the name alone
    CHECK(fits("Functional.hardsigmoid.0.backward", "HardSigmoidGrad"));  // CANN's way to name them
    CHECK(fits("Functional.softmax.0.forward", "SoftmaxV2"));
    CHECK_FALSE(fits("Functional.relu.7.forward", "ReluGrad"));
    CHECK_FALSE(fits("Functional.relu.7.backward", "Relu"));
    CHECK_FALSE(fits("MyKernels.fused_thing.0.forward", "MatMulV2"));
    CHECK_FALSE(fits("Functional.hardsigmoid.0.forward", "HardSigmoidV2"));  // not plainly equal
    CHECK_FALSE(fits("Tensor.__add__.0.forward", "Sub"));
}

TEST_CASE("ties: only calls in which a kernel can have overflowed take part") {
    ApiFinding culprit = made_finding("Torch.matmul.0.forward", 5, ApiVerdict::inherited);
    const ApiFinding weight = made_finding("Functional.linear.0.forward", 1, ApiVerdict::weight);
    const ApiFinding meant = made_finding("Functional.linear.1.forward", 2, ApiVerdict::deliberate);
    CHECK(tied(made_report({weight, meant}), {made_overflow("MatMulV2")}).empty());
    // Inherited ones only where nothing likely fits.
    CHECK(tied(made_report({weight, meant, culprit}), {made_overflow("MatMulV2")}) ==
          "0 type_only Torch.matmul.0.forward\n");
    const ApiFinding born = made_finding("Torch.bmm.0.forward", 6);
    CHECK(tied(made_report({culprit, born}), {made_overflow("MatMulV2")}) == "0 type_only Torch.bmm.0.forward\n");
    // The type fits an inherited one: better than the bare location of one that was born there.
    const ApiFinding elsewhere = made_finding("MyKernels.fused_thing.0.forward", 7);
    CHECK(tied(made_report({culprit, elsewhere}), {made_overflow("MatMulV2")}) ==
          "0 type_only Torch.matmul.0.forward\n");
}

TEST_CASE("ties: at most five of an overflow are listed, and it is reported") {
    std::vector<ApiFinding> findings;
    for (std::uint64_t i = 0; i < 12; ++i) {
        findings.push_back(made_finding("Functional.linear." + std::to_string(i) + ".forward", i));
    }
    const ApiTies by_type = *tie_api_findings(made_report(findings), {made_overflow("MatMulV2")});
    CHECK(by_type.ties.size() == 5);
    REQUIRE(codes_of(by_type.diagnostics) == "ties_left_out ");
    CHECK(contains(by_type.diagnostics[0].message, "7 ties are left out"));
    const ApiTies by_place = *tie_api_findings(made_report(findings), {made_overflow("")});
    CHECK(by_place.ties.size() == 5);
    CHECK(codes_of(by_place.diagnostics) == "ties_left_out ");
}

TEST_CASE("ties: of a long list all calls are counted") {
    std::vector<ApiFinding> findings;
    for (std::uint64_t i = 0; i < 3000; ++i) {
        findings.push_back(made_finding("Functional.linear." + std::to_string(i) + ".forward", i));
    }
    const std::vector<KernelOverflow> overflows{made_overflow("MatMulV2", 1), made_overflow("MatMulV2", 2)};
    const ApiTies ties = *tie_api_findings(made_report(std::move(findings)), overflows);
    REQUIRE(ties.ties.size() == 10);
    for (const ApiTie& tie : ties.ties) {
        CHECK(contains(tie.because, "calls that fit: 3000"));
    }
    REQUIRE(codes_of(ties.diagnostics) == "ties_left_out ");
    CHECK(contains(ties.diagnostics[0].message, "5990 ties are left out"));
}

TEST_CASE("kernel table: the built-in one is sound") {
    const KernelTable table;
    const ApiKernels* const linear = table.row_of("linear");
    REQUIRE(linear != nullptr);
    CHECK(linear->forward.front() == "MatMulV2");
    CHECK(table.row_of("Linear") == linear);
    CHECK(table.row_of("no_such_api") == nullptr);
    CHECK(table.has_only_api("linear"));
    CHECK_FALSE(table.has_only_api("add_"));
    CHECK_FALSE(table.has_only_api("no_such_operation"));
    CHECK(table.apis_of("add_") == std::vector<std::string_view>{"add_", "__iadd__"});
    CHECK(table.apis_of("mm") == std::vector<std::string_view>{"mm"});
}

TEST_CASE("kernel names of eager mode: API family and operator type") {
    // Names of public traces and logs.
    CHECK(type_in_kernel("aclnnAddmm_MatMulCommon_MatMulV2") == "MatMulV2");
    CHECK(family_in_kernel("aclnnAddmm_MatMulCommon_MatMulV2") == "Addmm");
    CHECK(type_in_kernel("aclnnFlashAttentionScore_FlashAttentionScore_FlashAttentionScore") == "FlashAttentionScore");
    CHECK(family_in_kernel("aclnnInplaceMuls_MulAiCore_Mul") == "Muls");
    for (const char* const other : {"Conv2D1", "trans_Cast_0", "aclnnAbs_0", "aclnnAbs", "", "te_matmul_0_1"}) {
        CAPTURE(other);
        CHECK(type_in_kernel(other).empty());
        CHECK(family_in_kernel(other).empty());
    }
    CHECK(plain_name("__add__") == "add");
    CHECK(plain_name("add_") == "add");
    CHECK(plain_name("LayerNorm") == plain_name("layer_norm"));
}
