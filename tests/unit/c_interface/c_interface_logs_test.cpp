// The document of what was read of logs.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "build_paths.hpp"
#include "c_handles.hpp"
#include "json_schema.hpp"
#include "log_builder.hpp"
#include "temporary_directory.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

TEST_CASE("c interface logs: what was read and what could not be") {
    const TemporaryDirectory folder;
    LogText log;
    log.at(10).save_dump_task("net/op", 21, 118).at(20).save_dump_task("net/other", 21, 119);
    const std::string file = write_file(folder / "debug/plog/plog-5100_20260304100000000.log", log.text());
    const std::string missing = folder / "none.log";
    const Logs logs = read_c_logs({file, missing});
    const std::string text = taken(opdebug_logs_to_json(logs.get(), nullptr));
    const ordered_json document = ordered_json::parse(text);
    CHECK(document["schema"] == "opdebug.logs/1");
    CHECK(document["files"] == 1);
    CHECK(document["lines"] == 2);
    CHECK(document["processes"] == 1);
    CHECK(document["tasks"] == 2);
    REQUIRE(document["failures"].size() == 1);
    CHECK(document["failures"][0]["file"] == missing);
    CHECK(document["failures"][0]["code"] == "file_not_found");
    CHECK(document["failures"][0]["offset"].is_null());
    CHECK(document["diagnostics"].empty());
    CHECK(document["complete"] == true);
    CHECK(text.find('\n') == std::string::npos);
    const Logs demo = read_c_logs({std::string(source_folder) + "/testdata/demo/logs"});
    const std::string lines = text + "\n" + taken(opdebug_logs_to_json(demo.get(), nullptr)) + "\n";
    if (const auto verdict = schema_verdict("logs", lines)) {
        CHECK(*verdict == "2 valid\n");
    }
}
