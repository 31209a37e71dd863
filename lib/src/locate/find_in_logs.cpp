#include "locate/find_in_logs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "locate/model_from_logs.hpp"
#include "locate/operator_from_logs.hpp"
#include "locate/task_search.hpp"

namespace opdebug::locate_stage {
namespace {

bool same_operator(const OperatorAnswer& a, const OperatorAnswer& b) {
    return a.name == b.name && a.type == b.type && a.kernel == b.kernel;
}

/// How well a match fits the record: its model id is bound there, its device is the one of the dump's folder.
int fit(const TaskMatch& match, const TaskQuery& query, const Dump& dump) {
    int points = 0;
    for (const logs::ModelBinding& binding : match.use.bindings) {
        points += query.model_id && binding.model_id == *query.model_id ? 2 : 0;
    }
    return points + (match.device && match.device == dump.path_ids.device_id ? 1 : 0);
}

/// Several processes and devices may have used the same ids at the same time: those that fit the record best remain.
void keep_best_matches(std::vector<TaskMatch>& matches, const TaskQuery& query, const Dump& dump) {
    int best = 0;
    for (const TaskMatch& match : matches) {
        best = std::max(best, fit(match, query, dump));
    }
    matches.erase(std::remove_if(matches.begin(), matches.end(),
                                 [&](const TaskMatch& match) { return fit(match, query, dump) < best; }),
                  matches.end());
}

/// Device numbers in logs are the driver's, those of folders the process's: in a container they may differ.
void remark_device(const TaskMatch& match, const Dump& dump, std::vector<Diagnostic>& diagnostics) {
    if (match.device && dump.path_ids.device_id && match.device != dump.path_ids.device_id) {
        diagnostics.push_back({Severity::warning, "device_differs",
                               fmt::format("the dump's folder says device {}, the log's lines device {}: right where "
                                           "the process sees the device under "
                                           "another number (containers), else they are another device's",
                                           *dump.path_ids.device_id, *match.device)});
    }
}

void explain_task_not_in_logs(const TaskMap::Contents& map, const TaskQuery& query,
                              std::vector<Diagnostic>& diagnostics) {
    if (map.runtime_info_lines + map.ge_info_lines == 0) {
        diagnostics.push_back({Severity::warning, "logs_without_info",
                               "the logs hold no INFO line of RUNTIME or GE, and only those name operators; set "
                               "ASCEND_GLOBAL_LOG_LEVEL=1 for the next run"});
        return;
    }
    std::string message = fmt::format("no line that this version knows speaks of stream {} task {} in the logs",
                                      *query.stream_id, *query.task_id);
    if (map.ge_info_lines == 0) {
        message += "; they hold no INFO line of GE: set ASCEND_MODULE_LOG_LEVEL=RUNTIME=1:GE=1 for the next run";
    } else {
        message +=
            "; they may be of another process or device, or older files were rotated away (raise "
            "ASCEND_HOST_LOG_FILE_NUM)";
    }
    diagnostics.push_back({Severity::warning, "task_not_in_logs", message});
}

void add_distinct(std::vector<OperatorAnswer>& answers, std::vector<OperatorAnswer> further) {
    for (OperatorAnswer& answer : further) {
        if (std::none_of(answers.begin(), answers.end(),
                         [&answer](const OperatorAnswer& a) { return same_operator(a, answer); })) {
            answers.push_back(std::move(answer));
        }
    }
}

/// What one match says; kept together, so that one process's operator never gets another's model.
struct MatchAnswer {
    const TaskMatch* match = nullptr;
    std::vector<OperatorAnswer> operators;
    std::optional<LocatedModel> model;
    std::vector<Diagnostic> diagnostics;

    /// Exact names first, then kernels, then matches that name nothing.
    int rank() const { return operators.empty() ? 2 : operators.front().confidence == Confidence::exact ? 0 : 1; }
};

std::vector<MatchAnswer> answers_of(const TaskSearch& search, const TaskQuery& query, const TaskMap::Contents& map) {
    std::vector<MatchAnswer> answers;
    for (const TaskMatch& match : search.matches) {
        MatchAnswer answer;
        answer.match = &match;
        answer.operators = operators_of_match(match, search.device, query, map, answer.diagnostics);
        answer.model = model_of_match(match, query, map, answer.diagnostics);
        answers.push_back(std::move(answer));
    }
    std::stable_sort(answers.begin(), answers.end(),
                     [](const MatchAnswer& a, const MatchAnswer& b) { return a.rank() < b.rank(); });
    return answers;
}

}  // namespace

void find_in_logs(const Dump& dump, const TaskQuery& query, const LocateOptions& options, Found& found) {
    const TaskMap::Contents& map = options.task_map->contents();
    TaskSearch search = search_task(map, dump, query, options);
    keep_best_matches(search.matches, query, dump);
    const bool had_reason = std::any_of(search.diagnostics.begin(), search.diagnostics.end(), [](const Diagnostic& d) {
        return d.code != "time_zone" && d.code != "time_unknown";
    });
    const std::size_t remarks_before = found.diagnostics.size();
    std::vector<MatchAnswer> answers = answers_of(search, query, map);
    for (MatchAnswer& answer : answers) {
        add_distinct(found.operators, answer.operators);
    }
    if (!answers.empty()) {  // model and remarks belong to the match that gave the best operator
        found.model = std::move(answers.front().model);
        remark_device(*answers.front().match, dump, found.diagnostics);
        found.diagnostics.insert(found.diagnostics.end(), answers.front().diagnostics.begin(),
                                 answers.front().diagnostics.end());
    }
    // A stream that the host logs know, but not at this time, is not revived by a device log, whose clock is its own.
    if (search.matches.empty() && !search.stream_known) {
        found.operators = operators_of_device(search.device, query, map, found.diagnostics);
    }
    if (found.operators.empty() && !had_reason && found.diagnostics.size() == remarks_before) {
        explain_task_not_in_logs(map, query, found.diagnostics);
    }
    found.diagnostics.insert(found.diagnostics.end(), search.diagnostics.begin(), search.diagnostics.end());
}

}  // namespace opdebug::locate_stage
