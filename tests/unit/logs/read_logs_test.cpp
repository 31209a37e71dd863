// Log files and folders → task map: which files are read, and odd bytes in them.
#include <opdebug/logs.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include "location.hpp"
#include "log_builder.hpp"
#include "outcome.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// A line that names this operator for stream 21 and this task.
std::string line_of(std::string_view op, int task = 118, int pid = 5100) {
    return LogText(pid).save_dump_task(op, 21, task).text();
}

ReadLogs read(const std::vector<std::string>& paths) {
    const Result<ReadLogs> logs = read_logs(paths);
    REQUIRE_MESSAGE(logs.ok(), outcome(logs));
    return *logs;
}

/// The operator of stream 21 and this task; "none" when the logs do not name it.
std::string op_of(const ReadLogs& logs, std::uint64_t task = 118) {
    const Location location = locate_in(logs.task_map, dump_of({21, task}, 1000));
    return location.op ? location.op->best.name.value_or("-") : "none";
}

}  // namespace

TEST_CASE("read logs: a last line without a break that ends in a number may be cut: it is reported and not used") {
    const TemporaryDirectory folder;
    const std::string begin =
        "[INFO] GE(5100,train):2026-03-04-10:00:00.000.000 [a.cc:1]5100 SaveDumpTask:Save dump task ";
    const std::string text = begin + "net/a, task id: 1, stream id: 21\n" + begin + "net/b, task id: 2, stream id: 21";
    const ReadLogs cut = read({write_file(folder / "plog-5100_1.log", text)});
    CHECK(op_of(cut, 1) == "net/a");
    CHECK(op_of(cut, 2) == "none");  // the stream may be 215, of which the 5 was never written
    REQUIRE(cut.diagnostics.size() == 1);
    CHECK(cut.diagnostics[0].code == "log_line_cut");
    CHECK(contains(cut.diagnostics[0].message, "plog-5100_1.log:2: "));
    const ReadLogs whole = read({write_file(folder / "plog-5100_2.log", text + "\n")});
    CHECK(op_of(whole, 2) == "net/b");
    CHECK(whole.diagnostics.empty());
}

