#include "locate/answers.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "locate/candidates.hpp"
#include "locate/kernel_name.hpp"
#include "locate/operator_lines.hpp"
#include "logs/lookup/devices.hpp"
#include "logs/lookup/map_index.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

/// Counts only when no others show what the task is.
void exclude_unsure(TaskSearch& search, std::string_view row, bool (*is_unsure)(const Candidate&)) {
    if (std::any_of(search.candidates.begin(), search.candidates.end(), [&](const Candidate& candidate) {
            return !is_unsure(candidate) && (!candidate.operators.empty() || candidate.is_explained);
        })) {
        exclude_if(search, row, is_unsure);
    }
}

Agreement fit_of_device_line(const std::vector<OperatorAnswer>& host, const std::vector<OperatorAnswer>& device) {
    if (device.empty() || host.empty()) {
        return Agreement::unknown;
    }
    const bool is_its = std::any_of(device.begin(), device.end(), [&host](const OperatorAnswer& said) {
        return std::any_of(host.begin(), host.end(), [&said](const auto& answer) { return may_be_one(answer, said); });
    });
    return is_its ? Agreement::agrees : Agreement::contradicts;
}

Agreement fit_of_model_name(const Dump& dump, const std::optional<LocatedModel>& model) {
    const PathIds& path = dump.path_ids;
    if (!path.time || !path.model_name || !path.model_id || !model || !model->name) {
        return Agreement::unknown;
    }
    return names_other_model(dump, model) ? Agreement::contradicts : Agreement::agrees;
}

/// The row that puts one answer before or after another; null: none does.
const RankRow* row_between(const Candidate& a, const Candidate& b) {
    const auto row = std::find_if(rank_rows().begin(), rank_rows().end(),
                                  [&](const RankRow& each) { return each.value(a.fit) != each.value(b.fit); });
    return row == rank_rows().end() ? nullptr : &*row;
}

bool ranks_before(const Candidate& a, const Candidate& b) {
    const RankRow* row = row_between(a, b);
    return row != nullptr && row->value(a.fit) < row->value(b.fit);
}

/// Excludes what a row that decides puts after the best one.
void decide(TaskSearch& search) {
    std::vector<Candidate>& candidates = search.candidates;
    for (const RankRow& row : rank_rows()) {
        constexpr auto kAgrees = static_cast<std::int64_t>(Agreement::agrees);
        if (row.weight != Weight::decides || candidates.size() < 2 || row.value(candidates.front().fit) != kAgrees) {
            continue;
        }
        const bool needs_all = row.name == std::string_view("device line");
        exclude_if(search, row.name, [&](const Candidate& candidate) {
            return row.value(candidate.fit) > (needs_all ? kAgrees : static_cast<std::int64_t>(Agreement::unknown));
        });
    }
    for (std::size_t i = 1; i < candidates.size(); ++i) {
        const RankRow* row = row_between(candidates[i - 1], candidates[i]);
        candidates[i].row = row == nullptr ? std::string_view() : row->name;
        const RankRow* to_best = row_between(candidates.front(), candidates[i]);
        candidates[i].is_tied = to_best == nullptr || to_best->weight == Weight::orders;
    }
}

/// Another use is possible of which no line names what it runs: of the ids, or of the stream for the record's model.
void remark_unnamed_use(std::vector<Candidate>& candidates, const Lookup& lookup) {
    Candidate& best = candidates.front();
    const bool is_known = best.fit.device == Agreement::agrees || best.fit.folder == Agreement::agrees ||
                          best.fit.device_line == Agreement::agrees || best.fit.host == Agreement::agrees;
    const auto other = std::find_if(candidates.begin() + 1, candidates.end(), [&](const Candidate& candidate) {
        const Fit& fit = candidate.fit;
        const bool is_rival = fit.has_lines ? candidate.use.span.begin >= best.use.span.begin
                                            : !is_known && fit.model_id == Agreement::agrees && fit.is_at_best_offset &&
                                                  fit.model_name != Agreement::contradicts;
        return candidate.operators.empty() && fit.device <= best.fit.device && is_rival;
    });
    if (best.operators.empty() || other == candidates.end()) {
        return;
    }
    best.diagnostics.push_back(
        other->fit.has_lines
            ? remarks::diagnose("other_use_unnamed", {{"line", lookup.at(*other->use.facts.front())}})
            : remarks::diagnose("other_use_unnamed.model", {{"pid", other->process->pid},
                                                            {"stream", lookup.stream()},
                                                            {"line", lookup.at(*other->use.bindings.front().bound_by)},
                                                            {"task", lookup.task()}}));
}

