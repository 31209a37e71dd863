#include "locate/operator_lines.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include "locate/candidates.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::FactKind;
using logs::StoredFact;

/// FFTS+: one (stream, task) holds many operators; context and thread choose, where both sides have them.
bool context_fits(const StoredFact& fact, const TaskQuery& query) {
    return (!fact.fact.context_id || !query.context_id || fact.fact.context_id == query.context_id) &&
           (!fact.fact.thread_id || !query.thread_id || fact.fact.thread_id == query.thread_id);
}

bool names_context(const StoredFact& fact, const TaskQuery& query) {
    return query.context_id && fact.fact.context_id == query.context_id;
}

bool is_on_whole_task(const StoredFact* fact) {
    return names_whole_task(fact->fact);
}

/// Debug and run log repeat lines: one line of each format is enough evidence.
void add_evidence(OperatorAnswer& answer, const StoredFact& fact, const Lookup& lookup,
                  std::vector<std::string_view>& formats) {
    if (std::find(formats.begin(), formats.end(), fact.fact.format_id) == formats.end()) {
        formats.push_back(fact.fact.format_id);
        lookup.prove(fact, answer.evidence);
    }
}

/// The list of dumps names the producers of a task's inputs in the same way as its operator. So it only supports a name
/// that another line gives; where no line does, each of its names may be the operator's.
void add_dumped(const Facts& facts, Facts& chosen) {
    const auto is_dumped = [](const StoredFact* fact) { return fact->fact.kind == FactKind::dumped_with_task; };
    if (std::none_of(facts.begin(), facts.end(), is_dumped)) {
        return;  // as nearly always: a set requests memory
    }
    std::set<std::string_view> names;
    for (const StoredFact* fact : chosen) {
        names.insert(fact->fact.operator_name);
    }
    names.erase("");  // of lines that have the type alone
    std::copy_if(facts.begin(), facts.end(), std::back_inserter(chosen), [&](const StoredFact* fact) {
        return is_dumped(fact) && (names.empty() || names.count(fact->fact.operator_name) != 0);
    });
}

}  // namespace

Facts operator_facts(const Facts& facts, const TaskQuery& query) {
    Facts chosen;
    for (const StoredFact* fact : facts) {
        if (fact->fact.kind == FactKind::operator_of_task && context_fits(*fact, query)) {
            chosen.push_back(fact);
        }
    }
    const auto has_context = [&query](const StoredFact* fact) { return names_context(*fact, query); };
    if (std::any_of(chosen.begin(), chosen.end(), has_context)) {
        std::erase_if(chosen, [&](const StoredFact* fact) { return !has_context(fact); });
    }
    if (!query.context_id) {
        std::stable_partition(chosen.begin(), chosen.end(), is_on_whole_task);
    }
    add_dumped(facts, chosen);
    return chosen;
}

bool is_of_contexts(const Facts& facts) {
    return std::any_of(facts.begin(), facts.end(), is_on_whole_task);
}

void keep_fitting_contexts(Facts& host, Facts& device, const TaskQuery& query) {
    const auto is_on_context = [&query](const StoredFact* fact) { return names_context(*fact, query); };
    if (std::any_of(device.begin(), device.end(), is_on_context)) {
        std::erase_if(host, is_on_whole_task);
    } else if (!query.context_id) {
        std::set<std::string_view> of_host;
        for (const StoredFact* fact : host) {
            of_host.insert(fact->fact.operator_name);
        }
        const auto is_part = [&of_host](const StoredFact* fact) {
            return fact->fact.context_id && of_host.count(fact->fact.operator_name) == 0;
        };
        std::erase_if(device, is_part);
    }
}

Facts facts_of(const Facts& facts, Statement statement) {
    Facts chosen;
    std::copy_if(facts.begin(), facts.end(), std::back_inserter(chosen),
                 [statement](const StoredFact* fact) { return statement_of(fact->fact) == statement; });
    return chosen;
}

std::vector<OperatorAnswer> answers_by_name(const Facts& facts, const FullNames& names, const Lookup& lookup) {
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
        add_evidence(answer, *fact, lookup, formats[place->second]);
    }
    return answers;
}

std::vector<OperatorAnswer> device_answers(const Facts& facts, const FullNames& names, const Lookup& lookup) {
    std::vector<OperatorAnswer> answers = answers_by_name(facts, names, lookup);
    const auto has_type = [](const OperatorAnswer& answer) { return answer.type.has_value(); };
    if (std::any_of(answers.begin(), answers.end(), has_type)) {
        std::erase_if(answers, std::not_fn(has_type));
    }
    return answers;
}

