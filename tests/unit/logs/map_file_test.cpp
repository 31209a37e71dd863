// Saved task maps: what is written comes back; one task needs only its blocks.
#include <doctest/doctest.h>

#include <fmt/format.h>
#include <boost/crc.hpp>

#include <opdebug/locate.hpp>

#include "location.hpp"
#include "log_builder.hpp"
#include "logs/map_file/checksum.hpp"
#include "logs/map_file/map_file.hpp"
#include "logs/map_file/packed_part.hpp"
#include "logs/packing/packed_numbers.hpp"
#include "saved_map.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;
using opdebug::logs::Process;
using opdebug::logs::StoredFact;
namespace map_file = opdebug::logs::map_file;

namespace {

/// Everything of a fact that a map must keep, as text.
std::string shown_fact(const StoredFact& stored, const TaskMap::Contents& contents) {
    const logs::Fact& fact = stored.fact;
    std::string text = fmt::format("{}/{}/{} tid {} at {} {}:{} {}", logs::to_string(fact.kind),
                                   logs::to_string(fact.log), fact.format_id, stored.tid, stored.time_us,
                                   contents.files.at(stored.place.file), stored.place.line, stored.place.text);
    for (const logs::NumberMember& number : logs::number_members()) {
        if (fact.*number.member) {
            text += fmt::format(" {}={}", number.name, *(fact.*number.member));
        }
    }
    for (const logs::TextMember& member : logs::text_members()) {
        text += fmt::format(" {}={}", member.name, fact.*member.member);
    }
    text += fmt::format(" flags {}{}{}{}", fact.task_id_provisional, fact.task_id_unconfirmed, fact.task_id_from_sn,
                        fact.name_cut);
    if (stored.submit) {
        text += fmt::format(" submit {}:{} {}", contents.files.at(stored.submit->file), stored.submit->line,
                            stored.submit->text);
    }
    return text + "\n";
}

std::string shown_process(const Process& process, const TaskMap::Contents& contents) {
    std::string text = fmt::format("process {} {} {} {} {}\n", process.pid, process.on_device, process.root,
                                   process.first_time_us, process.last_time_us);
    for (const StoredFact& fact : process.facts) {
        text += shown_fact(fact, contents);
    }
    for (const auto& [key, index] : process.of_task) {
        text += fmt::format("task {} {}: {}\n", key.first, key.second, fmt::join(index, ","));
    }
    for (const auto& [stream, index] : process.of_stream) {
        text += fmt::format("stream {}: {}\n", stream, fmt::join(index, ","));
    }
    return text;
}

std::string shown_map(const TaskMap::Contents& contents) {
    std::string text = fmt::format("{} {}\n{}\n", contents.runtime_info_lines, contents.ge_info_lines,
                                   fmt::join(contents.files, "\n"));
    for (const Process& process : contents.processes) {
        text += shown_process(process, contents);
    }
    return text;
}

/// A map of one process with one launch for each (stream, task, address).
std::shared_ptr<const TaskMap> map_of_launches(std::uint64_t launches) {
    auto contents = std::make_unique<TaskMap::Contents>();
    contents->files.emplace_back("some/plog-1.log");
    Process process;
    process.pid = 1;
    for (std::uint64_t i = 0; i < launches; ++i) {
        StoredFact stored;
        stored.fact.kind = logs::FactKind::kernel_of_task;
        stored.fact.stream_id = i % 5;
        stored.fact.task_id = i / 5;
        stored.fact.address1 = 0x1000 + i % 100;
        stored.fact.kernel_name = fmt::format("kernel_{}", i % 100);
        stored.time_us = static_cast<std::int64_t>(1000 + i);
        stored.place.line = i + 1;
        stored.place.text = fmt::format("a line about launch {} with its own number {}", i, i * i);
        process.facts.push_back(std::move(stored));
    }
    contents->processes.push_back(std::move(process));
    return std::make_shared<const TaskMap>(std::move(contents));
}

}  // namespace

