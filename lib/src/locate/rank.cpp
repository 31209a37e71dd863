#include "locate/answers.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "locate/candidates.hpp"
#include "locate/kernel_name.hpp"
#include "locate/models.hpp"
#include "locate/operator_lines.hpp"
#include "locate/reasons.hpp"
#include "logs/lookup/devices.hpp"
#include "logs/lookup/map_index.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

/// Leaves out what a row ranks below others.
template <typename IsOutdone>
void leave_out(RankedAnswers& ranked, std::string_view row, const IsOutdone& is_outdone) {
    std::vector<MatchAnswer>& answers = ranked.answers;
    const auto first = std::stable_partition(answers.begin(), answers.end(),
                                             [&](const MatchAnswer& answer) { return !is_outdone(answer); });
    for (auto answer = first; answer != answers.end(); ++answer) {
        answer->row = row;
        ranked.left_out.push_back(std::move(*answer));
    }
    answers.erase(first, answers.end());
}

/// Counts only when no others show what the task is.
template <typename IsUnsure>
void drop_unsure(RankedAnswers& ranked, std::string_view row, const IsUnsure& is_unsure) {
    if (std::any_of(ranked.answers.begin(), ranked.answers.end(), [&](const MatchAnswer& answer) {
            return !is_unsure(answer) && (!answer.operators.empty() || answer.is_explained);
        })) {
        leave_out(ranked, row, is_unsure);
    }
}

/// Whether the host's answer can be of the operator that the device names.
bool may_be_of(const OperatorAnswer& host, const OperatorAnswer& device) {
    if (host.name && device.name) {
        return name_in_files(*host.name) == name_in_files(*device.name) ||
               (host.confidence == Confidence::kernel && host.kernel && kernel_is_of_node(*host.kernel, *device.name));
    }
    if (host.kernel && device.name && decode_kernel_name(*host.kernel).node) {
        return kernel_is_of_node(*host.kernel, *device.name);
    }
    return !host.type || !device.type || host.type == device.type;
}

