// Reading logs, prepared in advance.
#include <doctest/doctest.h>

#include <future>

#include <opdebug/logs.hpp>

#include "log_builder.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

TEST_CASE("prepare logs: what is read meanwhile tells the same") {
    const TemporaryDirectory directory;
    const std::string file = directory / "plog.log";
    LogText log;
    log.at(1000).launch_2023(5, 7, "2_0_11_Gather");
    write_file(file, log.text());
    const std::future<void> preparing = std::async(std::launch::async, [] { prepare_to_read_logs(); });
    const Result<ReadLogs> logs = read_logs({file});
    REQUIRE(logs.ok());
    CHECK(size_of(*logs->task_map).tasks == 1);
}
