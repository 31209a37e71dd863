// Record + operator dumps + task map → operator and model, with the evidence or the reason why there is none.
#include <opdebug/locate.hpp>

#include <algorithm>
#include <iterator>

#include "locate/answers.hpp"
#include "locate/operator_lines.hpp"
#include "locate/query.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using locate_stage::Diagnostics;
using locate_stage::has_remark;
using locate_stage::may_be_one;
using locate_stage::OverflowedRecord;
using locate_stage::RecordResult;
using locate_stage::remark_cut;
using locate_stage::TaskQuery;

/// The operator dump comes first. Lines that agree add their kernel and evidence; others stay as additional answers,
/// except next to a dump that decides and with which other lines agree.
void merge(std::vector<OperatorAnswer>& from_dumps, std::vector<OperatorAnswer> from_logs, bool decides,
           Diagnostics& diagnostics) {
    const std::size_t count = from_logs.size();
    std::vector<OperatorAnswer> others;
    for (OperatorAnswer& answer : from_logs) {
        const auto same = std::find_if(from_dumps.begin(), from_dumps.end(),
                                       [&answer](const OperatorAnswer& dump) { return may_be_one(answer, dump); });
        if (same == from_dumps.end()) {
            others.push_back(std::move(answer));
            continue;
        }
        if (answer.confidence == Confidence::exact && answer.name) {
            same->name = std::move(answer.name);  // GE's spelling
        }
        same->confidence = std::min(same->confidence, answer.confidence);
        if (!same->kernel) {
            same->kernel = std::move(answer.kernel);
        }
        std::move(answer.evidence.begin(), answer.evidence.end(), std::back_inserter(same->evidence));
        std::rotate(from_dumps.begin(), same, same + 1);  // the one that the log confirms leads
    }
    if (decides && others.size() < count) {
        return;
    }
    if (!others.empty()) {
        const OperatorAnswer& first = others.front();
        diagnostics.push_back(
            remarks::diagnose("sources_disagree.op_dump",
                              {{"in_dump", *from_dumps.front().name},
                               {"in_log", first.name ? *first.name : first.kernel.value_or("?")},
                               {"more", others.size() > 1 ? remarks::phrase("and_more", {{"count", others.size() - 1}})
                                                          : LocalizedText()}}));
    }
    std::move(others.begin(), others.end(), std::back_inserter(from_dumps));
}

/// A use whose operator is no answer any more is not possible.
void exclude_unnamed_uses(RecordResult& result) {
    for (ComparedUse& use : result.uses) {
        const bool is_answer = std::any_of(
            result.operators.begin(), result.operators.end(),
            [&use](const OperatorAnswer& answer) { return use.name == answer.name || use.name == answer.kernel; });
        if (use.is_possible && !use.name.empty() && !is_answer) {
            use.is_possible = false;
            use.row = "operator dump";
        }
    }
}

/// The operator's dump comes first; what the logs state goes with it.
void take_op_dumps(locate_stage::OpDumpMatches matches, RecordResult& result) {
    if (!matches.answers.empty()) {
        const auto is_its = [&matches](const OperatorAnswer& log) {
            return std::any_of(matches.answers.begin(), matches.answers.end(),
                               [&log](const OperatorAnswer& dump) { return may_be_one(log, dump); });
        };
        if (matches.decides && !result.operators.empty() && !is_its(result.operators.front())) {
            result.model.reset();  // of another use of the ids
        }
        merge(matches.answers, std::move(result.operators), matches.decides, result.diagnostics);
        result.operators = std::move(matches.answers);
        exclude_unnamed_uses(result);
        result.op_dump = locate_stage::op_dump_of(result.operators.front(), std::move(matches.files));
    }
}

/// None of several operators is exact. Where the use is inferred, only a dump of the operator names it for sure.
void weaken_unsure(RecordResult& result) {
    for (OperatorAnswer& answer : result.operators) {
        const bool has_dump = std::any_of(answer.evidence.begin(), answer.evidence.end(), [](const Evidence& evidence) {
            return evidence.kind == EvidenceKind::op_dump;
        });
        const bool is_unsure = result.operators.size() > 1 || (result.is_use_inferred && !has_dump);
        if (is_unsure && answer.confidence == Confidence::exact) {
            answer.confidence = Confidence::type;
        }
    }
}

