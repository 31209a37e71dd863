// What a scan keeps of overflow dumps for ties, and the timeline that ties make of them.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <fmt/format.h>

#include "report/scan/scan_api.hpp"
#include "scan/kernel_overflows.hpp"

#include "text.hpp"

using namespace opdebug;
using opdebug::test::contains;

TEST_CASE("timeline: a dump stands after its call, others by time between them") {
    ApiReport report;
    for (const std::uint64_t position : {4U, 9U, 12U}) {
        ApiFinding finding;
        finding.step = 1;
        finding.rank = 0;
        finding.position = position;
        report.findings.push_back(finding);
    }
    std::vector<KernelOverflow> overflows(6);
    for (std::size_t i = 0; i < overflows.size(); ++i) {
        overflows[i].step = 1;
        overflows[i].rank = 0;
        overflows[i].timestamp_us = 100 - i;  // the last is the first
    }
    overflows[0].timestamp_us.reset();  // after those with a time
    overflows[5].rank.reset();          // its tie states which rank it is
    const auto tie = [](std::size_t overflow, std::size_t finding, ApiTieLevel level) {
        return ApiTie{level, overflow, finding, "", ""};
    };
    // By time: 5 (tied to the second call), 4, 3 (tied to the second, or the third), 2, 1 (rank or device only), 0.
    const std::vector<ApiTie> ties{tie(1, 0, ApiTieLevel::rank_or_device_only), tie(3, 1, ApiTieLevel::type_only),
                                   tie(3, 2, ApiTieLevel::type_only), tie(5, 1, ApiTieLevel::exact)};
    const std::vector<report::ApiTimeline> timelines = report::api_timeline_of(report, overflows, ties);
    REQUIRE(timelines.size() == 1);
    std::string shown;
    for (const report::ApiTimelineEntry& entry : timelines.front().entries) {
        shown += entry.finding ? fmt::format("call {} ", *entry.finding) : fmt::format("dump {} ", *entry.overflow);
    }
    CHECK(shown == "call 0 call 1 dump 5 dump 4 dump 3 call 2 dump 2 dump 1 dump 0 ");
}

TEST_CASE("timeline: a trace may name a call that is no finding, and the next tie says where the dump stands") {
    ApiReport report;
    report.findings.resize(2);
    report.findings[0].step = report.findings[1].step = 1;
    report.findings[1].position = 7;
    KernelOverflow overflow;
    overflow.step = 1;
    const std::vector<ApiTie> ties{{ApiTieLevel::exact, 0, std::nullopt, "aten::linear", ""},
                                   {ApiTieLevel::type_only, 0, 0, "", ""}};
    const std::vector<report::ApiTimeline> timelines = report::api_timeline_of(report, {overflow}, ties);
    REQUIRE(timelines.size() == 1);
    REQUIRE(timelines.front().entries.size() == 3);
    CHECK(timelines.front().entries[1].overflow == 0U);
    CHECK(timelines.front().entries[1].tie == 0U);
}

TEST_CASE("timeline: where tying is stopped, calls and dumps are reported all the same, and that they were not tied") {
    ApiReport calls;
    calls.findings.resize(1);
    report::PartFacts part;
    part.api.emplace();
    part.api->report = std::make_shared<const ApiReport>(calls);
    part.api->overflows.resize(2);
    part.api->overflows[1].file = "a second one";
    ApiTieOptions options;
    options.stop = [] { return true; };
    const std::optional<report::ScanApi> told = report::scan_api_of({part}, options, false);
    REQUIRE(told);
    CHECK(told->report->findings.size() == 1);
    CHECK(told->overflows.size() == 2);
    CHECK(told->ties.empty());
    REQUIRE(told->diagnostics.size() == 1);
    CHECK(told->diagnostics[0].severity == Severity::error);
    CHECK(told->diagnostics[0].code == "not_tied");
    CHECK(contains(told->diagnostics[0].message, "stopped before the overflows were tied"));
}

TEST_CASE("overflows for ties: the first of each step and rank, in one scan as in shares of it") {
    std::vector<KernelOverflow> all;
    for (std::uint64_t i = 0; i < 4000; ++i) {
        KernelOverflow overflow;
        overflow.file = fmt::format("file{}", i);
        overflow.step = 1;
        overflow.rank = i % 3 == 0 ? 0 : 1;
        overflow.timestamp_us = (i * 7919) % 4001;  // each once, in no order
        all.push_back(overflow);
    }
    scan_stage::KernelOverflows whole, merged;
    std::vector<scan_stage::KernelOverflows> shares(5);
    for (std::size_t i = 0; i < all.size(); ++i) {
        whole.add(all[i]);
        shares[(i / 7) % shares.size()].add(all[i]);
    }
    ScanApiDumps kept, kept_of_shares;
    whole.finish(kept);
    for (scan_stage::KernelOverflows& share : shares) {
        ScanApiDumps of_share;
        share.finish(of_share);
        merged.add(of_share);
    }
    merged.finish(kept_of_shares);
    CHECK(kept.overflows.size() == 2000);
    CHECK(kept.overflows_left_out == 2000);
    REQUIRE(kept_of_shares.overflows.size() == 2000);
    CHECK(kept_of_shares.overflows_left_out == 2000);
    for (std::size_t i = 0; i < 2000; ++i) {
        CHECK(kept.overflows[i].file == kept_of_shares.overflows[i].file);
    }
    // 1,334 of rank 0: the 1,000th has the 1,000th smallest time of its own.
    std::vector<std::uint64_t> times;
    for (const KernelOverflow& overflow : all) {
        if (overflow.rank == 0U) {
            times.push_back(*overflow.timestamp_us);
        }
    }
    std::sort(times.begin(), times.end());
    CHECK(std::none_of(kept.overflows.begin(), kept.overflows.end(), [&times](const KernelOverflow& overflow) {
        return overflow.rank == 0U && *overflow.timestamp_us > times[999];
    }));
}

TEST_CASE("scan with API dumps: without ranks each device has its own first overflows") {
    scan_stage::KernelOverflows kept;
    for (std::uint64_t i = 0; i < 2400; ++i) {
        KernelOverflow overflow;
        overflow.file = fmt::format("{:04}", i);
        overflow.step = 3;
        overflow.device_id = i / 1200;
        overflow.timestamp_us = i;  // all of device 0 come first
        kept.add(overflow);
    }
    ScanApiDumps api;
    kept.finish(api);
    CHECK(api.overflows_left_out == 400);
    REQUIRE(api.overflows.size() == 2000);
    CHECK(api.overflows[999].file == "0999");
    CHECK(api.overflows[1000].file == "1200");
}
