#include "locate/operator_from_logs.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "locate/kernel_name.hpp"
#include "locate/reasons.hpp"

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
                  std::vector<std::string>& formats) {
    if (std::find(formats.begin(), formats.end(), fact.fact.format_id) == formats.end()) {
        formats.push_back(fact.fact.format_id);
        answer.evidence.push_back(evidence_of(fact, map));
    }
}

/// One answer per operator name, in the order in which the lines name them.
std::vector<OperatorAnswer> answers_by_name(const Facts& facts, const TaskMap::Contents& map) {
    std::vector<OperatorAnswer> answers;
    std::vector<std::vector<std::string>> formats;
    for (const StoredFact* fact : facts) {
        auto same = std::find_if(answers.begin(), answers.end(),
                                 [fact](const OperatorAnswer& a) { return a.name == fact->fact.operator_name; });
        if (same == answers.end()) {
            answers.emplace_back();
            formats.emplace_back();
            same = answers.end() - 1;
            same->name = fact->fact.operator_name;
        }
        if (!same->type && !fact->fact.operator_type.empty()) {
            same->type = fact->fact.operator_type;
        }
        add_evidence(*same, *fact, map, formats[static_cast<std::size_t>(same - answers.begin())]);
    }
    return answers;
}

/// Device logs name the producers of an operator's inputs under the operator's own ids, in lines without a type; where
/// other lines give a type, those names are not the operator's (seen in a real log of 2021: "data" beside a TransData).
std::vector<OperatorAnswer> device_answers(const Facts& facts, const TaskMap::Contents& map) {
    std::vector<OperatorAnswer> answers = answers_by_name(facts, map);
    const auto has_type = [](const OperatorAnswer& answer) { return answer.type.has_value(); };
    if (std::any_of(answers.begin(), answers.end(), has_type)) {
        answers.erase(std::remove_if(answers.begin(), answers.end(), std::not_fn(has_type)), answers.end());
    }
    return answers;
}

/// The line that names the task's kernel: a launch line, or the line of a failure when there is no other.
const StoredFact* kernel_fact(const Facts& facts) {
    const StoredFact* chosen = nullptr;
    for (const StoredFact* fact : facts) {
        if (fact->fact.kind == FactKind::kernel_of_task) {
            return fact;
        }
        if (fact->fact.kind == FactKind::fault_kernel && chosen == nullptr) {
            chosen = fact;
        }
    }
    return chosen;
}

/// The launch line and, where its task id was not final yet, the submit line that gave it.
void add_kernel_evidence(OperatorAnswer& answer, const StoredFact& kernel, const TaskMap::Contents& map) {
    answer.evidence.push_back(evidence_of(kernel, map));
    if (kernel.submit) {
        answer.evidence.push_back(evidence_of(kernel, *kernel.submit, map));
    }
}

OperatorAnswer answer_from_kernel(const StoredFact& kernel, const TaskMap::Contents& map) {
    OperatorAnswer answer;
    const KernelName decoded = decode_kernel_name(kernel.fact.kernel_name);
    answer.name = decoded.node;
    answer.type = decoded.operator_type;
    answer.kernel = kernel.fact.kernel_name;
    answer.confidence = Confidence::kernel;
    add_kernel_evidence(answer, kernel, map);
    return answer;
}

/// Gives each answer the kernel; where several operators are named, the one whose kernel it is comes first.
void add_kernel(std::vector<OperatorAnswer>& answers, const StoredFact& kernel, const TaskMap::Contents& map) {
    const auto is_its = [&kernel](const OperatorAnswer& answer) {
        return kernel_is_of_node(kernel.fact.kernel_name, *answer.name);
    };
    std::stable_partition(answers.begin(), answers.end(), is_its);
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
        if (fact->fact.kind == FactKind::fault_kernel) {
            diagnostics.push_back(
                {Severity::warning, "task_failed",
                 fmt::format("the log also reports that this task failed ({}:{}): look at the errors around that "
                             "line as well",
                             map.files[fact->place.file], fact->place.line)});
            return;
        }
    }
}

/// Lines end at 1022 bytes: a name that touches the end may go on.
void remark_cut_names(const Facts& facts, std::vector<Diagnostic>& diagnostics) {
    for (const StoredFact* fact : facts) {
        if (fact->fact.name_cut) {
            diagnostics.push_back(
                {Severity::warning, "name_truncated",
                 "a line that names the operator or kernel was cut at its length limit inside the name: the name "
                 "shown may go on"});
            return;
        }
    }
}

/// A device line that names the same operator gives its type and is further proof; another name is said, not hidden.
void add_device_facts(std::vector<OperatorAnswer>& answers, const Facts& device, const TaskMap::Contents& map,
                      std::vector<Diagnostic>& diagnostics) {
    for (const OperatorAnswer& said : device_answers(device, map)) {
        const auto same = std::find_if(answers.begin(), answers.end(),
                                       [&said](const OperatorAnswer& a) { return a.name == said.name; });
        if (same == answers.end()) {
            diagnostics.push_back(
                {Severity::warning, "sources_disagree",
                 fmt::format("a device log names operator {} for the same ids ({}:{}); host logs are preferred, device "
                             "processes have "
                             "clocks of their own",
                             *said.name, said.evidence.front().file, said.evidence.front().line.value_or(0))});
            continue;
        }
        same->type = same->type ? same->type : said.type;
        same->evidence.insert(same->evidence.end(), said.evidence.begin(), said.evidence.end());
    }
}

}  // namespace

std::vector<OperatorAnswer> operators_of_match(const TaskMatch& match, const Facts& device, const TaskQuery& query,
                                               const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const Facts on_device = operator_facts(device, query);
    std::vector<OperatorAnswer> answers = answers_by_name(operator_facts(match.use.facts, query), map);
    const StoredFact* kernel = kernel_fact(match.use.facts);
    if (answers.empty() && !on_device.empty()) {
        answers = device_answers(on_device, map);
    } else if (!answers.empty()) {
        add_device_facts(answers, on_device, map, diagnostics);
    }
    remark_cut_names(match.use.facts, diagnostics);
    remark_failure(match.use.facts, map, diagnostics);
    if (!answers.empty() && kernel != nullptr) {
        add_kernel(answers, *kernel, map);
    } else if (kernel != nullptr) {
        answers.push_back(answer_from_kernel(*kernel, map));
    } else if (answers.empty()) {
        explain_other_task(match.use.facts, query, map, diagnostics);
    }
    return answers;
}

std::vector<OperatorAnswer> operators_of_device(const Facts& device, const TaskQuery& query,
                                                const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    std::vector<OperatorAnswer> answers = device_answers(operator_facts(device, query), map);
    if (answers.empty()) {
        explain_other_task(device, query, map, diagnostics);
    }
    return answers;
}

}  // namespace opdebug::locate_stage
