#include "sound_map.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <opdebug/locate.hpp>
#include <opdebug/report.hpp>

#include "logs/facts/fact_members.hpp"
#include "logs/map_file/map_file.hpp"
#include "require.hpp"
#include "valid_output.hpp"

namespace opdebug::fuzz {
namespace {

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

/// Dumps of the first tasks that the map tells of, at the time of their line and without a time.
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

/// What was found and the codes of the remarks. Their wording may tell of the process what other tasks' lines say.
std::string answer_in(const std::string& document) {
    const nlohmann::json parsed = nlohmann::json::parse(document);
    std::string answer = parsed["operator"].dump() + parsed["model"].dump();
    for (const nlohmann::json& remark : parsed["diagnostics"]) {
        answer += " " + remark["code"].get<std::string>();
    }
    return answer;
}

std::string saved_map(const TaskMap& map) {
    Result<std::string> saved = save_task_map(map);
    require(saved.ok(), "a map can be saved", saved ? "" : saved.error().message);
    return std::move(*saved);
}

MapPointer read_again(const std::string& bytes, const std::optional<WantedTasks>& wanted) {
    Result<TaskMap::Contents> contents = logs::read_map_bytes(Bytes(bytes), wanted);
    require(contents.ok(), "a saved map can be read", contents ? "" : contents.error().message);
    return std::make_shared<const TaskMap>(std::make_unique<const TaskMap::Contents>(std::move(*contents)));
}

/// Most of them are differences in the file.
std::vector<std::string> lines_of(const TaskMap& map) {
    std::vector<std::string> lines;
    for (const logs::Process& process : map.contents().processes) {
        for (const logs::StoredFact& stored : process.facts) {
            lines.push_back(stored.place.text);
            for (const logs::PlaceMember& further : logs::kPlaces) {
                if (const logs::FurtherLine& line = stored.*further.member) {
                    lines.push_back(line->text);
                }
            }
        }
    }
    return lines;
}

}  // namespace

void require_sound_map(const MapPointer& map) {
    const std::vector<Dump> dumps = dumps_of_tasks(*map);
    for (const Dump& dump : dumps) {
        require_valid_document("record", located(dump, map));
    }
    if (dumps.empty()) {
        return;  // packing and unpacking maps costs more than all the rest
    }
    const std::string saved = saved_map(*map);
    const MapPointer again = read_again(saved, std::nullopt);
    require(size_of(*again).tasks == size_of(*map).tasks, "a saved map tells of as many tasks");
    const std::string document = located(dumps.front(), again);
    require_valid_document("record", document);
    WantedTasks wanted;
    add_wanted(dumps.front(), wanted);
    require(answer_in(located(dumps.front(), read_again(saved, wanted))) == answer_in(document),
            "reading for one task gives the same answer", document);
}

void require_same_when_saved_again(const MapPointer& map) {
    const std::string saved = saved_map(*map);
    const MapPointer again = read_again(saved, std::nullopt);
    require(lines_of(*again) == lines_of(*map), "a saved map has the lines of the map");
    require(saved_map(*again) == saved, "saving what was read gives the same bytes");
}

}  // namespace opdebug::fuzz
