// What the C interface states when something is wrong; it never ends the program.
#include <doctest/doctest.h>

#include <limits>

#include "build_paths.hpp"
#include "c_handles.hpp"
#include "demo_dump.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug::test;

namespace {

const std::string shared_source = source_folder;
const std::string demo_dump_file = shared_source + "/" + demo_dump_path;
const std::uint64_t word = 32;

int cancel_first(void* asked) {
    ++*static_cast<int*>(asked);
    return 1;
}

}  // namespace

TEST_CASE("c interface errors: a missing file, a folder, a damaged dump") {
    const TemporaryDirectory folder;
    CError error;
    const std::string missing = folder / "none";
    CHECK(opdebug_decode_file(missing.c_str(), nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "file_not_found");
    CHECK(error.file() == missing);
    CHECK(error.offset() == -1);
    CHECK(!error.message().empty());
    CHECK(opdebug_decode_file(folder.path().c_str(), nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "is_directory");

    // A header that declares 49 bytes, of which 11 are there.
    Buffer bytes = demo_dump();
    bytes.resize(8 + 11);
    const std::string damaged = write_file(folder / "Opdebug.Node_OpDebug.1.2.3", bytes);
    CHECK(opdebug_decode_file(damaged.c_str(), nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "header_truncated");
    CHECK(error.file() == damaged);
    CHECK(error.offset() >= 0);
    CHECK(opdebug_decode_bytes(bytes.data(), bytes.size(), nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "header_truncated");
    CHECK(error.file().empty());
    CHECK(opdebug_decode_bytes(nullptr, 0, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "empty_file");
}

TEST_CASE("c interface errors: success stores NULL, and an error need not be asked for") {
    auto* error = reinterpret_cast<opdebug_error*>(1);
    CHECK(taken(opdebug_decode_status("ai-core", &word, 1, nullptr, &error)) != "NULL");
    CHECK(error == nullptr);
    CHECK(opdebug_decode_file("/no/such/file", nullptr, nullptr, nullptr) == nullptr);
    CHECK(opdebug_decode_status("tpu", &word, 1, nullptr, nullptr) == nullptr);
}

TEST_CASE("c interface errors: a wrong table") {
    const TemporaryDirectory folder;
    CError error;
    COptions no_json, missing, formats;
    no_json.set("status_catalogue", write_file(folder / "wrong.json", std::string_view("{ no json")));
    missing.set("status_catalogue", folder / "none.json");
    CHECK(opdebug_decode_file(demo_dump_file.c_str(), nullptr, no_json.get(), error.out()) == nullptr);
    CHECK(error.code() == "catalogue_invalid");
    CHECK(error.file() == folder / "wrong.json");
    CHECK(opdebug_decode_status("ai-core", &word, 1, missing.get(), error.out()) == nullptr);
    CHECK(error.code() == "file_not_found");
    const char* tree[] = {demo_dump_file.c_str()};
    CHECK(opdebug_scan(tree, 1, nullptr, no_json.get(), nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "catalogue_invalid");

    formats.set("log_formats", folder / "wrong.json");
    const std::string logs = shared_source + "/testdata/demo/logs";
    const char* paths[] = {logs.c_str()};
    CHECK(opdebug_read_logs(paths, 1, formats.get(), nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "log_format_invalid");
}

TEST_CASE("c interface errors: logs that are not there, and no logs at all") {
    const TemporaryDirectory folder;
    CError error;
    const std::string missing = folder / "none";
    const char* paths[] = {missing.c_str()};
    CHECK(opdebug_read_logs(paths, 1, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "file_not_found");
    const char* empty[] = {folder.path().c_str()};
    CHECK(opdebug_read_logs(empty, 1, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "log_unreadable");
}

TEST_CASE("c interface errors: NULL where a value is needed is reported by name") {
    CError error;
    const char* path = demo_dump_file.c_str();
    const char* hole[] = {path, nullptr};
    const auto told = [&error] { return error.code() + ": " + error.message().substr(0, error.message().find(' ')); };

    CHECK(opdebug_decode_file(nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(told() == "invalid_argument: path");
    CHECK(opdebug_decode_bytes(nullptr, 1, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(told() == "invalid_argument: bytes");
    CHECK(opdebug_decode_status(nullptr, &word, 1, nullptr, error.out()) == nullptr);
    CHECK(told() == "invalid_argument: unit");
    CHECK(opdebug_decode_status("ai-core", nullptr, 1, nullptr, error.out()) == nullptr);
    CHECK(told() == "invalid_argument: words");
    CHECK(opdebug_read_logs(nullptr, 1, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(told() == "invalid_argument: paths");
    CHECK(opdebug_read_logs(hole, 2, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(told() == "invalid_argument: paths[1]");
    CHECK(opdebug_read_logs(hole, 0, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.message() == "no path was given: count is 0");
    CHECK(opdebug_read_logs(nullptr, 0, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(error.message() == "no path was given: count is 0");
    CHECK(opdebug_scan(nullptr, 1, nullptr, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(told() == "invalid_argument: paths");
    CHECK(opdebug_scan(hole, 2, nullptr, nullptr, nullptr, nullptr, error.out()) == nullptr);
    CHECK(told() == "invalid_argument: paths[1]");
    CHECK(opdebug_logs_to_json(nullptr, error.out()) == nullptr);
    CHECK(told() == "invalid_argument: logs");
}

TEST_CASE("c interface errors: a unit or a number of words that is none") {
    CError error;
    CHECK(opdebug_decode_status("tpu", &word, 1, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "invalid_argument");
    CHECK(error.message() ==
          "'tpu' is not a unit: ai-core, dha-atomic, l2-atomic, aic, aiv, aicpu or sdma was expected");
    const std::string wild = "\x1b[31m" + std::string(1000, 'x');
    CHECK(opdebug_decode_status(wild.c_str(), &word, 1, nullptr, error.out()) == nullptr);
    CHECK(error.message().find(R"('\x1b[31mxxx)") == 0);
    CHECK(contains(error.message(), "xxx...' is not a unit"));
    CHECK(error.message().size() < 300);
    const std::uint64_t words[] = {1, 2};
    CHECK(opdebug_decode_status("ai-core", words, 2, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "invalid_argument");
    CHECK(opdebug_decode_status("ai-core", words, 0, nullptr, error.out()) == nullptr);
    CHECK(error.code() == "invalid_argument");
}

TEST_CASE("c interface errors: stop is asked and obeyed") {
    CError error;
    const std::string logs = shared_source + "/testdata/demo/logs";
    const char* log_paths[] = {logs.c_str()};
    const char* dumps[] = {demo_dump_file.c_str()};
    int asked = 0;
    CHECK(opdebug_read_logs(log_paths, 1, nullptr, cancel_first, &asked, error.out()) == nullptr);
    CHECK(error.code() == "interrupted");
    CHECK(asked == 1);
    COptions wanted;
    wanted.set("wanted", shared_source + "/testdata/demo");
    CHECK(opdebug_read_logs(log_paths, 1, wanted.get(), cancel_first, &asked, error.out()) == nullptr);
    CHECK(error.code() == "interrupted");
    CHECK(asked == 2);
    const std::string folder = shared_source + "/testdata";
    const char* folders[] = {folder.c_str(), dumps[0]};
    CHECK(opdebug_scan(folders, 2, nullptr, nullptr, cancel_first, &asked, error.out()) == nullptr);
    CHECK(error.code() == "interrupted");
    CHECK(asked == 3);
}
