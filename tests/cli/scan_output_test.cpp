// Where `opdebug scan` puts its report: whole or not at all, and nothing else anywhere.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "log_builder.hpp"
#include "scan_job.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

/// Everything below a folder with the time of its last change and its size.
std::map<std::string, std::string> listing_of(const std::string& folder) {
    std::map<std::string, std::string> listing;
    const auto add = [&listing](const fs::path& path) {
        std::error_code dangling;
        const auto time = fs::last_write_time(path, dangling).time_since_epoch().count();
        const auto size = fs::is_regular_file(path, dangling) ? fs::file_size(path, dangling) : 0;
        listing[path.string()] = std::to_string(time) + " " + std::to_string(size);
    };
    add(folder);
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        add(entry.path());
    }
    return listing;
}

}  // namespace

TEST_CASE("scan: nothing is written into the folders that are read") {
    const TemporaryDirectory directory;
    const std::string root = directory / "job";
    write_damaged_job(root);
    write_file(directory / "logs/plog-5100_1.log", LogText().at(0).set_up_stream(563).text());
    const auto dumps = listing_of(root);
    const auto logs = listing_of(directory / "logs");
    for (const std::string& form : report_forms) {
        scan_in(root, form, {"--logs", directory / "logs", "-o", directory / "report"});
    }
    CHECK(listing_of(root) == dumps);
    CHECK(listing_of(directory / "logs") == logs);
}

TEST_CASE("scan: a file of -o is written whole or not at all") {
    const TemporaryDirectory directory;
    const std::string root = directory / "job";
    write_job(root);
    write_file(directory / "report", "an earlier report");
    CHECK(scan_in(root, "json", {"-o", directory / "report"}).exit_status == 0);
    CHECK(ordered_json::parse(read_file(directory / "report"))["complete"] == true);
    const ProcessResult unwritable = scan_in(root, "json", {"-o", directory / "no/such/folder/report"});
    CHECK(unwritable.exit_status == 2);
    CHECK(contains(unwritable.err, "no/such/folder: No such file"));
    CHECK_FALSE(fs::exists(directory / "no"));
    const ProcessResult full = scan_in(root, "json", {"-o", "/dev/full"});
    CHECK(full.exit_status == 1);
    CHECK(contains(full.err, "/dev/full"));
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory.path())) {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    CHECK(names == std::vector<std::string>{"job", "report"});
}

TEST_CASE("scan: a reader that goes away is no error") {
    const TemporaryDirectory directory;
    const std::string root = directory / "job";
    write_job(root);
    ProcessOptions options;
    options.closed_output = true;
    const ProcessResult run = run_tool({"scan", root, "--format", "json"}, options);
    CHECK(run.exit_status == 0);
    CHECK(run.err.empty());
}

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
