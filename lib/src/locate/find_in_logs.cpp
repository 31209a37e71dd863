#include "locate/find_in_logs.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "locate/answer_remarks.hpp"
#include "locate/device_lines.hpp"
#include "locate/device_log_remarks.hpp"
#include "locate/distinct_answers.hpp"
#include "locate/earlier_runs.hpp"
#include "locate/failure_lines.hpp"
#include "locate/find_by_address.hpp"
#include "locate/later_device_logs.hpp"
#include "locate/match_remarks.hpp"
#include "locate/model_folder.hpp"
#include "locate/model_from_logs.hpp"
#include "locate/not_in_logs.hpp"
#include "locate/operator_from_logs.hpp"
#include "locate/overflow_lines.hpp"
#include "locate/reasons.hpp"
#include "locate/stream_state.hpp"
#include "locate/task_search.hpp"
#include "logs/lookup/map_index.hpp"

namespace opdebug::locate_stage {
namespace {

bool has_remark(const std::vector<Diagnostic>& diagnostics, std::string_view code) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [code](const Diagnostic& remark) { return remark.code == code; });
}

/// The first process whose log reports the overflow itself; where it is known whose dump it is, that one alone.
void remark_overflow_lines(const logs::Process* of_dump, const TaskMap::Contents& map, const Dump& dump,
                           const TaskQuery& query, const LocateOptions& options, std::vector<Diagnostic>& diagnostics) {
    const auto remark = [&](const logs::Process& process) {
        const std::vector<LocalTime> times = times_in(process, dump, query, map, options);
        return !times.empty() && remark_overflow_line(process, dump, query, times.front().time_us, map, diagnostics);
    };
    if (of_dump != nullptr) {
        remark(*of_dump);
        return;
    }
    if (!query.stream_id || !query.task_id) {
        return;
    }
    for (const std::uint32_t number :
         map.index().processes(logs::About::overflow, *query.stream_id, *query.task_id & logs::kLowHalfOfTask)) {
        if (!map.processes[number].on_device && remark(map.processes[number])) {
            return;
        }
    }
}

void explain_model(const logs::Process* process, const TaskMap::Contents& map, const TaskQuery& query, Found& found) {
    const bool is_named =
        found.model && (found.model->name || (found.model->runtime_id && !found.model->evidence.empty()));
    if (is_named || !query.model_id) {
        return;
    }
    if (!has_remark(found.diagnostics, "model_ambiguous")) {
        remark_named_elsewhere(map, query, found.diagnostics);
    }
    if (process == nullptr || !map.index().binds_models(*process)) {
        explain_model_not_in_logs(map, found.diagnostics);
    }
}

/// What device logs say of the task, as far as it holds at the time: without models that had the stream before, by the
/// lines of the host.
std::vector<const logs::StoredFact*> told_by_devices(const std::vector<DeviceFact>& device,
                                                     const std::vector<StreamState>& states, const Dump& dump,
                                                     const TaskQuery& query, const LocateOptions& options,
                                                     DeviceZone zone) {
    const TaskMap::Contents& map = options.task_map->contents();
    std::vector<const logs::StoredFact*> facts = lines_that_hold(device, dump, query, map, options, zone);
    for (const StreamState& state : states) {
        drop_lines_of_past_models(state.place, *query.stream_id, map, facts);
    }
    return facts;
}

/// No host line tells the task: the device's log names it, where no host line says that the stream was given up
/// before; the model is that of the stream.
void find_without_task(TaskSearch& search, const Dump& dump, const TaskQuery& query, const LocateOptions& options,
                       Found& found) {
    const TaskMap::Contents& map = options.task_map->contents();
    std::vector<StreamState> states = stream_states(map, dump, query, options);
    states.erase(std::remove_if(states.begin(), states.end(),
                                [&search](const StreamState& state) { return was_over(*state.place.process, search); }),
                 states.end());
    take_out_earlier_states(states, search.device, map, dump, query, found.diagnostics);
    take_out_later_device_logs(search.device, dump, query, map, options);
    search.device.erase(std::remove_if(search.device.begin(), search.device.end(),
                                       [&states](const DeviceFact& said) { return is_denied(said, states); }),
                        search.device.end());
    const bool host_is_later = has_remark(search.diagnostics, "task_set_up_later");
    const DeviceZone zone = host_is_later ? DeviceZone::of_host : DeviceZone::any;
    std::vector<const logs::StoredFact*> facts = told_by_devices(search.device, states, dump, query, options, zone);
    found.operators = operators_of_device(facts, query, map, found.diagnostics);
    if (!found.operators.empty()) {
        remark_ended_device_log(search.device, facts, dump, query, map, options, found.diagnostics);
    }
    if (facts.empty() && !host_is_later) {
        explain_later_lines(search.device, dump, query, map, options, found.diagnostics);
    }
    if (search.other_device && facts.empty() && search.of_device == nullptr) {
        found.diagnostics.push_back(
            {Severity::warning, "device_differs",
             fmt::format("the dump's folder says device {}, and only a log of device {} knows the ids: it is not "
                         "taken; give the logs of the dump's device",
                         *dump.path_ids.device_id, *search.other_device)});
    }
    found.model = model_of_stream(states, search.device, dump, query, map, found.diagnostics);
    const OperatorAnswer* best = found.operators.empty() ? nullptr : &found.operators.front();
    add_model_of_device(facts, best, query, map, found.model);
    if (best != nullptr && names_other_model(dump, found.model)) {
        remark_model_folder(dump, lines_on_folder(nullptr, best, facts, query, map), map, found.diagnostics);
    }
}

