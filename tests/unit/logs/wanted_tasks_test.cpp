// A map of wanted tasks: it states about them what the full map states, and holds little else.
#include "logs/formats/wanted.hpp"

#include <random>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "log_builder.hpp"
#include "logs/lookup/task_use.hpp"
#include "logs/processes/builder.hpp"
#include "match_lines.hpp"

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
            const auto history = history_of_stream(process, task.first, device);
            for (const TaskUse& use : uses_of_task(process, task, device, history)) {
                text += "\nuse " + shown(use.span) + (use.persistent ? " of a model" : "");
                for (const StoredFact* stored : use.facts) {
                    text += " " + shown(stored);
                }
            }
        }
    }
    return text;
}

WantedTasks wanted(std::vector<std::pair<std::uint64_t, std::uint64_t>> tasks,
                   std::vector<std::uint64_t> addresses = {}) {
    WantedTasks made;
    made.tasks = std::move(tasks);
    made.addresses = std::move(addresses);
    return made;
}

/// "46/12 K, ..." for each kernel of the map in the order of the facts; "?" after an id that is not confirmed.
std::string kernels_in(const TaskMap& map) {
    std::string text;
    for (const Process& process : map.contents().processes) {
        for (const StoredFact& stored : process.facts) {
            if (stored.fact.kind == FactKind::kernel_of_task) {
                text += fmt::format("{}{}/{}{} {}", text.empty() ? "" : ", ", stored.fact.stream_id.value_or(0),
                                    stored.fact.task_id.value_or(0), stored.fact.task_id_unconfirmed ? "?" : "",
                                    stored.fact.kernel_name);
            }
        }
    }
    return text;
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
    const auto text = [&](const std::string& words) {
        return line(second, fmt::format(fmt::runtime(words), stream), tid);
    };
    switch (below(14)) {
        case 0: return line(second, launch_line(stream, "K", below(3) == 0 ? "0x1000" : "0x0"), tid);
        case 1: return line(second, submit_line(stream, task), tid);
        case 2: return line(second, launch_line_of_2023(stream, task, "L"), tid);
        case 3: return line(second, kModelFault, tid);
        case 4: return line(second, fault_line(stream, task), tid);
        case 5: return line(second, fmt::format("stream_id={}, task_id={}, task_type=0 (X)", stream, task), tid);
        case 6: return text("Stream id alloc success, stream_id={}, device_id=0, tsId=0!");
        case 7: return text("Stream id alloc success, stream_id={}, device_id=64, tsId=0!");
        case 8: return text("model maintaince type=0, device_id=0, bind stream_id={} to modelId=5, task_id=3");
        case 9: return text("model maintaince type=1, unbind stream_id={} from model_id=5");
        case 10: return text("stream_id={}, change task_id=1(old) to serial_id=2(new)");
        case 11:
            return text(
                "capture begin success, device_id=0, model_id=7 original stream_id={}, capture stream_id=2, "
                "stream_status=0, isSubmodel=0, parent model_id=3.");
        case 12:
            return text(
                "capture end success, device_id=0, original stream_id={}, capture stream_id=2, capture "
                "model_id=7.");
        default: return line(second, submit_line(stream, task), tid).substr(0, random() % 180) + "\n";
    }
}

}  // namespace

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

TEST_CASE("wanted tasks: a line on another task uses up what an earlier one stated once") {
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
