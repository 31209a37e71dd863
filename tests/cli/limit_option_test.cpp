// --limit of the commands that read dumps or logs.
#include <doctest/doctest.h>

#include <string>

#include <opdebug/result.hpp>

#include "build_paths.hpp"
#include "demo_dump.hpp"
#include "dump_builder.hpp"
#include "tool.hpp"

using namespace opdebug::test;

namespace {

const std::string kDump = std::string(source_folder) + "/" + demo_dump_path;
const std::string kLogs = std::string(source_folder) + "/testdata/demo/logs";

/// The exit status, and what is printed on wrong usage.
std::string decode_with(const std::string& limit) {
    const ProcessResult run = run_tool({"decode", kDump, "--limit", limit});
    return std::to_string(run.exit_status) + " " + run.err.substr(0, run.err.find('\n'));
}

}  // namespace

TEST_CASE("limit: names, numbers and suffixes") {
    CHECK(decode_with("file_bytes=4096") == "0 ");
    CHECK(decode_with("file_bytes=4K") == "0 ");
    CHECK(decode_with("file_bytes=1M") == "0 ");
    CHECK(decode_with("file_bytes=17179869183G") == "0 ");  // (2^34 - 1) * 2^30
    CHECK(decode_with("file_bytes=1K").find("1 opdebug: " + kDump + ": the file has ") == 0);
    for (const char* wrong : {"file_bytes", "file_bytes=", "file_bytes=-1", "file_bytes=1T", "file_bytes=K",
                              "file_bytes=17179869184G", "file_bytes=1 ", "=1.5"}) {
        CHECK(decode_with(wrong) ==
              "2 opdebug: --limit must look like file_bytes=256M, not '" + std::string(wrong) + "'");
    }
    CHECK(decode_with("file_byte=1")
              .find("2 opdebug: --limit file_byte=1: unknown limit \"file_byte\"; the limits are ") == 0);
    CHECK(decode_with("records=0") == "2 opdebug: --limit records=0: the limit records must be 1 or more, not 0");
}

TEST_CASE("limit: standard input keeps to file_bytes") {
    ProcessOptions options;
    options.input = read_file(kDump);
    const std::string size = std::to_string(options.input.size());
    CHECK(run_tool({"decode", "-", "--limit", "file_bytes=" + size}, options).exit_status == 0);
    const std::string less = std::to_string(options.input.size() - 1);
    const ProcessResult run = run_tool({"decode", "-", "--limit", "file_bytes=" + less}, options);
    CHECK(run.exit_status == 1);
    CHECK(contains(run.err, "more than " + less + " bytes, the limit file_bytes"));
}

TEST_CASE("limit: every command that has it takes it to what it reads") {
    const TemporaryDirectory directory;
    const std::string name = "Opdebug.Node_OpDebug.57.563.1597922031178434";
    write_file(directory / ("tree/a/b/" + name), build_overflow_dump(ai_core_example(32)));
    write_file(directory / "tree/a/b/Add.add.57.563.1597922031178400", build_v2(overflow_dump({0, 1})));
    const std::string tree = directory / "tree";
    const std::string out = directory / "out";
    const std::vector<std::vector<std::string>> commands{
        {"scan", tree}, {"tensors", tree}, {"convert", "-d", tree, "-out", out}, {"overflow", "-d", tree, "-out", out}};
    for (const std::vector<std::string>& command : commands) {
        CAPTURE(command.front());
        const auto with = [&command](const std::string& limit) {
            std::vector<std::string> arguments = command;
            arguments.insert(arguments.end(), {"--limit", limit});
            return run_tool(arguments);
        };
        CHECK(with("folder_depth=2").exit_status == 0);
        const ProcessResult deep = with("folder_depth=1");
        CHECK(deep.exit_status != 0);
        CHECK(contains(deep.out + deep.err, "folder_depth is 1 (to raise it: --limit folder_depth=NUMBER"));
        CHECK(contains(with("header_bytes=20").out + with("header_bytes=20").err, "the limit header_bytes is 20 "));
    }
    const ProcessResult index = run_tool({"index", kLogs, "-o", directory / "map", "--limit", "line_bytes=100"});
    CHECK(index.exit_status == 0);
    CHECK(contains(index.err, "the limit line_bytes is 100 "));
    const ProcessResult decode = run_tool({"decode", kDump, "--logs", kLogs, "--limit", "line_bytes=100"});
    CHECK(contains(decode.err, "the limit line_bytes is 100 "));
    const std::string definitions = write_file(directory / "formats.json", "[" + std::string(300, ' ') + "]");
    const ProcessResult formats =
        run_tool({"formats", "--format", "text", "check", definitions, "--limit", "definition_bytes=300"});
    CHECK(formats.exit_status == 1);
    CHECK(contains(formats.out, "the limit definition_bytes is 300 "));
}

TEST_CASE("limit: the manual page lists every limit with default and code") {
    const std::string manual = run_tool({"manual"}).out;
    const opdebug::Limits defaults;
    for (const opdebug::LimitInfo& limit : opdebug::known_limits()) {
        const std::string name(limit.name);
        const std::string value = std::to_string(defaults.*limit.member);
        CAPTURE(name);
        CHECK(contains(manual, ".TP\n\\fB" + name + "=" + value + "\\fR\n"));
        CHECK(contains(manual, "(" + std::string(limit.code) + ")\n"));
    }
}
