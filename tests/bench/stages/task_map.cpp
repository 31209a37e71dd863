// What lines state to a task map, and the map to its saved form and back.
#include <opdebug/task_map.hpp>

#include "logs/collecting/builder.hpp"
#include "logs/facts/task_map.hpp"
#include "logs/map_file/map_file.hpp"

#include "match_lines.hpp"
#include "samples.hpp"
#include "stages.hpp"

namespace opdebug::bench {
namespace {

Run prepare_building(const std::optional<WantedTasks>& wanted) {
    auto lines = std::make_shared<logs::MatchedLines>(
        test::match_lines(sample_log(), 1, *logs::built_in_log_formats(), Limits().line_bytes,
                          wanted ? logs::Wanted(*wanted) : logs::Wanted()));
    return [lines, wanted]() -> std::uint64_t {
        logs::TaskMapBuilder builder(wanted);
        builder.begin_file("log0");
        builder.add(*lines);
        return size_of(*builder.finish()).tasks;
    };
}

Run prepare_saving() {
    sample_task_map();
    return []() -> std::uint64_t { return save_task_map(*sample_task_map())->empty() ? 0 : 1; };
}

Run prepare_loading(const std::optional<WantedTasks>& wanted) {
    const std::string bytes = save_task_map(*sample_task_map()).value();
    return [bytes, wanted]() -> std::uint64_t {
        const Bytes map(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
        const auto contents = logs::read_map_bytes(map, wanted);
        std::uint64_t facts = 0;
        for (const logs::Process& process : contents->processes) {
            facts += process.facts.size();
        }
        return facts;
    };
}

}  // namespace

std::vector<Stage> task_map_stages() {
    return {{"logs.build_map", [] { return prepare_building({}); }},
            {"logs.build_map_of_wanted", [] { return prepare_building(sample_wanted()); }},
            {"logs.save_map", prepare_saving},
            {"logs.load_map", [] { return prepare_loading({}); }},
            {"logs.load_map_of_one", [] {
                 return prepare_loading(WantedTasks{{{kModelStream, 2}}, {}});
             }}};
}

}  // namespace opdebug::bench
