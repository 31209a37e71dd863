// What the report on API dumps advises, and which row of the file counts.
#include "report/pages/pages.hpp"

#include <string>

#include <doctest/doctest.h>

using namespace opdebug;
using namespace opdebug::report;

namespace {

ApiFinding finding_of(ApiVerdict verdict, const char* api = "Functional.linear.0.forward", const char* remark = "") {
    ApiFinding finding;
    finding.verdict = verdict;
    finding.api = api;
    finding.remarks.push_back({Severity::info, remark, ""});
    return finding;
}

bool begins(std::string_view text, std::string_view begin) {
    return text.substr(0, begin.size()) == begin;
}

}  // namespace

TEST_CASE("next step: it advises after each verdict that something can be done about") {
    for (const ApiVerdict verdict :
         {ApiVerdict::born_here, ApiVerdict::inherited, ApiVerdict::weight, ApiVerdict::saturated,
          ApiVerdict::in_collective, ApiVerdict::process, ApiVerdict::unknown}) {
        CAPTURE(to_string(verdict));
        const std::string english = api_next_step(finding_of(verdict), Language::english);
        const std::string chinese = api_next_step(finding_of(verdict), Language::chinese);
        CHECK_FALSE(english.empty());
        CHECK_FALSE(chinese.empty());
        CHECK(english != chinese);
    }
    for (const ApiVerdict verdict : {ApiVerdict::clean, ApiVerdict::absorbed, ApiVerdict::deliberate}) {
        CHECK(api_next_step(finding_of(verdict), Language::english).empty());
    }
}

TEST_CASE("next step: a remark goes before the API, and the API before the verdict") {
    const char* const attention = "NPU.npu_fusion_attention.0.forward";
    const auto next = [](const ApiFinding& finding) { return api_next_step(finding, Language::english); };
    CHECK(begins(next(finding_of(ApiVerdict::born_here)), "check this call's arguments and type"));
    CHECK(begins(next(finding_of(ApiVerdict::born_here, attention)), "check this call's arguments, which are often"));
    CHECK(begins(next(finding_of(ApiVerdict::saturated, attention)), "check this call's arguments, which are often"));
    CHECK(begins(next(finding_of(ApiVerdict::process, attention, "results_not_seen")), "dump this call with task"));
    CHECK(begins(next(finding_of(ApiVerdict::born_here, attention, "sum_overflow")), "reduce in float32"));
    for (const char* const remark : {"ranks_missing", "group_not_dumped"}) {
        CHECK(
            begins(next(finding_of(ApiVerdict::in_collective, "Distributed.all_reduce.0.forward", remark)), "add the"));
    }
    CHECK(begins(next(finding_of(ApiVerdict::born_here, "NPU.npu_mm_all_reduce_base.0.forward", "group_assumed")),
                 "check this call's arguments and type"));
    // It only passed on what it was given.
    CHECK(begins(next(finding_of(ApiVerdict::inherited, attention)), "follow the call stack"));
    CHECK(begins(api_next_step(finding_of(ApiVerdict::weight), Language::chinese), "检查上一个 step"));
}
