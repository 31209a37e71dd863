#include "locate/operator_from_logs.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "locate/cut_names.hpp"
#include "locate/kernel_name.hpp"
#include "locate/reasons.hpp"
#include "locate/statement_order.hpp"
#include "logs/map_index.hpp"
#include "logs/numbered_node.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::FactKind;
using logs::StoredFact;
using Facts = std::vector<const StoredFact*>;

/// FFTS+: one (stream, task) holds many operators; context and thread choose, where both sides have them.
bool context_fits(const StoredFact& fact, const TaskQuery& query) {
    return (!fact.fact.context_id || !query.context_id || fact.fact.context_id == query.context_id) &&
           (!fact.fact.thread_id || !query.thread_id || fact.fact.thread_id == query.thread_id);
}

bool names_context(const StoredFact& fact, const TaskQuery& query) {
    return query.context_id && fact.fact.context_id == query.context_id;
}

/// Lines that name an operator for the record; those that name its context push out those that do not.
Facts operator_facts(const Facts& facts, const TaskQuery& query) {
    Facts chosen;
    for (const StoredFact* fact : facts) {
        if (fact->fact.kind == FactKind::operator_of_task && context_fits(*fact, query)) {
            chosen.push_back(fact);
        }
    }
    const auto has_context = [&query](const StoredFact* fact) { return names_context(*fact, query); };
    if (std::any_of(chosen.begin(), chosen.end(), has_context)) {
        chosen.erase(
            std::remove_if(chosen.begin(), chosen.end(), [&](const StoredFact* fact) { return !has_context(fact); }),
            chosen.end());
    }
    return chosen;
}

/// Debug and run log repeat lines: one line of each format is proof enough.
void add_evidence(OperatorAnswer& answer, const StoredFact& fact, const TaskMap::Contents& map,
                  std::vector<std::string_view>& formats) {
    if (std::find(formats.begin(), formats.end(), fact.fact.format_id) == formats.end()) {
        formats.push_back(fact.fact.format_id);
        if (fact.completed_by) {  // the ids stand in one line, the name in the line before it
            answer.evidence.push_back(evidence_of(fact, *fact.completed_by, map));
        }
        answer.evidence.push_back(evidence_of(fact, map));
    }
}

/// One answer per operator name, in the order in which the lines name them.
std::vector<OperatorAnswer> answers_by_name(const Facts& facts, const FullNames& names, const TaskMap::Contents& map) {
    std::vector<OperatorAnswer> answers;
    std::vector<std::vector<std::string_view>> formats;
    std::map<std::string_view, std::size_t> places;
    for (const StoredFact* fact : facts) {
        const std::string_view name = names.operator_of(fact->fact);
        const auto [place, is_new] = places.try_emplace(name, answers.size());
        if (is_new) {
            answers.emplace_back().name = name;
            formats.emplace_back();
        }
        OperatorAnswer& answer = answers[place->second];
        if (!answer.type && !fact->fact.operator_type.empty()) {
            answer.type = fact->fact.operator_type;
        }
        add_evidence(answer, *fact, map, formats[place->second]);
    }
    return answers;
}

/// Device logs name the producers of an operator's inputs under the operator's own ids, in lines without a type; where
/// other lines give a type, those names are not the operator's (seen in a real log of 2021: "data" beside a TransData).
std::vector<OperatorAnswer> device_answers(const Facts& facts, const FullNames& names, const TaskMap::Contents& map) {
    std::vector<OperatorAnswer> answers = answers_by_name(facts, names, map);
    const auto has_type = [](const OperatorAnswer& answer) { return answer.type.has_value(); };
    if (std::any_of(answers.begin(), answers.end(), has_type)) {
        answers.erase(std::remove_if(answers.begin(), answers.end(), std::not_fn(has_type)), answers.end());
    }
    return answers;
}

/// The line that names the task's kernel: the last launch line not after the time (a model's task can get another
/// kernel), else the first; the line of a failure when there is no other.
const StoredFact* kernel_fact(const TaskMatch& match) {
    const StoredFact* launch = nullptr;
    const StoredFact* fault = nullptr;
    for (const StoredFact* fact : match.use.facts) {
        const bool is_late = match.time_us && fact->time_us > *match.time_us + kClockSkewUs;
        if (fact->fact.kind == FactKind::kernel_of_task && (launch == nullptr || !is_late)) {
            launch = fact;
        }
        if (fact->fact.kind == FactKind::fault_kernel && fault == nullptr) {
            fault = fact;
        }
    }
    return launch != nullptr ? launch : fault;
}

