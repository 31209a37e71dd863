#include "sound_map.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <opdebug/locate.hpp>
#include <opdebug/report.hpp>

#include "logs/formats/formats.hpp"
#include "logs/processes/builder.hpp"
#include "logs/saved_map/read_maps.hpp"
#include "match_lines.hpp"
#include "require.hpp"
#include "shown_facts.hpp"
#include "valid_output.hpp"

namespace opdebug::fuzz {
namespace {

const std::string kLogPath = "debug/plog/plog-5100_20260304100000000.log";

using MapPointer = std::shared_ptr<const TaskMap>;

Dump dump_of(const logs::Fact& fact, std::optional<std::uint64_t> time_us) {
    Record record;
    record.unit = Unit::ai_core;
    record.overflow = true;
    record.fields = {{Field::model_id, fact.model_id.value_or(65535)},
                     {Field::stream_id, *fact.stream_id},
                     {Field::task_id, *fact.task_id},
                     {Field::task_type, 0},
                     {Field::pc_start, fact.address1.value_or(0)},
                     {Field::para_base, 0},
                     {Field::kernel_code, fact.address1.value_or(0)},
                     {Field::block_idx, 0}};
    record.status = decode_status(Unit::ai_core, {0x20}).value();
    Dump dump;
    dump.container = Container::dump_data_v2;
    dump.timestamp_us = time_us;
    dump.payloads.push_back({Payload::legacy, 0, {}, false, true, {}, {std::move(record)}});
    return dump;
}

/// Dumps of the first tasks that the map reports, at the time of their line and without a time.
std::vector<Dump> dumps_of_tasks(const TaskMap& map) {
    constexpr std::size_t kMost = 4;
    std::vector<Dump> dumps;
    for (const logs::Process& process : map.contents().processes) {
        for (const logs::StoredFact& stored : process.facts) {
            if (stored.fact.stream_id && stored.fact.task_id && dumps.size() < kMost) {
                const bool has_time = stored.time_us > 0;
                dumps.push_back(
                    dump_of(stored.fact, has_time ? std::optional(static_cast<std::uint64_t>(stored.time_us) + 1000)
                                                  : std::nullopt));
            }
        }
    }
    return dumps;
}

std::string located(const Dump& dump, const MapPointer& map) {
    LocateOptions options;
    options.use_op_dumps = false;
    options.task_map = map;
    options.utc_offset_minutes = 0;
    const Location location = locate(dump, options);
    require_safe_text(record_to_text(dump, location));
    return record_to_json(dump, location);
}

/// What was found and the codes of the remarks. Their text may report the process what other tasks' lines state.
std::string answer_in(const std::string& document) {
    const nlohmann::json parsed = nlohmann::json::parse(document);
    std::string answer = parsed["operator"].dump() + parsed["model"].dump();
    for (const nlohmann::json& remark : parsed["diagnostics"]) {
        answer += " " + remark["code"].get<std::string>();
    }
    return answer;
}

/// The saved map of a log with this text.
std::string saved_map_of(std::string_view log) {
    const logs::LogFormats& formats = *logs::built_in_log_formats();
    const logs::StatedLines lines = test::match_lines(log, formats);
    logs::LinesOfTasks lines_of_tasks;
    logs::TaskMapBuilder builder(lines_of_tasks, {}, 1);
    logs::MapWriter writer(1);
    writer.use_formats(formats, {});
    builder.begin_file(kLogPath);
    writer.begin_file(kLogPath);
    builder.add(lines);
    writer.add(log, lines);
    builder.finish_processes();
    Result<std::string> map = writer.finish(
        lines_of_tasks, [&builder](const std::string& path, const logs::Writer& of_file, std::uint32_t host) {
            return builder.statements_of(path, of_file, host);
        });
    require(map.ok(), "a map can be made", map ? "" : map.error().message);
    return *std::move(map);
}

}  // namespace

void require_sound_map(const MapPointer& map) {
    for (const Dump& dump : dumps_of_tasks(*map)) {
        require_valid_document("record", located(dump, map));
    }
}

Result<MapPointer> read_map(std::string bytes, const std::optional<WantedTasks>& wanted) {
    Result<logs::SavedMap> map = logs::SavedMap::of_bytes(std::move(bytes));
    if (!map) {
        return std::move(map.error());
    }
    ReadLogsOptions options;
    options.wanted = wanted;
    logs::TaskMapBuilder builder(wanted);
    logs::ReadingWatch watch(options);
    ReadLogs result;
    std::vector<logs::SavedMap> maps;
    maps.push_back(*std::move(map));
    logs::read_maps(maps, options, logs::built_in_log_formats(), {builder, nullptr, watch}, result);
    if (!result.failures.empty()) {
        return std::move(result.failures.front());
    }
    return builder.finish();
}

void require_same_from_map(std::string_view log, const MapPointer& map) {
    const std::string bytes = saved_map_of(log);
    const Result<MapPointer> again = read_map(bytes);
    require(again.ok(), "a map that was made can be read", again ? "" : again.error().message);
    require(test::shown_facts(**again) == test::shown_facts(*map), "a saved map has the facts of the log",
            test::shown_facts(**again));
    const std::vector<Dump> dumps = dumps_of_tasks(*map);
    if (dumps.empty()) {
        return;
    }
    WantedTasks wanted;
    add_wanted(dumps.front(), wanted);
    const Result<MapPointer> for_one = read_map(bytes, wanted);
    require(for_one.ok(), "a map can be read for one task");
    const std::string document = located(dumps.front(), *again);
    require(answer_in(located(dumps.front(), *for_one)) == answer_in(document),
            "reading for one task gives the same answer", document);
}

}  // namespace opdebug::fuzz