/// Whether the search says why it found nothing; remarks on clocks do not.
bool gives_reason(const std::vector<Diagnostic>& search_said) {
    return std::any_of(search_said.begin(), search_said.end(), [](const Diagnostic& remark) {
        return remark.code != "time_zone" && remark.code != "time_unknown" && remark.code != "time_outside_logs";
    });
}

bool is_explained(const MatchAnswer& answer) {
    return answer.is_explained;
}

/// The operators of all matches, best first; model and remarks belong to the match that gave the best one. `answers`:
/// at least one.
void take_answers(std::vector<MatchAnswer>& answers, const Dump& dump, const TaskQuery& query,
                  const TaskMap::Contents& map, Found& found) {
    MatchAnswer& best = answers.front();
    found.model = std::move(best.model);
    remark_device(*best.match, dump, map, found.diagnostics);
    remark_numbers(answers, query, found.diagnostics);
    DistinctAnswers operators(found.operators);
    for (MatchAnswer& answer : answers) {
        for (OperatorAnswer& named : answer.operators) {
            operators.add(std::move(named));
        }
    }
    remark_unclear_device(answers, query, found.operators, found.diagnostics);
    std::move(best.diagnostics.begin(), best.diagnostics.end(), std::back_inserter(found.diagnostics));
}

/// The address of the kernel's code finds the operator where the ids do not, and is compared where they do.
void ask_address(const std::vector<MatchAnswer>& answers, bool explained, const Dump& dump, const TaskQuery& query,
                 const LocateOptions& options, Found& found) {
    const TaskMap::Contents& map = options.task_map->contents();
    if (found.operators.empty() && !explained) {
        find_by_address(map, dump, query, options, found);
    } else if (!answers.empty() && answers.front().match->process != nullptr && !found.operators.empty()) {
        check_address(*answers.front().match, map, query, found);
    }
    if (found.operators.empty() && !explained) {
        explain_task_not_in_logs(map, dump, query, options, found.diagnostics);
    }
}

/// Perhaps the log is that of another run: all else that is said hangs on it. Rare, and to ask for memory each time is
/// not.
void put_other_run_first(std::vector<Diagnostic>& diagnostics) {
    const auto hangs_on_it = [](const Diagnostic& remark) { return remark.code == "time_outside_logs"; };
    if (std::any_of(diagnostics.begin(), diagnostics.end(), hangs_on_it)) {
        std::stable_partition(diagnostics.begin(), diagnostics.end(), hangs_on_it);
    }
}

}  // namespace

void find_in_logs(const Dump& dump, const TaskQuery& query, const LocateOptions& options, Found& found) {
    const TaskMap::Contents& map = options.task_map->contents();
    TaskSearch search = search_task(map, dump, query, options);
    std::vector<MatchAnswer> answers = answers_of(search, dump, query, map, options);
    const bool answer_explains = std::any_of(answers.begin(), answers.end(), is_explained);
    bool explained = gives_reason(search.diagnostics) || answer_explains;
    if (!answers.empty()) {
        take_answers(answers, dump, query, map, found);
    }
    if (search.matches.empty()) {
        const std::size_t remarks_before = found.diagnostics.size();
        find_without_task(search, dump, query, options, found);
        explained = explained || found.diagnostics.size() != remarks_before ||
                    explain_no_operator(map, dump, query, options, found.diagnostics);
    }
    ask_address(answers, explained, dump, query, options, found);
    if (search.matches.empty()) {
        remark_failure_alone(map, dump, query, options, found.diagnostics);
    }
    const logs::Process* const process = answers.empty() ? nullptr : answers.front().match->process;
    explain_model(process, map, query, found);
    remark_overflow_lines(process != nullptr ? process : search.of_device, map, dump, query, options,
                          found.diagnostics);
    remark_given_offset(dump, query, options, found.diagnostics);
    remark_damaged_files(found, map, found.diagnostics);
    remark_lines_without_time(found, found.diagnostics);
    std::move(search.diagnostics.begin(), search.diagnostics.end(), std::back_inserter(found.diagnostics));
    if (found.operators.empty()) {
        if (has_remark(found.diagnostics, "kernel_unnamed")) {  // GE's lines may have named the node
            explain_missing_module(map, found.diagnostics);
        }
        remark_doubtful_offset(map, dump, query, options, found.diagnostics);
        if (!answer_explains) {
            remark_unread_logs(map, found.diagnostics);
        }
    }
    put_other_run_first(found.diagnostics);
}

}  // namespace opdebug::locate_stage