/// Lines without a process id may be of several processes, as the texts of exceptions on the console of a job: each
/// kernel that they name on the task may be the one. Else it is `kernel`.
Facts possible_kernels(const TaskMatch& match, const StoredFact& kernel) {
    constexpr std::int64_t kUnknownPid = -1;
    Facts kernels{&kernel};
    for (const StoredFact* fact : match.use.facts) {
        const bool is_new = std::none_of(kernels.begin(), kernels.end(), [fact](const StoredFact* known) {
            return known->fact.kernel_name == fact->fact.kernel_name;
        });
        if (match.process->pid == kUnknownPid && fact->fact.kind == FactKind::fault_kernel && is_new) {
            kernels.push_back(fact);
        }
    }
    return kernels;
}

/// The launch line and, where its task id was not final yet, the submit line that gave it.
void add_kernel_evidence(OperatorAnswer& answer, const StoredFact& kernel, const TaskMap::Contents& map) {
    answer.evidence.push_back(evidence_of(kernel, map));
    if (kernel.submit) {
        answer.evidence.push_back(evidence_of(kernel, *kernel.submit, map));
    }
}

/// Whether the kernel is that of a node. Where the line was cut inside the kernel's name, it holds the begin of it.
bool is_kernel_of(const StoredFact& kernel, const std::string& node) {
    const std::optional<std::string> begin =
        kernel.fact.name_cut ? decode_kernel_name(kernel.fact.kernel_name).node : std::nullopt;
    return kernel_is_of_node(kernel.fact.kernel_name, node) || (begin && node.compare(0, begin->size(), *begin) == 0);
}

/// Gives each answer the kernel; where several operators are named, the one whose kernel it is comes first.
void add_kernel(std::vector<OperatorAnswer>& answers, const StoredFact& kernel, const TaskMap::Contents& map) {
    const auto is_its = [&kernel](const OperatorAnswer& answer) {
        return answer.name && is_kernel_of(kernel, *answer.name);
    };
    if (answers.size() > 1) {  // else it asks for memory all the same
        std::stable_partition(answers.begin(), answers.end(), is_its);
    }
    for (OperatorAnswer& answer : answers) {
        if (answers.size() == 1 || is_its(answer)) {
            answer.kernel = kernel.fact.kernel_name;
            answer.type = answer.type ? answer.type : decode_kernel_name(kernel.fact.kernel_name).operator_type;
            add_kernel_evidence(answer, kernel, map);
        }
    }
    if (answers.size() > 1 && is_its(answers[0]) && !is_its(answers[1])) {
        answers.resize(1);  // the kernel's name decides between the lines
    }
}

/// A task that overflowed may also have failed: then the failure's own messages say more than the status does.
void remark_failure(const Facts& facts, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    for (const StoredFact* fact : facts) {
        const bool names_failed =
            fact->fact.kind == FactKind::operator_of_task && statement_of(fact->fact) == Statement::failure;
        if (names_failed || fact->fact.kind == FactKind::fault_kernel) {
            diagnostics.push_back(
                {Severity::warning, "task_failed",
                 fmt::format("the log also reports that this task failed ({}:{}): look at the errors around that "
                             "line as well",
                             map.files[fact->place.file], fact->place.line)});
            return;
        }
    }
}

