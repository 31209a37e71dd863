// Where `opdebug scan` puts its report: whole or not at all, and nothing else anywhere.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "scan_job.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;
using nlohmann::ordered_json;

TEST_CASE("scan: many dumps without a folder for temporary files give a clear error") {
    const TemporaryDirectory directory;
    const std::string root = directory / "job";
    // 16 MiB of documents are kept in memory: dumps of 16 records need a fair number of files less for that.
    AcceleratorPayload payload;
    payload.entries.assign(16, counting_entry(AccType::aiv, 7));
    const Buffer bytes = build_overflow_dump(payload);
    for (int task = 0; task < 1500; ++task) {
        write_file(root + "/" + dump_name(task), bytes);
    }
    ProcessOptions options;
    options.environment.emplace_back("TMPDIR", directory / "missing");
    const ProcessResult run = run_tool({"scan", root, "--format", "json", "-o", directory / "report"}, options);
    CHECK(run.exit_status == 1);
    CHECK(contains(run.err, directory / "missing"));
    CHECK_FALSE(fs::exists(directory / "report"));
}

TEST_CASE("scan: text and HTML state in one line that the first overflow is uncertain") {
    const TemporaryDirectory directory;
    const std::string root = directory / "job";
    write_file(root + "/rank_0/Net/0/3/" + dump_name(57), legacy());
    write_file(root + "/rank_1/Net/0/3/" + dump_name(58, dump_us + 400'000), legacy(32, dump_us + 400'000));
    const std::string doubt = "first: uncertain, 1 dump of 1 rank may be earlier";
    CHECK(contains(scan_in(root, "text").out, "  " + doubt + " (--uncertain)\n"));
    const std::string page = scan_in(root, "html").out;
    CHECK(contains(page, "\"doubts\":\"" + doubt + "\""));
    CHECK(contains(page, "\"doubts\":\"首个溢出不确定：1 个 rank 的 1 个 dump 可能更早\""));
}
