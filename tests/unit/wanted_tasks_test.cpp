// A map of wanted tasks: it says of them what the full map says, and holds little else.
#include "logs/wanted.hpp"

#include <random>
#include <string>

#include <doctest/doctest.h>

#include "fact_log.hpp"
#include "log_builder.hpp"
#include "logs/task_use.hpp"

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

/// All that locating asks of a map for one task, with the lines that prove it.
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
                text += " wraps " + std::to_string(wraps_between(process, task.first, use.span, device));
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
    // Both roots tell of tasks, though not of the wanted one: they are two processes with one id.
    FactLog first("/a/debug/plog/1.log"), second("/b/debug/plog/1.log");
    first.state(operator_of(46, 1, "a")).state(fact(FactKind::stream_open, 46));
    second.state(operator_of(46, 2, "b"));
    const auto map = task_map_of({first, second}, wanted({{46, 12}}));
    REQUIRE(map->contents().processes.size() == 2);
    CHECK(map->contents().processes[0].root == "/a");
    CHECK(map->contents().processes[1].root == "/b");
}