/// A record without a stream may have an operator's dump without one: then the task identifies it, as in msaccucmp.
/// Logs are of no use without both ids, except for the kernel's address.
RecordResult find_operator(const Dump& dump, const OverflowedRecord& overflowed, const LocateOptions& options) {
    RecordResult result;
    const Record& record = *overflowed.record;
    const TaskQuery query = locate_stage::query_of(record, overflowed.timestamp_us);
    const bool has_ids = query.stream_id && query.task_id;
    locate_stage::OpDumpMatches matches;
    if (options.use_op_dumps && query.task_id) {
        matches = locate_stage::find_op_dumps(dump, query, options, result.diagnostics);
    }
    result.has_exact_dump = !matches.answers.empty() && matches.answers.front().confidence == Confidence::exact;
    if (!has_ids) {
        const char* const missing = query.stream_id ? "missing_task_id"
                                    : query.task_id ? "missing_stream_id"
                                                    : "missing_both_ids";
        result.diagnostics.push_back(remarks::diagnose(
            "ids_not_set",
            {{"unit", unit_name(record.unit)},
             {"ids", remarks::phrase(missing)},
             {"result", remarks::phrase(matches.answers.empty() ? "ids_not_set_lookup" : "ids_not_set_op_dump")}}));
    }
    if (options.task_map) {
        const locate_stage::Lookup lookup{dump, query, options.task_map->contents(), options};
        has_ids ? locate_stage::find_in_logs(lookup, result) : locate_stage::find_by_address(lookup, result);
    } else if (has_ids && matches.answers.empty()) {
        result.diagnostics.push_back(
            remarks::diagnose("no_logs", {{"stream", *query.stream_id}, {"task", *query.task_id}}));
    }
    take_op_dumps(std::move(matches), result);
    return result;
}

/// Whether the logs have a line on the record's task, whatever it states and whenever it was.
bool logs_know_task(const TaskQuery& query, const LocateOptions& options) {
    return options.task_map && query.stream_id && query.task_id &&
           !options.task_map->contents().index().processes(logs::About::task, *query.stream_id, *query.task_id).empty();
}

/// The name's ids are looked up last, and only where the dump is about one task: which of several they mean is not
/// known. Where MindSpore joins by them, they count next to the record's.
void ask_name_ids(const Dump& dump, const std::vector<OverflowedRecord>& records, const LocateOptions& options,
                  RecordResult& result) {
    const bool is_joined = options.use_op_dumps && locate_stage::joins_by_name(dump, options);
    if (!is_joined && (!result.operators.empty() || !options.use_op_dumps)) {
        return;  // nearly always
    }
    const TaskQuery query = locate_stage::query_of(*records.front().record, records.front().timestamp_us);
    const bool is_one_task = std::all_of(records.begin(), records.end(), [&records](const OverflowedRecord& other) {
        return same_task(*other.record, *records.front().record);
    });
    if (is_one_task && (is_joined || !logs_know_task(query, options))) {
        locate_stage::find_by_name_ids(dump, query, options, result);
    }
}

/// One document names one operator; remarks name the operators of the other overflowed records.
void remark_other_records(const Dump& dump, const std::vector<OverflowedRecord>& records, const LocateOptions& options,
                          Diagnostics& diagnostics) {
    if (records.size() == 1) {
        return;
    }
    std::vector<const Record*> seen{records.front().record};
    for (const OverflowedRecord& overflowed : records) {
        const Record* record = overflowed.record;
        if (std::any_of(seen.begin(), seen.end(),
                        [record](const Record* known) { return same_task(*known, *record); })) {
            continue;
        }
        seen.push_back(record);
        if (seen.size() - 1 > options.limits.candidates) {
            remark_cut("candidates_cut.tasks", seen.size(), options.limits, diagnostics);
            break;
        }
        const RecordResult other = find_operator(dump, overflowed, options);
        const OperatorAnswer* answer = other.operators.empty() ? nullptr : &other.operators.front();
        LocalizedText name = remarks::phrase("no_operator_found");
        if (answer != nullptr) {
            const std::optional<std::string>& known = answer->name ? answer->name : answer->kernel;
            name = remarks::phrase(
                "operator_found",
                {{"operator", known ? LocalizedText{*known, *known} : remarks::phrase("operator_unknown")},
                 {"type",
                  answer->type ? LocalizedText{*answer->type, *answer->type} : remarks::phrase("type_unknown")}});
        }
        diagnostics.push_back(
            remarks::diagnose("other_record_operator", {{"unit", unit_name(record->unit)},
                                                        {"stream", record->field(Field::stream_id).value_or(0)},
                                                        {"task", record->field(Field::task_id).value_or(0)},
                                                        {"answer", name}}));
    }
}

