// `opdebug decode`: inputs, output forms, exit status, errors.
#include <doctest/doctest.h>

#include "build_paths.hpp"
#include "demo_dump.hpp"
#include "tool.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

const std::string first_name = "Opdebug.Node_OpDebug.1.5.1597922031178434";
const std::string second_name = "Opdebug.Node_OpDebug.2.5.1597922031178435";

bool has_diagnostic(const ordered_json& document, std::string_view code, std::string_view severity) {
    for (const auto& item : document.at("diagnostics")) {
        if (item.at("code") == code && item.at("severity") == severity) {
            return !item.at("message").get<std::string>().empty();
        }
    }
    return false;
}

}  // namespace

TEST_CASE("several files give one line each, in the order given") {
    const TemporaryDirectory directory;
    const std::string first = write_file(directory / first_name, build_overflow_dump(ai_core_example(32)));
    const std::string second = write_file(directory / second_name, build_overflow_dump(ai_core_example(8)));
    const ProcessResult run = run_tool({"decode", second, first});
    CHECK(run.exit_status == 0);
    CHECK(run.err.empty());
    const auto lines = lines_of(run.out);
    REQUIRE(lines.size() == 2);
    CHECK(ordered_json::parse(lines[0])["file"] == second);
    CHECK(ordered_json::parse(lines[1])["file"] == first);
}

TEST_CASE("- reads one dump from stdin") {
    ProcessOptions options;
    options.input = text_of(build_overflow_dump(ai_core_example(32)));
    const ProcessResult run = run_tool({"decode", "-"}, options);
    CAPTURE(run.err);
    REQUIRE(run.exit_status == 0);
    const ordered_json document = ordered_json::parse(run.out);
    CHECK(document["overflow"] == true);
    CHECK(document["timestamp_us"] == 1694385648123456);
    CHECK(document["name_ids"]["task_id"].is_null());
}

TEST_CASE("a folder is exit status 2, with the command that reads folders") {
    const TemporaryDirectory directory;
    const ProcessResult empty = run_tool({"decode", directory.path().string()});
    CHECK(empty.exit_status == 2);
    CHECK(contains(empty.err, "use 'opdebug scan' for the dumps below a folder"));
    write_file(directory / "mapping.csv", "");
    const ProcessResult run = run_tool({"decode", directory.path().string()});
    CHECK(run.exit_status == 2);
    CHECK(run.out.empty());
    CHECK(contains(run.err, "run 'opdebug scan " + directory.path().string() + "'"));
}

TEST_CASE("logs that cannot be read cost exit status 1, not the documents") {
    const TemporaryDirectory directory;
    const std::string dump = write_file(directory / first_name, build_overflow_dump(ai_core_example(32)));
    write_file(directory / "empty/readme.md", "no log");
    for (const std::string& logs : {directory / "missing", directory / "empty"}) {
        const ProcessResult run = run_tool({"decode", dump, "--logs", logs});
        CAPTURE(logs);
        CHECK(run.exit_status == 1);
        CHECK(contains(run.err, logs));
        CHECK(ordered_json::parse(run.out)["overflow"] == true);
        CHECK(run_tool({"decode", directory / "no dump", "--logs", logs}).exit_status == 2);
    }
    const std::string log = write_file(directory / "plog.log", "a line\n");
    const ProcessResult partly = run_tool({"decode", dump, "--logs", directory / "missing", "--logs", log});
    CHECK(partly.exit_status == 1);
    CHECK(contains(partly.err, directory / "missing"));
    CHECK(ordered_json::parse(partly.out)["overflow"] == true);
}

TEST_CASE("--format text shows a failed file without its escape sequences") {
    const TemporaryDirectory directory;
    const std::string path = write_file(directory / "\x1b[31m\xc2\x9bred", "");
    const ProcessResult run = run_tool({"decode", "--format", "text", path});
    CHECK(run.exit_status == 1);
    CHECK(run.out.empty());  // the message is enough
    CHECK(contains(run.err, "\\x1b[31m\\xc2\\x9bred"));
    CHECK_FALSE(contains(run.err, "\x1b"));
    CHECK_FALSE(contains(run.err, "\xc2\x9b"));
}

TEST_CASE("a file that cannot be decoded has a document that says why") {
    const TemporaryDirectory directory;
    const std::string path = write_file(directory / ("20241120060505/3/" + first_name), "");
    const ProcessResult run = run_tool({"decode", path});
    CHECK(run.exit_status == 1);
    const ordered_json document = ordered_json::parse(run.out);
    CHECK(keys_of(document) == std::vector<std::string>{"schema", "file", "host", "rank", "timestamp_us",
                                                        "utc_offset_minutes", "name_ids", "path_ids", "container",
                                                        "payload", "overflow", "records", "operator", "model",
                                                        "diagnostics"});
    CHECK(document["file"] == path);
    CHECK(document["timestamp_us"] == 1597922031178434);
    CHECK(document["path_ids"]["device_id"] == 3);
    CHECK(document["overflow"].is_null());
    CHECK(document["records"].empty());
    CHECK(has_diagnostic(document, "empty_file", "error"));
}

TEST_CASE("a fault at one place is reported with its byte") {
    const TemporaryDirectory directory;
    Buffer bytes = build_overflow_dump(ai_core_example(32));
    bytes[8] = 0xFF;  // wire type 7 at byte 8
    const std::string path = write_file(directory / first_name, bytes);
    const ProcessResult run = run_tool({"decode", path});
    CHECK(run.exit_status == 1);
    CHECK(contains(run.err, path));
    CHECK(contains(run.err, "byte "));
}

TEST_CASE("one bad file does not cost the others their documents") {
    const TemporaryDirectory directory;
    const std::string bad = write_file(directory / first_name, "");
    const std::string good = write_file(directory / second_name, build_overflow_dump(ai_core_example(32)));
    const ProcessResult run = run_tool({"decode", bad, good});
    CHECK(run.exit_status == 1);
    CHECK(contains(run.err, bad));
    CHECK_FALSE(contains(run.err, good));
    const auto lines = lines_of(run.out);
    REQUIRE_FALSE(lines.empty());
    const ordered_json last = ordered_json::parse(lines.back());
    CHECK(last["file"] == good);
    CHECK(last["overflow"] == true);
}

TEST_CASE("the time zone of this machine changes nothing where the run shows its own") {
    const std::string source = std::string(source_folder) + "/";
    const auto decoded_in = [&source](const std::string& zone, const std::string& form) {
        ProcessOptions options;
        options.environment.emplace_back("TZ", zone);
        return run_tool({"decode", "--format", form, "--logs", source + "testdata/demo/logs", source + demo_dump_path},
                        options)
            .out;
    };
    const std::string expected = decoded_in("UTC", "json");
    for (const char* zone : {"America/New_York", "Asia/Shanghai", "Asia/Tokyo"}) {
        CHECK_MESSAGE(decoded_in(zone, "json") == expected, zone);
        CHECK_MESSAGE(contains(decoded_in(zone, "text"), "2026-10-12 09:41:27.318 (+08:00)\n"), zone);
    }
}
