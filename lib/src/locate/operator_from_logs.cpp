#include "locate/operator_lines.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>

#include "locate/answers.hpp"
#include "locate/kernel_name.hpp"
#include "logs/lookup/map_index.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::FactKind;
using logs::StoredFact;

/// Adds lines that count less: they give the same operator evidence and a missing type; a remark reports another name.
void add_further(std::vector<OperatorAnswer>& answers, const std::vector<OperatorAnswer>& further, const Lookup& lookup,
                 Diagnostics& diagnostics) {
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
            lookup.remark(diagnostics, "sources_disagree.lesser_line",
                          {{"file", said.evidence.front().file},
                           {"line", said.evidence.front().line.value_or(0)},
                           {"operator", *said.name},
                           {"best", answers.front().name.value_or("its kernel")}});
            continue;
        }
        OperatorAnswer& same = *known->second;
        same.type = same.type ? same.type : said.type;
        same.evidence.insert(same.evidence.end(), said.evidence.begin(), said.evidence.end());
    }
}

/// What the lines of one kind state.
struct Said {
    Statement statement = Statement::graph_task;
    std::vector<OperatorAnswer> answers;
};

/// Whether lines that count less than the launch name other operators than the kernel's name does. A device log, whose
/// time cannot be compared, then speaks of another use of the ids; the line of a failure may have lost its own launch.
bool is_of_other_use(const Said& said, const StoredFact& kernel) {
    const bool is_launch = kernel.fact.kind == FactKind::kernel_of_task;
    // Compares the statement: as evidence, a line of a device log is one of the map where that was saved.
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

/// What each kind of line states, in order of weight. The device's table holds for tasks of models. Single executions
/// use their ids again and again: for them the table ranks below all lines with a time of the host's clock, but above
/// the lines of failures.
std::vector<Said> said_in_order(bool is_persistent, const Facts& host, const Facts& device, const FullNames& names,
                                const Lookup& lookup) {
    std::vector<Said> said;
    const auto add = [&said](Statement statement, std::vector<OperatorAnswer> answers) {
        if (!answers.empty()) {  // most kinds state nothing
            said.push_back({statement, std::move(answers)});
        }
    };
    const auto add_host = [&](Statement statement) {
        add(statement, answers_by_name(facts_of(host, statement), names, lookup));
    };
    const auto add_device = [&] {
        add(Statement::device_table, device_answers(facts_of(device, Statement::device_table), names, lookup));
    };
    add_host(Statement::graph_task);
    add_host(Statement::device_table);
    if (is_persistent) {
        add_device();
    }
    add_host(Statement::execution_trace);
    add_host(Statement::exception_info);
    add_host(Statement::single_operator);
    if (!is_persistent) {
        add_device();
    }
    add_host(Statement::failure);
    return said;
}

/// Whether the lines on the operator have a type that is not the kernel's: a launch or submit line in between is lost.
bool is_of_other_type(const std::vector<OperatorAnswer>& answers, const StoredFact& kernel) {
    const std::optional<std::string> type = decode_kernel_name(kernel.fact.kernel_name).operator_type;
    return type && std::all_of(answers.begin(), answers.end(), [&](const OperatorAnswer& answer) {
               return answer.type && answer.type != type && answer.name && !is_kernel_of(kernel, *answer.name);
           });
}

void remark_other_type(const OperatorAnswer& best, const StoredFact& kernel, const Lookup& lookup,
                       Diagnostics& diagnostics) {
    lookup.remark(diagnostics, "sources_disagree.type",
                  {{"line", lookup.at(kernel.place)},
                   {"kernel", kernel.fact.kernel_name},
                   {"operator", best.name.value_or("?")},
                   {"type", *best.type}});
}

/// A model's task is sent with one kernel. Another one later on: lines on the end of the model and on the next model
/// with these ids are lost. Null: the launches name one kernel.
const StoredFact* other_launch(const Candidate& candidate) {
    const StoredFact* first = nullptr;
    for (const StoredFact* fact : candidate.use.facts) {
        if (fact->fact.kind != FactKind::kernel_of_task || fact->fact.name_cut || fact->fact.context_id) {
            continue;
        }
        first = first == nullptr ? fact : first;
        if (fact->fact.kernel_name != first->fact.kernel_name) {
            return fact;
        }
    }
    return nullptr;
}

/// A type without a name completes the one answer that has none.
void add_type(std::vector<OperatorAnswer>& answers, const std::vector<OperatorAnswer>& typed) {
    if (answers.size() == 1 && typed.size() == 1 && !answers.front().type) {
        answers.front().type = typed.front().type;
        answers.front().evidence.push_back(typed.front().evidence.front());
    }
}

}  // namespace

bool may_be_one(const OperatorAnswer& log, const OperatorAnswer& other) {
    if (log.name && other.name) {
        const std::string name = name_in_files(*other.name);
        return name_in_files(*log.name) == name || (log.kernel && kernel_is_of_node(name_in_files(*log.kernel), name));
    }
    return !log.type || !other.type || log.type == other.type;
}

