#include "report/json/json_parts.hpp"

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "logs/facts/task_map.hpp"
#include "report/json/json_writer.hpp"
#include "report/text/printable.hpp"

namespace opdebug::report {
namespace {

void write_place(const char* name, const std::optional<logs::LogPlace>& place, const TaskMap::Contents& map,
                 JsonWriter& json) {
    if (place) {
        json.begin_object(name);
        json.member("file", map.files[place->file]);
        json.member("line", place->line);
        json.end_object();
    }
}

/// Members that the line does not state are left out.
std::string fact_line(const logs::StoredFact& stored, const logs::Process& process, const TaskMap::Contents& map) {
    const logs::Fact& fact = stored.fact;
    JsonWriter json(JsonWriter::Indent{});
    json.begin_object();
    json.member("schema", "opdebug.fact/1");
    json.member("pid", process.pid);
    json.member("on_device", process.on_device);
    json.member("root", process.root);
    json.member("kind", fact.kind);
    json.member("log", fact.log);
    json.member("format", fact.format_id);
    json.member("local_time_us", stored.time_us);
    if (stored.tid >= 0) {
        json.member("thread", stored.tid);
    }
    for (const auto& [name, member] : logs::kNumbers) {
        if (fact.*member) {
            json.member(name, *(fact.*member));
        }
    }
    for (const auto& [name, member] : logs::kTexts) {
        if (!(fact.*member).empty()) {
            json.member(name, fact.*member);
        }
    }
    for (const auto& [name, member] : logs::kFlags) {
        if (fact.*member) {
            json.member(name, true);
        }
    }
    json.member("file", map.files[stored.place.file]);
    json.member("line", stored.place.line);
    json.member("text", stored.place.text);
    write_place("submit", stored.submit, map, json);
    write_place("completed_by", stored.completed_by.empty() ? std::nullopt : std::optional(stored.completed_by.front()),
                map, json);
    json.end_object();
    return json.take() + "\n";
}

}  // namespace

static void write_members(const TriedLine& line, JsonWriter& json) {
    json.member("line", line.number);
    json.member("format", line.format);
    if (line.reason.empty()) {
        json.member("states", line.states);
        json.begin_object("captures");
        for (const auto& [capture, value] : line.captures) {
            json.member(capture, value);
        }
        json.end_object();
    } else {
        json.member("reason", line.reason);
    }
    json.member("text", line.text);
}

void write_facts(const TaskMap& map, const std::function<bool(const std::string& line)>& take) {
    for (const logs::Process& process : map.contents().processes) {
        for (const logs::StoredFact& stored : process.facts) {
            if (!take(fact_line(stored, process, map.contents()))) {
                return;
            }
        }
    }
}

std::string format_trial_to_json(const NamedText& file, const std::string& log, const LogFormatTrial& trial,
                                 const ReportOptions& options) {
    JsonWriter json(options);
    json.begin_object();
    json.member("schema", "opdebug.format_trial/1");
    json.member("file", file.name);
    json.member("log", log);
    json.member("lines", trial.lines);
    json.member("read", trial.read);
    json.member("not_read", trial.not_read);
    json.end_object();
    return json.take();
}

std::string format_trial_to_text(const std::string& log, const LogFormatTrial& trial) {
    std::string text;
    for (const TriedLine& line : trial.read) {
        std::string captures;
        for (const auto& [name, value] : line.captures) {
            captures += fmt::format(" {}={}", name, value);
        }
        text += printable(fmt::format("{}:{}: {} ({}){}", log, line.number, line.format, line.states, captures)) + "\n";
    }
    for (const TriedLine& line : trial.not_read) {
        text += printable(fmt::format("{}:{}: not read by {}: {}", log, line.number, line.format, line.reason)) +
                "\n  " + printable(line.text) + "\n";
    }
    return text + fmt::format("{}: {} read, {} with a literal not read\n", bytes::counted(trial.lines, "line"),
                              trial.read.size(), trial.not_read.size());
}

}  // namespace opdebug::report
