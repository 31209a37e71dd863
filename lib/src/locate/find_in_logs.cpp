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
        diagnostics.push_back({Severity::warning, "logs_without_info",
                               "the logs hold no INFO line of RUNTIME or GE, and only those name operators; set "
                               "ASCEND_GLOBAL_LOG_LEVEL=1 for the next run"});
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

}  // namespace

void find_in_logs(const Dump& dump, const TaskQuery& query, const LocateOptions& options, Found& found) {
    const TaskMap::Contents& map = options.task_map->contents();
    TaskSearch search = search_task(map, dump, query, options);
    keep_best_processes(search.matches, query, dump);
    const bool had_reason = std::any_of(search.diagnostics.begin(), search.diagnostics.end(), [](const Diagnostic& d) {
        return d.code != "time_zone" && d.code != "time_unknown";
    });
    found.diagnostics.insert(found.diagnostics.end(), search.diagnostics.begin(), search.diagnostics.end());
    const std::size_t remarks_before = found.diagnostics.size();
    for (const TaskMatch& match : search.matches) {
        add_distinct(found.operators, operators_of_match(match, search.device, query, map, found.diagnostics));
        if (!found.model) {
            found.model = model_of_match(match, query, map, found.diagnostics);
        }
    }
    // A stream that the host logs know, but not at this time, is not revived by a device log, whose clock is its own.
    if (search.matches.empty() && !search.stream_known) {
        found.operators = operators_of_device(search.device, query, map, found.diagnostics);
    }
    if (found.operators.empty() && !had_reason && found.diagnostics.size() == remarks_before) {
        explain_task_not_in_logs(map, query, found.diagnostics);
    }
}

}  // namespace opdebug::locate_stage
