// Ctrl-C while `opdebug scan` and its neighbours work, and the line that shows how far they are.
#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "scan_job.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

/// An interrupt as soon as it is caught.
ProcessOptions interrupted_with(int signal) {
    ProcessOptions options;
    options.signal_once_caught = signal;
    return options;
}

/// An interrupt while logs are read, on a terminal.
ProcessOptions interrupted_in_logs(unsigned short columns, int signal = SIGINT) {
    ProcessOptions options = interrupted_with(signal);
    options.signal_once_said = " MB ";
    options.terminal_columns = columns;
    return options;
}

/// The texts that the progress line showed, one after the other; an empty one where it was removed.
std::vector<std::string> shown_lines(const std::string& terminal) {
    const std::string renew = "\r\x1b[K";
    std::vector<std::string> lines;
    for (std::size_t at = terminal.find(renew); at != std::string::npos;) {
        const std::size_t begin = at + renew.size();
        at = terminal.find(renew, begin);
        lines.push_back(terminal.substr(begin, at == std::string::npos ? at : at - begin));
    }
    return lines;
}

}  // namespace

TEST_CASE("scan: Ctrl-C while logs are read gives the report of all dumps, marked incomplete, without the logs") {
    const TemporaryDirectory directory;
    const std::string root = directory / "job";
    write_job(root);
    LogText log;
    log.at(0).set_up_stream(563).at(10).bind(514, 563, "tiny").at(20).save_dump_task("net/mul_1", 563, 57);
    write_file(directory / "logs/debug/plog/plog-5100_1.log", log.text());
    endless_log(directory / "logs/debug/plog/plog-5100_2.log");
    for (const int signal : {SIGINT, SIGTERM}) {
        const ProcessResult run =
            run_tool({"scan", root, "--format", "json", "--logs", directory / "logs"}, interrupted_in_logs(80, signal));
        CAPTURE(run.err);
        CHECK(run.exit_status == 128 + signal);
        const ordered_json report = report_of(run);
        CHECK(report["complete"] == false);
        CHECK(report["diagnostics"].dump().find("logs_cut_off") != std::string::npos);
        CHECK(report["counts"]["dumps"] == 12);
        CHECK(report["counts"]["overflowed"] == 11);
        CHECK(report["first"]["file"] == first_file_of(root));
        // What the log stated until then is not used: a later line could have given the ids to another operator.
        CHECK(report["first"]["operator"].is_null());
    }
}

TEST_CASE("scan: Ctrl-C leaves a whole file at -o, and pages say that they are incomplete") {
    const TemporaryDirectory directory;
    const std::string root = directory / "job";
    write_job(root);
    endless_log(directory / "plog-5100_1.log");
    const auto scan_to = [&](const char* form) {
        const std::string file = directory / "report";
        ProcessOptions options = interrupted_in_logs(80);
        const ProcessResult run =
            run_tool({"scan", root, "--format", form, "--logs", directory / "plog-5100_1.log", "-o", file}, options);
        CHECK(run.exit_status == 130);
        return read_file(file);
    };
    CHECK(ordered_json::parse(scan_to("json"))["complete"] == false);
    CHECK(contains(scan_to("text"), "The scan was stopped early"));
    CHECK(contains(scan_to("text"), "[logs_cut_off]"));
    const std::string page = scan_to("html");
    CHECK(contains(page, "The scan was stopped early"));
    CHECK(contains(page, "</html>"));
}

TEST_CASE("scan: the progress line tells of folders, dumps and logs, and is taken away") {
    const TemporaryDirectory directory;
    const std::string root = directory / "job";
    write_job(root);
    const std::string log = endless_log(directory / "plog-5100_1.log");
    const ProcessResult run = run_tool({"scan", root, "--format", "json", "--logs", log}, interrupted_in_logs(80));
    const std::vector<std::string> lines = shown_lines(run.err);
    REQUIRE(lines.size() >= 4);
    CHECK(lines.front() == "0 dumps found so far");
    const auto has = [&lines](const std::string& text) {
        return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) { return contains(line, text); });
    };
    CHECK(has(" MB of logs read"));
    CHECK(has(" of 12 dumps"));
    // It is removed before the closing line.
    CHECK(lines.back() == "opdebug: stopped: 12 of 12 dumps read, 11 overflowed\n");
}

TEST_CASE("scan: a terminal that knows no sequences gets neither colours nor a progress line") {
    const TemporaryDirectory directory;
    const std::string root = directory / "job";
    write_job(root);
    ProcessOptions terminal;
    terminal.terminal_columns = terminal.output_columns = 80;
    terminal.environment = {{"NO_COLOR", ""}};
    CHECK(contains(run_tool({"scan", root}, terminal).out, "\x1b["));
    terminal.environment = {{"NO_COLOR", ""}, {"TERM", "dumb"}};
    const ProcessResult dumb = run_tool({"scan", root}, terminal);
    CHECK_FALSE(contains(dumb.out, "\x1b"));
    CHECK_FALSE(contains(dumb.err, "\x1b"));
}