/// Of lines that count less: the same operator's are further proof and may tell its type; another name is said.
void add_further(std::vector<OperatorAnswer>& answers, const std::vector<OperatorAnswer>& further,
                 std::vector<Diagnostic>& diagnostics) {
    constexpr std::size_t kMostRemarks = 8;
    if (further.empty()) {
        return;
    }
    std::map<std::optional<std::string>, OperatorAnswer*> by_name;
    for (OperatorAnswer& answer : answers) {
        by_name.try_emplace(answer.name, &answer);
    }
    std::size_t others = 0;
    for (const OperatorAnswer& said : further) {
        const auto known = by_name.find(said.name);
        if (known == by_name.end()) {
            if (++others > kMostRemarks) {
                continue;
            }
            diagnostics.push_back({Severity::warning, "sources_disagree",
                                   fmt::format("{}:{} names operator {} for the same ids; it is not taken, for the "
                                               "lines that name {} count more (device logs have a clock of their own, "
                                               "reports on failures and traces come after GE's table of tasks)",
                                               said.evidence.front().file, said.evidence.front().line.value_or(0),
                                               *said.name, answers.front().name.value_or("its kernel"))});
            continue;
        }
        OperatorAnswer& same = *known->second;
        same.type = same.type ? same.type : said.type;
        same.evidence.insert(same.evidence.end(), said.evidence.begin(), said.evidence.end());
    }
}

Facts facts_of(const Facts& facts, Statement statement) {
    Facts chosen;
    std::copy_if(facts.begin(), facts.end(), std::back_inserter(chosen),
                 [statement](const StoredFact* fact) { return statement_of(fact->fact) == statement; });
    return chosen;
}

/// What the lines of one kind say.
struct Said {
    Statement statement = Statement::graph_task;
    std::vector<OperatorAnswer> answers;
};

/// Whether lines that count less than the launch name other operators than the kernel's name does. A device log, whose
/// time cannot be compared, then speaks of another use of the ids; the line of a failure may have lost its own launch.
bool is_of_other_use(const Said& said, const StoredFact& kernel) {
    const bool is_launch = kernel.fact.kind == FactKind::kernel_of_task;
    // Asked of the statement: as evidence a line of a device log is one of the map where that was saved.
    const bool counts_less =
        (said.statement == Statement::failure && is_launch) || said.statement == Statement::device_table;
    if (!counts_less || said.answers.empty()) {
        return false;
    }
    const KernelName decoded = decode_kernel_name(kernel.fact.kernel_name);
    return std::all_of(said.answers.begin(), said.answers.end(), [&](const OperatorAnswer& answer) {
        return (decoded.node && answer.name && !is_kernel_of(kernel, *answer.name)) ||
               (decoded.operator_type && answer.type && decoded.operator_type != answer.type);
    });
}

/// What each kind of line says that says something, in the order in which they count. The device's table holds for
/// tasks of models; for a single execution, whose ids are used again and again, it counts behind all that has a time of
/// the host's clock, but before the lines of failures.
std::vector<Said> said_in_order(const TaskMatch& match, const Facts& device, const FullNames& names,
                                const TaskQuery& query, const TaskMap::Contents& map) {
    const Facts host = operator_facts(match.use.facts, query);
    std::vector<Said> said;
    const auto add = [&said](Statement statement, std::vector<OperatorAnswer> answers) {
        if (!answers.empty()) {  // most kinds say nothing
            said.push_back({statement, std::move(answers)});
        }
    };
    const auto add_host = [&](Statement statement) {
        add(statement, answers_by_name(facts_of(host, statement), names, map));
    };
    const auto add_device = [&] {
        add(Statement::device_table, device_answers(facts_of(device, Statement::device_table), names, map));
    };
    add_host(Statement::graph_task);
    add_host(Statement::device_table);
    if (match.use.persistent) {
        add_device();
    }
    add_host(Statement::execution_trace);
    add_host(Statement::exception_info);
    add_host(Statement::single_operator);
    if (!match.use.persistent) {
        add_device();
    }
    add_host(Statement::failure);
    return said;
}

/// Only the operator's type stands in the lines.
std::vector<OperatorAnswer> typed_answers(const Facts& facts, const TaskMap::Contents& map) {
    std::vector<OperatorAnswer> answers;
    for (const StoredFact* fact : facts) {
        const auto is_same = [fact](const OperatorAnswer& a) { return a.type == fact->fact.operator_type; };
        if (!fact->fact.operator_type.empty() && std::none_of(answers.begin(), answers.end(), is_same)) {
            OperatorAnswer answer;
            answer.type = fact->fact.operator_type;
            answer.confidence = Confidence::type;
            answer.evidence.push_back(evidence_of(*fact, map));
            answers.push_back(std::move(answer));
        }
    }
    return answers;
}

