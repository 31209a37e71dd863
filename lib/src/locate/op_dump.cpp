#include "locate/answers.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bytes/file.hpp"
#include "container/container.hpp"
#include "locate/clock.hpp"
#include "locate/kernel_name.hpp"
#include "locate/op_dump_folders.hpp"
#include "remarks/diagnose.hpp"
#include "remarks/durations.hpp"
#include "tree/folder.hpp"

namespace opdebug::locate_stage {
namespace {

/// An operator's dump is written within this time of its overflow dump.
constexpr std::uint64_t kOwnDumpUs = 500'000;

/// Whether both have a name and are of one operator. Names compare as files spell them: a header has the slashes that a
/// file's name and a list have not.
bool is_same_operator(const OperatorAnswer& a, const OperatorAnswer& b) {
    return a.type == b.type &&
           (a.name == b.name || name_in_files(*a.name) == b.name || a.name == name_in_files(*b.name));
}

/// The header holds the node name as GE spells it; in the file name "/", "." and spaces have become "_".
std::optional<std::string> name_in_header(const std::string& path, const Limits& limits) {
    const Result<bytes::FileReader> file = bytes::FileReader::open(path);
    if (!file) {
        return std::nullopt;
    }
    const Result<container::Contents> contents = container::read_container(*file, limits);
    return contents && !contents->op_name.empty() ? std::optional<std::string>(contents->op_name) : std::nullopt;
}

/// "300 us before the overflow dump".
std::string describe_distance(std::optional<std::uint64_t> time, const TaskQuery& query) {
    return time && query.timestamp_us ? fmt::format("{} us {} the overflow dump", distance_of(time, query.timestamp_us),
                                                    *time < *query.timestamp_us ? "before" : "after")
                                      : "one of the times is unknown";
}

/// A folder that may hold the operator's files.
struct SearchedFolder {
    std::shared_ptr<const OpDumpFolder> files;
    TaskIds ids = TaskIds::whole_first;
};

OperatorAnswer answer_of(const OpExecution& execution, const TaskQuery& query,
                         const std::optional<std::string>& header_name) {
    OperatorAnswer answer;
    answer.name = header_name.value_or(execution.name.op_name);
    answer.type = execution.name.op_type.empty() ? std::nullopt : std::optional(execution.name.op_type);
    // Names of 2020 have no stream, and ids are used again: only logs that agree make these sure.
    const bool is_far = execution.distance_us != kUnknownDistance && execution.distance_us > kOwnDumpUs;
    const bool is_sure = !is_far && (execution.name.stream_id || !query.stream_id);
    answer.confidence = is_sure ? Confidence::exact : Confidence::type;
    const std::string distance = describe_distance(execution.name.timestamp_us, query);
    const char* const why = execution.file->kind == OpFileKind::dump ? "; the header has no name" : "";
    std::string text =
        execution.is_row()
            ? fmt::format("{} {}, stream {}, task {} ({})", execution.name.op_type, *answer.name,
                          *execution.name.stream_id, *execution.name.task_id, distance)
            : fmt::format("{} ({}{})", execution.file->real_name, distance,
                          header_name ? "" : fmt::format("; {}, where / . and spaces are _{}", kNameOfFile, why));
    answer.evidence.push_back(
        {EvidenceKind::op_dump, execution.path_of(*execution.file), std::nullopt, std::move(text)});
    return answer;
}

/// An operator's dump that is nearer to another overflow dump of the same ids is of that one.
void drop_those_of_others(std::vector<OpExecution>& executions, const TaskQuery& query, const Limits& limits) {
    if (!query.stream_id || !query.timestamp_us) {
        return;
    }
    std::erase_if(executions, [&](const OpExecution& execution) {
        const auto time_us = execution.name.timestamp_us;
        return time_us && execution.folder->has_nearer_overflow_dump(*time_us, query, limits);
    });
}

/// What of a folder could not be read.
void remark_unread(const OpDumpFolder& folder, Diagnostics& diagnostics) {
    if (folder.unread) {
        diagnostics.push_back(remarks::diagnose("op_dumps_unread", {{"error", remarks::text_of(*folder.unread)}}));
    }
    if (folder.names_unread) {
        diagnostics.push_back(
            remarks::diagnose("mapping_invalid.op_dumps", {{"error", remarks::text_of(*folder.names_unread)}}));
        diagnostics.back().code = to_string(folder.names_unread->code);
    }
}

/// Adds what a file states to an answer that states the same, else as one of its own. `what`: "operator dump FILE".
void add_answer(OperatorAnswer answer, std::uint64_t distance_us, const LocalizedText& what,
                std::vector<OperatorAnswer>& answers, Diagnostics& diagnostics) {
    const auto same = std::find_if(answers.begin(), answers.end(),
                                   [&answer](const OperatorAnswer& known) { return is_same_operator(known, answer); });
    if (same != answers.end()) {
        same->evidence.push_back(std::move(answer.evidence.front()));
        return;
    }
    answers.push_back(std::move(answer));
    if (distance_us != kUnknownDistance && distance_us > kNearUs) {
        constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
        const auto duration = static_cast<std::int64_t>(std::min<std::uint64_t>(distance_us, kMost));
        diagnostics.push_back(
            remarks::diagnose("op_dump_far_in_time", {{"file", what}, {"duration", remarks::show_duration(duration)}}));
    }
}

/// The folder of the dump, and those where MindSpore puts the operator dumps of the same iteration.
std::vector<SearchedFolder> folders_of(const Dump& dump, OpDumpFolders::Contents& folders, const Limits& limits) {
    const std::string own = tree::folder_of(dump.file);
    std::vector<SearchedFolder> searched{{folders.index_of(own, limits)}};
    for (const std::string& folder : folders.graph_folders_of(own)) {
        searched.push_back({folders.index_of(folder, limits), TaskIds::lower_half});
    }
    return searched;
}

/// Rows of lists confirm the dumps; where they name others, or no dump is there, they answer themselves.
void add_rows(const std::vector<OpExecution>& rows, const TaskQuery& query, std::vector<OperatorAnswer>& answers,
              Diagnostics& diagnostics) {
    std::vector<std::pair<OperatorAnswer, std::uint64_t>> listed;
    listed.reserve(rows.size());
    for (const OpExecution& row : rows) {
        listed.emplace_back(answer_of(row, query, std::nullopt), row.distance_us);
    }
    const auto confirms = [dumps = answers](const auto& row) {
        return std::any_of(dumps.begin(), dumps.end(),
                           [&row](const OperatorAnswer& known) { return is_same_operator(known, row.first); });
    };
    const bool confirms_any = std::any_of(listed.begin(), listed.end(), confirms);
    const bool has_dumps = !answers.empty();
    for (auto& row : listed) {
        if (confirms_any ? confirms(row) : !has_dumps || row.second <= kSameExecutionUs) {
            const LocalizedText what = remarks::phrase(
                "row_of_list", {{"operator", *row.first.name}, {"file", row.first.evidence.front().file}});
            add_answer(std::move(row.first), row.second, what, answers, diagnostics);
        }
    }
}

}  // namespace

OpDumpMatches find_op_dumps(const Dump& dump, const TaskQuery& query, const LocateOptions& options,
                            Diagnostics& diagnostics) {
    OpDumpMatches matches;
    if (dump.file.empty() || !query.task_id) {
        return matches;
    }
    OpDumpFolders::Contents& folders = options.folders->contents();
    const std::vector<SearchedFolder> searched = folders_of(dump, folders, options.limits);
    std::vector<OpExecution> executions;
    for (const SearchedFolder& folder : searched) {
        if (!query.is_hint) {  // else the search for the record's ids reported it
            remark_unread(*folder.files, diagnostics);
        }
        std::vector<OpExecution> nearest = nearest_executions(*folder.files, query, folder.ids);
        std::move(nearest.begin(), nearest.end(), std::back_inserter(executions));
    }
    std::stable_sort(executions.begin(), executions.end(), is_nearer);
    drop_those_of_others(executions, query, options.limits);
    const auto first_row = std::stable_partition(executions.begin(), executions.end(),
                                                 [](const OpExecution& execution) { return !execution.is_row(); });
    const std::vector<OpExecution> rows(first_row, executions.end());
    executions.erase(first_row, executions.end());
    matches.decides =
        executions.size() == 1 && !query.is_hint && query.stream_id && executions.front().distance_us <= kOwnDumpUs;
    const auto with_values = static_cast<std::uint64_t>(std::count_if(
        executions.begin(), executions.end(), [](const OpExecution& execution) { return execution.has_values(); }));
    if (executions.size() > options.limits.candidates) {  // the header of each is read
        remark_cut("candidates_cut.op_dumps", executions.size(), options.limits, diagnostics);
        executions.resize(static_cast<std::size_t>(options.limits.candidates));
    }
    for (const OpExecution& execution : executions) {
        const OpDumpFile& file = *execution.file;
        const std::string path = execution.path_of(file);
        const std::optional<std::string> header_name =
            file.kind == OpFileKind::dump ? name_in_header(path, options.limits) : std::nullopt;
        if (execution.has_values()) {
            LocatedOpDump& located =
                matches.files.emplace_back(LocatedOpDump{path, std::string(file.real_name), with_values - 1, {}});
            for (const OpDumpFile* tensor : execution.tensors) {
                located.tensor_files.push_back(execution.path_of(*tensor));
            }
        }
        add_answer(answer_of(execution, query, header_name), execution.distance_us,
                   remarks::phrase("operator_dump", {{"file", path}}), matches.answers, diagnostics);
    }
    add_rows(rows, query, matches.answers, diagnostics);
    return matches;
}

std::optional<LocatedOpDump> op_dump_of(const OperatorAnswer& answer, std::vector<LocatedOpDump> files) {
    for (const Evidence& evidence : answer.evidence) {
        const auto file = std::find_if(files.begin(), files.end(), [&evidence](const LocatedOpDump& dump) {
            return evidence.kind == EvidenceKind::op_dump && dump.file == evidence.file;
        });
        if (file != files.end()) {
            return std::move(*file);
        }
    }
    return std::nullopt;
}

bool joins_by_name(const Dump& dump, const LocateOptions& options) {
    return !options.folders->contents().graph_folders_of(tree::folder_of(dump.file)).empty();
}

namespace {

/// What the name states instead of the record. Empty if the name adds nothing, or has no stream (then debug tasks and
/// operators share numbers), or if ids of the record contradict it.
/// Old CANN names the debug task, the current runtime the operator (docs/internals/formats.md, "Ids"). An operator's
/// dump never has the debug task's stream and task. So a dump with both ids of the name shows the newer kind of name.
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
    const bool is_denied = (record.stream_id && record.stream_id != query.stream_id) ||
                           (record.task_id && record.task_id != query.task_id);
    if (is_same || (is_denied && !is_record_set)) {
        return std::nullopt;
    }
    query.context_id = record.context_id ? record.context_id : dump.name->context_id;
    query.thread_id = record.thread_id ? record.thread_id : dump.name->thread_id;
    return query;
}

}  // namespace

