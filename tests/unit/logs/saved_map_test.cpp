// Saved maps of logs: the lines that state something, read back as the logs are.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <fmt/format.h>

#include <opdebug/locate.hpp>

#include "location.hpp"
#include "log_builder.hpp"
#include "logs/facts/task_map.hpp"
#include "logs/saved_map/saved_map.hpp"
#include "packed_text.hpp"
#include "saved_map.hpp"
#include "shown_facts.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;
using opdebug::logs::Process;

namespace {

std::shared_ptr<const TaskMap> map_at(const std::string& path, const std::optional<WantedTasks>& wanted = {}) {
    ReadLogsOptions options;
    options.wanted = wanted;
    const Result<ReadLogs> logs = read_logs({path}, options);
    REQUIRE_MESSAGE(logs.ok(), (logs ? "" : to_string(logs.error())));
    CHECK(logs->failures.empty());
    return logs->task_map;
}

/// The log as a file, and its map.
struct Saved {
    explicit Saved(const std::string& text) : log(write_file(directory / "debug/plog/plog-5100_1.log", text)) {
        map = write_file(directory / "tasks.map", saved({log}));
    }
    TemporaryDirectory directory;
    std::string log, map;
};

void check_same_facts(const Saved& files, const std::optional<WantedTasks>& wanted = {}) {
    CHECK(shown_facts(*map_at(files.map, wanted)) == shown_facts(*map_at(files.log, wanted)));
}

/// Lines whose statements hang on others of their thread, on their end, or on the time of the line before.
std::string log_of_all_sorts() {
    LogText log;
    log.at(0).set_up_stream(7).at(10).bind(36, 7, "tiny").at(15).save_dump_task("11_Gather", 9, 1);
    log.at(20).launch(9, 0, "0_1_net/add_2").at(22).sent(9, 12).at(23).launch(9, 12, "0_1_net/sub_3").sent(9, 13);
    log.at(24).launch_2023(9, 14, "te_add_1").at(30).kernel_trace("net/sub_4", 8, 4).at(40).unbind(36, 7, "tiny");
    log.at(50).free_stream(7).ge("Run", "states nothing");
    return log.text() + "no log line\n" +
           "Aicore kernel execute failed, device_id=0, stream_id=5, report_stream_id=5, task_id=8, "
           "flip_num=0, fault kernel_name=te_mul, program id=3, hash=4.[FUNC:GetError][FILE:stream.cc][LINE:7]\n" +
           LogText().at(60).save_dump_task("net/last", 21, 5).text();
}

/// A process that launches many kernels, each at its own address and every hundredth at the same one.
std::string log_of_launches(int launches) {
    std::string text;
    for (int task = 0; task < launches; ++task) {
        text += LogText().at(task).launch(5, 0, fmt::format("0_1_net/op_{}", task % 90)).sent(5, task).text();
    }
    return text;
}

}  // namespace

TEST_CASE("saved map: has the facts of the log, for everything and for each task") {
    std::string text = log_of_all_sorts();
    const Saved files(text);
    check_same_facts(files);
    for (const RecordIds& ids : {RecordIds{7, 57}, {9, 1}, {9, 12}, {9, 13}, {9, 14}, {8, 4}, {5, 8}, {21, 5}}) {
        CAPTURE(ids.stream);
        CAPTURE(ids.task);
        check_same_facts(files, task(ids.stream, ids.task));
    }
    text.pop_back();  // the last number may be cut
    check_same_facts(Saved(text));
    check_same_facts(Saved(text.substr(0, text.size() - 3)));
}

