// Task maps made of facts.
#include "made_up_map.hpp"

#include "logs/processes/process_facts.hpp"

namespace opdebug::test {
namespace {

logs::Process process_with(const std::vector<MadeUpFact>& facts, std::int64_t pid, bool on_device, std::uint32_t file) {
    logs::Process process;
    process.pid = pid;
    process.on_device = on_device;
    for (const MadeUpFact& made : facts) {
        logs::StoredFact fact = made;
        fact.place.file = file;
        fact.place.line = process.facts.size() + 1;
        fact.place.text = "line " + std::to_string(fact.place.line);
        process.facts.push_back(fact);
    }
    logs::index_facts(process);
    if (!process.facts.empty()) {
        process.first_time_us = process.facts.front().time_us;
        process.last_time_us = process.facts.back().time_us;
    }
    return process;
}

}  // namespace

MadeUpFact::MadeUpFact(logs::FactKind kind, std::int64_t at_milliseconds, std::string_view format, logs::LogKind log) {
    fact.kind = kind;
    fact.log = log;
    fact.format_id = format;
    tid = 1;
    time_us = log_time_us(at_milliseconds);
}

MadeUpFact& MadeUpFact::task(std::uint64_t stream, std::uint64_t task_id) {
    fact.stream_id = stream;
    fact.task_id = task_id;
    return *this;
}

std::shared_ptr<const TaskMap> map_of(const std::vector<MadeUpFact>& host, const std::vector<MadeUpFact>& device,
                                      std::string_view file) {
    auto contents = std::make_unique<TaskMap::Contents>();
    contents->files = {std::string(file), "log1"};
    contents->runtime_info_lines = 1;
    contents->ge_info_lines = 1;
    contents->processes.push_back(process_with(host, 5100, false, 0));
    if (!device.empty()) {
        contents->processes.push_back(process_with(device, 990, true, 1));
    }
    return std::make_shared<const TaskMap>(std::move(contents));
}

}  // namespace opdebug::test
