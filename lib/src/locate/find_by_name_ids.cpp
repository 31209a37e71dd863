#include "locate/find_by_name_ids.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "locate/op_dump.hpp"
#include "locate/op_dump_folders.hpp"
#include "tree/folder.hpp"

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

bool joins_by_name(const Dump& dump, const LocateOptions& options) {
    return !options.folders->contents().graph_folders_of(tree::folder_of(dump.file)).empty();
}

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
    const auto is_known = [&found](const OperatorAnswer& answer) {
        return std::any_of(found.operators.begin(), found.operators.end(), [&answer](const OperatorAnswer& known) {
            return known.name && is_same_operator(known, answer);
        });
    };
    std::vector<OperatorAnswer>& answers = beside.answers;
    answers.erase(std::remove_if(answers.begin(), answers.end(), is_known), answers.end());
    if (answers.empty()) {
        return;
    }
    const bool is_join = joins_by_name(dump, options);
    for (OperatorAnswer& answer : answers) {
        answer.confidence = is_join ? Confidence::exact : Confidence::type;
    }
    const std::string why = found.operators.empty() ? "for " + why_not_by_record(record)
                                                    : "and the record's ids lead to another: both are listed";
    found.diagnostics.push_back(
        {Severity::warning, "name_ids_used",
         fmt::format("the operator is that of the dump beside with the ids of the overflow dump's name, stream {} task "
                     "{}, {}. {}",
                     *query->stream_id, *query->task_id, why,
                     is_join ? "MindSpore's debugger joins the two folders by these ids"
                             : "That is a hint and no proof: old CANN versions put the ids of a debug task there")});
    found.op_dump = op_dump_of(answers.front(), std::move(beside.files));
    found.operators.insert(found.operators.begin(), std::move_iterator(answers.begin()),
                           std::move_iterator(answers.end()));
}

}  // namespace opdebug::locate_stage