/// Operators, model and remarks of a candidate.
void add_answer(const TaskSearch& search, const Lookup& lookup, Candidate& candidate) {
    Fit& fit = candidate.fit;
    if (!search.of_device.empty()) {
        std::vector<Diagnostic> none;
        fit.device_line = fit_of_device_line(operators_of_candidate(candidate, {}, lookup, none), search.of_device);
    }
    const DeviceLines device = lines_on_use(search.device, candidate, lookup);
    candidate.operators = operators_of_candidate(candidate, device, lookup, candidate.diagnostics);
    candidate.is_explained = candidate.operators.empty() && !candidate.diagnostics.empty();
    const OperatorAnswer* best = candidate.operators.empty() ? nullptr : &candidate.operators.front();
    candidate.model = model_of_candidate(candidate, lookup, best, candidate.diagnostics);
    add_model_of_device(device, best, lookup, candidate.model);
    fit.model_name = fit_of_model_name(lookup.dump, candidate.model);
    fit.model_number = fit_of_model_number(lookup, candidate.model);
    drop_contradicted(lookup, candidate.model);
    fit.naming = best == nullptr ? Naming::none : static_cast<Naming>(best->confidence);
    if (best != nullptr) {
        if (names_other_model(lookup.dump, candidate.model)) {
            remark_model_folder(&candidate, best, device, lookup, candidate.diagnostics);
        }
        if (fit.model_number == Agreement::doubtful) {
            remark_model_number(candidate.model, lookup, candidate.diagnostics);
        }
        if (const logs::StoredFact* sent = sent_with_other_type(candidate.use, lookup.query)) {
            lookup.remark(candidate.diagnostics, "sources_disagree.task_type",
                          {{"line", lookup.at(sent->submit.value_or(sent->place))},
                           {"sent", *sent->fact.task_type},
                           {"type", *lookup.query.task_type}});
            lower_to_type(candidate.operators);
        }
        remark_use(candidate, fit.model_name == Agreement::agrees, lookup, candidate.diagnostics);
    }
}

}  // namespace

void rank(const Lookup& lookup, TaskSearch& search) {
    const DeviceLines on_dump = lines_on_dump(search.device, lookup);
    if (!on_dump.empty()) {
        std::vector<Diagnostic> none;
        search.of_device = operators_of_device(on_dump, lookup, none);
    }
    std::vector<Candidate>& candidates = search.candidates;
    for (Candidate& candidate : candidates) {
        add_answer(search, lookup, candidate);
    }
    // A line under an id that was never confirmed may be of another task.
    exclude_unsure(search, "id",
                   [](const Candidate& candidate) { return candidate.fit.number == TaskNumber::unconfirmed; });
    // Lines without a time, as consoles show them: nobody knows which use of the ids they are about.
    exclude_unsure(search, "lines without time",
                   [](const Candidate& candidate) { return candidate.process->last_time_us == 0; });
    if (candidates.size() > 1) {  // else it requests memory all the same
        std::stable_sort(candidates.begin(), candidates.end(), ranks_before);
        decide(search);
        remark_unnamed_use(candidates, lookup);
    }
    if (std::any_of(candidates.begin(), candidates.end(),
                    [](const Candidate& candidate) { return candidate.fit.device_line != Agreement::contradicts; })) {
        search.of_device.clear();
    }
}

}  // namespace opdebug::locate_stage
