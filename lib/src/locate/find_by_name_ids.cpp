#include "locate/find_by_name_ids.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "locate/op_dump.hpp"

namespace opdebug::locate_stage {
namespace {

bool contradict(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) {
    return a && b && a != b;
}

std::string why_not_by_record(const TaskQuery& record) {
    if (!record.stream_id || !record.task_id) {
        return "the record's are not set";
    }
    return fmt::format("nothing is found by the record's (stream {} task {})", *record.stream_id, *record.task_id);
}

}  // namespace

// Old CANN names the debug task, the current runtime the operator (docs/format.md, "Ids"). No operator's dump has the
// debug task's stream and task, so one that has both of the name tells that the name is of the newer kind.
std::optional<TaskQuery> query_of_name(const Dump& dump, const TaskQuery& record) {
    if (!dump.name) {
        return std::nullopt;
    }
    TaskQuery query = record;
    query.is_hint = true;
    query.stream_id = unless_none(dump.name->stream_id);
    query.task_id = unless_none(dump.name->task_id);
    if (!query.stream_id || !query.task_id) {
        return std::nullopt;
    }
    const bool is_record_set = record.stream_id && record.task_id;
    const bool is_same = query.stream_id == record.stream_id && query.task_id == record.task_id;
    const bool is_denied = contradict(query.stream_id, record.stream_id) || contradict(query.task_id, record.task_id);
    if (is_same || (is_denied && !is_record_set)) {
        return std::nullopt;
    }
    query.context_id = record.context_id ? record.context_id : dump.name->context_id;
    query.thread_id = record.thread_id ? record.thread_id : dump.name->thread_id;
    return query;
}

void find_by_name_ids(const Dump& dump, const TaskQuery& record, const LocateOptions& options, Found& found) {
    const std::optional<TaskQuery> query = query_of_name(dump, record);
    if (!query) {
        return;
    }
    FoundOpDumps beside = find_op_dumps(dump, *query, options, found.diagnostics);
    if (beside.answers.empty()) {
        return;
    }
    for (OperatorAnswer& answer : beside.answers) {
        answer.confidence = Confidence::type;
    }
    found.diagnostics.push_back(
        {Severity::warning, "name_ids_used",
         fmt::format("the operator is that of the dump beside with the ids of the overflow dump's name, stream {} task "
                     "{}, for {}. That is a hint and no proof: old CANN versions put the ids of a debug task there",
                     *query->stream_id, *query->task_id, why_not_by_record(record))});
    found.operators = std::move(beside.answers);
    found.op_dump = op_dump_of(found.operators.front(), std::move(beside.files));
}

}  // namespace opdebug::locate_stage
