// Paths to one document through the C interface: tensors, what is missing, merged reports.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "build_paths.hpp"
#include "c_handles.hpp"
#include "overflow_tree.hpp"
#include "temporary_directory.hpp"

using namespace opdebug::test;

namespace {

int stop_reporting(void*) {
    return 1;
}

}  // namespace

TEST_CASE("c interface reports: the tensors of an operator's dump") {
    const TemporaryDirectory folder;
    MadeUpOverflow overflow;
    overflow.outputs = {half_tensor({half_one, half_inf})};
    write_overflow(folder.path().string(), overflow);
    const std::string file = op_dump_file(folder.path().string(), overflow);
    const std::string text = taken(opdebug_measure_op_dump(file.c_str(), nullptr, nullptr, nullptr, nullptr));
    CHECK(text.find('\n') == std::string::npos);
    const auto document = nlohmann::json::parse(text);
    CHECK(document["schema"] == "opdebug.tensors/1");
    REQUIRE(document["tensors"].size() == 1);
    CHECK(document["tensors"][0]["pos_inf"] == 1);
    CHECK(document["tensors"][0]["max"] == 1.0);
    CError error;
    CHECK(opdebug_measure_op_dump(nullptr, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.message() == "path is NULL; a value was expected");
    CHECK(opdebug_measure_op_dump("", nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.message().find("path is empty;") == 0);
    CHECK(opdebug_measure_op_dump(file.c_str(), nullptr, stop_reporting, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "interrupted");
}

TEST_CASE("c interface reports: what is missing") {
    const std::string demo = std::string(source_folder) + "/testdata/demo";
    const char* paths[] = {demo.c_str()};
    CError error;
    const auto document = nlohmann::json::parse(taken(opdebug_examine(paths, 1, nullptr, nullptr, nullptr, nullptr)));
    CHECK(document["schema"] == "opdebug.doctor/1");
    CHECK(document["environment_examined"] == false);
    CHECK(document["counts"]["dumps"] == 1);
    CHECK(document["counts"]["logs"] == 2);
    CHECK(opdebug_examine(paths, 1, nullptr, stop_reporting, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "interrupted");
    CHECK(opdebug_examine(paths, 0, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.message() == "no path was given: count is 0");
}

TEST_CASE("c interface reports: reports that cannot be merged") {
    const TemporaryDirectory folder;
    const std::string report = write_file(folder / "no-report.jsonl", std::string_view("no report\n"));
    const char* paths[] = {report.c_str(), ""};
    CError error;
    CHECK(opdebug_merge_reports(paths, 1, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "invalid_argument");
    CHECK(opdebug_merge_reports(paths, 2, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.message().find("paths[1] is empty") == 0);
}