/// What record and path add to the model that the logs gave.
void complete_model(const Dump& dump, const OverflowedRecord& overflowed, Location& location) {
    const TaskQuery query = locate_stage::query_of(*overflowed.record, overflowed.timestamp_us);
    const bool log_denies_model = has_remark(location.diagnostics, "stream_without_model");
    if (!location.model && query.model_id && !log_denies_model) {
        location.model = LocatedModel{};
        location.model->runtime_id = query.model_id;
    }
    // The device's table names the model, but not by the runtime's number.
    if (location.model && !location.model->runtime_id && query.model_id != location.model->ge_id && !log_denies_model) {
        location.model->runtime_id = query.model_id;
    }
    if (!has_remark(location.diagnostics, "model_differs")) {
        locate_stage::add_model_of_path(dump, query, location.model);
    }
}

/// The best operator, and as many of the equally good ones as the limit allows. `operators`: at least one.
LocatedOperator located_operator(std::vector<OperatorAnswer> operators, const Limits& limits,
                                 Diagnostics& diagnostics) {
    LocatedOperator located;
    OperatorAnswer& first = operators.front();
    located.best = operators.size() == 1 ? std::move(first) : first;
    if (operators.size() > limits.candidates) {
        remark_cut("candidates_cut", operators.size(), limits, diagnostics);
        operators.resize(static_cast<std::size_t>(limits.candidates));
    }
    if (operators.size() > 1) {
        located.candidates = std::move(operators);
    }
    return located;
}

}  // namespace

std::string_view to_string(EvidenceKind kind) noexcept {
    switch (kind) {
        case EvidenceKind::op_dump: return "op_dump";
        case EvidenceKind::ge_log: return "ge_log";
        case EvidenceKind::runtime_log: return "runtime_log";
        case EvidenceKind::device_log: return "device_log";
        case EvidenceKind::task_map: return "task_map";
    }
    return "unknown";
}

std::string_view to_string(Confidence confidence) noexcept {
    switch (confidence) {
        case Confidence::exact: return "exact";
        case Confidence::kernel: return "kernel";
        case Confidence::type: return "type";
    }
    return "unknown";
}

Location locate(const Dump& dump, const LocateOptions& options) {
    Location location;
    const std::vector<OverflowedRecord> records = locate_stage::overflowed_records(dump);
    if (records.empty()) {
        location.diagnostics.push_back(
            remarks::diagnose(dump.records_missing ? "no_overflow.readable" : "no_overflow"));
        return location;
    }
    if (!options.folders) {
        LocateOptions with_folders = options;
        with_folders.folders = std::make_shared<OpDumpFolders>();  // a dump with many records reads its folder once
        return locate(dump, with_folders);
    }
    RecordResult result = find_operator(dump, records.front(), options);
    ask_name_ids(dump, records, options, result);
    weaken_unsure(result);
    location.diagnostics = std::move(result.diagnostics);
    location.model = std::move(result.model);
    location.op_dump = std::move(result.op_dump);
    location.utc_offset_minutes = result.utc_offset_minutes;
    if (!location.utc_offset_minutes) {
        location.utc_offset_minutes = locate_stage::sure_offset(dump.timestamp_us, dump.path_ids.time, options);
    }
    location.uses = std::move(result.uses);
    if (!result.is_model_open) {
        complete_model(dump, records.front(), location);
    }
    if (!result.operators.empty()) {
        location.op = located_operator(std::move(result.operators), options.limits, location.diagnostics);
    }
    remark_other_records(dump, records, options, location.diagnostics);
    return location;
}

}  // namespace v0
}  // namespace opdebug
