// The shared cases, each with the answer that its manifest gives in words.
#include <doctest/doctest.h>

#include "api_run.hpp"
#include "reference_data.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

struct Case {
    const char* folder;
    const char* first;   ///< all of the first culprits
    const char* remark;  ///< code of a remark of the report; null: none is asked for
};

// From msprobe/manifest.json and ptdbg/manifest.json: "right" and "expect".
constexpr Case kCases[] = {
    {"msprobe/nested_list_input", "step 0 rank 0 Torch.cat.0.forward inherited\n", nullptr},
    {"msprobe/mask_minus_inf", "step 0 rank 0 Functional.linear.0.forward born_here\n", nullptr},
    {"msprobe/param_nan", "step 0 rank 0 Module.fc.Linear.forward.0 weight\n", nullptr},
    {"msprobe/batch_p2p", "step 0 rank 0 Functional.linear.0.forward born_here\n", nullptr},
    {"msprobe/not_feeding_comm", "step 0 rank 0 Functional.linear.0.forward born_here\n", nullptr},
    {"msprobe/two_ranks_pre",
     "step 0 rank 0 Functional.linear.0.forward born_here\nstep 0 rank 1 Functional.linear.0.forward born_here\n",
     "order_unknown"},
    {"msprobe/nan_check", "step 0 rank 0 Functional.linear.0.forward process\n", "mode_inferred"},
    {"msprobe/sat_fp16", "step 0 rank 0 Functional.linear.0.forward saturated\n", "mode_inferred"},
    {"msprobe/truncated", "step 0 rank 0 Functional.linear.0.forward born_here\n", "api_dump_cut"},
    {"msprobe/mindspore", "step 0 rank 0 Functional.relu.0.forward born_here\n", nullptr},
    {"msprobe/no_framework", "step 0 rank 0 Functional.linear.0.forward born_here\n", nullptr},
    {"msprobe/old_grad_names", "step 0 rank 0 Functional.linear.0.backward born_here\n", nullptr},
    {"ptdbg/v2_seed002", "step - rank 0 Functional_linear_145_backward born_here\n", nullptr},
    {"ptdbg/v3_step", "step 3 rank 5 Torch_matmul_12_forward inherited\n", nullptr},
    {"ptdbg/v4_sat", "step 0 rank 2 Functional_linear_145_backward saturated\n", "mode_inferred"},
    {"ptdbg/v4_process", "step 0 rank 0 Functional_gelu_7_forward process\n", nullptr},
    {"ptdbg/v6_dots", "step 0 rank 0 Functional.linear.145.backward saturated\n", nullptr},
    {"ptdbg/v5_md5", "", "no_statistics"},
    {"ptdbg/realpickle", "", nullptr}};

}  // namespace

TEST_CASE("api reference: every shared case has its right answer (reference data)") {
    const auto reference = reference_data();
    if (!reference) {
        return;
    }
    for (const Case& known : kCases) {
        CAPTURE(known.folder);
        const Result<ApiReport> report = find_api_culprits({(*reference / "api-dumps" / known.folder).string()});
        REQUIRE(report.ok());
        CHECK(lines_of(report->first) == known.first);
        CHECK(report->counts.failed == (std::string(known.folder) == "ptdbg/realpickle" ? 1 : 0));
        if (known.remark != nullptr) {
            CHECK(contains(codes_of(report->diagnostics), known.remark));
        }
        for (const ApiFinding& finding : report->first) {
            CHECK_FALSE(finding.stack.empty());
        }
    }
}

TEST_CASE("api reference: the real pickle is refused (reference data)") {
    const auto reference = reference_data();
    if (!reference) {
        return;
    }
    const Result<ApiReport> report = find_api_culprits({(*reference / "api-dumps/ptdbg/realpickle").string()});
    REQUIRE(report.ok());
    REQUIRE(report->failures.size() == 1);
    CHECK(report->failures[0].code == ErrorCode::pickle_refused);
}

TEST_CASE("api reference: cases below one folder are runs of their own (reference data)") {
    const auto reference = reference_data();
    if (!reference) {
        return;
    }
    const Result<ApiReport> report = find_api_culprits({(*reference / "api-dumps/msprobe").string()});
    REQUIRE(report.ok());
    CHECK(report->first.size() == 13);  // one of each case, two where the order of the ranks is unknown
}