TEST_CASE("read logs: a hole of NUL bytes that is longer than a read and a line hides no entry after it") {
    const TemporaryDirectory folder;
    const std::string half = line_of("net/b", 2).substr(0, 60);
    const std::string log = write_file(folder / "plog-5100_1.log",
                                       line_of("net/c", 3) + half + std::string(100'000, '\0') + line_of("net/a"));
    ReadLogsOptions options;
    options.buffer_size = 4096;
    const Result<ReadLogs> logs = read_logs({log}, options);
    REQUIRE_MESSAGE(logs.ok(), outcome(logs));
    CHECK(op_of(*logs) == "net/a");
}

TEST_CASE("read logs: an empty file is a log without statements") {
    const TemporaryDirectory folder;
    const ReadLogs logs = read({write_file(folder / "empty.log", "")});
    CHECK(logs.files == 1);
    CHECK(logs.lines == 0);
    CHECK(op_of(logs) == "none");
}

TEST_CASE("read logs: a file that is named itself is read, whatever it is called") {
    const TemporaryDirectory folder;
    CHECK(op_of(read({write_file(folder / "stdout", line_of("net/a"))})) == "net/a");
}

TEST_CASE("read logs: what ends a line is no part of its evidence") {
    using namespace std::string_literals;
    const TemporaryDirectory folder;
    LogText log;
    const std::string with_break = log.at(0).bind(3, 21).save_dump_task("op", 21, 118).text();
    const std::string line = with_break.substr(0, with_break.size() - 1);
    for (const std::string& end : {"\n"s, "\r\n"s, "\0\n"s, "\0\r\0\0\n"s, "\0\0"s}) {
        const Result<ReadLogs> logs = read_logs({write_file(folder / "plog-5100_1.log", line + end)});
        REQUIRE(logs.ok());
        const Location location = locate_in(logs->task_map, dump_of({21, 118, 3}, 5000));
        REQUIRE((location.op && location.op->best.evidence.size() == 1));
        CHECK(location.op->best.evidence[0].text == line.substr(line.find('\n') + 1));
    }
}

TEST_CASE("read logs: evidence names the file as it was found and the line's number") {
    const TemporaryDirectory folder;
    write_file(folder / "plog/plog.log", "noise\n" + line_of("net/a"));
    const ReadLogs logs = read({folder.path().string()});
    const Location location = locate_in(logs.task_map, dump_of({21, 118}, 1000));
    REQUIRE(location.op.has_value());
    CHECK(proof_of_operator(location) == "ge_log " + (folder / "plog/plog.log") + ":2");
}

TEST_CASE("read logs: a path that is not there is an error") {
    const TemporaryDirectory folder;
    CHECK(outcome(read_logs({folder / "absent"})) == "file_not_found");
}

TEST_CASE("read logs: a path that is not there next to a good one is reported, the good one counts") {
    const TemporaryDirectory folder;
    const auto logs = read_logs({write_file(folder / "a.log", line_of("net/a")), folder / "absent"});
    REQUIRE(logs.ok());
    CHECK(logs->files == 1);
    REQUIRE(logs->failures.size() == 1);
    CHECK(logs->failures.front().code == ErrorCode::file_not_found);
}

TEST_CASE("read logs: a named file without a log line is reported, below a folder it is passed over") {
    const TemporaryDirectory folder;
    const std::string log = write_file(folder / "plog/a.log", line_of("net/a"));
    const std::string note = write_file(folder / "plog/note.txt", "seen on Monday\n");
    CHECK(outcome(read_logs({note})) == "log_unreadable");
    const ReadLogs named = read({log, note});
    CHECK(named.files == 1);
    REQUIRE(named.failures.size() == 1);
    CHECK(named.failures[0].file == note);
    CHECK(read({folder.path().string()}).failures.empty());
}

TEST_CASE("read logs: a folder without logs is an error") {
    const TemporaryDirectory folder;
    write_file(folder / "readme.md", "x");
    CHECK(outcome(read_logs({folder.path().string()})) == "log_unreadable");
    CHECK(outcome(read_logs({})) == "log_unreadable");
}

TEST_CASE("read logs: a file that cannot be read is reported, the others count") {
    const TemporaryDirectory folder;
    write_file(folder / "good.log", line_of("net/a"));
    // Root may read anything, so the unreadable file is a link to nowhere.
    REQUIRE(::symlink("nowhere", (folder / "broken.log").c_str()) == 0);
    const ReadLogs logs = read({folder.path().string()});
    CHECK(logs.files == 1);
    REQUIRE(logs.failures.size() == 1);
    CHECK(logs.failures[0].file == folder / "broken.log");
    CHECK(op_of(logs) == "net/a");
}

TEST_CASE("read logs: a file without permission is reported, the others count") {
    const TemporaryDirectory folder;
    write_file(folder / "good.log", line_of("net/a"));
    const std::string closed = write_file(folder / "closed.log", line_of("net/b", 2));
    REQUIRE(::chmod(closed.c_str(), 0) == 0);
    if (::access(closed.c_str(), R_OK) == 0) {
        MESSAGE("this user may read every file");
        return;
    }
    const ReadLogs logs = read({folder.path().string()});
    REQUIRE(logs.failures.size() == 1);
    CHECK(to_string(logs.failures[0].code) == "permission_denied");
    CHECK(op_of(logs) == "net/a");
}

TEST_CASE("read logs: links between folders do not make an endless search") {
    const TemporaryDirectory folder;
    write_file(folder / "logs/plog.log", line_of("net/a"));
    REQUIRE(::symlink("..", (folder / "logs/up").c_str()) == 0);
    CHECK(read({folder.path().string()}).files == 1);
}

TEST_CASE("read logs: what was read before the caller stopped counts, the rest does not") {
    const TemporaryDirectory folder;
    const std::string first = write_file(folder / "a.log", line_of("net/a", 1));
    const std::string second = write_file(folder / "b.log", line_of("net/b", 2));
    std::uint64_t read_bytes = 0;
    ReadLogsOptions options;
    options.progress = [&read_bytes](std::uint64_t bytes) { read_bytes = bytes; };
    options.stop = [&] { return read_bytes > line_of("net/a", 1).size(); };
    Result<ReadLogs> logs = read_logs({first, second, folder / "c.log"}, options);
    REQUIRE_MESSAGE(logs.ok(), outcome(logs));
    CHECK_FALSE(logs->complete);
    CHECK(op_of(*logs, 1) == "net/a");
    CHECK(read_bytes == line_of("net/a", 1).size() + line_of("net/b", 2).size());

    options.stop = nullptr;
    logs = read_logs({first, second}, options);
    CHECK(logs->complete);
    CHECK(op_of(*logs, 2) == "net/b");
}

TEST_CASE("read logs: a line that was begun when the caller stopped does not count") {
    const TemporaryDirectory folder;
    const std::string whole = line_of("net/a", 1);
    const std::string log = write_file(folder / "a.log", whole + line_of("net/b", 2));
    std::uint64_t read_bytes = 0;
    ReadLogsOptions options;
    options.buffer_size = 8;
    options.progress = [&read_bytes](std::uint64_t bytes) { read_bytes = bytes; };
    options.stop = [&] { return read_bytes > whole.size() + 20; };
    const Result<ReadLogs> logs = read_logs({log}, options);
    REQUIRE_MESSAGE(logs.ok(), outcome(logs));
    CHECK(logs->lines == 1);
    CHECK(op_of(*logs, 1) == "net/a");
    CHECK(op_of(*logs, 2) == "none");
}

TEST_CASE("read logs: stopping before anything was read gives an empty map, not an error") {
    const TemporaryDirectory folder;
    ReadLogsOptions options;
    options.stop = [] { return true; };
    const Result<ReadLogs> logs = read_logs({write_file(folder / "a.log", line_of("net/a"))}, options);
    REQUIRE_MESSAGE(logs.ok(), outcome(logs));
    CHECK_FALSE(logs->complete);
    CHECK(logs->files == 0);
    CHECK(op_of(*logs) == "none");
}

TEST_CASE("read logs: what the caller's functions are reported, and what counts when they stop, hangs on no thread") {
    const TemporaryDirectory folder;
    std::string text;
    for (int task = 0; task < 1000; ++task) {
        text += line_of("net/a", task);
    }
    const std::vector<std::string> paths = {write_file(folder / "a.log", text), write_file(folder / "b.log", text)};
    for (const int asks : {1, 2, 5, 20, 40}) {
        std::string expected;
        for (const unsigned threads : {1U, 2U, 8U}) {
            CAPTURE(asks);
            CAPTURE(threads);
            std::string told;
            std::uint64_t read_bytes = 0;
            ReadLogsOptions options;
            options.threads = threads;
            options.buffer_size = 4096;
            options.progress = [&, caller = std::this_thread::get_id()](std::uint64_t bytes) {
                CHECK(std::this_thread::get_id() == caller);
                read_bytes = bytes;
                told += " " + std::to_string(bytes);
            };
            options.stop = [&, left = asks, caller = std::this_thread::get_id()]() mutable {
                CHECK(std::this_thread::get_id() == caller);
                told += " ?";
                return left-- == 0;
            };
            const Result<ReadLogs> logs = read_logs(paths, options);
            REQUIRE_MESSAGE(logs.ok(), outcome(logs));
            CHECK_FALSE(logs->complete);
            const std::string read_text = (text + text).substr(0, read_bytes);
            CHECK(logs->lines == static_cast<std::uint64_t>(std::count(read_text.begin(), read_text.end(), '\n')));
            expected = threads == 1 ? told : expected;
            CHECK(told == expected);
        }
    }
}

TEST_CASE("read logs: what a function of the caller throws comes to the caller, also while threads read ahead") {
    struct Thrown {};
    const TemporaryDirectory folder;
    std::string text;
    for (int task = 0; task < 1000; ++task) {
        text += line_of("net/a", task);
    }
    const std::string log = write_file(folder / "a.log", text);
    for (const unsigned threads : {1U, 2U, 8U}) {
        ReadLogsOptions options;
        options.threads = threads;
        options.buffer_size = 4096;
        options.progress = [](std::uint64_t bytes) {
            if (bytes > 20'000) {
                throw Thrown();
            }
        };
        CHECK_THROWS_AS(static_cast<void>(read_logs({log}, options)), Thrown);
    }
}

TEST_CASE("read logs: a report's remarks on them are the files that could not be read, then what was remarkable") {
    ReadLogs logs;
    logs.failures = {{ErrorCode::log_unreadable, "the data end too early", "a.gz", 12}};
    logs.diagnostics = {{Severity::warning, "line_too_long", "2 lines were cut"}};
    const std::vector<Diagnostic> remarks = remarks_on(logs);
    REQUIRE(remarks.size() == 2);
    CHECK(remarks[0].severity == Severity::error);
    CHECK(remarks[0].code == "log_unreadable");
    CHECK(remarks[0].message == "a.gz: at byte 12: the data end too early");
    CHECK(remarks[1].code == "line_too_long");
}
