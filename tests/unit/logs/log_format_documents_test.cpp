// docs/guides/own-formats.md: its example, and the schema for editors against the built-in log formats.
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <opdebug/logs.hpp>
#include <opdebug/report.hpp>

#include "build_paths.hpp"
#include "json_schema.hpp"
#include "logs/formats/formats.hpp"
#include "text.hpp"

using namespace opdebug::logs;
using opdebug::NamedText;
using opdebug::test::contains;

namespace {

const std::string source = std::string(opdebug::test::source_folder) + "/";
const std::string example = source + "testdata/log-formats-example/";

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE_MESSAGE(file, path);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("log format documents: the schema for editors takes the built-in files, lists and the example") {
    std::string lines = opdebug::test::as_line(text_of(example + "my-launch.json"));
    std::size_t count = 2;
    for (const NamedText& file : built_in_log_format_files()) {
        lines += opdebug::test::as_line(file.text);
        ++count;
    }
    const auto list = opdebug::list_log_formats();
    REQUIRE(list.ok());
    lines += opdebug::test::as_line(opdebug::log_formats_to_json(*list));
    if (const auto verdict = opdebug::test::schema_verdict("log-formats", lines)) {
        CHECK(*verdict == std::to_string(count) + " valid\n");
    }
    const std::string unknown = R"({"schema": "opdebug.log_formats/2", "formats": [{"id": "a", "stats": "nothing"}]})";
    if (const auto verdict = opdebug::test::schema_verdict("log-formats", unknown + "\n")) {
        CHECK(verdict->find("1 valid") == std::string::npos);
    }
}

TEST_CASE(
    "log format documents: the format of one's own is quoted as it is, and reads its line beside the built-in ones") {
    const std::string document = text_of(source + "docs/guides/own-formats.md");
    const std::string definition = text_of(example + "my-launch.json");
    const std::string line = text_of(example + "plog-77_20310102030405006.log");
    CHECK(contains(document, "```json\n" + definition + "```"));
    CHECK(contains(document, "```\n" + line + "```"));

    const auto parsed = parse_line(line);
    REQUIRE(parsed);
    CHECK(parsed->pid == 77);
    CHECK_FALSE(built_in_log_formats()->match(*parsed));
    std::vector<NamedText> files = built_in_log_format_files();
    files.push_back({"my-launch.json", definition});
    const auto loaded = LogFormats::load(files);
    REQUIRE_MESSAGE(loaded.ok(), (loaded ? "" : loaded.error().message));
    const auto match = (*loaded)->match(*parsed);
    REQUIRE(match);
    CHECK(match->fact.kind == FactKind::operator_of_task);
    CHECK(match->fact.stream_id == 9);
    CHECK(match->fact.task_id == 12);
    CHECK(match->fact.operator_name == "my/block/mul_1");
    CHECK(match->fact.operator_type == "Mul");
}