TEST_CASE("saved map: what was packed before does not show in a stream") {
    map_file::Packer used;
    for (const std::size_t size : {std::size_t{100000}, std::size_t{0}, std::size_t{17}, std::size_t{300000}}) {
        std::string content;
        for (std::size_t i = 0; i < size; ++i) {
            content += static_cast<char>(i * i % 251);
        }
        const auto packed = used.pack(content);
        REQUIRE(packed.has_value());
        CHECK(*packed == map_file::Packer().pack(content));
        CHECK(map_file::unpack(Bytes(*packed), size) == content);
    }
}

TEST_CASE("saved map: everything comes back as it was") {
    const auto map = task_map_of({training_log().text(), LogText(5101).at(5).set_up_stream(1).text(),
                                  LogText(5100).at(60).device("Run", "nothing").text()});
    REQUIRE(process_of(*map).facts.size() == 8);
    const auto read = logs::read_map_bytes(Bytes(saved(*map)), std::nullopt);
    REQUIRE_MESSAGE(read.ok(), (read.ok() ? "" : to_string(read.error())));
    CHECK(shown_map(*read) == shown_map(map->contents()));
}

TEST_CASE("saved map: every member of a fact comes back, with numbers of full size") {
    auto contents = std::make_unique<TaskMap::Contents>();
    contents->files = {"a", "b"};
    contents->runtime_info_lines = 7;
    contents->ge_info_lines = ~std::uint64_t{0};
    Process process;
    process.pid = -1;
    process.on_device = true;
    process.root = "host-3/logs";
    process.device_id = 0;
    process.host_pid = 4711;
    process.own_logs = {{1, -5, 9'000'000'000'000'000}, {0, INT64_MIN, INT64_MAX}};
    process.first_time_us = -5;
    process.last_time_us = 9'000'000'000'000'000;
    std::uint64_t value = ~std::uint64_t{0};
    for (int i = 0; i < 3; ++i) {
        StoredFact stored;
        stored.fact.kind = logs::FactKind::part;
        stored.fact.log = logs::LogKind::device_log;
        stored.fact.format_id = "some.format";
        stored.fact.task_id_from_sn = stored.fact.name_cut = i == 1;
        stored.fact.task_id_provisional = stored.fact.task_id_unconfirmed = i == 2;
        for (const logs::NumberMember& number : logs::number_members()) {
            stored.fact.*number.member = value;
            value = value * 6364136223846793005U + 1;
        }
        for (const logs::TextMember& text : logs::text_members()) {
            stored.fact.*text.member = fmt::format("{} \x01\xff {}", text.name, i % 2);
        }
        stored.tid = -i;
        stored.time_us = i * 1'000'000'000'000LL - 4;
        stored.place = {1, ~std::uint64_t{0} - static_cast<std::uint64_t>(i), std::string("with \0 zero", 11), {}};
        stored.submit = logs::LogPlace{0, 3, "submit", {}};
        process.facts.push_back(std::move(stored));
    }
    const std::string facts = shown_fact(process.facts[1], *contents);
    contents->processes.push_back(process);
    const TaskMap map(std::move(contents));
    const auto read = logs::read_map_bytes(Bytes(saved(map)), std::nullopt);
    REQUIRE_MESSAGE(read.ok(), (read.ok() ? "" : to_string(read.error())));
    REQUIRE(read->processes.at(0).facts.size() == 3);
    CHECK(shown_fact(read->processes[0].facts[1], *read) == facts);
    CHECK(read->processes[0].facts[0].from_saved_map);
    CHECK(read->processes[0].root == "host-3/logs");
    CHECK(read->processes[0].device_id == 0);
    CHECK(read->processes[0].host_pid == 4711);
    CHECK(read->processes[0].own_logs_are_known);
    REQUIRE(read->processes[0].own_logs.size() == 2);
    CHECK(read->processes[0].own_logs[0].file == 1);
    CHECK(read->processes[0].own_logs[0].first_us == -5);
    CHECK(read->processes[0].own_logs[0].last_us == 9'000'000'000'000'000);
    CHECK(read->processes[0].own_logs[1].file == 0);
    CHECK(read->processes[0].own_logs[1].first_us == INT64_MIN);
    CHECK(read->processes[0].own_logs[1].last_us == INT64_MAX);
    CHECK(read->processes[0].on_device);
    CHECK(read->processes[0].first_time_us == -5);
    CHECK(read->ge_info_lines == ~std::uint64_t{0});
    CHECK(read->runtime_info_lines == 7);
}

TEST_CASE("saved map: an empty task map is a map") {
    const TaskMap map(std::make_unique<TaskMap::Contents>());
    const auto read = logs::read_map_bytes(Bytes(saved(map)), std::nullopt);
    REQUIRE(read.ok());
    CHECK(read->processes.empty());
}

TEST_CASE("saved map: the same logs give the same bytes") {
    CHECK(saved(*task_map_of(training_log())) == saved(*task_map_of(training_log())));
    CHECK(logs::is_map_file(Bytes(saved(*task_map_of(training_log())))));
    CHECK_FALSE(logs::is_map_file(Bytes(std::string_view("[INFO] GE(1,x)"))));
}

TEST_CASE("saved map: what is wanted of one task is its group, its stream's and the process's statements") {
    const auto map = task_map_of(training_log());
    const std::string bytes = saved(*map);
    const auto read = logs::read_map_bytes(Bytes(bytes), task(7, 57));
    REQUIRE(read.ok());
    const Process& process = read->processes.at(0);
    // The process's device, set-up, bind, operator line, unbind, release: the tasks of streams 8 and 9 are left out.
    CHECK(process.facts.size() == 6);
    CHECK(process.of_task.of({7, 57}).size() == 1);
    CHECK(process.of_task.size() == 1);
    const auto other = logs::read_map_bytes(Bytes(bytes), task(9, 12));
    REQUIRE(other.ok());
    REQUIRE(other->processes.at(0).of_task.size() == 1);
    const std::uint32_t place = other->processes[0].of_task.places(0)[0];
    CHECK(other->processes[0].facts.at(place).fact.kernel_name == "0_1_net/add_2");
}

TEST_CASE("saved map: of a node called by numbers one line on other tasks is enough, and all on the wanted one") {
    LogText log(5100);
    for (int task = 1; task < 60; ++task) {
        log.at(task).save_dump_task(task % 2 == 0 ? "11_a" : "12_b", 7, task);
    }
    const std::string bytes = saved(*task_map_of({log.text()}));
    const auto read = logs::read_map_bytes(Bytes(bytes), task(7, 20));
    REQUIRE(read.ok());
    std::string nodes;
    for (const StoredFact& stored : read->processes.at(0).facts) {
        nodes += fmt::format("{}:{} ", stored.fact.operator_name, *stored.fact.task_id);
    }
    CHECK(nodes == "12_b:1 11_a:2 11_a:20 ");
}

TEST_CASE("saved map: one task of many blocks, and launches by their address") {
    const auto map = map_of_launches(20'000);
    const std::string bytes = saved(*map);
    const auto one = logs::read_map_bytes(Bytes(bytes), task(3, 1234));
    REQUIRE(one.ok());
    REQUIRE(one->processes.at(0).facts.size() == 1);
    CHECK(one->processes[0].facts[0].place.line == 1234 * 5 + 3 + 1);
    WantedTasks wanted;
    wanted.addresses = {0x1000 + 42};
    const auto by_address = logs::read_map_bytes(Bytes(bytes), wanted);
    REQUIRE(by_address.ok());
    CHECK(by_address->processes.at(0).facts.size() == 200);  // each hundredth of 20000
    const auto all = logs::read_map_bytes(Bytes(bytes), std::nullopt);
    REQUIRE(all.ok());
    CHECK(all->processes.at(0).facts.size() == 20'000);
    CHECK(all->processes[0].facts[777].place.text == "a line about launch 777 with its own number 603729");
}

TEST_CASE("saved map: locating answers as with the logs, the proof is of kind task_map") {
    const TemporaryDirectory directory;
    const std::string log = write_file(directory / "plog-5100_1.log", training_log().text());
    const auto logs = read_logs({log});
    REQUIRE(logs.ok());
    const std::string path = write_file(directory / "tasks.map", saved(*logs->task_map));
    for (const RecordIds& ids : {RecordIds{7, 57}, RecordIds{9, 12}, RecordIds{8, 3}, RecordIds{8, 4}}) {
        ReadLogsOptions options;
        options.wanted = task(ids.stream, ids.task);
        const auto some = read_logs({path}, options);
        const auto all = read_logs({path});
        REQUIRE(all.ok());
        REQUIRE(some.ok());
        const Dump dump = dump_of(ids, 35);
        const Location expected = locate_in(logs->task_map, dump);
        for (const auto& map : {all->task_map, some->task_map}) {
            const Location location = locate_in(map, dump);
            CHECK(shown(location.op) == shown(expected.op));
            CHECK(shown(location.model) == shown(expected.model));
            CHECK(remarks_of(location) == remarks_of(expected));
            if (ids.stream == 7) {
                CHECK(proof_of_operator(location) == "task_map " + log + ":3");
                CHECK(proof_of_operator(expected) == "ge_log " + log + ":3");
            }
        }
    }
}

TEST_CASE("saved map: a process that goes on in a log beside is one process, lines of both count once") {
    const TemporaryDirectory directory;
    const std::string first = LogText().at(0).set_up_stream(7).at(10).bind(36, 7).text();
    const std::string second = LogText().at(20).save_dump_task("net/mul_1", 7, 57).text();
    const std::string log = directory / "plog-5100_1.log";
    write_file(log, first);
    const auto logs = read_logs({log});
    REQUIRE(logs.ok());
    const std::string map = write_file(directory / "tasks.map", saved(*logs->task_map));
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
    CHECK(shown(locate_in(rest->task_map, dump_of({7, 57, 36}, 30)).model) == "-|36|-|-");
}

TEST_CASE("saved map: numbers of variable length at their limits") {
    logs::ByteWriter out;
    const std::vector<std::uint64_t> numbers{0, 127, 128, 16383, 16384, ~std::uint64_t{0}};
    const std::vector<std::int64_t> signed_numbers{
        0, -1, 63, -64, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
    for (const std::uint64_t number : numbers) {
        out.number(number);
    }
    for (const std::int64_t number : signed_numbers) {
        out.signed_number(number);
    }
    logs::ByteReader in{Bytes(std::string_view(out.result()))};
    for (const std::uint64_t number : numbers) {
        CHECK(in.number() == number);
    }
    for (const std::int64_t number : signed_numbers) {
        CHECK(in.signed_number() == number);
    }
    CHECK(in.at_end());
    // Ten bytes can hold 70 bits; more than 64 are a fault.
    logs::ByteReader too_large{Bytes(std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"))};
    CHECK(too_large.number() == 0);
    CHECK_FALSE(too_large.ok());
}

TEST_CASE("saved map: checksums are those of CRC-32") {
    CHECK(map_file::checksum_of(Bytes(std::string_view("123456789"))) == 0xCBF43926);
    std::string text;
    for (int size = 0; size < 100; ++size, text += static_cast<char>(size * 37)) {
        CAPTURE(size);
        boost::crc_32_type crc;
        crc.process_bytes(text.data(), text.size());
        CHECK(map_file::checksum_of(Bytes(text)) == crc.checksum());
    }
}