/// A type without a name completes the one answer that has none.
void add_type(std::vector<OperatorAnswer>& answers, const std::vector<OperatorAnswer>& typed) {
    if (answers.size() == 1 && typed.size() == 1 && !answers.front().type) {
        answers.front().type = typed.front().type;
        answers.front().evidence.push_back(typed.front().evidence.front());
    }
}

}  // namespace

OperatorAnswer answer_from_kernel(const StoredFact& kernel, const logs::Process& process, const TaskMap::Contents& map,
                                  std::vector<Diagnostic>& diagnostics) {
    OperatorAnswer answer;
    const KernelName decoded = decode_kernel_name(kernel.fact.kernel_name);
    answer.name = decoded.node;
    for (const std::string_view node : possible_nodes(kernel.fact.kernel_name)) {
        if (!logs::begins_with_number(node)) {
            continue;  // the most likely name, taken already: lines that name it on other tasks may not have been read
        }
        const logs::Places lines = map.index().facts_naming_operator(process, node);
        const auto names_it = [&process, node](std::uint32_t place) {
            return process.facts[place].fact.operator_name == node;
        };
        if (std::any_of(lines.begin(), lines.end(), names_it)) {
            answer.name = std::string(node);
        }
    }
    answer.type = decoded.operator_type;
    answer.kernel = kernel.fact.kernel_name;
    answer.confidence = Confidence::kernel;
    add_kernel_evidence(answer, kernel, map);
    if (const auto function = demangled(kernel.fact.kernel_name)) {
        diagnostics.push_back({Severity::info, "kernel_demangled",
                               fmt::format("the kernel {} is the C++ function {}", *answer.kernel, *function)});
    }
    return answer;
}

std::vector<OperatorAnswer> operators_of_match(const TaskMatch& match, const Facts& device, const TaskQuery& query,
                                               const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const StoredFact* kernel = kernel_fact(match);
    std::vector<OperatorAnswer> answers;
    std::vector<OperatorAnswer> of_other_use;
    const Facts of_device = operator_facts(device, query);
    FullNames names;
    names.add(match.use.facts);
    names.add(of_device);
    for (Said& said : said_in_order(match, of_device, names, query, map)) {
        if (answers.empty() && kernel != nullptr && is_of_other_use(said, *kernel)) {
            std::move(said.answers.begin(), said.answers.end(), std::back_inserter(of_other_use));
        } else if (answers.empty()) {
            answers = std::move(said.answers);
        } else {
            add_further(answers, said.answers, diagnostics);
        }
    }
    Facts shown = match.use.facts;
    shown.insert(shown.end(), of_device.begin(), of_device.end());
    names.remark(shown, diagnostics);
    remark_failure(match.use.facts, map, diagnostics);
    if (answers.empty() && kernel != nullptr) {
        for (const StoredFact* possible : possible_kernels(match, *kernel)) {
            answers.push_back(answer_from_kernel(*possible, *match.process, map, diagnostics));
        }
    } else if (!answers.empty() && kernel != nullptr && answers.front().confidence == Confidence::exact) {
        add_kernel(answers, *kernel, map);
    }
    if (!answers.empty()) {
        add_further(answers, of_other_use, diagnostics);
    }
    const std::vector<OperatorAnswer> typed =
        typed_answers(facts_of(operator_facts(match.use.facts, query), Statement::only_type), map);
    if (answers.empty()) {
        answers = typed;
    } else {
        add_type(answers, typed);
    }
    if (answers.empty()) {
        explain_other_task(match.use.facts, query, map, diagnostics);
    }
    return answers;
}

std::vector<OperatorAnswer> operators_of_device(const Facts& device, const TaskQuery& query,
                                                const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const Facts facts = operator_facts(device, query);
    FullNames names;
    names.add(facts);
    names.remark(facts, diagnostics);
    std::vector<OperatorAnswer> answers = device_answers(facts_of(facts, Statement::device_table), names, map);
    if (answers.empty()) {
        answers = typed_answers(facts_of(facts, Statement::only_type), map);
    }
    if (answers.empty()) {
        explain_other_task(device, query, map, diagnostics);
    }
    return answers;
}

}  // namespace opdebug::locate_stage
