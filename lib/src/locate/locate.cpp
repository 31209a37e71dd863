// Record + operator dumps + task map → operator and model, with the proof or the reason why there is none.
#include <opdebug/locate.hpp>

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "locate/model_from_logs.hpp"
#include "locate/op_dump.hpp"
#include "locate/operator_from_logs.hpp"
#include "locate/task_search.hpp"

namespace opdebug {
namespace {

using locate_stage::TaskMatch;
using locate_stage::TaskQuery;
using locate_stage::TaskSearch;

/// What one record's ids lead to.
struct Found {
    std::vector<OperatorAnswer> operators;
    std::optional<LocatedModel> model;
    std::vector<Diagnostic> diagnostics;
};

void add_remark(std::vector<Diagnostic>& diagnostics, Severity severity, const char* code, std::string message) {
    diagnostics.push_back({severity, code, std::move(message)});
}

bool same_operator(const OperatorAnswer& a, const OperatorAnswer& b) {
    return a.name == b.name && a.type == b.type && a.kernel == b.kernel;
}

/// How well a process fits the record: its model id is bound there, its device is the one of the dump's folder.
int fit(const TaskMatch& match, const TaskQuery& query, const Dump& dump) {
    int points = 0;
    for (const logs::ModelBinding& binding : match.use.bindings) {
        points += query.model_id && binding.model_id == *query.model_id ? 2 : 0;
    }
    const auto& device = dump.path_ids.device_id;
    const bool same_device =
        std::any_of(match.use.facts.begin(), match.use.facts.end(),
                    [&device](const logs::StoredFact* fact) { return device && fact->fact.device_id == device; });
    return points + (same_device ? 1 : 0);
}

/// Several processes may have used the same ids at the same time: those that fit the record best remain.
void keep_best_processes(std::vector<TaskMatch>& matches, const TaskQuery& query, const Dump& dump) {
    int best = 0;
    for (const TaskMatch& match : matches) {
        best = std::max(best, fit(match, query, dump));
    }
    matches.erase(std::remove_if(matches.begin(), matches.end(),
                                 [&](const TaskMatch& match) { return fit(match, query, dump) < best; }),
                  matches.end());
}

void explain_task_not_in_logs(const TaskMap::Contents& map, const TaskQuery& query,
                              std::vector<Diagnostic>& diagnostics) {
    if (map.runtime_info_lines + map.ge_info_lines == 0) {
        add_remark(diagnostics, Severity::warning, "logs_without_info",
                   "the logs hold no INFO line of RUNTIME or GE, and only those name operators; set "
                   "ASCEND_GLOBAL_LOG_LEVEL=1 for the next run");
        return;
    }
    std::string message = fmt::format("the logs say nothing of stream {} task {}", *query.stream_id, *query.task_id);
    if (map.ge_info_lines == 0) {
        message += "; they hold no INFO line of GE: set ASCEND_MODULE_LOG_LEVEL=RUNTIME=1:GE=1 for the next run";
    } else {
        message +=
            "; they may be of another process or device, or older files were rotated away (raise "
            "ASCEND_HOST_LOG_FILE_NUM)";
    }
    add_remark(diagnostics, Severity::warning, "task_not_in_logs", message);
}

void add_distinct(std::vector<OperatorAnswer>& answers, std::vector<OperatorAnswer> further) {
    for (OperatorAnswer& answer : further) {
        if (std::none_of(answers.begin(), answers.end(),
                         [&answer](const OperatorAnswer& a) { return same_operator(a, answer); })) {
            answers.push_back(std::move(answer));
        }
    }
}

void search_logs(const Dump& dump, const TaskQuery& query, const LocateOptions& options, Found& found) {
    const TaskMap::Contents& map = options.task_map->contents();
    TaskSearch search = locate_stage::search_task(map, dump, query, options);
    keep_best_processes(search.matches, query, dump);
    const bool had_reason = std::any_of(search.diagnostics.begin(), search.diagnostics.end(), [](const Diagnostic& d) {
        return d.code != "time_zone" && d.code != "time_unknown";
    });
    found.diagnostics.insert(found.diagnostics.end(), search.diagnostics.begin(), search.diagnostics.end());
    const std::size_t remarks_before = found.diagnostics.size();
    for (const TaskMatch& match : search.matches) {
        add_distinct(found.operators,
                     locate_stage::operators_of_match(match, search.device, query, map, found.diagnostics));
        if (!found.model) {
            found.model = locate_stage::model_of_match(match, query, map, found.diagnostics);
        }
    }
    // A stream that the host logs know, but not at this time, is not revived by a device log, whose clock is its own.
    if (search.matches.empty() && !search.stream_known) {
        found.operators = locate_stage::operators_of_device(search.device, query, map, found.diagnostics);
    }
    if (found.operators.empty() && !had_reason && found.diagnostics.size() == remarks_before) {
        explain_task_not_in_logs(map, query, found.diagnostics);
    }
}

/// In file names space . / \ are replaced by _, so a name read from one compares only in that form.
std::string as_in_file_name(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ' ' || c == '.' || c == '/' || c == '\\'; }, '_');
    return name;
}

