// The map does not depend on how the logs are read: size of a read, threads, rotation, packing.
#include <opdebug/logs.hpp>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "log_builder.hpp"
#include "logs/facts/fact.hpp"
#include "logs/facts/task_map.hpp"
#include "outcome.hpp"
#include "packed_text.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

using Random = std::mt19937;

const std::size_t long_log_line = Limits().line_bytes;

std::string without_break(std::string text) {
    text.pop_back();
    return text;
}

/// One entry of a log, which may have several lines; times are nearly in order.
std::string entry(Random& random, int index, bool every_line_has_a_time) {
    const auto pick = [&random](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
    LogText log(5100 + 100 * pick(2));
    log.at(index * 3 + pick(10)).thread(7000 + pick(3));
    const int stream = pick(5);
    const std::string name = "net/layer_" + std::to_string(index);
    const std::vector<std::function<std::string()>> shapes{
        [&] { return log.save_dump_task(name, stream, index).text(); },
        [&] { return log.kernel_trace(name, stream, index).text(); },
        [&] { return log.launch(stream, 0, "Toy_" + std::to_string(index)).text(); },
        [&] { return log.sent(stream, index).text(); },
        [&] { return log.launch_2023(stream, index, "te_toy_kernel").text(); },
        [&] { return log.bind(pick(3), stream, "toy_model").text(); },
        [&] { return log.set_up_stream(stream).text(); },
        [&] { return without_break(log.save_dump_task(name, stream, index).text()) + "\r\n"; },
        [&] { return without_break(log.save_dump_task(name, stream, index).text()) + std::string(3, '\0') + "\n"; },
        [&] { return log.save_dump_task(name + "\xFF\xC3", stream, index).text(); },
        [&] { return log.ge("Print", "{\n  \"graph\": [\n\n    7 ]\n}").text(); },
        [&] { return log.ge("Print", std::string(static_cast<std::size_t>(pick(3000)), 'y')).text(); },
        [&] {
            return log.save_dump_task(name + std::string(long_log_line - 150 + random() % 300, 'n'), stream, index)
                .text();
        },
        [&] { return log.ge("Print", std::string(long_log_line * 2, 'y') + log.text()).text(); },
        [&] { return fmt::format("[ERROR] GE(5100)Save dump task {}, task id: {}, stream id: 3.\n", name, index); },
        [&] {
            return fmt::format(
                "[INFO] GE(5100,train):YYYY-MM-DD [a.cc:1]7000 F:Save dump task {}, task id: {}, "
                "stream id: {}.\n",
                name, index, stream);
        },
        [&] { return log.line("INFO", "HCCL", "[comm.cc:3]7000 ring step done").text(); },
    };
    const std::size_t shape = random() % shapes.size();
    if (every_line_has_a_time && (shape == 14 || shape == 15)) {
        return shapes[0]();
    }
    // The very long shapes are rare.
    return (shape == 12 || shape == 13) && pick(8) != 0 ? shapes[0]() : shapes[shape]();
}

std::string log_of(Random& random, int entries, bool every_line_has_a_time = false) {
    std::string text;
    for (int index = 1; index <= entries; ++index) {
        text += entry(random, index, every_line_has_a_time);
    }
    return text;
}

/// Every member that can be reported, in the order of the map; locations only when requested.
std::string shown(const TaskMap& map, bool with_places) {
    std::string text;
    for (const logs::Process& process : map.contents().processes) {
        text += fmt::format("process {} {} {} {}\n", process.pid, process.on_device, process.first_time_us,
                            process.last_time_us);
        for (const logs::StoredFact& stored : process.facts) {
            text += fmt::format("{} {} {} {} {} {} {}", stored.fact.format_id, stored.tid, stored.time_us,
                                stored.fact.operator_name, stored.fact.kernel_name, stored.fact.model_name,
                                stored.place.text);
            for (const logs::NumberMember& number : logs::kNumbers) {
                text += " " + std::to_string((stored.fact.*number.member).value_or(987654));
            }
            if (with_places) {
                text += fmt::format(" at {}:{} {}", stored.place.file, stored.place.line,
                                    stored.submit ? stored.submit->line : 0);
            }
            text += "\n";
        }
    }
    return text + fmt::format("{} {}\n", map.contents().runtime_info_lines, map.contents().ge_info_lines);
}

ReadLogs logs_at(const std::string& path, const ReadLogsOptions& options = {}) {
    const Result<ReadLogs> logs = read_logs({path}, options);
    REQUIRE_MESSAGE(logs.ok(), outcome(logs));
    REQUIRE(logs->failures.empty());
    return *logs;
}

/// The text cut at random line breaks.
std::vector<std::string> cut(Random& random, std::string_view text, std::size_t pieces) {
    std::vector<std::string> result;
    while (result.size() + 1 < pieces && !text.empty()) {
        const std::size_t place = text.find('\n', random() % text.size());
        const std::size_t size = place == std::string_view::npos ? text.size() : place + 1;
        result.emplace_back(text.substr(0, size));
        text.remove_prefix(size);
    }
    result.emplace_back(text);
    return result;
}

}  // namespace

TEST_CASE("reading logs: the map is the same for every size of a read and number of threads") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    Random random(seed);
    const TemporaryDirectory folder;
    const std::string text = log_of(random, 400);
    write_file(folder / "plog-5100_1.log", text);
    write_file(folder / "plog-5100_2.log", log_of(random, 50));
    const ReadLogs reference = logs_at(folder.path().string());
    const std::string expected = shown(*reference.task_map, true);
    REQUIRE(std::count(expected.begin(), expected.end(), '\n') > 100);
    for (const std::size_t buffer_size : {1U, 7U, 64U, 4096U, 65537U, 1U << 20U}) {
        for (const unsigned threads : {1U, 2U, 3U, 8U}) {
            if (buffer_size < 64 && threads > 1 && threads < 8) {
                continue;  // each part is one line: what matters is whether there are several threads
            }
            ReadLogsOptions options;
            options.buffer_size = buffer_size;
            options.threads = threads;
            const ReadLogs logs = logs_at(folder.path().string(), options);
            CHECK(logs.lines == reference.lines);
            REQUIRE_MESSAGE((shown(*logs.task_map, true) == expected), buffer_size << " " << threads);
        }
    }
}

TEST_CASE("reading logs: the facts are the same however the log is cut into rotated and packed files") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    Random random(seed);
    for (int round = 0; round < 10; ++round) {
        const TemporaryDirectory folder;
        // A line without a time has that of the line before in the same file.
        const std::string text = log_of(random, 200, true);
        const ReadLogs reference = logs_at(write_file(folder / "whole/plog.log", text));
        const std::vector<std::string> pieces = cut(random, text, 2 + random() % 12);
        for (std::size_t index = 0; index < pieces.size(); ++index) {
            const std::size_t age = pieces.size() - 1 - index;
            const std::string name = "cut/plog.log" + (age == 0 ? std::string() : "." + std::to_string(age));
            switch (random() % 3) {
                case 0: write_file(folder / name, pieces[index]); break;
                case 1: write_file(folder / (name + ".gz"), gzip_of(pieces[index])); break;
                default: write_file(folder / (name + ".zst"), zstd_of(pieces[index]));
            }
        }
        const ReadLogs logs = logs_at(folder / "cut");
        CHECK(logs.files == pieces.size());
        CHECK(logs.lines == reference.lines);
        REQUIRE((shown(*logs.task_map, false) == shown(*reference.task_map, false)));
    }
}