std::vector<OperatorAnswer> typed_answers(const Facts& facts, const Lookup& lookup) {
    std::vector<OperatorAnswer> answers;
    for (const StoredFact* fact : facts) {
        const auto is_same = [fact](const OperatorAnswer& a) { return a.type == fact->fact.operator_type; };
        if (!fact->fact.operator_type.empty() && std::none_of(answers.begin(), answers.end(), is_same)) {
            OperatorAnswer answer;
            answer.type = fact->fact.operator_type;
            answer.confidence = Confidence::type;
            answer.evidence.push_back(lookup.evidence(*fact));
            answers.push_back(std::move(answer));
        }
    }
    return answers;
}

namespace {

constexpr std::array<StatementRow, 13> kRows{{{"ge.kernel_trace", Statement::execution_trace},
                                              {"ge.save_exception", Statement::exception_info},
                                              {"ge.find_exception", Statement::exception_info},
                                              {"ge.aic_info", Statement::exception_info},
                                              {"ge.tracked_fault", Statement::exception_info},
                                              {"ge.launch_dump", Statement::single_operator},
                                              {"adump.node", Statement::exception_info},
                                              {"aclnn.exception", Statement::exception_info},
                                              {"mindspore.dumped", Statement::single_operator},
                                              {"mindspore.dump", Statement::graph_task},
                                              {"mindspore.", Statement::exception_info},
                                              {"device.aicpu_", Statement::failure},
                                              {"runtime.fault_", Statement::failure}}};

}  // namespace

std::span<const StatementRow> statement_rows() noexcept {
    return kRows;
}

Statement statement_of(const logs::Fact& fact) noexcept {
    if (fact.operator_name.empty()) {
        return Statement::only_type;
    }
    for (const StatementRow& row : kRows) {
        if (std::string_view(fact.format_id).starts_with(row.id_begins_with)) {
            return row.statement;
        }
    }
    switch (fact.log) {
        case logs::LogKind::ge_log: return Statement::graph_task;
        case logs::LogKind::device_log: return Statement::device_table;
        case logs::LogKind::runtime_log: return Statement::single_operator;
    }
    return Statement::only_type;
}

bool names_whole_task(const logs::Fact& fact) noexcept {
    return fact.format_id == "ge.ffts_plus_distribute";
}

namespace {

/// In the lines that have both, the type follows the name: then the type was cut.
bool has_cut_operator(const logs::Fact& fact) noexcept {
    return fact.kind == FactKind::operator_of_task && fact.name_cut && fact.operator_type.empty();
}

}  // namespace

void FullNames::add(const std::vector<const StoredFact*>& facts) {
    for (const StoredFact* stored : facts) {
        if (stored->fact.kind == FactKind::operator_of_task) {
            (has_cut_operator(stored->fact) ? cut_names_ : names_).insert(stored->fact.operator_name);
        }
    }
}

/// Lines with more text before the name lose more of it. Where names differ after `name` it may be either.
std::string_view FullNames::longest_cut(std::string_view name) const {
    std::string_view longest = name;
    for (auto next = cut_names_.lower_bound(name); next != cut_names_.end() && next->starts_with(name); ++next) {
        if (!next->starts_with(longest)) {
            return name;
        }
        longest = *next;
    }
    return longest;
}

std::string_view FullNames::operator_of(const logs::Fact& fact) const {
    const std::string_view name = fact.operator_name;
    if (!has_cut_operator(fact)) {
        return name;
    }
    const auto full = names_.lower_bound(name);
    const bool is_one = full != names_.end() && full->starts_with(name) &&
                        (std::next(full) == names_.end() || !std::next(full)->starts_with(name));
    return is_one ? *full : longest_cut(name);
}

void FullNames::remark(const Facts& facts, const Lookup& lookup, Diagnostics& diagnostics) const {
    const bool is_cut = std::any_of(facts.begin(), facts.end(), [this](const StoredFact* stored) {
        const logs::Fact& fact = stored->fact;
        return fact.name_cut && (!has_cut_operator(fact) || names_.count(operator_of(fact)) == 0);
    });
    if (is_cut) {
        lookup.remark(diagnostics, "name_truncated");
    }
}

}  // namespace opdebug::locate_stage
