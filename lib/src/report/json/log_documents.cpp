// Documents about logs: their facts, a line each, and how much was read.
#include "report/json/json_parts.hpp"

#include "logs/facts/task_map.hpp"
#include "report/json/json_writer.hpp"

namespace opdebug::report {
namespace {

/// Members that the line does not state are left out.
std::string fact_line(const logs::StoredFact& stored, const logs::Process& process, const TaskMap::Contents& map) {
    const logs::Fact& fact = stored.fact;
    JsonWriter json;
    const auto write_place = [&](const char* name, const std::optional<logs::LogPlace>& place) {
        if (place) {
            json.member(name, [&] {
                json.member("file", map.files[place->file]);
                json.member("line", place->line);
            });
        }
    };
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
    write_place("submit", stored.submit);
    write_place("completed_by",
                stored.completed_by.empty() ? std::nullopt : std::optional(stored.completed_by.front()));
    json.end_object();
    return json.take() + "\n";
}

}  // namespace

void write_facts(const TaskMap& map, const std::function<bool(const std::string& line)>& take) {
    for (const logs::Process& process : map.contents().processes) {
        for (const logs::StoredFact& stored : process.facts) {
            if (!take(fact_line(stored, process, map.contents()))) {
                return;
            }
        }
    }
}

}  // namespace opdebug::report

std::string opdebug::logs_to_json(const ReadLogs& logs, const ReportOptions& options) {
    const TaskMapSize size = size_of(*logs.task_map);
    return report::JsonWriter::document("opdebug.logs/1", options, [&](report::JsonWriter& json) {
        json.member("files", logs.files);
        json.member("lines", logs.lines);
        json.member("processes", size.processes);
        json.member("tasks", size.tasks);
        json.objects("failures", logs.failures, [&](const Error& error) {
            json.text_member("file", error.file);
            json.member("code", error.code);
            json.member("message", error.message);
            json.member("offset", error.offset);
        });
        json.member("diagnostics", logs.diagnostics);
        json.member("complete", logs.complete);
    });
}
