// `opdebug formats` and `--log-formats`: definitions of log lines, built in and of one's own.
#include <doctest/doctest.h>

#include "build_paths.hpp"
#include "json_schema.hpp"
#include "report/text/text_table.hpp"
#include "tool.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

const std::string example = std::string(source_folder) + "/testdata/log-formats-example";

/// A definition file with one entry of that id and literal, for lines "put NAME at STREAM/TASK".
std::string definition(const std::string& id, const std::string& literal = "put ") {
    const std::string begin = R"({"schema": "opdebug.log_formats/1", "formats": [{"catalogue": "X1", "log": "ge_log",
        "states": "operator_of_task", "modules": ["TOYS"], "versions": "2031", "source": "toys",
        "samples": ["[INFO] TOYS(1,a):2031-01-02-03:04:05.006 [a.cc:1]1 F:put a/b at 1/2"],)";
    const std::string pattern = R"~(put (?<operator_name>\\S+) at (?<stream_id>\\d+)/(?<task_id>\\d+))~";
    return begin + R"("id": ")" + id + R"(", "literal": ")" + literal + R"(", "pattern": ")" + pattern + R"("}]})";
}

}  // namespace

TEST_CASE("formats: a definition of the user lets decode read a line of unknown wording") {
    const TemporaryDirectory directory;
    LegacyPayload payload;
    payload.ai_core.stream_id = 9;
    payload.ai_core.task_id = 12;
    payload.ai_core.model_id = 65535;
    payload.ai_core.status = 32;
    DumpFile file = overflow_dump(build_payload(payload));
    file.dump_time = 1925089446000000;  // 2031-01-02 03:04:06 UTC, a second after the line
    const std::string dump = write_file(directory / "Opdebug.Node_OpDebug.12.9.1925089446000000", build_v2(file));
    const std::string log = example + "/plog-77_20310102030405006.log";
    const ProcessResult without = run_tool({"decode", dump, "--logs", log, "--utc-offset", "+00:00"});
    CHECK(ordered_json::parse(without.out)["operator"].is_null());
    for (const std::string& definitions : {example, example + "/my-launch.json"}) {
        const ProcessResult run =
            run_tool({"decode", dump, "--logs", log, "--log-formats", definitions, "--utc-offset", "+00:00"});
        CAPTURE(run.err);
        CAPTURE(run.out);
        CHECK(run.exit_status == 0);
        REQUIRE(ordered_json::parse(run.out)["operator"].is_object());
        CHECK(ordered_json::parse(run.out)["operator"]["name"] == "my/block/mul_1");
    }
    // The definition is needed when the map is made, not when it is used.
    REQUIRE(run_tool({"index", log, "--log-formats", example, "-o", directory / "map"}).exit_status == 0);
    const ProcessResult from_map = run_tool({"decode", dump, "--logs", directory / "map", "--utc-offset", "+00:00"});
    CHECK(ordered_json::parse(from_map.out)["operator"]["name"] == "my/block/mul_1");
}

TEST_CASE("formats: list is the default and has one line for each definition") {
    const ProcessResult run = run_tool({"formats", "--format", "text"});
    CHECK(run.exit_status == 0);
    CHECK(run.err.empty());
    CHECK(run.out == run_tool({"formats", "--format", "text", "list"}).out);
    bool found = false;
    for (const std::string& line : lines_of(run.out)) {
        found = found || (contains(line, " ge.save_dump_task ") && contains(line, " G1 ") &&
                          contains(line, " operator_of_task ") && contains(line, " GE ") && contains(line, "2020-07"));
    }
    CHECK(found);
    const ProcessResult json = run_tool({"formats", "list", "--format", "json", "--log-formats", example});
    const ordered_json document = ordered_json::parse(json.out);
    CHECK(document["formats"].size() == lines_of(run.out).size() + 1);
    CHECK(document["formats"].back()["id"] == "my.block_placed");
}

