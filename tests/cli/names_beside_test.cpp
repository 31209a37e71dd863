// `opdebug scan` and its sisters: operators that files next to an overflow dump name.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "reference_data.hpp"
#include "scan_job.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

/// The timeline of a scan without problems.
ordered_json timeline_of(const std::string& root, std::vector<std::string> more = {}) {
    const ProcessResult run = scan_in(root, "json", std::move(more));
    CAPTURE(run.err);
    CHECK(run.exit_status == 0);
    return report_of(run)["timeline"];
}

}  // namespace

TEST_CASE("names: TorchAir's folders name the rank (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    const ordered_json timeline = timeline_of(*folder / "field/logs/torchair-rank-folder");
    REQUIRE(timeline.size() == 2);
    CHECK(timeline[0]["path_ids"]["rank"] == 3);
    CHECK(timeline[1]["path_ids"]["rank"] == 5);
}
