// Dumps rebuilt from public reports, each with its right answer.
#include <string>

#include <doctest/doctest.h>

#include "api_run.hpp"
#include "reference_data.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

struct Case {
    const char* folder;
    const char* first;     ///< all of the first culprits
    const char* findings;  ///< all findings
    std::uint64_t entries;
};

constexpr Case kCases[] = {{"mindspore-csv-row-times/rank_0", "step 0 rank 0 Default_Div-op0 born_here\n",
                            "step 0 rank 0 Default_Div-op0 born_here\nstep 0 rank 0 Default_Mul-op0 inherited\n", 5},
                           {"mindspore-csv-row-times/control_equal_times", "step 0 rank 0 Default_Div-op0 born_here\n",
                            "step 0 rank 0 Default_Div-op0 born_here\nstep 0 rank 0 Default_Mul-op0 inherited\n", 5},
                           {"csv-quoted-newlines", "step 0 rank 0 Default_Div-op0 born_here\n",
                            "step 0 rank 0 Default_Div-op0 born_here\n", 1},
                           {"cann-stats-short-row", "step 0 rank - b1 born_here\n", "step 0 rank - b1 born_here\n", 1},
                           {"atb-statistic-csv", "step 0 rank - Prefill_layer/Attention born_here\n",
                            "step 0 rank - Prefill_layer/Attention born_here\n", 1}};

}  // namespace

TEST_CASE("api field: every case has its right answer (reference data)") {
    const auto reference = reference_data();
    if (!reference) {
        return;
    }
    for (const Case& known : kCases) {
        CAPTURE(known.folder);
        const Result<ApiReport> report = find_api_culprits({(*reference / "field/api" / known.folder).string()});
        REQUIRE(report.ok());
        CHECK(lines_of(report->first) == known.first);
        CHECK(lines_of(report->findings) == known.findings);
        CHECK(report->counts.entries == known.entries);
        CHECK(report->counts.failed == 0);
    }
}
