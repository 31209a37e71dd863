#include "locate/find_in_logs.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "locate/code_address.hpp"
#include "locate/kernel_name.hpp"
#include "locate/match_remarks.hpp"
#include "locate/model_from_logs.hpp"
#include "locate/not_in_logs.hpp"
#include "locate/operator_from_logs.hpp"
#include "locate/overflow_lines.hpp"
#include "locate/reasons.hpp"
#include "locate/stream_state.hpp"
#include "locate/task_search.hpp"
#include "logs/line.hpp"
#include "logs/map_index.hpp"

namespace opdebug::locate_stage {
namespace {

auto key_of(const OperatorAnswer& answer) {
    return std::tie(answer.name, answer.type, answer.kernel);
}

bool same_operator(const OperatorAnswer& a, const OperatorAnswer& b) {
    return key_of(a) == key_of(b);
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

/// Adds answers that are not there yet. One task can have a hundred thousand operators (contexts of FFTS+), and as many
/// processes may have launched something: an index finds those that are known.
class DistinctAnswers {
public:
    explicit DistinctAnswers(std::vector<OperatorAnswer>& answers) : answers_(answers) {
        for (const OperatorAnswer& answer : answers) {
            known_.insert(key_of(answer));
        }
    }

    void add(OperatorAnswer answer) {
        if (known_.insert(key_of(answer)).second) {
            answers_.push_back(std::move(answer));
        }
    }

private:
    using Text = std::optional<std::string>;
    std::vector<OperatorAnswer>& answers_;
    std::set<std::tuple<Text, Text, Text>> known_;
};

/// What one match says; kept together, so that one process's operator never gets another's model.
struct MatchAnswer {
    const TaskMatch* match = nullptr;
    std::vector<OperatorAnswer> operators;
    std::optional<LocatedModel> model;
    std::vector<Diagnostic> diagnostics;
    bool is_explained = false;  ///< no operator, and a remark says what the task is instead

    /// Exact names first, then kernels, then types, then matches that name nothing; ids that are not sure come after
    /// the others.
    std::pair<int, int> rank() const {
        const int named = operators.empty()                                    ? 3
                          : operators.front().confidence == Confidence::exact  ? 0
                          : operators.front().confidence == Confidence::kernel ? 1
                                                                               : 2;
        return {named == 3 ? 1 : 0, static_cast<int>(match->number) * 4 + named};
    }
    bool is_unconfirmed() const { return match->number == TaskNumber::unconfirmed; }
};

/// A line under an id that was never confirmed counts only when nothing else tells what the task is.
void drop_unconfirmed(std::vector<MatchAnswer>& answers) {
    const bool is_told = std::any_of(answers.begin(), answers.end(), [](const MatchAnswer& answer) {
        return !answer.is_unconfirmed() && (!answer.operators.empty() || answer.is_explained);
    });
    if (is_told) {
        answers.erase(std::remove_if(answers.begin(), answers.end(),
                                     [](const MatchAnswer& answer) { return answer.is_unconfirmed(); }),
                      answers.end());
    }
}

/// Lines without a time, as consoles show them, count only when no others tell the task: nobody knows which use of the
/// ids they are about.
void drop_timeless(std::vector<MatchAnswer>& answers) {
    const auto is_timeless = [](const MatchAnswer& answer) { return answer.match->process->last_time_us == 0; };
    const bool is_told = std::any_of(answers.begin(), answers.end(), [&](const MatchAnswer& answer) {
        return !is_timeless(answer) && (!answer.operators.empty() || answer.is_explained);
    });
    if (is_told) {
        answers.erase(std::remove_if(answers.begin(), answers.end(), is_timeless), answers.end());
    }
}

std::vector<const logs::StoredFact*> device_facts_of(const std::vector<DeviceFact>& device, const TaskMatch& match) {
    std::vector<const logs::StoredFact*> facts;
    for (const DeviceFact& said : device) {
        if (fits(said, match)) {
            facts.push_back(said.fact);
        }
    }
    return facts;
}

std::vector<MatchAnswer> answers_of(const TaskSearch& search, const TaskQuery& query, const TaskMap::Contents& map) {
    std::vector<MatchAnswer> answers;
    answers.reserve(search.matches.size());
    for (const TaskMatch& match : search.matches) {
        MatchAnswer answer;
        answer.match = &match;
        const std::vector<const logs::StoredFact*> device = device_facts_of(search.device, match);
        answer.operators = operators_of_match(match, device, query, map, answer.diagnostics);
        answer.is_explained = answer.operators.empty() && !answer.diagnostics.empty();
        const OperatorAnswer* best = answer.operators.empty() ? nullptr : &answer.operators.front();
        answer.model = model_of_match(match, query, best, map, answer.diagnostics);
        add_model_of_device(device, best, query, map, answer.model);
        if (best != nullptr) {
            remark_wraps(match, query, map, answer.diagnostics);
            remark_later_line(match, map, answer.diagnostics);
            remark_pause(match, map, answer.diagnostics);
        }
        answers.push_back(std::move(answer));
    }
    drop_unconfirmed(answers);
    drop_timeless(answers);
    std::stable_sort(answers.begin(), answers.end(),
                     [](const MatchAnswer& a, const MatchAnswer& b) { return a.rank() < b.rank(); });
    return answers;
}

/// Answers that rest on a task id that is not sure.
void remark_numbers(const std::vector<MatchAnswer>& answers, const TaskQuery& query,
                    std::vector<Diagnostic>& diagnostics) {
    if (answers.empty() || answers.front().operators.empty()) {
        return;
    }
    if (answers.front().is_unconfirmed()) {
        diagnostics.push_back(
            {Severity::warning, "task_id_unconfirmed",
             fmt::format("the launch line was printed before task id {} was final, and no later line confirms it: the "
                         "answer may be another task's; set ASCEND_MODULE_LOG_LEVEL=RUNTIME=1 for the next run, so "
                         "that the lines that send a task are logged",
                         *query.task_id)});
    }
    const OperatorAnswer& best = answers.front().operators.front();
    const bool is_unclear = std::any_of(answers.begin(), answers.end(), [&](const MatchAnswer& answer) {
        const bool is_serial = answer.match->number == TaskNumber::from_serial_number && !answer.operators.empty();
        return is_serial && (&answer == &answers.front() || !same_operator(answer.operators.front(), best));
    });
    if (is_unclear) {
        diagnostics.push_back(
            {Severity::warning, "task_number_unclear",
             fmt::format("lines of Ascend 950 carry two numbers of a task, its position in the queue and a serial "
                         "number; which of them the record's task id {} is, is not known: {}",
                         *query.task_id,
                         answers.front().match->number == TaskNumber::from_serial_number
                             ? "only a serial number ends in it"
                             : "both were looked up and give different operators")});
    }
}

/// The lines do not tell the device, and it would decide.
void remark_unclear_device(const std::vector<MatchAnswer>& answers, const TaskQuery& query,
                           const std::vector<OperatorAnswer>& operators, std::vector<Diagnostic>& diagnostics) {
    const auto unclear = std::find_if(answers.begin(), answers.end(), [](const MatchAnswer& answer) {
        return !answer.match->possible_devices.empty();
    });
    if (operators.size() > 1 && unclear != answers.end()) {
        diagnostics.push_back(
            {Severity::warning, "device_unclear",
             fmt::format("stream {} is open on the devices {} at that time, and lines on task {} tell neither by "
                         "themselves nor by their thread which of them they speak of: each of the operators may be it",
                         *query.stream_id, fmt::join(unclear->match->possible_devices, ", "), *query.task_id)});
    }
}

/// The kernel by the address of its code in every process: when nothing else tells it.
void find_by_address(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                     const LocateOptions& options, Found& found) {
    std::set<std::uint32_t> processes;
    for (const std::uint64_t address : query.addresses) {
        const logs::Places having = map.index().processes(logs::About::kernel_at_address, address);
        processes.insert(having.begin(), having.end());
    }
    DistinctAnswers answers(found.operators);
    std::set<std::string_view> answered;  // kernels of which no process's lines tell more than their names
    for (const std::uint32_t number : processes) {
        const logs::Process& process = map.processes[number];
        const std::vector<LocalTime> times = times_in(process, dump, query, map, options);
        if (!times.empty() && times.front().unrelated) {
            continue;  // addresses are given anew in each run
        }
        const auto time = times.empty() ? std::nullopt : std::optional(times.front().time_us);
        const logs::StoredFact* launch = launch_by_address(map, process, query, time, dump.path_ids.device_id);
        if (launch == nullptr || answered.count(launch->fact.kernel_name) != 0) {
            continue;
        }
        if (found.operators.empty()) {
            found.diagnostics.push_back(
                {Severity::warning, "found_by_address",
                 fmt::format("no line tells the task by its ids; the answer is the last kernel launched before the "
                             "overflow whose code has an address of the record, pc_start or kernel_code ({}:{}). That "
                             "these are the same kind of address is inferred, not proven",
                             map.files[launch->place.file], launch->place.line)});
        }
        const std::size_t remarks_before = found.diagnostics.size();
        answers.add(answer_from_kernel(*launch, process, map, found.diagnostics));
        if (possible_nodes(launch->fact.kernel_name).empty() && found.diagnostics.size() == remarks_before) {
            answered.insert(launch->fact.kernel_name);
        }
    }
}

/// Compares the kernel that the ids gave with the one that the address gives, in the same process.
void check_address(const MatchAnswer& answer, const TaskMap::Contents& map, const TaskQuery& query, Found& found) {
    OperatorAnswer& best = found.operators.front();
    const logs::StoredFact* launch =
        launch_by_address(map, *answer.match->process, query, answer.match->time_us, answer.match->device);
    if (launch == nullptr || !best.kernel) {
        return;
    }
    if (launch->fact.kernel_name != *best.kernel) {
        found.diagnostics.push_back(
            {Severity::warning, "address_disagrees",
             fmt::format("the ids lead to kernel {}, the record's address of the code to kernel {} ({}:{}); the ids "
                         "are followed, for that the addresses can be compared is inferred",
                         *best.kernel, launch->fact.kernel_name, map.files[launch->place.file], launch->place.line)});
        return;
    }
    const Evidence line = evidence_of(*launch, map);
    if (std::none_of(best.evidence.begin(), best.evidence.end(),
                     [&line](const Evidence& known) { return known.file == line.file && known.line == line.line; })) {
        best.evidence.push_back(line);
    }
}

/// The first process whose log reports the overflow itself; the one that answers is asked first.
void remark_overflow_lines(const logs::Process* answers, const TaskMap::Contents& map, const Dump& dump,
                           const TaskQuery& query, const LocateOptions& options, std::vector<Diagnostic>& diagnostics) {
    const auto remark = [&](const logs::Process& process) {
        const std::vector<LocalTime> times = times_in(process, dump, query, map, options);
        return !times.empty() && remark_overflow_line(process, query, times.front().time_us, map, diagnostics);
    };
    if (answers != nullptr) {
        remark(*answers);
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
    const bool is_ambiguous = std::any_of(found.diagnostics.begin(), found.diagnostics.end(),
                                          [](const Diagnostic& remark) { return remark.code == "model_ambiguous"; });
    if (!is_ambiguous) {
        remark_named_elsewhere(map, query, found.diagnostics);
    }
    if (process == nullptr || !map.index().binds_models(*process)) {
        explain_model_not_in_logs(map, found.diagnostics);
    }
}

/// A packed file tells that it was damaged, but not where: each of its lines may be garbled.
void remark_damaged_files(const Found& found, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const auto find_in = [&map](const std::vector<Evidence>& evidence) {
        return std::find_if(evidence.begin(), evidence.end(),
                            [&map](const Evidence& line) { return map.damaged_files.count(line.file) != 0; });
    };
    const auto remark = [&diagnostics](const Evidence& line) {
        diagnostics.push_back(
            {Severity::warning, "log_damaged",
             fmt::format("{} is damaged: its lines may be garbled, and the answer with them; copy the "
                         "file again",
                         line.file)});
    };
    for (const OperatorAnswer& answer : found.operators) {
        if (const auto line = find_in(answer.evidence); line != answer.evidence.end()) {
            remark(*line);
            return;
        }
    }
    if (found.model) {
        if (const auto line = find_in(found.model->evidence); line != found.model->evidence.end()) {
            remark(*line);
        }
    }
}

/// Whether a log line has a place for its time, and what stands there is none: a placeholder, or no moment that a clock
/// shows (a month 13, the year 0001 or 9999).
bool lacks_time(const Evidence& evidence) {
    const std::optional<logs::LogLine> line =
        evidence.line ? logs::parse_line_prefix(evidence.text) : std::optional<logs::LogLine>();
    return line && !line->short_form && !line->local_time_us;
}

/// Such a line counts as of the time of the line before it; alone it would fit every dump.
void remark_lines_without_time(const Found& found, std::vector<Diagnostic>& diagnostics) {
    for (const OperatorAnswer& answer : found.operators) {
        const auto line = std::find_if(answer.evidence.begin(), answer.evidence.end(), lacks_time);
        if (line != answer.evidence.end()) {
            diagnostics.push_back(
                {Severity::warning, "line_time_unusable",
                 fmt::format("{}:{}: the line has no time that can be used, it is taken to be of the time of the line "
                             "before: whether it was written before the overflow, or in the same run, is not known",
                             line->file, *line->line)});
            return;
        }
    }
}

/// No host line tells the task: the device's log names it, where no host line says that the stream was given up
/// before; the model is that of the stream.
void find_without_task(TaskSearch& search, const Dump& dump, const TaskQuery& query, const LocateOptions& options,
                       Found& found) {
    const TaskMap::Contents& map = options.task_map->contents();
    const std::vector<StreamState> states = stream_states(map, dump, query, options);
    search.device.erase(std::remove_if(search.device.begin(), search.device.end(),
                                       [&states](const DeviceFact& said) { return is_denied(said, states); }),
                        search.device.end());
    std::vector<const logs::StoredFact*> facts;
    facts.reserve(search.device.size());
    for (const DeviceFact& said : search.device) {
        facts.push_back(said.fact);
    }
    found.operators = operators_of_device(facts, query, map, found.diagnostics);
    if (search.other_device && facts.empty()) {
        found.diagnostics.push_back(
            {Severity::warning, "device_differs",
             fmt::format("the dump's folder says device {}, and only a log of device {} knows the ids: it is not "
                         "taken; give the logs of the dump's device",
                         *dump.path_ids.device_id, *search.other_device)});
    }
    found.model = model_of_stream(states, search.device, dump, query, map, found.diagnostics);
    const OperatorAnswer* best = found.operators.empty() ? nullptr : &found.operators.front();
    add_model_of_device(facts, best, query, map, found.model);
}

}  // namespace

void find_without_ids(const Dump& dump, const TaskQuery& query, const LocateOptions& options, Found& found) {
    find_by_address(options.task_map->contents(), dump, query, options, found);
}

void find_in_logs(const Dump& dump, const TaskQuery& query, const LocateOptions& options, Found& found) {
    const TaskMap::Contents& map = options.task_map->contents();
    TaskSearch search = search_task(map, dump, query, options);
    keep_best_matches(search.matches, query, dump);
    const bool had_reason = std::any_of(search.diagnostics.begin(), search.diagnostics.end(), [](const Diagnostic& d) {
        return d.code != "time_zone" && d.code != "time_unknown" && d.code != "time_outside_logs";
    });
    const std::vector<MatchAnswer> answers = answers_of(search, query, map);
    bool is_explained = had_reason;
    DistinctAnswers operators(found.operators);
    for (const MatchAnswer& answer : answers) {
        for (const OperatorAnswer& named : answer.operators) {
            operators.add(named);
        }
        is_explained = is_explained || answer.is_explained;
    }
    const logs::Process* process = answers.empty() ? nullptr : answers.front().match->process;
    if (!answers.empty()) {  // model and remarks belong to the match that gave the best operator
        found.model = answers.front().model;
        remark_device(*answers.front().match, dump, found.diagnostics);
        remark_numbers(answers, query, found.diagnostics);
        remark_unclear_device(answers, query, found.operators, found.diagnostics);
        found.diagnostics.insert(found.diagnostics.end(), answers.front().diagnostics.begin(),
                                 answers.front().diagnostics.end());
    }
    if (search.matches.empty()) {
        const std::size_t remarks_before = found.diagnostics.size();
        find_without_task(search, dump, query, options, found);
        is_explained = is_explained || found.diagnostics.size() != remarks_before;
    }
    if (found.operators.empty() && !is_explained) {
        find_by_address(map, dump, query, options, found);
    } else if (process != nullptr && !found.operators.empty()) {
        check_address(answers.front(), map, query, found);
    }
    if (found.operators.empty() && !is_explained) {
        explain_task_not_in_logs(map, dump, query, options, found.diagnostics);
    }
    explain_model(process, map, query, found);
    remark_overflow_lines(process, map, dump, query, options, found.diagnostics);
    remark_given_offset(dump, query, options, found.diagnostics);
    remark_damaged_files(found, map, found.diagnostics);
    remark_lines_without_time(found, found.diagnostics);
    found.diagnostics.insert(found.diagnostics.end(), search.diagnostics.begin(), search.diagnostics.end());
    if (found.operators.empty()) {
        remark_doubtful_offset(map, dump, query, options, found.diagnostics);
    }
    // Perhaps the log of another run: all else that is said hangs on it.
    std::stable_partition(found.diagnostics.begin(), found.diagnostics.end(),
                          [](const Diagnostic& remark) { return remark.code == "time_outside_logs"; });
}

}  // namespace opdebug::locate_stage
