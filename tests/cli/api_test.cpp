// opdebug api: its forms and exit statuses.
#include <doctest/doctest.h>

#include "api_run.hpp"
#include "json_schema.hpp"
#include "tool.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

TEST_CASE("api: filters choose the findings of every form") {
    ApiRun run;
    run.add(0, 0, {born()});
    run.add(0, 1, {born(), made_call("Functional.gelu.0.forward", {nan_tensor()}, {nan_tensor()})});
    const ordered_json chosen = ordered_json::parse(run_tool({"api", run.path(), "--op", "*gelu*", "--rank", "1"}).out);
    CHECK(chosen.at("first").size() == 2);
    CHECK(chosen.at("findings").size() == 1);
    CHECK(chosen.at("findings").at(0).at("api") == "Functional.gelu.0.forward");
    const std::string text = run_tool({"api", run.path(), "--rank", "1", "--all", "--format", "text"}).out;
    CHECK(contains(text, "All findings"));
    CHECK(contains(text, "(2 of 2)"));
    CHECK(run_tool({"api", run.path(), "--rank", "one"}).exit_status == 2);
}

TEST_CASE("api: a culprit fails the build that asks for it") {
    ApiRun bad, good;
    bad.add(0, 0, {born()});
    good.add(0, 0, {clean_call("Functional.linear.0.forward")});
    CHECK(run_tool({"api", "--fail-on", "overflow", bad.path()}).exit_status == 3);
    CHECK(run_tool({"api", "--fail-on", "overflow", good.path()}).exit_status == 0);
}

TEST_CASE("api: damage is said and counts, the rest is complete") {
    ApiRun run;
    run.add(0, 0, {born()});
    run.add_file("step0/rank1/dump.json", R"({"task": "statistics", "data": {"Functional.linear.0.forward": {"inp)");
    const ProcessResult result = run_tool({"api", run.path()});
    CHECK(result.exit_status == 1);
    CHECK(contains(result.err, "rank1/dump.json"));
    CHECK(ordered_json::parse(result.out).at("first").size() == 1);
}

TEST_CASE("api: nothing to do is said") {
    const TemporaryDirectory empty;
    const ProcessResult nothing = run_tool({"api", empty.path().string()});
    CHECK(nothing.exit_status == 2);
    CHECK(nothing.out.empty());
    CHECK(contains(nothing.err, "no API dump was found"));
    CHECK(run_tool({"api", empty / "absent"}).exit_status == 2);
    CHECK(run_tool({"api"}).exit_status == 2);
    CHECK(run_tool({"api", "--first", "none", empty.path().string()}).exit_status == 2);
}

TEST_CASE("api: archives are named, and are to be unpacked first") {
    struct Archive {
        const char* name;
        std::string begin;
        const char* called;
    };
    const Archive archives[] = {
        {"dump.tar.gz", std::string("\x1F\x8B\x08\x00", 4), "gzip file"},
        {"dump.tgz", std::string("\x1F\x8B\x08\x00", 4), "gzip file"},
        {"dump.zip", "PK\x03\x04", "zip archive"},
        {"dump.tar", "dump/step0/rank0/dump.json" + std::string(257 - 26, '\0') + "ustar", "tar archive"}};
    for (const Archive& archive : archives) {
        CAPTURE(archive.name);
        ApiRun run;
        run.add(0, 0, {born()});
        run.add_file(archive.name, archive.begin);
        const ProcessResult result = run_tool({"api", run.path() + "/" + archive.name, run.path() + "/step0"});
        CHECK(result.exit_status == 1);
        CHECK(contains(result.err, std::string(archive.name) + ": this is a " + archive.called));
        CHECK(contains(result.err, "unpack it first"));
        CHECK(ordered_json::parse(result.out).at("first").size() == 1);  // the other path is read
    }
}
