#include "shown_facts.hpp"

#include <fmt/format.h>

#include "logs/facts/task_map.hpp"

namespace opdebug::test {
namespace {

std::string shown_line(const logs::LogPlace& place, const TaskMap::Contents& contents) {
    return fmt::format("{}:{} {} {}", contents.files.at(place.file), place.line,
                       place.log ? logs::to_string(*place.log) : "-", place.text);
}

std::string shown_fact(const logs::StoredFact& stored, const TaskMap::Contents& contents) {
    const logs::Fact& fact = stored.fact;
    std::string text = fmt::format("  {} {} {} thread {} at {}", logs::to_string(fact.kind), logs::to_string(fact.log),
                                   fact.format_id, stored.tid, stored.time_us);
    for (const logs::NumberMember& number : logs::kNumbers) {
        text += fact.*number.member ? fmt::format(" {}={}", number.name, *(fact.*number.member)) : std::string();
    }
    for (const logs::TextMember& member : logs::kTexts) {
        text += (fact.*member.member).empty() ? std::string() : fmt::format(" {}={}", member.name, fact.*member.member);
    }
    for (const logs::FactMember<bool>& flag : logs::kFlags) {
        text += fact.*flag.member ? fmt::format(" {}", flag.name) : std::string();
    }
    text += " " + shown_line(stored.place, contents);
    text += stored.submit ? " submit: " + shown_line(*stored.submit, contents) : std::string();
    for (const logs::LogPlace& earlier : stored.completed_by) {
        text += " completed_by: " + shown_line(earlier, contents);
    }
    return text + "\n";
}

}  // namespace

std::string shown_facts(const TaskMap& map) {
    const TaskMap::Contents& contents = map.contents();
    std::string text = fmt::format("{} {}\n", contents.runtime_info_lines, contents.ge_info_lines);
    for (const logs::Process& process : contents.processes) {
        text += fmt::format("process {} {} {} {} {} {} {} {}\n", process.pid, process.on_device, process.root,
                            process.first_time_us, process.last_time_us, process.without_host_lines,
                            process.states_anything, fmt::join(process.run_begins, ","));
        for (const logs::OwnLog& log : process.own_logs) {
            text += fmt::format("  log {} {} {}\n", contents.files.at(log.file), log.first_us, log.last_us);
        }
        for (const logs::StoredFact& stored : process.facts) {
            text += shown_fact(stored, contents);
        }
    }
    return text;
}

}  // namespace opdebug::test
