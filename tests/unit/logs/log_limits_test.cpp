// Limits of logs: long lines, many processes, many candidates.
#include <string>

#include <doctest/doctest.h>

#include <opdebug/logs.hpp>

#include "location.hpp"
#include "log_builder.hpp"
#include "outcome.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

ReadLogs read_with(const std::string& path, std::uint64_t Limits::*limit, std::uint64_t value,
                   std::size_t buffer_size = 1U << 20U) {
    ReadLogsOptions options;
    options.limits.*limit = value;
    options.buffer_size = buffer_size;
    const Result<ReadLogs> logs = read_logs({path}, options);
    REQUIRE_MESSAGE(logs.ok(), outcome(logs));
    return *logs;
}

/// "code message" of each remark.
std::string shown_remarks(const ReadLogs& logs) {
    std::string text;
    for (const Diagnostic& remark : logs.diagnostics) {
        text += (text.empty() ? "" : "|") + remark.code + " " + remark.message;
    }
    return text;
}

std::string op_of(const ReadLogs& logs, std::uint64_t task) {
    const Location location = locate_in(logs.task_map, dump_of({21, task}, 1000));
    return location.op ? location.op->best.name.value_or("-") : "none";
}

}  // namespace

TEST_CASE("limits: line_bytes; long log lines are counted, the first is named, and line numbers stay right") {
    const TemporaryDirectory folder;
    std::string longest = LogText(5100).save_dump_task("net/a", 21, 1).text();
    const std::size_t size = longest.size() - 1;  // without the line break
    const std::string longer = LogText(5100).save_dump_task("net/bb", 21, 2).text();
    const std::string no_log_line = std::string(3 * size, 'x') + "\n";
    const std::string text = no_log_line + longest + longer + longer + LogText(5100).save_dump_task("x", 21, 3).text();
    const std::string path = write_file(folder / "plog.log", text);
    for (const std::size_t buffer_size : {7U, 100U, 1U << 20U}) {
        CAPTURE(buffer_size);
        const ReadLogs whole = read_with(path, &Limits::line_bytes, size + 1, buffer_size);
        CHECK(shown_remarks(whole).empty());
        CHECK(op_of(whole, 2) == "net/bb");
        const ReadLogs cut = read_with(path, &Limits::line_bytes, size, buffer_size);
        CHECK(cut.lines == 5);
        CHECK(op_of(cut, 1) == "net/a");
        REQUIRE(cut.diagnostics.size() == 1);
        CHECK(shown_remarks(cut).find("line_too_long " + path + ":3: the line has more than " + std::to_string(size) +
                                      " bytes. 2 lines are too long, ") == 0);
    }
}

TEST_CASE("limits: what lies after line_bytes is not looked at") {
    const TemporaryDirectory folder;
    const std::string line = LogText(5100).save_dump_task("net/a", 21, 1).text();
    const std::string padding(8192, 'y');
    const std::string path =
        write_file(folder / "plog.log", LogText(5100).ge("F", padding + line.substr(0, line.size() - 1)).text() + line);
    const ReadLogs logs = read_logs({path}).value();
    CHECK(op_of(logs, 1) == "net/a");
    CHECK(shown_remarks(logs).find("line_too_long " + path + ":1: ") == 0);
}

TEST_CASE("limits: processes; the lines of further ones are left out, and this is reported once") {
    const TemporaryDirectory folder;
    std::string text;
    for (int pid = 1; pid <= 4; ++pid) {
        text += LogText(pid).save_dump_task("net/" + std::to_string(pid), 21, pid).text();
    }
    const std::string path = write_file(folder / "plog.log", text + text);
    const ReadLogs all = read_with(path, &Limits::processes, 4);
    CHECK(shown_remarks(all).empty());
    CHECK(size_of(*all.task_map).processes == 4);
    const ReadLogs some = read_with(path, &Limits::processes, 3);
    CHECK(size_of(*some.task_map).processes == 3);
    CHECK(op_of(some, 3) == "net/3");
    CHECK(op_of(some, 4) == "none");
    REQUIRE(some.diagnostics.size() == 1);
    CHECK(shown_remarks(some).find("too_many_processes " + path + ": the logs contain more than 3 processes") == 0);
}

TEST_CASE("limits: candidates that logs name") {
    LogText log;
    log.at(0).bind(3, 21);
    for (unsigned context = 0; context < 3; ++context) {
        log.save_dump_context("part/op" + std::to_string(context), 21, 40, context, 0);
    }
    LocateOptions options;
    options.task_map = task_map_of(log);
    options.use_op_dumps = false;
    options.limits.candidates = 3;
    const Location all = locate(dump_of({21, 40, 3}, 5000), options);
    REQUIRE(all.op);
    CHECK(all.op->candidates.size() == 3);
    CHECK(message_of(all, "candidates_cut").empty());
    options.limits.candidates = 2;
    const Location some = locate(dump_of({21, 40, 3}, 5000), options);
    REQUIRE(some.op);
    CHECK(some.op->candidates.size() == 2);
    CHECK(contains(message_of(some, "candidates_cut"),
                   "2 of 3 possible operators are listed; the limit candidates is 2"));
}
