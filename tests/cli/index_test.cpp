// `opdebug index`: logs in, a saved map out, which decode takes instead of the logs.
#include <doctest/doctest.h>

#include <filesystem>

#include "json_schema.hpp"
#include "log_builder.hpp"
#include "packed_text.hpp"
#include "tool.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

const std::string kIndexedDump = "Opdebug.Node_OpDebug.57.1694385648123456";

/// The record of ai_core_example(): model 514, stream 563, task 57.
LogText log_of_the_example() {
    LogText log;
    log.at(0).set_up_stream(563).at(10).bind(514, 563, "tiny").at(20).save_dump_task("net/mul_1", 563, 57);
    return log;
}

/// The document without what differs between logs and a map: the kind of the evidence.
ordered_json without_kinds(ordered_json document) {
    for (const char* part : {"operator", "model"}) {
        for (auto& proof : document.at(part).at("evidence")) {
            proof.erase("kind");
        }
    }
    return document;
}

}  // namespace

TEST_CASE("index: decode answers from the map as from the logs, when these are gone") {
    const TemporaryDirectory directory;
    const std::string dump = write_file(directory / kIndexedDump, build_overflow_dump(ai_core_example(32)));
    const std::string log = write_file(directory / "logs/debug/plog/plog-5100_1.log", log_of_the_example().text());
    const std::string map = directory / "tasks.map";
    const ProcessResult from_logs = run_tool({"decode", dump, "--logs", directory / "logs"});
    const ProcessResult index = run_tool({"index", directory / "logs", "-o", map, "-j", "2"});
    CHECK(index.exit_status == 0);
    CHECK(index.out.empty());
    CHECK(index.err == "opdebug: " + map + ": 1 file, 3 lines, 1 task, 1 process\n");
    std::filesystem::remove_all(directory / "logs");

    const ProcessResult from_map = run_tool({"decode", dump, "--logs", map});
    CAPTURE(from_map.err);
    REQUIRE(from_map.exit_status == 0);
    const ordered_json document = ordered_json::parse(from_map.out);
    CHECK(without_kinds(document) == without_kinds(ordered_json::parse(from_logs.out)));
    CHECK(document["operator"]["name"] == "net/mul_1");
    CHECK(document["operator"]["evidence"][0]["kind"] == "task_map");
    CHECK(document["operator"]["evidence"][0]["file"] == log);
    CHECK(document["operator"]["evidence"][0]["line"] == 3);
}

TEST_CASE("index: an unreadable log is exit status 1, the map holds the rest") {
    const TemporaryDirectory directory;
    const std::string log = write_file(directory / "plog-5100_1.log", log_of_the_example().text());
    const ProcessResult run = run_tool({"index", log, directory / "missing.log", "-o", directory / "map"});
    CHECK(run.exit_status == 1);
    CHECK(contains(run.err, "missing.log"));
    CHECK(contains(run.err, "1 task"));
    CHECK(std::filesystem::exists(directory / "map"));
}

TEST_CASE("index: nothing to do and wrong usage are exit status 2, and nothing is written") {
    const TemporaryDirectory directory;
    const std::string log = write_file(directory / "plog-5100_1.log", log_of_the_example().text());
    const std::string map = directory / "map";
    const auto refused = [&](const std::vector<std::string>& arguments, const std::string& named) {
        const ProcessResult run = run_tool(arguments);
        CAPTURE(named);
        CHECK(run.exit_status == 2);
        CHECK(run.out.empty());
        CHECK(contains(run.err, named));
        CHECK_FALSE(std::filesystem::exists(map));
    };
    refused({"index", log}, "-o FILE");
    refused({"index", "-o", map}, "log file or folder");
    refused({"index", directory / "missing", "-o", map}, "missing");
    refused({"index", log, "-o", map, "-j", "0"}, "-j");
    refused({"index", log, "-o", map, "-j", "two"}, "-j");
    refused({"index", log, "-o", map, "--log-formats", directory / "missing"}, "--log-formats");
    const std::string before = read_file(log);
    refused({"index", directory.path().string(), "-o", log}, "is the input ");
    CHECK(read_file(log) == before);
}

