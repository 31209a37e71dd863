// SIGINT, SIGTERM and SIGHUP: every command ends cleanly, with 128 and the signal's number, and states how far it came.
#include <doctest/doctest.h>

#include <sys/stat.h>

#include <csignal>
#include <filesystem>

#include "log_builder.hpp"
#include "scan_job.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;

namespace {

/// A signal while the program reads this file.
ProcessOptions interrupted_in(const std::string& file, int signal) {
    ProcessOptions options;
    options.signal_once_caught = signal;
    options.signal_once_open = file;
    return options;
}

/// The tool after a shell that does `before` first and has its arguments as "$@".
ProcessResult run_in_shell(const std::string& script, const std::vector<std::string>& arguments) {
    std::vector<std::string> line{"/bin/bash", "-c", script, "bash", tool_path};
    line.insert(line.end(), arguments.begin(), arguments.end());
    return run_process(line);
}

/// Waits until process $pid catches SIGTERM (bit 14 of the hexadecimal SigCgt: the second half of its fourth digit from
/// after).
const std::string until_caught = "until grep -q 'SigCgt:.*[4-7c-f]...$' /proc/$pid/status; do sleep 0.01; done; ";
/// Waits until it sleeps in a call of the system that a signal ends: what it does by then is the only one that it waits
/// for.
const std::string until_asleep = "until grep -q '^State:.S' /proc/$pid/status; do sleep 0.01; done; ";

}  // namespace

TEST_CASE("interrupt: scan, index and decode end alike for each signal") {
    const TemporaryDirectory directory;
    const std::string dump = write_file(directory / ("job/" + dump_name(57)), legacy());
    const std::string log = endless_log(directory / "plog-5100_1.log");
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        CAPTURE(signal);
        const ProcessOptions options = interrupted_in(log, signal);
        const ProcessResult index = run_tool({"index", log, "-o", directory / "result"}, options);
        CHECK(index.exit_status == 128 + signal);
        CHECK(contains(index.err, "stopped: " + directory / "result was not written"));
        const ProcessResult decode = run_tool({"decode", dump, "--logs", log, "-o", directory / "result"}, options);
        CHECK(decode.exit_status == 128 + signal);
        CHECK(contains(decode.err, "stopped: 0 of 1 dump decoded, " + directory / "result was not written"));
        CHECK_FALSE(fs::exists(directory / "result"));
        const ProcessResult scan = run_tool({"scan", directory / "job", "--logs", log, "--format", "json"}, options);
        CHECK(scan.exit_status == 128 + signal);
        CHECK(nlohmann::ordered_json::parse(scan.out)["complete"] == false);
        CHECK(contains(scan.err, "stopped: 1 of 1 dump read"));
    }
}

TEST_CASE("interrupt: decode that waits for standard input ends") {
    const TemporaryDirectory directory;
    const std::string dump = write_file(directory / dump_name(57), legacy());
    const std::string result = directory / "result";
    // More than a pipe holds: all of it is written when some was read.
    const ProcessResult run = run_in_shell(
        "exec 5<> <(:); \"$@\" <&5 & pid=$!; head -c 1200000 /dev/zero >&5; kill -TERM $pid; wait $pid; echo $?",
        {"decode", dump, "-", "-o", result});
    CAPTURE(run.err);
    CHECK(run.out == "143\n");
    CHECK(contains(run.err, "stopped: 1 of 2 dumps decoded"));
    CHECK(fs::is_empty(directory.path()) == false);
    CHECK_FALSE(fs::exists(result));
    CHECK(std::distance(fs::directory_iterator(directory.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("interrupt: a result that waits for the reader of a pipe") {
    const TemporaryDirectory directory;
    const std::string pipe = directory / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const ProcessResult run =
        run_in_shell("\"$@\" & pid=$!; " + until_caught + until_asleep + "kill -TERM $pid; wait $pid; echo $?",
                     {"status", "--format", "text", "ai-core", "32", "-o", pipe});
    CHECK(run.out == "143\n");
    CHECK(contains(run.err, pipe + ": cannot open it for writing: Interrupted system call"));
}

TEST_CASE("interrupt: what was ignored when the program began stays ignored, as nohup wants it") {
    const TemporaryDirectory directory;
    const std::string log = endless_log(directory / "plog-5100_1.log");
    // Had one of the first two been noted, its number would be the exit status.
    const ProcessResult run = run_in_shell("trap '' HUP INT; \"$@\" & pid=$!; " + until_caught +
                                               "kill -HUP $pid; kill -INT $pid; kill -TERM $pid; wait $pid; echo $?",
                                           {"index", log, "-o", directory / "result"});
    CAPTURE(run.err);
    CHECK(run.out == "143\n");
}
