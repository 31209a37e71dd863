// Standard input, output and error that are closed, full, or that nobody reads.
#include <doctest/doctest.h>

#include "faulty_job.hpp"
#include "planned_faults.hpp"

using namespace opdebug::test;

namespace {

/// The tool in a shell: `line` after its path.
ProcessResult in_shell(const std::string& line) {
    ProcessOptions options;
    options.environment.emplace_back("LANG", "C");
    return run_process({"/bin/bash", "-c", "\"" + std::string(tool_path) + "\" " + line}, options);
}

std::vector<std::string> commands_to_standard_output(const FaultyJob& job) {
    return {"decode " + job.overflow,
            "decode " + job.overflow + " " + job.clean,
            "scan -q " + job.dumps,
            "scan -q --format html " + job.dumps,
            "tensors " + job.op_dump,
            "status ai-core 0x20",
            "formats",
            "completion bash",
            "manual",
            "--help",
            "--version",
            "decode --help",
            "scan --help"};
}

}  // namespace

TEST_CASE("a full disk under standard output is told by every command") {
    const FaultyJob job;
    for (const std::string& command : commands_to_standard_output(job)) {
        CAPTURE(command);
        const ProcessResult run = in_shell(command + " > /dev/full");
        CHECK(run.exit_status == 1);
        CHECK(run.err == "opdebug: standard output: cannot write: No space left on device\n");
    }
}

TEST_CASE("a closed standard output is told by every command") {
    const FaultyJob job;
    for (const std::string& command : commands_to_standard_output(job)) {
        CAPTURE(command);
        const ProcessResult run = in_shell(command + " >&-");
        CHECK(run.exit_status == 1);
        CHECK(run.err == "opdebug: standard output: cannot write: Bad file descriptor\n");
    }
}

TEST_CASE("a reader that goes away is no error, whether SIGPIPE is ignored or not") {
    const FaultyJob job;
    for (const std::string& command : commands_to_standard_output(job)) {
        for (const char* trap : {"", "trap '' PIPE; "}) {
            CAPTURE(command);
            CAPTURE(trap);
            ProcessOptions options;
            const std::string line =
                std::string(trap) + "\"" + tool_path + "\" " + command + " | true; echo ${PIPESTATUS[0]}";
            const ProcessResult run = run_process({"/bin/bash", "-c", line}, options);
            CHECK(run.out == "0\n");
            CHECK(run.err.empty());
        }
    }
}

TEST_CASE("what is said never gets into a result, whatever streams are closed") {
    const FaultyJob job;
    const std::string damaged = write_file(job.directory / "Opdebug.Node_OpDebug.1.2.3", "damaged");
    const std::string result = job.directory / "result";
    const std::string command = "decode " + job.overflow + " " + damaged + " " + job.clean + " -o " + result;
    CHECK(in_shell(command).exit_status == 1);
    const std::string undisturbed = read_file(result);
    for (const char* closed : {"2>&-", ">&- 2>&-", "<&-", "<&- >&- 2>&-", "2>/dev/full"}) {
        CAPTURE(closed);
        CHECK(in_shell(command + " " + closed).exit_status == 1);
        CHECK(read_file(result) == undisturbed);
    }
}

TEST_CASE("a standard error that is closed or full changes neither the result nor the exit status") {
    const FaultyJob job;
    const std::string missing = " " + (job.directory / "missing");
    for (const std::string& command : {"scan " + job.dumps + missing, "decode " + job.clean + missing,
                                       "index " + job.logs + missing + " -o " + (job.directory / "map")}) {
        CAPTURE(command);
        const ProcessResult usual = in_shell(command);
        CHECK(usual.exit_status == 1);
        for (const char* redirection : {" 2>&-", " 2>/dev/full"}) {
            const ProcessResult run = in_shell(command + redirection);
            CHECK(run.exit_status == 1);
            CHECK(run.out == usual.out);
        }
    }
}

TEST_CASE("a closed standard input is told where it is to be read, and no matter elsewhere") {
    const FaultyJob job;
    const ProcessResult run = in_shell("decode - <&-");
    CHECK(run.exit_status == 1);
    CHECK(contains(run.err, "cannot read standard input: Bad file descriptor"));
    const ProcessResult status = in_shell("status ai-core - <&-");
    CHECK(status.exit_status != 0);
    CHECK_FALSE(status.err.empty());
    CHECK(in_shell("decode " + job.clean + " <&-").exit_status == 0);
}
