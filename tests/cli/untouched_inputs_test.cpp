// What the tool requires of the system: nothing is written, renamed or dated below the inputs, and no program is
// started.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "build_paths.hpp"
#include "hostile_names.hpp"
#include "skip.hpp"
#include "tool.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;

namespace {

bool holds_one_of(const std::string& text, const std::vector<std::string>& parts) {
    return std::any_of(parts.begin(), parts.end(), [&text](const std::string& part) { return contains(text, part); });
}

/// Whether a line of strace is a call that changes something by its name; of open and mmap only those that may write.
bool is_change(const std::string& call) {
    // "1234 openat(AT_FDCWD, ...": the process, the call.
    const std::size_t begin = call.find_first_not_of("0123456789 ");
    const std::string name = call.substr(std::min(begin, call.size()), call.find('(') - std::min(begin, call.size()));
    if (contains(name, "open")) {
        return holds_one_of(call, {"O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_TMPFILE"});
    }
    if (name == "mmap") {
        return contains(call, "PROT_WRITE") && contains(call, "MAP_SHARED");
    }
    return !contains(name, "readlink") &&
           holds_one_of(name, {"creat", "mkdir", "mknod", "rename", "unlink", "rmdir", "link", "chmod", "chown",
                               "utime", "truncate", "setxattr", "write", "removexattr", "sendfile", "splice",
                               "fallocate", "copy_file_range"});
}

/// Whether a call names something below the folder: by its path, or by a descriptor, which strace spells with its path
/// ("openat(5</inputs/logs>, ..."). What is written is not in the line.
bool names_below(const std::string& call, const std::string& folder) {
    return contains(call, "\"" + folder) || contains(call, "<" + folder);
}

/// The calls of a command, as strace writes them; nothing where strace is not installed or may not trace.
std::vector<std::string> calls_of(const TemporaryDirectory& directory, std::vector<std::string> command) {
    const std::string trace = directory / "trace";
    fs::remove(trace);
    // -s 0: of what is read and written nothing; names are never cut.
    command.insert(command.begin(),
                   {"/usr/bin/strace", "-f", "-qq", "-y", "-s", "0", "-e", "trace=%file,%desc,%process", "-o", trace});
    ProcessOptions options;
    options.environment = {{"ASAN_OPTIONS", "detect_leaks=0"},
                           {"TMPDIR", directory / "scratch"}};  // no leaks below ptrace
    const ProcessResult run = run_process(command, options);
    if (run.exit_status == 127 || !fs::exists(trace)) {
        skip("strace is not installed or may not trace");
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
    std::vector<std::vector<std::string>> commands{
        {"decode", hostile_dump(job, 0), "--logs", logs, "--tensors", "-o", out + "/decode"},
        {"scan", job, "--logs", logs, "--tensors", "--format", "html", "-o", out + "/scan"},
        {"tensors", job, "--npy", out},
        {"overflow", "-d", job, "-out", out, "-n", "9"},
        {"convert", "-d", job, "-out", out},
        {"index", logs, "-o", out + "/map"},
    };
    for (std::vector<std::string>& command : commands) {
        CAPTURE(command.front());
        command.insert(command.begin(), tool_path);
        const std::vector<std::string> calls = calls_of(directory, command);
        if (calls.empty()) {
            return;
        }
        std::size_t changes = 0, programs = 0;
        for (const std::string& call : calls) {
            programs += contains(call, "execve(") ? 1U : 0U;
            if (is_change(call)) {
                ++changes;
                CHECK_MESSAGE(!names_below(call, root), call);
                // Whatever is made is new, or is no link.
                const bool is_open = contains(call, "open") && contains(call, "O_CREAT");
                CHECK_MESSAGE((!is_open || contains(call, "O_EXCL") || contains(call, "O_NOFOLLOW")), call);
            }
        }
        CHECK(changes >= 2);   // the result: made and renamed
        CHECK(programs == 1);  // the tool itself
    }
}
