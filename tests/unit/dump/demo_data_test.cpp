// Where the demonstration's dump comes from, and that its logs fit it.
#include <doctest/doctest.h>

#include "build_paths.hpp"
#include "demo_dump.hpp"
#include "location.hpp"
#include "outcome.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const std::string source = std::string(source_folder) + "/";

}  // namespace

TEST_CASE("demo: the dump is exactly what the test's builder makes") {
    const Buffer expected = demo_dump();
    const std::string content = read_file(source + demo_dump_path);
    CHECK(content.size() == 2129);
    CHECK((Buffer(content.begin(), content.end()) == expected));
}

TEST_CASE("demo: the logs name operator, kernel and model, and the host saw the overflow too") {
    const Result<Dump> dump = decode_file(source + demo_dump_path);
    REQUIRE_MESSAGE(dump.ok(), outcome(dump));
    const Result<ReadLogs> logs = read_logs({source + "testdata/demo/logs"});
    REQUIRE_MESSAGE(logs.ok(), outcome(logs));
    CHECK(logs->files == 2);
    CHECK(logs->failures.empty());
    LocateOptions options;
    options.task_map = logs->task_map;
    const Location location = locate(*dump, options);
    CHECK(shown(location.op) ==
          "bert/encoder/layer_3/attention/softmax/Exp|Exp|"
          "Exp_9f3c5d0e7ab1462c8d25e6f7013b94a8_high_performance_210000000|exact");
    CHECK(shown(location.model) == "bert_train|3|1|1");
    CHECK(candidates_of(location).empty());
    CHECK(remarks_of(location) == "info overflow_in_log");
    CHECK(message_of(location, "time_zone").find("UTC+08:00 (from the time folder") != std::string::npos);
    CHECK(message_of(location, "time_zone").find("2026-10-12 09:41:27.318452") != std::string::npos);
}
