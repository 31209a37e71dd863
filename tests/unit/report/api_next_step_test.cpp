// What the report on API dumps advises: the built-in file, which of its rows counts, and files that are refused.
#include "report/text/api_next_step.hpp"

#include <string>

#include <doctest/doctest.h>

#include "embedded/api_next_steps_data.hpp"

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

const std::string sound_remark = R"({"code": "c", "next": {"en": "e", "zh": "z"}, "source": "s"})";
const std::string sound_call = R"({"part_of_name": "p", "next": {"en": "e", "zh": "z"}, "source": "s"})";
const std::string sound_verdict = R"({"verdict": "weight", "next": {"en": "e", "zh": "z"}, "source": "s"})";

std::string message_of(const std::string& remarks, const std::string& calls, const std::string& verdicts,
                       const std::string& schema = "opdebug.api_next_steps/1") {
    const auto read =
        read_api_next_steps("mine.json", R"({"schema": ")" + schema + R"(", "remarks": [)" + remarks +
                                             R"(], "calls": [)" + calls + R"(], "verdicts": [)" + verdicts + "]}");
    return read ? "sound" : read.error().message;
}

bool holds(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("next step: the built-in file is sound, and advises after each verdict that something can be done about") {
    const embedded::File& file = embedded::api_next_steps_files().front();
    const auto read = read_api_next_steps(std::string(file.name), std::string(file.text));
    REQUIRE_MESSAGE(read.ok(), (read ? std::string() : read.error().message));
    for (const ApiVerdict verdict :
         {ApiVerdict::born_here, ApiVerdict::inherited, ApiVerdict::weight, ApiVerdict::saturated,
          ApiVerdict::in_collective, ApiVerdict::process, ApiVerdict::unknown}) {
        CAPTURE(to_string(verdict));
        const std::string_view english = api_next_step(finding_of(verdict), Language::english);
        const std::string_view chinese = api_next_step(finding_of(verdict), Language::chinese);
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

TEST_CASE("next step: a file is refused with the place and the reason") {
    CHECK(message_of(sound_remark, sound_call, sound_verdict) == "sound");
    CHECK(holds(message_of(sound_remark, sound_call, sound_verdict, "opdebug.other/1"), "/schema"));
    CHECK(holds(message_of(R"({"code": "c", "next": {"en": "e", "zh": "z"}})", sound_call, sound_verdict), "source"));
    CHECK(holds(message_of(sound_remark, R"({"part_of_name": "p", "next": {"en": "e"}, "source": "s"})", sound_verdict),
                "/calls/0/next"));
    CHECK(holds(
        message_of(sound_remark, sound_call, R"({"verdict": "clean", "next": {"en": "e", "zh": "z"}, "source": "s"})"),
        "/verdicts/0/verdict"));
    CHECK(holds(message_of(sound_remark, sound_call, sound_verdict + ", " + sound_verdict), "another row"));
    CHECK(holds(message_of("", sound_call, sound_verdict), "/remarks"));
}