TEST_CASE("index: files without a line are no logs, but no fault next to logs") {
    const TemporaryDirectory directory;
    const std::string map = directory / "map";
    write_file(directory / "empty/a.log", "");
    write_file(directory / "empty/b.log.gz", gzip_of(""));
    for (const char* path : {"empty/a.log", "empty/b.log.gz", "empty"}) {
        const ProcessResult run = run_tool({"index", directory / path, "-o", map});
        CAPTURE(path);
        CHECK(run.exit_status == 2);
        CHECK(contains(run.err, "no log was found"));
        CHECK_FALSE(std::filesystem::exists(map));
    }
    write_file(directory / "empty/notes.txt", "no log\nat all\n");
    const ProcessResult beside_notes = run_tool({"index", directory / "empty", "-o", map});
    CHECK(beside_notes.exit_status == 2);
    CHECK(contains(beside_notes.err, "no log was found: there is no log line in 3 files; " + map + " was not written"));
    CHECK_FALSE(std::filesystem::exists(map));
    LogText noise;
    noise.at(0).runtime("Run", "noise");
    CHECK(run_tool({"index", write_file(directory / "noise.log", noise.text()), "-o", map}).exit_status == 0);
    write_file(directory / "empty/plog-5100_1.log", log_of_the_example().text());
    CHECK(run_tool({"index", directory / "empty", "-o", map}).exit_status == 0);
    // A map alone has no lines of its own.
    CHECK(run_tool({"index", map, "-o", directory / "again"}).exit_status == 0);
}

TEST_CASE("index: logs of which no line tells of tasks are not called files without a log line") {
    const TemporaryDirectory directory;
    const TemporaryDirectory results;
    const std::string map = results / "map";
    const std::string hccl =
        write_file(directory / "hccl.log",
                   "[INFO] HCCL(500,python3):2026-10-12-10:30:00.000.000 [hccl_impl.cc:512][4802]heartbeat\n");
    write_file(directory / "notes.txt", "no log\nat all\n");
    for (const auto& [path, files] : {std::pair{hccl, "1 file"}, std::pair{directory.path().string(), "2 files"}}) {
        const ProcessResult run = run_tool({"index", path, "-o", map});
        CHECK(run.exit_status == 2);
        CHECK(run.err == std::string("opdebug: no log line about tasks was found in ") + files +
                             ": no line from the runtime, GE or AscendCL, and no other usable line; " + map +
                             " was not written\n");
        CHECK_FALSE(std::filesystem::exists(map));
    }
    write_file(directory / "plog-5100_1.log", log_of_the_example().text());
    CHECK(run_tool({"index", directory.path().string(), "-o", map}).exit_status == 0);
}

TEST_CASE("index: a damaged map costs exit status 1, the dump is decoded without it") {
    const TemporaryDirectory directory;
    const std::string dump = write_file(directory / kIndexedDump, build_overflow_dump(ai_core_example(32)));
    const std::string log = write_file(directory / "plog-5100_1.log", log_of_the_example().text());
    REQUIRE(run_tool({"index", log, "-o", directory / "map"}).exit_status == 0);
    std::string bytes = read_file(directory / "map");
    bytes[bytes.size() - 3] = static_cast<char>(bytes[bytes.size() - 3] ^ 1);
    write_file(directory / "map", bytes);
    const ProcessResult run = run_tool({"decode", dump, "--logs", directory / "map"});
    CHECK(run.exit_status == 1);
    CHECK(contains(run.err, "build it again"));
    CHECK(ordered_json::parse(run.out)["overflow"] == true);
}

TEST_CASE("index: --format jsonl writes each fact as one line, of logs and of a map alike") {
    const TemporaryDirectory directory;
    const std::string log = write_file(directory / "plog.log", log_of_the_example().text());
    const ProcessResult run = run_tool({"index", log, "--format", "jsonl", "-o", "-"});
    REQUIRE(run.exit_status == 0);
    if (const auto verdict = schema_verdict("fact", run.out)) {
        CHECK(*verdict == "4 valid\n");
    }
    const std::vector<std::string> lines = lines_of(run.out);
    REQUIRE(lines.size() == 4);  // the set-up of the stream also shows on which device the process works
    const ordered_json fact = ordered_json::parse(lines.back());
    CHECK(fact["kind"] == "operator_of_task");
    CHECK(fact["pid"] == 5100);
    CHECK(fact["stream_id"] == 563);
    CHECK(fact["task_id"] == 57);
    CHECK(fact["operator_name"] == "net/mul_1");
    CHECK(fact["local_time_us"] == log_time_us(20));
    CHECK(fact["file"] == log);
    CHECK(fact["line"] == 3);
    REQUIRE(run_tool({"index", log, "-o", directory / "map"}).exit_status == 0);
    CHECK(run_tool({"index", directory / "map", "-o", directory / "facts.jsonl"}).exit_status == 0);
    CHECK(read_file(directory / "facts.jsonl") == run.out);
    CHECK(run_tool({"index", log, "-o", "-"}).exit_status == 2);
}