Agreement fit_of_device_line(const std::vector<OperatorAnswer>& host, const std::vector<OperatorAnswer>& device) {
    if (device.empty() || host.empty()) {
        return Agreement::unknown;
    }
    const bool is_its = std::any_of(device.begin(), device.end(), [&host](const OperatorAnswer& said) {
        return std::any_of(host.begin(), host.end(), [&said](const auto& answer) { return may_be_of(answer, said); });
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

Naming naming_of(const std::vector<OperatorAnswer>& operators) {
    return operators.empty() ? Naming::none : static_cast<Naming>(operators.front().confidence);
}

/// The row that puts one answer before or after another; null: none does.
const RankRow* row_between(const MatchAnswer& a, const MatchAnswer& b) {
    const auto row = std::find_if(rank_rows().begin(), rank_rows().end(),
                                  [&](const RankRow& each) { return each.value(a.fit) != each.value(b.fit); });
    return row == rank_rows().end() ? nullptr : &*row;
}

bool ranks_before(const MatchAnswer& a, const MatchAnswer& b) {
    const RankRow* row = row_between(a, b);
    return row != nullptr && row->value(a.fit) < row->value(b.fit);
}

/// Leaves out what a row that decides puts after the best one.
void decide(RankedAnswers& ranked) {
    for (const RankRow& row : rank_rows()) {
        constexpr auto kAgrees = static_cast<std::int64_t>(Agreement::agrees);
        if (row.weight != Weight::decides || ranked.answers.size() < 2 ||
            row.value(ranked.answers.front().fit) != kAgrees) {
            continue;
        }
        const bool needs_all = row.name == std::string_view("device line");
        leave_out(ranked, row.name, [&](const MatchAnswer& answer) {
            return row.value(answer.fit) > (needs_all ? kAgrees : static_cast<std::int64_t>(Agreement::unknown));
        });
    }
    for (std::size_t i = 1; i < ranked.answers.size(); ++i) {
        const RankRow* row = row_between(ranked.answers[i - 1], ranked.answers[i]);
        ranked.answers[i].row = row == nullptr ? std::string_view() : row->name;
        const RankRow* to_best = row_between(ranked.answers.front(), ranked.answers[i]);
        ranked.answers[i].is_tied = to_best == nullptr || to_best->weight == Weight::orders;
    }
}

/// Another use is possible of which no line names what it runs: of the ids, or of the stream for the record's model.
void remark_unnamed_use(std::vector<MatchAnswer>& answers, const Lookup& lookup) {
    MatchAnswer& best = answers.front();
    const bool is_known = best.fit.device == Agreement::agrees || best.fit.folder == Agreement::agrees ||
                          best.fit.device_line == Agreement::agrees || best.fit.host == Agreement::agrees;
    const auto other = std::find_if(answers.begin() + 1, answers.end(), [&](const MatchAnswer& answer) {
        const bool is_rival = answer.match->use.facts.empty()
                                  ? !is_known && answer.fit.model_id == Agreement::agrees &&
                                        answer.fit.is_at_best_offset && answer.fit.model_name != Agreement::contradicts
                                  : answer.match->use.span.begin >= best.match->use.span.begin;
        return answer.operators.empty() && answer.fit.device <= best.fit.device && is_rival;
    });
    if (best.operators.empty() || other == answers.end()) {
        return;
    }
    const logs::TaskUse& use = other->match->use;
    best.diagnostics.push_back(
        !use.facts.empty()
            ? remarks::diagnose("other_use_unnamed", {{"line", lookup.at(*use.facts.front())}})
            : remarks::diagnose("other_use_unnamed.model", {{"pid", other->match->process->pid},
                                                            {"stream", lookup.stream()},
                                                            {"line", lookup.at(*use.bindings.front().bound_by)},
                                                            {"task", lookup.task()}}));
}

MatchAnswer answer_of(const TaskMatch& match, const TaskSearch& search, const std::vector<OperatorAnswer>& of_device,
                      const Lookup& lookup) {
    MatchAnswer answer;
    answer.match = &match;
    answer.fit = match.fit;
    if (!of_device.empty()) {
        std::vector<Diagnostic> none;
        answer.fit.device_line = fit_of_device_line(operators_of_match(match, {}, lookup, none), of_device);
    }
    const DeviceLines device = lines_on_use(search.device, match, lookup);
    answer.operators = operators_of_match(match, device, lookup, answer.diagnostics);
    answer.is_explained = answer.operators.empty() && !answer.diagnostics.empty();
    const OperatorAnswer* best = answer.operators.empty() ? nullptr : &answer.operators.front();
    answer.model = model_of_match(match, lookup, best, answer.diagnostics);
    add_model_of_device(device, best, lookup, answer.model);
    answer.fit.model_name = fit_of_model_name(lookup.dump, answer.model);
    drop_contradicted(lookup, answer.model);
    answer.fit.number = match.number;
    answer.fit.naming = naming_of(answer.operators);
    answer.fit.process = match.process - lookup.map.processes.data();
    answer.fit.begin_us = match.time_us ? std::max<std::int64_t>(match.use.span.begin, 0) : 0;
    if (best != nullptr) {
        if (names_other_model(lookup.dump, answer.model)) {
            remark_model_folder(&match, best, device, lookup, answer.diagnostics);
        }
        remark_use(match, answer.fit.model_name == Agreement::agrees, lookup, answer.diagnostics);
    }
    return answer;
}

}  // namespace

RankedAnswers ranked_answers(const TaskSearch& search, const Lookup& lookup) {
    RankedAnswers ranked;
    const DeviceLines on_dump = lines_on_dump(search.device, lookup);
    if (!on_dump.empty()) {
        std::vector<Diagnostic> none;
        ranked.of_device = operators_of_device(on_dump, lookup, none);
    }
    std::vector<MatchAnswer>& answers = ranked.answers;
    answers.reserve(search.matches.size());
    for (const TaskMatch& match : search.matches) {
        answers.push_back(answer_of(match, search, ranked.of_device, lookup));
    }
    // A line under an id that was never confirmed may be of another task.
    drop_unsure(ranked, "id",
                [](const MatchAnswer& answer) { return answer.match->number == TaskNumber::unconfirmed; });
    // Lines without a time, as consoles show them: nobody knows which use of the ids they are about.
    drop_unsure(ranked, "lines without time",
                [](const MatchAnswer& answer) { return answer.match->process->last_time_us == 0; });
    if (answers.size() > 1) {  // else it requests memory all the same
        std::stable_sort(answers.begin(), answers.end(), ranks_before);
        decide(ranked);
        remark_unnamed_use(answers, lookup);
    }
    const bool is_known = std::any_of(answers.begin(), answers.end(), [](const MatchAnswer& answer) {
        return answer.fit.device_line != Agreement::contradicts;
    });
    if (is_known) {
        ranked.of_device.clear();
    }
    return ranked;
}

}  // namespace opdebug::locate_stage
