// A map of wanted tasks: it states about them what the full map states, and holds little else.
#include "logs/formats/wanted.hpp"

#include <random>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "fact_log.hpp"
#include "log_builder.hpp"
#include "logs/processes/builder.hpp"
#include "match_lines.hpp"
#include "task_uses.hpp"

using namespace opdebug::logs;
using namespace opdebug::test;
using opdebug::TaskMap;
using opdebug::WantedTasks;

namespace {

std::string shown(const StoredFact* stored) {
    return stored == nullptr ? "-"
                             : std::to_string(stored->place.file) + ":" + std::to_string(stored->place.line) + "/" +
                                   std::to_string(stored->fact.task_id.value_or(0));
}

std::string shown(const Span& span) {
    return std::to_string(span.begin) + ".." + std::to_string(span.end);
}

/// All that locating needs of a map for one task, with the lines that prove it.
std::string told_of(const TaskMap& map, TaskKey task) {
    std::string text;
    for (const Process& process : map.contents().processes) {
        text += "\nprocess " + std::to_string(process.pid) + " " + process.root + " " +
                std::to_string(process.states_anything);
        for (const DeviceFilter device : devices_of_task(process, task)) {
            for (const StreamWindow& window : stream_windows(process, task.first, device)) {
                text +=
                    "\nwindow " + shown(window.span) + " " + shown(window.opened_by) + " " + shown(window.closed_by);
                for (const ModelBinding& binding : model_bindings(process, task.first, window, device)) {
                    text += "\nbinding " + shown(binding.span) + " " + shown(binding.bound_by) + " " +
                            shown(binding.unbound_by);
                }
            }
            for (const TaskUse& use : uses_of_task(process, task, device)) {
                text += "\nuse " + shown(use.span) + (use.persistent ? " of a model" : "");
                for (const StoredFact* stored : use.facts) {
                    text += " " + shown(stored);
                }
            }
        }
    }
    return text;
}

/// Statements about few streams, tasks and models, so that they meet often.
class RandomLog {
public:
    explicit RandomLog(unsigned seed) : random_(seed) {}