TEST_CASE("saved map: entries that run together, holes and lines above the limit are read as in the log") {
    const std::string entry = LogText().at(1).save_dump_task("net/a", 7, 1).text();
    std::string joined = entry.substr(0, entry.size() - 1) + LogText().at(2).save_dump_task("net/b", 7, 2).text();
    check_same_facts(Saved(joined));
    check_same_facts(Saved(std::string(20, '\0') + entry + joined.substr(0, 40) + std::string(9000, '\0') + entry));
    check_same_facts(Saved(entry.substr(0, entry.size() - 1) + std::string(20'000, 'x') + "\n" + entry));
    check_same_facts(Saved("console text\r\n" + entry.substr(0, entry.size() - 1) + "\r\n"));
}

TEST_CASE("saved map: an ordinary decompressor shows its lines with file and number") {
    const Saved files(log_of_all_sorts());
    const std::string bytes = saved({files.log});
    const std::string lines = zstd_content(bytes);
    CHECK(contains(lines, files.log + ":1:[INFO] RUNTIME(5100,"));
    CHECK(contains(lines, "net/last"));
    CHECK_FALSE(contains(lines, "states nothing"));
    CHECK_FALSE(contains(lines, "no log line"));
}

TEST_CASE("saved map: one task and one address of a long log are found without the other lines") {
    const Saved files(log_of_launches(6000));
    check_same_facts(files);
    for (const std::uint64_t id : {0U, 1U, 2999U, 3000U, 5999U}) {
        const auto map = map_at(files.map, task(5, id));
        const Process& process = map->contents().processes.at(0);
        REQUIRE(process.of_task.of({5, id}).size() == 1);
        CHECK(process.facts[process.of_task.of({5, id})[0]].fact.kernel_name == fmt::format("0_1_net/op_{}", id % 90));
        CHECK(shown_facts(*map) == shown_facts(*map_at(files.log, task(5, id))));
    }
}

TEST_CASE("saved map: the same bytes by any number of threads, and of the map itself") {
    const Saved files(log_of_launches(3000));
    ReadLogsOptions options;
    std::string first;
    for (const unsigned threads : {1U, 2U, 8U}) {
        options.threads = threads;
        const Result<IndexedLogs> indexed = index_logs({files.log}, options);
        REQUIRE(indexed.ok());
        CHECK(indexed->size.tasks == 3000);
        CHECK(indexed->size.processes == 1);
        first = first.empty() ? indexed->map : first;
        CHECK((indexed->map == first));
    }
    CHECK((saved({files.map}) == first));
}

TEST_CASE("saved map: the evidence is of kind task_map, with file and line of the log") {
    const Saved files(log_of_all_sorts());
    const Location expected = locate_in(map_at(files.log), dump_of({21, 5}, 70));
    for (const auto& map : {map_at(files.map), map_at(files.map, task(21, 5))}) {
        const Location location = locate_in(map, dump_of({21, 5}, 70));
        CHECK(shown(location.op) == shown(expected.op));
        CHECK(contains(proof_of_operator(location), "task_map " + files.log + ":"));
    }
}

TEST_CASE("saved map: a process that goes on in a log is one process, lines of both count once") {
    const TemporaryDirectory directory;
    const std::string first = LogText().at(0).set_up_stream(7).at(10).bind(36, 7).text();
    const std::string second = LogText().at(20).save_dump_task("net/mul_1", 7, 57).text();
    const std::string log = write_file(directory / "plog-5100_1.log", first);
    const std::string map = write_file(directory / "tasks.map", saved({log}));
    write_file(log, first + second);
    const auto joined = read_logs({map, log});
    REQUIRE(joined.ok());
    CHECK(joined->files == 2);
    REQUIRE(joined->task_map->contents().processes.size() == 1);
    const Process& process = joined->task_map->contents().processes[0];
    REQUIRE(process.facts.size() == 4);  // with the process's device
    CHECK_FALSE(process.facts[0].from_saved_map);
    CHECK(shown(locate_in(joined->task_map, dump_of({7, 57, 36}, 30)).model) == "-|36|-|-");

    write_file(log, second);  // the first hour is gone
    const auto rest = read_logs({log, map});
    REQUIRE(rest.ok());
    REQUIRE(rest->task_map->contents().processes.size() == 1);
    CHECK(rest->task_map->contents().processes[0].facts.size() == 4);
}

TEST_CASE("saved map: the name of a log may be any bytes") {
    const TemporaryDirectory directory;
    const std::string log = write_file(directory / "a\\x41/plog-5100_\xff.log", log_of_all_sorts());
    const std::string map = write_file(directory / "tasks.map", saved({log}));
    CHECK(contains(proof_of_operator(locate_in(map_at(map), dump_of({21, 5}, 70))), "plog-5100_\xff.log:"));
}

TEST_CASE("saved map: the user's formats are in it") {
    const TemporaryDirectory directory;
    ReadLogsOptions options;
    options.log_formats = {{"mine.json", R"({"schema": "opdebug.log_formats/1", "formats": [{
        "id": "mine.task", "catalogue": "X1", "states": "operator_of_task", "log": "ge_log", "modules": ["GE"],
        "literal": "my task ", "pattern": "^my task (?<stream_id>\\d+)/(?<task_id>\\d+) (?<operator_name>\\S+)$",
        "versions": "mine", "source": "mine",
        "samples": ["[INFO] GE(5100,python3):2026-03-04-10:00:00.000.000 [a.cc:1]5100 F: my task 3/4 net/x"]}]})"}};
    const std::string log =
        write_file(directory / "plog-5100_1.log",
                   "[INFO] GE(5100,python3):2026-03-04-10:00:00.000.000 [a.cc:1]5100 F: my task 3/4 net/x\n");
    const Result<IndexedLogs> indexed = index_logs({log}, options);
    REQUIRE_MESSAGE(indexed.ok(), (indexed ? "" : to_string(indexed.error())));
    const std::string map = write_file(directory / "tasks.map", indexed->map);
    CHECK(shown(locate_in(map_at(map), dump_of({3, 4}, 10)).op) == "net/x|-|-|exact");
    options.wanted = task(3, 4);  // given once more
    const auto again = read_logs({map}, options);
    REQUIRE(again.ok());
    CHECK(again->failures.empty());
}

TEST_CASE("saved map: maps of version 0.1 and cut maps are refused with what to do") {
    const TemporaryDirectory directory;
    const auto refused = [&](std::string_view bytes) {
        const Result<ReadLogs> logs = read_logs({write_file(directory / "tasks.map", bytes)});
        REQUIRE_FALSE(logs.ok());
        CHECK(logs.error().code == ErrorCode::task_map_invalid);
        CHECK(contains(logs.error().message, "opdebug index"));
        return logs.error().message;
    };
    CHECK(contains(refused(std::string_view("\x8fOPMAP\r\n\x03\0\x01\0", 12)), "build it again"));
    const Saved files(log_of_all_sorts());
    const std::string bytes = saved({files.log});
    CHECK(contains(refused(std::string_view(bytes).substr(0, bytes.size() / 2)), "its header states"));
    CHECK(logs::is_map_file(Bytes(bytes)));
    CHECK_FALSE(logs::is_map_file(Bytes(std::string_view("[INFO] GE(1,x)"))));
}

TEST_CASE("saved map: damaged lines are reported, and what was read before them counts") {
    const Saved files(log_of_launches(3000));
    std::string bytes = saved({files.log});
    bytes[200'000 % bytes.size() / 4] ^= 0x55;
    const auto logs = read_logs({write_file(files.directory.path() / "damaged.map", bytes)});
    REQUIRE(logs.ok());
    REQUIRE(logs->failures.size() == 1);
    CHECK(logs->failures[0].code == ErrorCode::task_map_invalid);
}