TEST_CASE("formats: show gives the whole definition, by id or by mark") {
    const ProcessResult by_id =
        run_tool({"formats", "--format", "text", "show", "my.block_placed", "--log-formats", example});
    CHECK(by_id.exit_status == 0);
    for (const char* part :
         {"operator_of_task", "MYENGINE", "pattern              block put down: ", "net/add_2", "my-launch.json"}) {
        CAPTURE(part);
        CHECK(contains(by_id.out, part));
    }
    CHECK(run_tool({"formats", "--format", "text", "show", "F2"}).out ==
          run_tool({"formats", "--format", "text", "show", "adump.dump_folder"}).out);
    // A mark of several texts shows all of them.
    const ordered_json unbind = ordered_json::parse(run_tool({"formats", "show", "M2", "--format", "json"}).out);
    CHECK(unbind["formats"].size() == 3);
}

TEST_CASE("formats: what show writes as JSON is a definition file") {
    const TemporaryDirectory directory;
    const ProcessResult run =
        run_tool({"formats", "show", "my.block_placed", "--format", "json", "--log-formats", example});
    CHECK(ordered_json::parse(run.out) == ordered_json::parse(read_file(example + "/my-launch.json")));
    const std::string copy = write_file(directory / "copy.json", run.out);
    CHECK(run_tool({"formats", "--format", "text", "check", copy}).exit_status == 0);
}

TEST_CASE("formats: an unknown name is exit status 2 with near ones") {
    const ProcessResult run = run_tool({"formats", "--format", "text", "show", "ge.save_dump_tusk"});
    CHECK(run.exit_status == 2);
    CHECK(run.out.empty());
    CHECK(contains(run.err, "similar names: ge.save_dump_task"));
}

TEST_CASE("formats: check tells of each file, also after a faulty one") {
    const TemporaryDirectory directory;
    const std::string bad = write_file(directory / "bad.json", definition("my.bad", "absent "));
    const std::string good = write_file(directory / "good.json", definition("my.good"));
    const std::string text = write_file(directory / "text.json", "no JSON");
    const ProcessResult run =
        run_tool({"formats", "--format", "text", "check", bad, good, text, directory / "missing.json"});
    CHECK(run.exit_status == 1);
    const auto lines = lines_of(run.out);
    REQUIRE(lines.size() == 4);
    CHECK(lines[0].starts_with(bad + ": "));
    CHECK(contains(lines[0], "my.bad"));
    CHECK(contains(lines[0], "correct the literal or the sample"));
    CHECK(lines[1] == good + ": 1 format, 1 sample: sound");
    CHECK(contains(lines[2], "at byte "));
    CHECK(contains(lines[3], "missing.json"));
    const ProcessResult missing =
        run_tool({"formats", "--format", "text", "check", directory / "missing.json", directory / "absent"});
    CHECK(missing.exit_status == 2);  // nothing to do
    CHECK(lines_of(missing.out).size() == 2);
    CHECK(run_tool({"formats", "--format", "text", "check", good}).exit_status == 0);

    const ProcessResult json = run_tool({"formats", "check", "--format", "json", bad, good});
    CHECK(json.exit_status == 1);
    const ordered_json document = ordered_json::parse(json.out);
    REQUIRE(document.size() == 2);
    CHECK(document[0]["sound"] == false);
    CHECK(document[0]["error"]["code"] == "log_format_invalid");
    CHECK(document[1]["sound"] == true);
    CHECK(document[1]["samples"] == 1);
    CHECK(document[1]["error"].is_null());
}

TEST_CASE("formats: --log-formats that cannot be used is exit status 2 and says why") {
    const TemporaryDirectory directory;
    write_file(directory / "empty/readme.txt", "nothing");
    const std::string bad = write_file(directory / "bad/x.json", definition("my.bad", "absent "));
    const std::string dump =
        write_file(directory / "Opdebug.Node_OpDebug.1.5.1597922031178434", build_overflow_dump(ai_core_example(32)));
    const auto refused = [&](const std::string& path, const std::string& named) {
        for (const std::vector<std::string>& command : {std::vector<std::string>{"decode", dump},
                                                        {"formats", "--format", "text"},
                                                        {"index", dump, "-o", directory / "map"}}) {
            std::vector<std::string> arguments = command;
            arguments.insert(arguments.end(), {"--log-formats", path});
            const ProcessResult run = run_tool(arguments);
            CAPTURE(run.err);
            CHECK(run.exit_status == 2);
            CHECK(run.out.empty());
            CHECK(contains(run.err, named));
        }
    };
    refused(directory / "missing", "missing");
    refused(directory / "empty", ".json");
    refused(directory / "bad", "correct the literal or the sample");
    refused(bad, bad);
}