    FactLog log(const std::string& path, std::int64_t pid, int count) {
        FactLog log(path, pid);
        std::int64_t time = 0;
        for (int i = 0; i < count; ++i) {
            time += number(3) == 0 ? number(3000) : number(3);
            log.at(time).thread(number(2)).state(statement());
        }
        return log;
    }

private:
    int number(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
    std::string name() { return std::string(1, static_cast<char>('a' + number(3))); }

    Fact statement() {
        Fact made = any_statement();
        if (number(4) == 0) {
            made.device_id = number(5) == 0 ? 64 : static_cast<std::uint64_t>(number(2));
        }
        return made;
    }

    Fact any_statement() {
        const int stream = number(4);
        const int task = number(4);
        switch (number(15)) {
            case 0:
            case 1: return launch(number(8) == 0 ? -1 : stream, number(3) == 0 ? -1 : task, name());
            case 2:
            case 3: return numbered(submit(stream, task, number(3)));
            case 4:
            case 5: return operator_of(stream, task, name());
            case 6: return fact(FactKind::stream_open, stream);
            case 7: return fact(FactKind::stream_close, stream);
            case 8: return binding(FactKind::model_bind, number(3), stream);
            case 9: return binding(FactKind::model_unbind, number(3), stream);
            case 10: return capture(number(2) == 0 ? FactKind::capture_stream : FactKind::capture_end, stream);
            case 11: return binding(FactKind::model_end, number(3), -1);
            case 12: return renumbered(stream, task);
            case 13: return wrapped(stream);
            default: return failed(stream, task);
        }
    }

    Fact numbered(Fact made) {
        if (number(3) == 0) {
            made.task_sn = static_cast<std::uint64_t>(number(4));
        }
        return made;
    }
    Fact capture(FactKind kind, int stream) {
        Fact made = fact(kind, stream);
        made.origin_stream_id = static_cast<std::uint64_t>(number(4));
        return made;
    }
    Fact renumbered(int stream, int task) {
        Fact made = fact(FactKind::task_renumbered, stream, task);
        made.previous_task_id = static_cast<std::uint64_t>(number(4));
        return made;
    }
    Fact wrapped(int stream) {
        Fact made = fact(FactKind::ids_wrapped, stream);
        made.flip_num = static_cast<std::uint64_t>(number(4));
        return made;
    }
    Fact failed(int stream, int task) {
        Fact made = fact(FactKind::fault_kernel, stream, task);
        made.kernel_name = name();
        return made;
    }

    std::mt19937 random_;
};

WantedTasks wanted(std::vector<std::pair<std::uint64_t, std::uint64_t>> tasks,
                   std::vector<std::uint64_t> addresses = {}) {
    WantedTasks made;
    made.tasks = std::move(tasks);
    made.addresses = std::move(addresses);
    return made;
}

const Process& only_process(const TaskMap& map) {
    REQUIRE(map.contents().processes.size() == 1);
    return map.contents().processes.front();
}

/// A line of the runtime, `second` seconds after midnight.
std::string line(int second, const std::string& text, int tid = 7) {
    return fmt::format("[INFO] RUNTIME(5100,app):2026-03-04-00:{:02}:{:02}.000.000 [a.cc:1] {} F: {}\n", second / 60,
                       second % 60, tid, text);
}
std::string launch_line(int stream, const std::string& kernel, const std::string& address = "0x0") {
    return fmt::format("device_id=0, stream_id={}, task_id=0, kernel_name={}, arg_size=8, addr1={}, addr2=0x0, qos=0.",
                       stream, kernel, address);
}
std::string submit_line(int stream, int task) {
    return fmt::format("device_id=0, ts_id=0, stream_id={}, task_id={}, task_type=0(KERNEL_AICORE), sendSqeNum=1, ",
                       stream, task);
}
std::string launch_line_of_2023(int stream, int task, const std::string& kernel) {
    return fmt::format("stream_id={}, task_id={}, kernelType=0, kernel_name={}, arg_size=32", stream, task, kernel);
}
const std::string kModelFault =
    "model execute task failed, device_id=0, model stream_id=9, model task_id=1, model_id=5";
std::string fault_line(int stream, int task) {
    return fmt::format(
        "aicore kernel execute failed, device_id=0, stream_id={}, task_id={}, fault kernel_name=K, func_name=f", stream,
        task);
}

/// The map of a log that is read in parts, as lines of it are matched for those tasks. Of a part nothing is there any
/// more when the next one is read.
std::shared_ptr<const TaskMap> map_of(std::vector<std::string> parts, const std::optional<WantedTasks>& tasks) {
    TaskMapBuilder builder(tasks);
    builder.begin_file("log0");
    for (std::string& part : parts) {
        builder.add(match_lines(part, *built_in_log_formats(), opdebug::Limits().line_bytes, builder.wanted()));
        part.assign(part.size(), '#');
    }
    return builder.finish();
}

std::string random_line(std::mt19937& random, int second) {
    const auto below = [&random](unsigned bound) { return static_cast<int>(random() % bound); };
    const int stream = below(3), task = below(3), tid = below(2);
    switch (below(7)) {
        case 0: return line(second, launch_line(stream, "K", below(3) == 0 ? "0x1000" : "0x0"), tid);
        case 1: return line(second, submit_line(stream, task), tid);
        case 2: return line(second, launch_line_of_2023(stream, task, "L"), tid);
        case 3: return line(second, kModelFault, tid);
        case 4: return line(second, fault_line(stream, task), tid);
        case 5: return line(second, fmt::format("stream_id={}, task_id={}, task_type=0 (X)", stream, task), tid);
        default: return line(second, submit_line(stream, task), tid).substr(0, random() % 180) + "\n";
    }
}

}  // namespace

TEST_CASE("wanted tasks: the map says of them what the full map says (random logs)") {
    for (unsigned seed = 0; seed < 300; ++seed) {
        RandomLog random(seed);
        const std::vector<FactLog> logs{random.log("/a/debug/1", 5100, 80), random.log("/a/run/1", 5100, 40),
                                        random.log("/b/debug/1", 5100, 20), random.log("/b/debug/2", 5200, 40)};
        const auto full = task_map_of(logs);
        for (std::uint64_t stream = 0; stream < 4; ++stream) {
            const TaskKey task{stream, seed % 4};
            CHECK_MESSAGE(told_of(*full, task) == told_of(*task_map_of(logs, wanted({task})), task), seed);
        }
    }
}

TEST_CASE("wanted tasks: other tasks are not kept") {
    FactLog log;
    for (int i = 0; i < 1000; ++i) {
        log.at(i).state(launch(46, 0, "K")).state(submit(46, i)).state(operator_of(46, i, "a"));
    }
    const auto map = task_map_of({log}, wanted({{46, 12}}));
    CHECK(only_process(*map).facts.size() == 2);
    CHECK(kernels_in(*map) == "46/12 K");
}

TEST_CASE(
    "wanted tasks: lines that name a node called by numbers are kept, they tell how to read kernels of other tasks") {
    FactLog log;
    for (const char* const node : {"11_a", "-1_0_a", "11", "a_11", "_a", "-_a", "11a_b"}) {
        log.state(operator_of(46, 1, node));
    }
    const auto map = task_map_of({log}, wanted({{46, 12}}));
    std::string nodes;
    for (const StoredFact& stored : only_process(*map).facts) {
        nodes += stored.fact.operator_name + " ";
    }
    CHECK(nodes == "11_a -1_0_a ");
}

TEST_CASE("wanted tasks: of a node called by numbers the first and the last line on other tasks are kept") {
    FactLog log;
    for (int task = 1; task < 60; ++task) {
        log.state(operator_of(46, task, task % 2 == 0 ? "11_a" : "12_b"));
    }
    const auto map = task_map_of({log}, wanted({{46, 20}}));
    std::string nodes;
    for (const StoredFact& stored : only_process(*map).facts) {
        nodes += fmt::format("{}:{} ", stored.fact.operator_name, *stored.fact.task_id);
    }
    CHECK(nodes == "12_b:1 11_a:2 11_a:20 11_a:58 12_b:59 ");
}

TEST_CASE("wanted tasks: nothing wanted keeps no task but that the process spoke") {
    const auto map = task_map_of({FactLog().state(operator_of(46, 1, "a"))}, wanted({}));
    CHECK(only_process(*map).facts.empty());
    CHECK(only_process(*map).states_anything);
}

TEST_CASE("wanted tasks: a launch that only its submit line brings to the wanted ids is kept") {
    CHECK(kernels_in(*task_map_of({FactLog().state(launch(-1, -1, "K")).state(submit(46, 12, 1))},
                                  wanted({{46, 12}}))) == "46/12 K");
}

TEST_CASE("wanted tasks: what happens to their streams is kept, to others not") {
    FactLog log;
    log.state(fact(FactKind::stream_open, 46)).state(fact(FactKind::stream_open, 47));
    log.state(fact(FactKind::ids_wrapped, 47)).state(fact(FactKind::stream_close, 46));
    const auto map = task_map_of({log}, wanted({{46, 12}}));
    CHECK(only_process(*map).facts.size() == 2);
}

TEST_CASE("wanted tasks: bindings of other streams are kept for the names of the models, first and last") {
    FactLog log;
    for (int i = 0; i < 100; ++i) {
        log.at(2000 * i).state(binding(FactKind::model_bind, 3, 50 + i));
        log.state(binding(FactKind::model_unbind, 3, 50 + i));
    }
    CHECK(only_process(*task_map_of({log}, wanted({{46, 12}}))).facts.size() == 2);
}

TEST_CASE("wanted tasks: the model's name on a stream is kept, though its line tells of the end-of-graph task") {
    Fact name = fact(FactKind::model_of_stream, 46, 64);
    name.model_name = "net";
    CHECK(only_process(*task_map_of({FactLog().state(name)}, wanted({{46, 12}}))).facts.size() == 1);
    CHECK(only_process(*task_map_of({FactLog().state(name)}, wanted({{47, 12}}))).facts.empty());
}

TEST_CASE("wanted addresses: launches of kernels at a wanted address are kept, of each stream the first and the last") {
    const auto at = [](std::uint64_t address, const std::string& kernel) {
        Fact made = launch(46, 0, kernel);
        made.address2 = address;
        return made;
    };
    FactLog log;
    for (int i = 0; i < 100; ++i) {
        log.at(i).state(at(0x1000, "K")).state(submit(46, 2 * i)).state(at(0x2000, "L")).state(submit(46, 2 * i + 1));
    }
    CHECK(kernels_in(*task_map_of({log}, wanted({}, {0x1000}))) == "46/0 K, 46/198 K");
    CHECK(kernels_in(*task_map_of({log}, wanted({}, {0x1001}))).empty());
}

TEST_CASE("wanted tasks: logs under two roots are joined or not as in the full map") {
    // Both roots report tasks, though not of the wanted one: they are two processes with one id.
    FactLog first("/a/debug/plog/1.log"), second("/b/debug/plog/1.log");
    first.state(operator_of(46, 1, "a")).state(fact(FactKind::stream_open, 46));
    second.state(operator_of(46, 2, "b"));
    const auto map = task_map_of({first, second}, wanted({{46, 12}}));
    REQUIRE(map->contents().processes.size() == 2);
    CHECK(map->contents().processes[0].root == "/a");
    CHECK(map->contents().processes[1].root == "/b");
}

TEST_CASE("wanted tasks: of lines on others that stand alone only what they show is noted") {
    const std::string log = line(1, launch_line_of_2023(46, 11, "K")) + line(2, launch_line_of_2023(46, 12, "L")) +
                            line(3, submit_line(46, 13));
    const StatedLines matched =
        match_lines(log, *built_in_log_formats(), opdebug::Limits().line_bytes, Wanted(wanted({{46, 12}})));
    std::string kernels;
    for (const StatedLine& found : matched.lines) {
        kernels += found.match.fact.kernel_name + " ";
    }
    CHECK(kernels.find("L ") != std::string::npos);
    CHECK(matched.lines[matched.lines.size() - 1].match.fact.kind == FactKind::submit);  // other lines are read by it
}

TEST_CASE("wanted addresses: the submit line of a task that nobody asked for gives a launch at the address its id") {
    const std::vector<std::string> log{line(1, launch_line(46, "K", "0x1000")), line(1, submit_line(46, 13))};
    CHECK(kernels_in(*map_of(log, wanted({}, {0x1000}))) == "46/13 K");
    CHECK(kernels_in(*map_of({log[0] + log[1]}, wanted({}, {0x1000}))) == "46/13 K");
    CHECK(kernels_in(*map_of(log, wanted({}, {0x1001}))).empty());
}

TEST_CASE("wanted tasks: a launch of which nothing was read is read when its submit line brings it to a wanted task") {
    const std::string begun = line(1, launch_line(46, "K")) + line(1, submit_line(46, 11));
    const std::vector<std::string> log{line(2, launch_line(46, "L")), line(2, submit_line(46, 12)),
                                       line(3, launch_line(46, "M"))};
    CHECK(kernels_in(*map_of({begun + log[0] + log[1] + log[2]}, wanted({{46, 12}}))) == "46/12 L");
    CHECK(kernels_in(*map_of({begun + log[0], log[1] + log[2]}, wanted({{46, 12}}))) == "46/12 L");
    // The one that is still open at the end has the id that its line prints.
    CHECK(kernels_in(*map_of({begun + log[0], log[1] + log[2]}, wanted({{46, 0}}))) == "46/0? M");
}

TEST_CASE("wanted tasks: a launch of which nothing was read belongs to the model that the thread ran then") {
    const auto of_engine = [](int second, const std::string& text) {
        std::string made = line(second, text);
        return made.replace(made.find("RUNTIME"), std::string("RUNTIME").size(), "GE");
    };
    const std::string log = line(1, launch_line(46, "K")) + line(1, submit_line(46, 11)) +
                            of_engine(2, "Model thread Run begin, model id:6, data index:0.") +
                            line(3, launch_line(46, "L")) + of_engine(3, "Model run end, model id:6") +
                            line(3, submit_line(46, 12));
    const auto map = map_of({log}, wanted({{46, 12}}));
    REQUIRE(kernels_in(*map) == "46/12 L");
    CHECK(only_process(*map).facts.front().fact.ge_model_id == 6);
}

TEST_CASE("wanted tasks: a line on another task uses up what an earlier one told once") {
    // The first failure is that of the model; the second one's model is not reported.
    const std::string log = line(1, kModelFault) + line(1, fault_line(46, 11)) + line(1, fault_line(46, 12));
    const auto model_of = [&log](std::uint64_t task) {
        const auto map = map_of({log}, wanted({{46, task}}));
        REQUIRE(only_process(*map).facts.size() == 1);
        return only_process(*map).facts.front().fact.model_id;
    };
    CHECK(model_of(11) == 5);
    CHECK(!model_of(12).has_value());
}

TEST_CASE("wanted tasks: the map of a log that is matched for them says what the full map says (random lines)") {
    for (unsigned seed = 0; seed < 300; ++seed) {
        std::mt19937 random(seed);
        std::vector<std::string> parts(3);
        for (int second = 0; second < 90; ++second) {
            parts[static_cast<std::size_t>(second / 30)] += random_line(random, second);
        }
        const auto full = map_of(parts, {});
        for (std::uint64_t stream = 0; stream < 3; ++stream) {
            const TaskKey task{stream, seed % 3};
            CHECK_MESSAGE(told_of(*full, task) == told_of(*map_of(parts, wanted({task})), task), seed);
        }
    }
}
