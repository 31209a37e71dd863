// Every JSON output of decode and status follows the JSON Schemas.
#include <doctest/doctest.h>

#include "build_paths.hpp"
#include "demo_dump.hpp"
#include "json_schema.hpp"
#include "reference_data.hpp"
#include "tool.hpp"

using namespace opdebug::test;

namespace {

const std::string source = source_folder;

/// decode over these files, one line each, and what the validator states.
void check_decoded(std::vector<std::string> arguments, std::size_t expected_lines) {
    arguments.insert(arguments.begin(), {"decode", "--format", "jsonl"});
    const ProcessResult run = run_tool(arguments);
    CAPTURE(run.err);
    REQUIRE(lines_of(run.out).size() == expected_lines);
    if (const auto verdict = schema_verdict("record", run.out)) {
        CHECK(*verdict == std::to_string(expected_lines) + " valid\n");
    }
}

}  // namespace

TEST_CASE("schema: the document of the demonstration is valid, with and without logs") {
    const std::string dump = source + "/" + demo_dump_path;
    check_decoded({dump}, 1);
    check_decoded({dump, "--logs", source + "/testdata/demo/logs"}, 1);
    check_decoded({dump, "--lang", "zh"}, 1);
    const ProcessResult run = run_tool({"decode", dump});
    if (const auto verdict = schema_verdict("record", as_line(run.out))) {
        CHECK(*verdict == "1 valid\n");
    }
}

TEST_CASE("schema: a file that is no dump gives a valid document") {
    const TemporaryDirectory folder;
    check_decoded({write_file(folder / "Opdebug.Node_OpDebug.1.2.3", std::string_view("no dump at all")),
                   write_file(folder / "empty", std::string_view())},
                  2);
}

TEST_CASE("schema: the status arrays of all units are valid") {
    std::string lines;
    for (const char* unit : {"ai-core", "dha-atomic", "l2-atomic", "aic", "aiv", "aicpu", "sdma"}) {
        const ProcessResult run =
            run_tool({"status", unit, "0", "32", "0x9F2", "18446744073709551615", "--format", "json"});
        REQUIRE(run.exit_status == 0);
        lines += as_line(run.out);
    }
    const ProcessResult words = run_tool({"status", "aiv", "32,0,1,0", "--format", "json"});
    REQUIRE(words.exit_status == 0);
    lines += as_line(words.out);
    if (const auto verdict = schema_verdict("status", lines)) {
        CHECK(*verdict == "8 valid\n");
    }
}

TEST_CASE("schema: the documents of logs and explain are valid") {
    const std::string logs = source + "/testdata/demo/logs";
    const std::string lines = as_line(run_tool({"logs", logs, "--format", "json"}).out) +
                              as_line(run_tool({"logs", logs, "--stream", "21", "--task", "118"}).out);
    if (const auto verdict = schema_verdict("log-report", lines)) {
        CHECK(*verdict == "2 valid\n");
    }
    const std::string codes = as_line(run_tool({"explain"}).out) + as_line(run_tool({"explain", "--lang", "zh"}).out);
    if (const auto verdict = schema_verdict("explanations", codes)) {
        CHECK(*verdict == "2 valid\n");
    }
}

TEST_CASE("schema: the documents of all reference dumps are valid (reference data)") {
    const auto reference = reference_data();
    if (!reference) {
        return;
    }
    std::vector<std::string> files;
    for (const ReferenceDump& dump : reference_dumps(*reference)) {
        files.push_back(dump.path.string());
    }
    REQUIRE(files.size() > 50);
    const std::size_t count = files.size();
    files.insert(files.end(), {"--logs", (*reference / "logs").string()});
    check_decoded(files, count);
}