/// The operator dump comes first; lines that agree add their kernel and evidence, others are kept as further answers.
void merge(std::vector<OperatorAnswer>& from_dumps, std::vector<OperatorAnswer> from_logs,
           std::vector<Diagnostic>& diagnostics) {
    for (OperatorAnswer& answer : from_logs) {
        const auto same = std::find_if(from_dumps.begin(), from_dumps.end(), [&answer](const OperatorAnswer& dump) {
            return answer.confidence != Confidence::exact || !answer.name ||
                   as_in_file_name(*answer.name) == as_in_file_name(*dump.name);
        });
        if (same == from_dumps.end()) {
            add_remark(diagnostics, Severity::warning, "sources_disagree",
                       fmt::format("the operator dump beside the overflow dump is of {}, the log names {} for the same "
                                   "ids: both are listed",
                                   *from_dumps.front().name, *answer.name));
            from_dumps.push_back(std::move(answer));
            continue;
        }
        if (answer.confidence == Confidence::exact && answer.name) {
            same->name = answer.name;  // GE's spelling
        }
        same->kernel = same->kernel ? same->kernel : answer.kernel;
        same->evidence.insert(same->evidence.end(), answer.evidence.begin(), answer.evidence.end());
    }
}

Found find_operator(const Dump& dump, const Record& record, const LocateOptions& options) {
    Found found;
    const TaskQuery query = locate_stage::query_of(record);
    if (!query.stream_id || !query.task_id) {
        add_remark(found.diagnostics, Severity::warning, "ids_not_set",
                   fmt::format("the {} record carries no stream or task id (65535 or 4294967295 mean none), so its "
                               "operator cannot be looked up",
                               unit_name(record.unit)));
        return found;
    }
    std::vector<OperatorAnswer> answers = locate_stage::find_op_dumps(dump, query, found.diagnostics);
    if (options.task_map) {
        search_logs(dump, query, options, found);
    } else if (answers.empty()) {
        add_remark(found.diagnostics, Severity::warning, "no_logs",
                   fmt::format("no operator dump of stream {} task {} lies beside the dump, and no logs were given: "
                               "give the run's logs (--logs), written "
                               "with ASCEND_GLOBAL_LOG_LEVEL=1",
                               *query.stream_id, *query.task_id));
    }
    if (!answers.empty()) {
        merge(answers, std::move(found.operators), found.diagnostics);
        found.operators = std::move(answers);
    }
    return found;
}