std::vector<OperatorAnswer> operators_of_candidate(const Candidate& candidate, const Facts& device,
                                                   const Lookup& lookup, Diagnostics& diagnostics) {
    if (candidate.use.facts.empty()) {
        return operators_of_device(device, lookup, diagnostics);
    }
    const StoredFact* kernel = kernel_fact(candidate);
    std::vector<OperatorAnswer> answers;
    std::vector<OperatorAnswer> of_other_use;
    Facts of_host = operator_facts(candidate.use.facts, lookup.query);
    Facts of_device = operator_facts(device, lookup.query);
    FullNames names;
    names.add(candidate.use.facts);
    names.add(of_device);
    if (candidate.use.persistent &&
        is_of_contexts(of_host)) {  // else the device's lines may be of another use of the ids
        const Said by_device{Statement::device_table, device_answers(of_device, names, lookup)};
        if (kernel == nullptr || !is_of_other_use(by_device, *kernel)) {
            keep_fitting_contexts(of_host, of_device, lookup.query);
        }
    }
    for (Said& said : said_in_order(candidate.use.persistent, of_host, of_device, names, lookup)) {
        if (answers.empty() && kernel != nullptr && is_of_other_use(said, *kernel)) {
            std::move(said.answers.begin(), said.answers.end(), std::back_inserter(of_other_use));
        } else if (answers.empty()) {
            answers = std::move(said.answers);
        } else {
            add_further(answers, said.answers, lookup, diagnostics);
        }
    }
    Facts shown = candidate.use.facts;
    shown.insert(shown.end(), of_device.begin(), of_device.end());
    names.remark(shown, lookup, diagnostics);
    remark_failure(*candidate.process, candidate.use.facts, candidate.time_us, lookup, diagnostics);
    if (answers.empty() && kernel != nullptr) {
        for (const StoredFact* possible : possible_kernels(candidate, *kernel)) {
            answers.push_back(answer_from_kernel(*possible, lookup, diagnostics));
        }
    } else if (!answers.empty() && kernel != nullptr && is_of_other_type(answers, *kernel)) {
        remark_other_type(answers.front(), *kernel, lookup, diagnostics);
        lower_to_type(answers);
    } else if (!answers.empty() && kernel != nullptr && answers.front().confidence == Confidence::exact) {
        add_kernel(answers, *kernel, lookup);
        remark_kernel_of_other(answers, *kernel, names, lookup, diagnostics);
    }
    const auto whole = std::find_if(of_host.begin(), of_host.end(),
                                    [](const StoredFact* fact) { return names_whole_task(fact->fact); });
    if (lookup.query.context_id && whole != of_host.end() && !answers.empty() &&
        answers.front().name == names.operator_of((*whole)->fact)) {
        lookup.remark(diagnostics, "context_unnamed",
                      {{"context", *lookup.query.context_id}, {"operator", *answers.front().name}});
        answers.front().confidence = Confidence::type;
    }
    const bool is_exact = !answers.empty() && answers.front().confidence == Confidence::exact;
    const StoredFact* const other = candidate.use.persistent && is_exact ? other_launch(candidate) : nullptr;
    if (other != nullptr) {
        lookup.remark(diagnostics, "launches_differ",
                      {{"line", lookup.at(other->place)}, {"kernel", other->fact.kernel_name}});
        answers.front().confidence = Confidence::type;
    }
    if (!answers.empty()) {
        add_further(answers, of_other_use, lookup, diagnostics);
    }
    const std::vector<OperatorAnswer> typed =
        typed_answers(facts_of(operator_facts(candidate.use.facts, lookup.query), Statement::only_type), lookup);
    if (answers.empty()) {
        answers = typed;
    } else {
        add_type(answers, typed);
    }
    if (answers.empty()) {
        explain_other_task(candidate.use.facts, lookup, diagnostics);
    }
    return answers;
}

std::vector<OperatorAnswer> operators_of_device(const Facts& device, const Lookup& lookup, Diagnostics& diagnostics) {
    const Facts facts = operator_facts(device, lookup.query);
    FullNames names;
    names.add(facts);
    names.remark(facts, lookup, diagnostics);
    std::vector<OperatorAnswer> answers = device_answers(facts_of(facts, Statement::device_table), names, lookup);
    if (answers.empty()) {
        answers = answers_by_name(facts_of(facts, Statement::failure), names, lookup);
        for (OperatorAnswer& answer : answers) {
            answer.confidence = Confidence::kernel;  // AI CPU kernels name themselves, mostly by their type
        }
    }
    if (answers.empty()) {
        answers = typed_answers(facts_of(facts, Statement::only_type), lookup);
    }
    if (answers.empty()) {
        explain_other_task(device, lookup, diagnostics);
    }
    return answers;
}

}  // namespace opdebug::locate_stage
