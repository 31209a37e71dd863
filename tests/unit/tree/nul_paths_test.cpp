// A path with a NUL inside: the system would take what is before it.
#include <doctest/doctest.h>

#include <opdebug/dump.hpp>
#include <opdebug/logs.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/tree.hpp>

#include "bytes/system_path.hpp"
#include "dump_builder.hpp"
#include "log_builder.hpp"
#include "outcome.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// The path, a NUL, and more.
std::string with_nul(const std::string& path) {
    return path + std::string("\0.more", 6);
}

}  // namespace

TEST_CASE("paths with a NUL: none leads to the file or folder in front of it") {
    const TemporaryDirectory directory;
    const std::string folder = directory / "tree";
    const std::string dump = folder + "/Opdebug.Node_OpDebug.57.563.1700000000000000";
    write_file(dump, build_overflow_dump(ai_core_example()));
    write_file(directory / "logs/debug/plog/plog-1_20260304100000000.log", rank_on(1, 0, "kernel").text());

    CHECK(outcome(decode_file(dump)) == "ok");
    CHECK(outcome(decode_file(with_nul(dump))) == "file_not_found");
    CHECK(outcome(find(folder)) == "ok");
    CHECK(outcome(find(with_nul(folder))) == "file_not_found");
    CHECK(outcome(find_dump_tree({folder})) == "ok");
    CHECK(outcome(find_dump_tree({with_nul(folder)})) == "file_not_found");
    CHECK(outcome(find_dump_tree({with_nul(dump)})) == "file_not_found");

    CHECK(outcome(read_logs({directory / "logs"})) == "ok");
    CHECK(outcome(read_logs({with_nul(directory / "logs")})) == "file_not_found");  // it did not end
}

TEST_CASE("paths with a NUL: others are given to the system as they are") {
    const std::string path = "/a/b";
    CHECK(bytes::system_path(path) == path.c_str());
    CHECK(std::string(bytes::system_path(with_nul(path))).empty());
}
