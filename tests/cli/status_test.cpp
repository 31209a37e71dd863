// `opdebug status`: bare numbers explained.
#include <doctest/doctest.h>

#include "tool.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

ordered_json explained(std::vector<std::string> arguments, ProcessOptions options = {}) {
    arguments.insert(arguments.begin(), "status");
    arguments.insert(arguments.end(), {"--format", "json"});
    const ProcessResult run = run_tool(arguments, options);
    CAPTURE(run.err);
    REQUIRE(run.exit_status == 0);
    return ordered_json::parse(run.out);
}

}  // namespace

TEST_CASE("four values joined by commas are one version-1 status") {
    const ordered_json list = explained({"aiv", "0x20,0,0,1"});
    REQUIRE(list.size() == 1);
    CHECK(list[0]["status"] == ordered_json({32, 0, 0, 1}));
    CHECK(list[0]["overflow"] == true);
    REQUIRE(list[0]["causes"].size() == 1);
    CHECK(list[0]["causes"][0]["id"] == "ai_core.float_overflow");
    CHECK(explained({"aic", "0,0,0,0"})[0]["overflow"] == false);
    const std::string text = run_tool({"status", "--format", "text", "aiv", "0x20,0,5,1", "-v", "--lang", "en"}).out;
    CHECK(contains(text, "\n  [1] 32 = 0b100000\n  [2] 0 = 0b0\n  [3] 5 = 0b101\n  [4] 1 = 0b1\n"));
}

TEST_CASE("- reads the values from stdin") {
    ProcessOptions options;
    options.input = "32\n0x110 0X8\n\n";
    const ordered_json list = explained({"ai-core", "-"}, options);
    REQUIRE(list.size() == 3);
    CHECK(list[0]["status"] == 32);
    CHECK(list[1]["status"] == 272);
    CHECK(list[2]["status"] == 8);
}

TEST_CASE("a wrong unit or value is wrong usage and told") {
    const auto refused = [](std::vector<std::string> arguments, const std::string& named) {
        arguments.insert(arguments.begin(), "status");
        const ProcessResult run = run_tool(arguments);
        CAPTURE(named);
        CHECK(run.exit_status == 2);
        CHECK(run.out.empty());
        CHECK(contains(run.err, named));
    };
    refused({"gpu", "1"}, "gpu");
    refused({"ai-core", "abc"}, "abc");
    refused({"ai-core", "12x"}, "12x");
    refused({"ai-core", "-5"}, "-5");
    refused({"ai-core", "18446744073709551616"}, "18446744073709551616");
    refused({"ai-core", "0x10000000000000000"}, "0x10000000000000000");
    refused({"ai-core", "0x"}, "0x");
    refused({"aiv", "1,2"}, "1,2");
    refused({"aiv", "1,2,3,4,5"}, "1,2,3,4,5");
    refused({"aicpu", "1,2,3,4"}, "1,2,3,4");
    refused({"ai", "32"}, "'ai' is not a unit");
    refused({"32"}, "missing UNIT before '32': use ai-core, ");
    refused({"0x20", "0x120"}, "missing UNIT before '0x20'");
    refused({"ai-core"}, "missing VALUE after UNIT");
    refused({}, "");
}

TEST_CASE("status: a return code of the runtime is named as such") {
    for (const std::string code : {"207003", "507035", "107020"}) {
        const ordered_json list = explained({"ai-core", code});
        REQUIRE(list[0]["diagnostics"].size() >= 1);
        CHECK(list[0]["diagnostics"].back()["code"] == "return_code");
        const ProcessResult without_unit = run_tool({"status", "--format", "text", code});
        CHECK(without_unit.exit_status == 2);
        CHECK(without_unit.err.find(
                  code + " looks like a return code of the runtime, not like a status: see 'opdebug explain'") !=
              std::string::npos);
    }
    for (const std::string status : {"32", "208000", "272"}) {
        const ordered_json list = explained({"ai-core", status});
        for (const auto& remark : list[0]["diagnostics"]) {
            CHECK(remark["code"] != "return_code");
        }
    }
}
