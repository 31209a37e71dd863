// The C interface: files that a scan reads, and logs.
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <opdebug/scan.hpp>

#include "build_paths.hpp"
#include "c_handles.hpp"
#include "dump_builder.hpp"
#include "dump_tree.hpp"
#include "json_schema.hpp"
#include "log_builder.hpp"
#include "temporary_directory.hpp"

using namespace opdebug::test;
using namespace opdebug;
using nlohmann::ordered_json;

namespace {

const std::string name = "Opdebug.Node_OpDebug.57.563.1772618400000000";

std::vector<std::string> paths_of(const opdebug_files* files) {
    std::vector<std::string> paths;
    for (std::size_t i = 0; opdebug_files_path(files, i) != nullptr; ++i) {
        paths.emplace_back(opdebug_files_path(files, i));
    }
    return paths;
}

int stop_listing(void*) {
    return 1;
}

}  // namespace

TEST_CASE("c interface files: the dumps that a scan reads, in its order") {
    const TemporaryDirectory folder;
    const Buffer bytes = build_overflow_dump(ai_core_example(32));
    for (const char* place : {"b/", "a/1/", "a/", "a-/"}) {
        write_file(folder / (place + name), bytes);
    }
    write_file(folder / "a/Opdebug.notes", std::string_view("no dump"));
    const std::string given = write_file(folder / "a/renamed", bytes);
    const std::vector<std::string> inputs = {folder.path().string(), given};
    const FoundFiles files = find_c_dumps(inputs);
    // By the bytes of the paths: '-' comes before '/', '1' before 'O', 'O' before 'r'.
    const std::vector<std::string> expected = {folder / ("a-/" + name), folder / ("a/1/" + name),
                                               folder / ("a/" + name), given, folder / ("b/" + name)};
    CHECK(paths_of(files.get()) == expected);
    std::vector<std::string> scanned;
    for (const ScannedDump& dump : scan_tree(inputs).dumps) {
        scanned.push_back(dump.file);
    }
    CHECK(scanned == expected);
}

TEST_CASE("c interface files: the document, with what could not be read") {
    const TemporaryDirectory folder;
    write_file(folder / ("a/\xff/" + name), build_overflow_dump(ai_core_example(32)));
    write_file(folder / "a/Opdebug.Node_OpDebug", std::string_view("no dump"));
    const std::string missing = folder / "none";
    const FoundFiles files = find_c_dumps({folder / "a", missing});
    CHECK(paths_of(files.get()) == std::vector<std::string>{folder / ("a/\xff/" + name)});
    const std::string text = taken(opdebug_files_to_json(files.get(), nullptr));
    CHECK(text.find('\n') == std::string::npos);
    const auto document = nlohmann::ordered_json::parse(text);
    CHECK(document["schema"] == "opdebug.files/1");
    REQUIRE(document["files"].size() == 1);
    CHECK(document["files"][0] == folder / ("a/\xef\xbf\xbd/" + name));
    REQUIRE(document["failures"].size() == 1);
    CHECK(document["failures"][0]["file"] == missing);
    CHECK(document["failures"][0]["code"] == "file_not_found");
    REQUIRE(document["diagnostics"].size() == 1);
    CHECK(document["diagnostics"][0]["code"] == "nearly_dump_names");
    const TemporaryDirectory nothing;
    const FoundFiles empty = find_c_dumps({nothing.path().string()});
    CHECK(opdebug_files_path(empty.get(), 0) == nullptr);
    const std::string lines = text + "\n" + taken(opdebug_files_to_json(empty.get(), nullptr)) + "\n";
    check_schema("files", lines, 2);
}

TEST_CASE("c interface files: limits are options, and no others are known") {
    const TemporaryDirectory folder;
    const std::string near = write_file(folder / ("a/" + name), build_overflow_dump(ai_core_example(32)));
    const std::string deep = write_file(folder / ("a/b/" + name), build_overflow_dump(ai_core_example(32)));
    const std::string root = folder.path().string();
    const char* paths[] = {root.c_str()};
    CError error;
    const auto find_with = [&](const opdebug_options* options) {
        return FoundFiles(opdebug_find_dumps(paths, 1, options, nullptr, nullptr, error.out()));
    };
    CHECK(paths_of(find_with(nullptr).get()) == std::vector<std::string>{near, deep});
    const FoundFiles cut = find_with(COptions().set("folder_depth", "1").get());
    CHECK(paths_of(cut.get()) == std::vector<std::string>{near});
    const auto document = nlohmann::json::parse(taken(opdebug_files_to_json(cut.get(), nullptr)));
    REQUIRE(document["failures"].size() == 1);
    CHECK(document["failures"][0]["code"] == "folder_too_deep");
    CHECK(document["failures"][0]["file"] == folder / "a/b");
}

TEST_CASE("c interface files: no path, and being stopped, are errors") {
    const TemporaryDirectory folder;
    CError error;
    const std::string missing = folder / "none";
    const char* paths[] = {missing.c_str(), ""};
    CHECK(opdebug_find_dumps(paths, 1, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "file_not_found");
    CHECK(error.file() == missing);
    CHECK(opdebug_find_dumps(paths, 2, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.message().find("paths[1] is empty") == 0);
    CHECK(opdebug_find_dumps(nullptr, 0, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.message() == "no path was given: count is 0");
    paths[0] = folder.path().c_str();
    CHECK(opdebug_find_dumps(paths, 1, nullptr, stop_listing, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "interrupted");
}

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
    check_schema("logs", lines, 2);
}