void find_by_name_ids(const Dump& dump, const TaskQuery& record, const LocateOptions& options, RecordResult& result) {
    const std::optional<TaskQuery> query = query_of_name(dump, record);
    if (!query) {
        return;
    }
    OpDumpMatches matches = find_op_dumps(dump, *query, options, result.diagnostics);
    std::vector<OperatorAnswer>& answers = matches.answers;
    std::erase_if(answers, [&result](const OperatorAnswer& answer) {
        return std::any_of(result.operators.begin(), result.operators.end(), [&answer](const OperatorAnswer& known) {
            return known.name && is_same_operator(known, answer);
        });
    });
    if (answers.empty()) {
        return;
    }
    const bool is_join = joins_by_name(dump, options);
    for (OperatorAnswer& answer : answers) {
        answer.confidence = is_join ? Confidence::exact : Confidence::type;
    }
    const LocalizedText why =
        !result.operators.empty() ? remarks::phrase("name_ids_other")
        : record.stream_id && record.task_id
            ? remarks::phrase("name_ids_nothing", {{"stream", *record.stream_id}, {"task", *record.task_id}})
            : remarks::phrase("name_ids_not_set");
    result.diagnostics.push_back(
        remarks::diagnose("name_ids_used", {{"stream", *query->stream_id},
                                            {"task", *query->task_id},
                                            {"why", why},
                                            {"hint", remarks::phrase(is_join ? "name_ids_joined" : "name_ids_hint")}}));
    result.op_dump = op_dump_of(answers.front(), std::move(matches.files));
    result.operators.insert(result.operators.begin(), std::move_iterator(answers.begin()),
                            std::move_iterator(answers.end()));
}

}  // namespace opdebug::locate_stage
