// What the tool asks of the system: nothing is written, renamed or dated below the inputs, and no program is started.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "build_paths.hpp"
#include "hostile_names.hpp"
#include "tool.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;

namespace {

/// Whether a line of strace is a call that changes something by its name; of open only those that write or create.
bool is_change(const std::string& call) {
    // "1234 openat(AT_FDCWD, ...": the process, the call.
    const std::size_t begin = call.find_first_not_of("0123456789 ");
    const std::string name = call.substr(std::min(begin, call.size()), call.find('(') - std::min(begin, call.size()));
    const auto holds = [](const std::string& text, const std::vector<std::string>& parts) {
        return std::any_of(parts.begin(), parts.end(),
                           [&text](const std::string& part) { return contains(text, part); });
    };
    if (contains(name, "open")) {
        return holds(call, {"O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_TMPFILE"});
    }
    return !contains(name, "readlink") &&
           holds(name, {"creat", "mkdir", "mknod", "rename", "unlink", "rmdir", "link", "chmod", "chown", "utime",
                        "truncate", "setxattr", "removexattr"});
}

/// The calls of the tool, as strace writes them; nothing where strace is not installed or may not trace.
std::vector<std::string> calls_of(const TemporaryDirectory& directory, std::vector<std::string> arguments) {
    const std::string trace = directory / "trace";
    fs::remove(trace);
    arguments.insert(arguments.begin(), {"/usr/bin/strace", "-f", "-qq", "-s", "9999", "-e", "trace=%file,%process",
                                         "-o", trace, tool_path});
    ProcessOptions options;
    options.environment = {{"ASAN_OPTIONS", "detect_leaks=0"},
                           {"TMPDIR", directory / "scratch"}};  // no leaks below ptrace
    const ProcessResult run = run_process(arguments, options);
    if (run.exit_status == 127 || !fs::exists(trace)) {
        std::cout << "SKIPPED: strace is not installed or may not trace" << std::endl;
        return {};
    }
    return lines_of(read_file(trace));
}

}  // namespace

TEST_CASE("untouched inputs: no call changes anything below them, none starts a program") {
    const TemporaryDirectory directory;
    const std::string root = directory / "inputs", job = root + "/job", logs = root + "/logs", out = directory / "out";
    write_hostile_job(job);
    write_hostile_log(logs);
    fs::create_directory(out);
    fs::create_directory(directory / "scratch");
    const std::vector<std::vector<std::string>> commands{
        {"decode", hostile_dump(job, 0), "--logs", logs, "--tensors", "-o", out + "/decode"},
        {"scan", job, "--logs", logs, "--tensors", "--format", "html", "-o", out + "/scan"},
        {"tensors", job, "--npy", out},
        {"overflow", "-d", job, "-out", out, "-n", "9"},
        {"convert", "-d", job, "-out", out},
        {"index", logs, "-o", out + "/map"},
    };
    for (const std::vector<std::string>& command : commands) {
        CAPTURE(command.front());
        const std::vector<std::string> calls = calls_of(directory, command);
        if (calls.empty()) {
            return;
        }
        std::size_t changes = 0, programs = 0;
        for (const std::string& call : calls) {
            programs += contains(call, "execve(") ? 1U : 0U;
            if (is_change(call)) {
                ++changes;
                CHECK_MESSAGE(!contains(call, "\"" + root), call);
                // Whatever is made is new, or is no link.
                const bool is_open = contains(call, "open") && contains(call, "O_CREAT");
                CHECK_MESSAGE((!is_open || contains(call, "O_EXCL") || contains(call, "O_NOFOLLOW")), call);
            }
        }
        CHECK(changes >= 2);   // the result: made and renamed
        CHECK(programs == 1);  // the tool itself
    }
}