TEST_CASE("formats: a file with the same id under another name is reported") {
    const TemporaryDirectory directory;
    const std::string first = write_file(directory / "a/first.json", definition("my.twice"));
    write_file(directory / "b/second.json", definition("my.twice"));
    const ProcessResult run =
        run_tool({"formats", "--format", "text", "check", first, "--log-formats", directory / "b"});
    CHECK(run.exit_status == 1);
    CHECK(contains(run.out, "is used before"));
}

TEST_CASE("formats try: lines that a definition reads, with captures, and lines that it misses") {
    const TemporaryDirectory directory;
    const std::string prefix = "[INFO] MYENGINE(77,toy):2031-01-02-03:04:05.006.007 [place.cc:7]78 Place:";
    const std::string missed = prefix + "block put down: my/mul_2 kind Mul, lane ?, slot 12";
    const std::string log =
        write_file(directory / "plog.log", prefix + "nothing of interest\n" + prefix +
                                               "block put down: my/mul_1 kind Mul, lane 9, slot 12\n" + missed + "\n");
    const std::string file = example + "/my-launch.json";
    const ProcessResult text = run_tool({"formats", "try", file, log, "--format", "text"});
    CHECK(text.exit_status == 0);
    CHECK(
        text.out ==
        log +
            ":2: my.block_placed (operator_of_task) operator_name=my/mul_1 operator_type=Mul stream_id=9 task_id=12\n" +
            log + ":3: not read by my.block_placed: the pattern does not match\n  " + missed +
            "\n3 lines: 1 read, 1 with a literal not read\n");
    const ProcessResult json = run_tool({"formats", "try", file, log, "--format", "json"});
    const ordered_json document = ordered_json::parse(json.out);
    CHECK(document["lines"] == 3);
    CHECK(document["read"][0]["captures"]["stream_id"] == "9");
    CHECK(document["not_read"][0]["line"] == 3);
    if (const auto verdict = schema_verdict("format-trial", as_line(json.out))) {
        CHECK(*verdict == "1 valid\n");
    }
}

TEST_CASE("formats try: a pattern with the prefix, and a line without it, have reasons of their own") {
    const TemporaryDirectory directory;
    std::string definition = read_file(example + "/my-launch.json");
    const std::string text = "block put down: my/mul_1 kind Mul, lane 9, slot 12\n";
    definition.insert(definition.find("block put down: (?"), "MYENGINE.*");
    const std::string prefix = "[INFO] MYENGINE(77,toy):2031-01-02-03:04:05.006.007 [place.cc:7]78 Place:";
    const ProcessResult run = run_tool({"formats", "try", write_file(directory / "mine.json", definition),
                                        write_file(directory / "plog.log", prefix + text + text), "--format", "text"});
    CHECK(contains(run.out, ":1: not read by my.block_placed: the pattern contains a part of the prefix; "));
    CHECK(contains(run.out, ":2: not read by my.block_placed: the line has no prefix [LEVEL] MODULE(PID,NAME):TIME"));
}

TEST_CASE("formats try: takes a definition file and a log, which must be there") {
    const TemporaryDirectory directory;
    const std::string file = example + "/my-launch.json";
    CHECK(run_tool({"formats", "try", file}).exit_status == 2);
    CHECK(run_tool({"formats", "try", file, directory / "none.log"}).exit_status == 2);
    const std::string broken = write_file(directory / "broken.json", std::string_view("{}"));
    const ProcessResult run = run_tool({"formats", "try", broken, write_file(directory / "a.log", std::string_view())});
    CHECK(run.exit_status == 1);
    CHECK(contains(run.err, "broken.json"));
}
