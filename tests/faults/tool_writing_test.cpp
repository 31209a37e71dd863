// Disks that are full or fail while the tool writes: reported, exit status 1, no half file, no temporary file, and an
// older file of that name as it was.
#include <doctest/doctest.h>

#include <filesystem>

#include "faulty_job.hpp"
#include "planned_faults.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;

namespace {

struct WritingCommand {
    std::vector<std::string> arguments;
    std::string target;  ///< what it writes; an older one of that name is there. Empty: names of its own
};

std::vector<WritingCommand> commands_of(const FaultyJob& job, const std::string& out) {
    return {
        {{"decode", job.overflow, "-o", out + "/result"}, "result"},
        {{"scan", job.dumps, "-o", out + "/result"}, "result"},
        {{"scan", job.dumps, "--format", "html", "-o", out + "/result"}, "result"},
        {{"tensors", job.op_dump, "-o", out + "/result"}, "result"},
        {{"tensors", job.op_dump, "--npy", out}, ""},
        {{"index", job.logs, "-o", out + "/result"}, "result"},
        {{"status", "--format", "text", "ai-core", "0x20", "-o", out + "/result"}, "result"},
        {{"convert", "-d", job.overflow, "-out", out}, fs::path(job.overflow).filename().string() + ".output.0.json"},
        {{"overflow", "-d", job.dumps, "-out", out}, ""}};
}

}  // namespace

TEST_CASE("a file that cannot be written is told, leaves nothing, and takes no older file away") {
    const FaultyJob job;
    for (const char* plan : {"write */out/* ENOSPC", "write */out/* ENOSPC after=100", "write */out/* EDQUOT after=20",
                             "write */out/* EIO after=7", "close */out/* EIO", "close */out/* ENOSPC",
                             "rename */out/* EIO", "create */out/.opdebug* ENOSPC", "create */out/.opdebug* EACCES"}) {
        for (const WritingCommand& command : commands_of(job, job.directory / "out")) {
            CAPTURE(plan);
            CAPTURE(command.arguments[0]);
            fs::remove_all(job.directory / "out");
            fs::create_directory(job.directory / "out");
            if (!command.target.empty()) {
                write_file(job.directory / ("out/" + command.target), "older");
            }
            const FaultyRun run = run_faulty_tool(plan, command.arguments);
            CAPTURE(run.result.err);
            CHECK(run.hits > 0);
            CHECK(run.result.exit_status == 1);
            CHECK(contains(run.result.err, job.directory / "out/"));
            CHECK(contains(run.result.err, "cannot "));
            if (command.target.empty()) {
                CHECK(file_names(job.directory / "out").empty());
            } else {
                CHECK(file_names(job.directory / "out") == std::vector<std::string>{command.target});
                CHECK(read_file(job.directory / ("out/" + command.target)) == "older");
            }
        }
    }
}

TEST_CASE("a folder for results that cannot be made is told with the system's reason") {
    const FaultyJob job;
    write_file(job.directory / "tree/a/Opdebug.Node_OpDebug.7.563.1772618405000016", read_file(job.overflow));
    write_file(job.directory / "tree/b/Opdebug.Node_OpDebug.7.563.1772618405000016", read_file(job.overflow));
    const FaultyRun run = run_faulty_tool("create */out/b EACCES",
                                          {"convert", "-d", job.directory / "tree", "-out", job.directory / "out"});
    CAPTURE(run.result.err);
    CHECK(run.hits > 0);
    CHECK(run.result.exit_status == 1);
    CHECK(contains(run.result.err, job.directory / "out/b: cannot create the folder: Permission denied"));
    CHECK(file_names(job.directory / "out").size() == 1);
}

TEST_CASE("a second interrupt ends a command that is writing, and leaves no half result") {
    const FaultyJob job;
    for (const char* signal : {"INT", "TERM"}) {
        CAPTURE(signal);
        const std::string out = job.directory / ("out_" + std::string(signal));
        fs::create_directory(out);
        ProcessOptions options;
        options.environment = {{"OUT", out}, {"SIGNAL", signal}};
        // Job control: else a shell has its background jobs ignore SIGINT.
        const ProcessResult run =
            run_process({"/bin/bash", "-c",
                         "set -m; \"$@\" & until ls -A \"$OUT\" | grep -q '[.]opdebug'; do sleep 0.01; done; "
                         "while kill -s \"$SIGNAL\" $! 2>/dev/null; do sleep 0.1; done; wait $!; echo $?; ls \"$OUT\"",
                         // For the tool alone: the shell and its commands are no programs of the sanitizer's.
                         "bash", "/usr/bin/env", std::string("LD_PRELOAD=") + OPDEBUG_PRELOADED_FAULTS,
                         "OPDEBUG_FAULTS=rename */out_*/* PAUSE seconds=50", "ASAN_OPTIONS=verify_asan_link_order=0",
                         tool_path, "index", job.logs, "-o", out + "/result"},
                        options);
        CAPTURE(run.err);
        CHECK(run.out == (signal == std::string("INT") ? "130\n" : "143\n"));
    }
}