/// Folders name the model by GE's number or by the runtime's, depending on the version; a number that is not the
/// record's own is taken for GE's (inferred).
void add_path_ids(const Dump& dump, const TaskQuery& query, std::optional<LocatedModel>& model) {
    const PathIds& path = dump.path_ids;
    const bool is_ge_id = path.model_id && query.model_id && path.model_id != query.model_id;
    const bool adds_name = path.model_name && (!model || !model->name);
    const bool adds_ge_id = is_ge_id && (!model || (!model->ge_id && model->runtime_id != path.model_id));
    if (!adds_name && !adds_ge_id) {
        return;
    }
    model = model ? std::move(model) : LocatedModel{};
    std::string text = "the dump's folder";
    if (adds_name) {
        model->name = path.model_name;
        text += " names model " + *path.model_name;
    }
    if (adds_ge_id) {
        model->ge_id = path.model_id;
        text += fmt::format("{} carries model id {}, not the record's {}: taken for GE's id (inferred)",
                            adds_name ? " and" : "", *path.model_id, *query.model_id);
    }
    model->evidence.push_back({EvidenceKind::op_dump, dump.file, std::nullopt, text});
}

/// The records that overflowed. The last of DHA, L2 and AI Core leads, as in the official converter's summary.
std::vector<const Record*> overflowed_records(const Dump& dump) {
    std::vector<const Record*> records;
    for (const DecodedPayload& payload : dump.payloads) {
        std::vector<const Record*> of_payload;
        for (const Record& record : payload.records) {
            if (record.overflow) {
                of_payload.push_back(&record);
            }
        }
        if (payload.kind == Payload::legacy) {
            std::reverse(of_payload.begin(), of_payload.end());
        }
        records.insert(records.end(), of_payload.begin(), of_payload.end());
    }
    return records;
}

/// One document names one operator; what the other overflowed records lead to is said in remarks.
void remark_other_records(const Dump& dump, const std::vector<const Record*>& records, const LocateOptions& options,
                          std::vector<Diagnostic>& diagnostics) {
    const auto key = [](const Record& record) {
        return std::pair(record.field(Field::stream_id), record.field(Field::task_id));
    };
    std::set<decltype(key(*records.front()))> seen{key(*records.front())};
    for (const Record* record : records) {
        if (!seen.insert(key(*record)).second) {
            continue;
        }
        const Found other = find_operator(dump, *record, options);
        const OperatorAnswer* answer = other.operators.empty() ? nullptr : &other.operators.front();
        const std::string name =
            answer == nullptr
                ? "no operator was found for it"
                : fmt::format("its operator is {} ({})", answer->name.value_or(answer->kernel.value_or("unknown")),
                              answer->type.value_or("type unknown"));
        add_remark(
            diagnostics, Severity::info, "other_record_operator",
            fmt::format("the {} record is about another task, stream {} task {}: {}", unit_name(record->unit),
                        record->field(Field::stream_id).value_or(0), record->field(Field::task_id).value_or(0), name));
    }
}

}  // namespace

Location locate(const Dump& dump, const LocateOptions& options) {
    Location location;
    const std::vector<const Record*> records = overflowed_records(dump);
    if (records.empty()) {
        add_remark(location.diagnostics, Severity::info, "no_overflow",
                   "no unit of this dump reports an overflow, so no operator is looked up");
        return location;
    }
    Found found = find_operator(dump, *records.front(), options);
    location.diagnostics = std::move(found.diagnostics);
    location.model = std::move(found.model);
    const TaskQuery query = locate_stage::query_of(*records.front());
    const bool log_denies_model =
        std::any_of(location.diagnostics.begin(), location.diagnostics.end(),
                    [](const Diagnostic& remark) { return remark.code == "stream_without_model"; });
    if (!location.model && query.model_id && !log_denies_model) {
        location.model = LocatedModel{};
        location.model->runtime_id = query.model_id;
    }
    add_path_ids(dump, query, location.model);
    if (!found.operators.empty()) {
        LocatedOperator located;
        located.best = found.operators.front();
        if (found.operators.size() > 1) {
            located.candidates = std::move(found.operators);
        }
        location.op = std::move(located);
    }
    remark_other_records(dump, records, options, location.diagnostics);
    return location;
}

}  // namespace opdebug
