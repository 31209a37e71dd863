// The report on API dumps through the C interface.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>

#include "api_run.hpp"
#include "c_handles.hpp"
#include "json_schema.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// The document, or the code of the error.
std::string report_of(const std::vector<std::string>& paths, const opdebug_options* options = nullptr,
                      opdebug_stop* stop = nullptr) {
    const std::vector<const char*> pointers = c_paths(paths);
    CError error;
    const std::string text =
        taken(opdebug_api_report(pointers.data(), pointers.size(), options, stop, nullptr, error.out()));
    return error.code() == "none" ? text : error.code();
}

int stop_at_once(void*) {
    return 1;
}

}  // namespace

TEST_CASE("c interface api: the document that the C++ functions give, on one line") {
    ApiRun run;
    run.add(3, 1, {clean_call("Functional.gelu.0.forward"), born()});
    const std::string text = report_of({run.path()});
    CHECK(text.find('\n') == std::string::npos);
    ReportOptions one_line;
    one_line.one_line = true;
    CHECK(text == api_report_to_json(run.report(), one_line));
    const auto document = nlohmann::ordered_json::parse(text);
    CHECK(document["first"][0]["api"] == "Functional.linear.0.forward");
    CHECK(document["first"][0]["step"] == 3);
    check_schema("api-report", text + "\n");
}

TEST_CASE("c interface api: options change what they say") {
    ApiRun run;
    run.add(0, 0, {born("Functional.linear.0.forward"), born("Functional.linear.1.forward")});
    const auto findings = [&run](const opdebug_options* options) {
        return nlohmann::ordered_json::parse(report_of({run.path()}, options))["findings"].size();
    };
    CHECK(findings(nullptr) == 2);
    CHECK(findings(COptions().set("findings_per_verdict", "1").get()) == 1);
    CHECK(findings(COptions().set("threads", "2").get()) == 2);
    const auto small = nlohmann::ordered_json::parse(report_of({run.path()}, COptions().set("call_bytes", "10").get()));
    CHECK(small["failures"][0]["code"] == "call_too_large");
}

TEST_CASE("c interface api: what could not be read is in the document") {
    ApiRun run;
    run.add(0, 0, {born()});
    const std::string absent = run.path() + "/absent";
    const auto document = nlohmann::ordered_json::parse(report_of({run.path(), absent}));
    CHECK(document["failures"][0]["file"] == absent);
    CHECK(document["first"].size() == 1);
    const TemporaryDirectory empty;
    CHECK(nlohmann::ordered_json::parse(report_of({empty.path().string()}))["counts"]["files"] == 0);
}

TEST_CASE("c interface api: the caller ends it") {
    ApiRun run;
    run.add(0, 0, {born()});
    CHECK(report_of({run.path()}, COptions().set("threads", "1").get(), stop_at_once) == "interrupted");
    CHECK(report_of({run.path()}, COptions().set("threads", "4").get(), stop_at_once) == "interrupted");
}