TEST_CASE("a file that would be larger than ulimit -f allows is told, leaves nothing, and takes no older file away") {
    const FaultyJob job;
    for (const char* bytes : {"0", "100"}) {
        for (const WritingCommand& command : commands_of(job, job.directory / "out")) {
            CAPTURE(bytes);
            CAPTURE(command.arguments[0]);
            fs::remove_all(job.directory / "out");
            fs::create_directory(job.directory / "out");
            if (!command.target.empty()) {
                write_file(job.directory / ("out/" + command.target), "older");
            }
            std::vector<std::string> line{"/usr/bin/prlimit", std::string("--fsize=") + bytes, tool_path};
            line.insert(line.end(), command.arguments.begin(), command.arguments.end());
            ProcessOptions options;
#if defined(__SANITIZE_THREAD__)
            // The sanitizer begins with a file of 512 KiB of its own there, and goes on where it cannot be made.
            options.environment = {{"TMPDIR", job.directory / "no such folder"}};
#endif
            const ProcessResult run = run_process(line, options);
            CAPTURE(run.err);
            CHECK(run.exit_status == 1);
            CHECK(contains(run.err, "File too large"));
            if (command.target.empty()) {
                CHECK(file_names(job.directory / "out").empty());
            } else {
                CHECK(file_names(job.directory / "out") == std::vector<std::string>{command.target});
                CHECK(read_file(job.directory / ("out/" + command.target)) == "older");
            }
        }
    }
}

TEST_CASE("mapping.csv of long tensor names that cannot be written is told, and keeps whole lines") {
    const FaultyJob job;
    const std::string name = "Exp." + std::string(214, 'n') + ".101.563.1772618405000500";
    const std::string dump = write_file(job.directory / name, build_v2(op_dump({}, {half_tensor({half_one})})));
    const std::string list = job.directory / "out/mapping.csv",
                      earlier = "0123456789abcdef0123456789abcdef.npy,Add.long.output.0.npy\n";
    write_file(list, earlier);
    const std::vector<std::string> command{"tensors", dump, "--npy", job.directory / "out"};
    for (const char* plan : {"rename *mapping.csv EIO", "rename *mapping.csv ENOSPC"}) {
        CAPTURE(plan);
        const FaultyRun failed = run_faulty_tool(plan, command);
        CHECK(failed.hits > 0);
        CHECK(failed.result.exit_status == 1);
        CHECK(contains(failed.result.err, "mapping.csv: "));
        CHECK(read_file(list) == earlier);
    }
    CHECK(run_tool(command).exit_status == 0);
    CHECK(read_file(list).starts_with(earlier));
    CHECK(contains(read_file(list), name));
}

TEST_CASE("scan: a temporary file of the report that cannot be read again is told") {
    const FaultyJob job;
    AcceleratorPayload payload;
    payload.entries.assign(16, counting_entry(AccType::aiv, 7));
    const Buffer bytes = build_overflow_dump(payload);
    for (int task = 0; task < 1500; ++task) {  // documents of more than 16 MiB
        write_file(job.directory / ("many/Opdebug.Node_OpDebug." + std::to_string(task) + ".563.1772618405000016"),
                   bytes);
    }
    fs::create_directory(job.directory / "temporary");
    ProcessOptions options;
    options.environment.emplace_back("TMPDIR", job.directory / "temporary");
    const char* const plan = "read */temporary/* EIO after=1000";  // a full one: unit.document_store
    const FaultyRun run =
        run_faulty_tool(plan, {"scan", job.directory / "many", "-o", job.directory / "report"}, options);
    CHECK(run.hits > 0);
    CHECK(run.result.exit_status == 1);
    CHECK(contains(run.result.err, "temporary file of the report in " + (job.directory / "temporary")));
    CHECK_FALSE(fs::exists(job.directory / "report"));
    CHECK(file_names(job.directory / "temporary").empty());
}
