#include "locate/answers.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "locate/candidates.hpp"
#include "locate/models.hpp"
#include "locate/operator_lines.hpp"
#include "locate/reasons.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

bool has_remark(const std::vector<Diagnostic>& diagnostics, std::string_view code) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [code](const Diagnostic& remark) { return remark.code == code; });
}

/// The first process whose log reports the overflow itself; where it is known whose dump it is, that one alone.
void remark_overflow_lines(const logs::Process* of_dump, const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    if (of_dump != nullptr) {
        remark_overflow_line(*of_dump, lookup, diagnostics);
        return;
    }
    for (const std::uint32_t number :
         lookup.index().processes(logs::About::overflow, lookup.stream(), lookup.task() & logs::kLowHalfOfTask)) {
        if (!lookup.map.processes[number].on_device &&
            remark_overflow_line(lookup.map.processes[number], lookup, diagnostics)) {
            return;
        }
    }
}

void explain_model(const logs::Process* process, const Lookup& lookup, Found& found) {
    const bool is_named =
        found.model && (found.model->name || (found.model->runtime_id && !found.model->evidence.empty()));
    if (is_named || !lookup.query.model_id || has_remark(found.diagnostics, "model_differs")) {
        return;
    }
    if (!has_remark(found.diagnostics, "model_ambiguous")) {
        remark_named_elsewhere(lookup, found.diagnostics);
    }
    if (process == nullptr || !lookup.index().binds_models(*process)) {
        explain_model_not_in_logs(lookup, found.diagnostics);
    }
}

/// No host line mentions the task: the device's log names it, unless a host line shows that the stream was released
/// before. The model is that of the stream.
void find_without_task(TaskSearch& search, const Lookup& lookup, Found& found) {
    const std::vector<StreamState> states = stream_states(lookup);
    std::vector<DeviceFact> device = search.device;
    std::erase_if(device, [&states](const DeviceFact& said) { return is_denied(said, states); });
    DeviceLines facts = lines_alone(device, lookup);
    for (const StreamState& state : states) {
        drop_lines_of_past_models(state.place, lookup, facts);
    }
    found.operators = operators_of_device(facts, lookup, found.diagnostics);
    if (!found.operators.empty()) {
        remark_ended_device_log(device, facts, lookup, found.diagnostics);
    }
    if (facts.empty() && !has_remark(search.diagnostics, "task_set_up_later")) {
        explain_later_lines(device, lookup, found.diagnostics);
    }
    if (search.other_device && facts.empty()) {
        found.diagnostics.push_back(remarks::diagnose(
            "device_differs.other_log",
            {{"folder_device", *lookup.dump.path_ids.device_id}, {"log_device", *search.other_device}}));
    }
    if (!lookup.query.is_without_model) {
        found.model = model_of_stream(states, device, lookup, found.diagnostics);
    }
    const OperatorAnswer* best = found.operators.empty() ? nullptr : &found.operators.front();
    add_model_of_device(facts, best, lookup, found.model);
    drop_contradicted(lookup, found.model);
    if (best != nullptr && names_other_model(lookup.dump, found.model)) {
        remark_model_folder(nullptr, best, facts, lookup, found.diagnostics);
    }
}

/// Another process has the stream bound to the record's model, and none of its lines names what the task is: nothing
/// else shows whose dump it is.
void remark_unnamed_binding(const MatchAnswer& best, const TaskSearch& search, const Lookup& lookup,
                            std::vector<Diagnostic>& diagnostics) {
    const Fit& fit = best.fit;
    if (best.operators.empty() || !lookup.query.model_id || fit.device == Agreement::agrees ||
        fit.folder == Agreement::agrees || fit.device_line == Agreement::agrees || fit.host == Agreement::agrees) {
        return;
    }
    const auto is_known = [&search](const logs::Process* process) {
        return std::any_of(search.matches.begin(), search.matches.end(),
                           [process](const TaskMatch& match) { return match.process == process; });
    };
    for (const StreamState& state : stream_states(lookup)) {
        const std::vector<logs::ModelBinding>& bindings = state.place.use.bindings;
        if (bindings.empty() || bindings.front().model_id != lookup.query.model_id || is_known(state.place.process) ||
            fit_of_host(*state.place.process, lookup) == Agreement::contradicts) {
            continue;
        }
        const std::string& model = bindings.front().bound_by->fact.model_name;
        if (fit.model_name == Agreement::agrees && !model.empty() && model != lookup.dump.path_ids.model_name) {
            continue;
        }
        const logs::LogPlace& line = bindings.front().bound_by->place;
        diagnostics.push_back(remarks::diagnose("other_use_unnamed.model", {{"pid", state.place.process->pid},
                                                                            {"stream", lookup.stream()},
                                                                            {"line", lookup.at(line)},
                                                                            {"task", lookup.task()}}));
        return;
    }
}

/// Whether the search gave a reason why it found nothing; remarks on clocks are no reason.
bool gives_reason(const std::vector<Diagnostic>& search_said) {
    return std::any_of(search_said.begin(), search_said.end(), [](const Diagnostic& remark) {
        return remark.code != "time_zone" && remark.code != "time_unknown" && remark.code != "time_outside_logs";
    });
}

/// Whether two uses mean one model; a missing value does not differ.
bool is_one_model(const std::optional<LocatedModel>& a, const std::optional<LocatedModel>& b) {
    const auto differ = [](const auto& x, const auto& y) { return x && y && *x != *y; };
    return !a || !b ||
           !(differ(a->name, b->name) || differ(a->runtime_id, b->runtime_id) || differ(a->ge_id, b->ge_id));
}

/// The operators of all possible uses, best first; model and remarks belong to the use that gave the best one.
/// `ranked`: of at least one use.
void take_answers(RankedAnswers& ranked, const Lookup& lookup, Found& found) {
    std::vector<MatchAnswer>& answers = ranked.answers;
    MatchAnswer& best = answers.front();
    if (!ranked.of_device.empty()) {
        found.operators = std::move(ranked.of_device);
        const auto& facts = best.match->use.facts;
        found.diagnostics.push_back(remarks::diagnose(
            "sources_disagree.device_line", {{"operator", found.operators.front().name.value_or("?")},
                                             {"line", facts.empty() ? std::string() : lookup.at(*facts.front())}}));
        return;
    }
    // Without an operator only the device shows whose model it is.
    const bool is_known =
        !best.operators.empty() || best.fit.device == Agreement::agrees || lookup.index().host_processes().size() == 1;
    found.model = is_known ? best.model : std::nullopt;
    remark_device(*best.match, lookup, found.diagnostics);
    DistinctAnswers operators(found.operators);
    for (MatchAnswer& answer : answers) {
        for (OperatorAnswer& named : answer.operators) {
            operators.add(named);
        }
    }
    const auto another = std::find_if(answers.begin(), answers.end(), [&best](const MatchAnswer& answer) {
        return !answer.operators.empty() && !is_one_model(best.model, answer.model);
    });
    if (another != answers.end() && found.operators.size() > 1) {
        found.model.reset();  // whose it is, is as open as the operator
        found.is_model_open = true;
    }
    remark_numbers(answers, found.operators, lookup, found.diagnostics);
    std::move(best.diagnostics.begin(), best.diagnostics.end(), std::back_inserter(found.diagnostics));
}

ComparedUse compared(const TaskMatch& match, const Fit& fit, std::string_view row, const Lookup& lookup) {
    ComparedUse use;
    use.process = match.process->pid;
    use.device = match.device;
    use.row = row;
    if (!match.use.facts.empty()) {
        const logs::LogPlace& line = match.use.facts.front()->place;
        use.file = lookup.map.files[line.file];
        use.line = line.line;
    }
    for (const auto& [fact, finding] : facts_of(fit)) {
        use.facts.emplace_back(fact, finding);
    }
    return use;
}

/// Where the ids have several uses: the possible ones in their order, then the others, each with its row.
std::vector<ComparedUse> compared_uses(const TaskSearch& search, const RankedAnswers& ranked, const Lookup& lookup) {
    constexpr std::size_t kMost = 32;
    std::vector<ComparedUse> uses;
    if (search.matches.size() + search.excluded.size() < 2) {
        return uses;
    }
    const auto add = [&](const std::vector<MatchAnswer>& answers, bool is_possible) {
        for (std::size_t i = 0; i < answers.size() && uses.size() < kMost; ++i) {
            const MatchAnswer& answer = answers[i];
            ComparedUse& use = uses.emplace_back(compared(*answer.match, answer.fit, answer.row, lookup));
            use.is_possible = is_possible;
            if (!answer.operators.empty()) {
                const OperatorAnswer& best = answer.operators.front();
                use.name = best.name.value_or(best.kernel.value_or(""));
            }
        }
    };
    add(ranked.answers, true);
    add(ranked.left_out, false);
    for (std::size_t i = 0; i < search.excluded.size() && uses.size() < kMost; ++i) {
        uses.push_back(
            compared(search.excluded[i].match, search.excluded[i].match.fit, search.excluded[i].row, lookup));
        uses.back().is_possible = false;
    }
    return uses;
}

LocalizedText described(const ComparedUse& use) {
    const LocalizedText which =
        remarks::phrase("use_of_ids", {{"pid", use.process},
                                       {"device", use.device ? fmt::format(", device {}", *use.device) : std::string()},
                                       {"line", use.file.empty() ? "" : fmt::format(" ({}:{})", use.file, use.line)}});
    const LocalizedText fit = describe({use.facts.begin(), use.facts.end()});
    if (!use.is_possible) {
        return remarks::phrase("use_excluded_by", {{"use", which}, {"row", fit_word(use.row)}, {"fit", fit}});
    }
    return use.name.empty() ? remarks::phrase("use_unnamed", {{"use", which}, {"fit", fit}})
                            : remarks::phrase("use_named", {{"use", which}, {"name", use.name}, {"fit", fit}});
}

/// "uses_compared", for readers of documents.
void remark_comparison(const std::vector<ComparedUse>& uses, std::vector<Diagnostic>& diagnostics) {
    constexpr std::size_t kMostTold = 8;
    if (uses.empty()) {
        return;
    }
    std::vector<LocalizedText> texts;
    for (std::size_t i = 0; i < std::min(uses.size(), kMostTold); ++i) {
        texts.push_back(described(uses[i]));
    }
    if (uses.size() > kMostTold) {
        texts.push_back(remarks::phrase("more_of_list", {{"count", uses.size() - kMostTold}}));
    }
    diagnostics.push_back(remarks::diagnose("uses_compared", {{"uses", remarks::joined(texts, {"; ", "；"})}}));
}

/// The address of the kernel's code finds the operator where the ids do not, and is compared where they do.
void ask_address(const std::vector<MatchAnswer>& answers, bool explained, const Lookup& lookup, Found& found) {
    if (found.operators.empty() && !explained) {
        find_by_address(lookup, found);
    } else if (!answers.empty() && answers.front().match->process != nullptr && !found.operators.empty()) {
        check_address(*answers.front().match, lookup, found);
    }
    if (found.operators.empty() && !explained) {
        explain_task_not_in_logs(lookup, found.diagnostics);
    }
}

}  // namespace

void find_in_logs(const Lookup& lookup, Found& found) {
    TaskSearch search = search_task(lookup);
    RankedAnswers ranked = ranked_answers(search, lookup);
    const std::vector<MatchAnswer>& answers = ranked.answers;
    const bool answer_explains =
        std::any_of(answers.begin(), answers.end(), [](const MatchAnswer& answer) { return answer.is_explained; });
    bool explained = gives_reason(search.diagnostics) || answer_explains;
    if (!answers.empty()) {
        take_answers(ranked, lookup, found);
        remark_unnamed_binding(answers.front(), search, lookup, found.diagnostics);
    }
    std::vector<Diagnostic> failures;
    if (search.matches.empty()) {
        const std::size_t remarks_before = found.diagnostics.size();
        find_without_task(search, lookup, found);
        explained = explained || found.diagnostics.size() != remarks_before;
        explained = remark_failure_alone(lookup, failures) || explained;
        if (found.operators.empty()) {
            explain_excluded(search, lookup, found.diagnostics);
            explained = explained || !search.excluded.empty();
        }
    }
    ask_address(answers, explained, lookup, found);
    std::move(failures.begin(), failures.end(), std::back_inserter(found.diagnostics));
    found.utc_offset_minutes = search.utc_offset_minutes;
    found.uses = compared_uses(search, ranked, lookup);
    remark_comparison(found.uses, found.diagnostics);
    const logs::Process* const process = answers.empty() ? nullptr : answers.front().match->process;
    explain_model(process, lookup, found);
    remark_overflow_lines(process, lookup, found.diagnostics);
    remark_given_offset(lookup, found.diagnostics);
    remark_bad_lines(found, lookup.map, found.diagnostics);
    std::move(search.diagnostics.begin(), search.diagnostics.end(), std::back_inserter(found.diagnostics));
    if (found.operators.empty()) {
        if (has_remark(found.diagnostics, "kernel_unnamed")) {  // GE's lines may have named the node
            explain_missing_module(lookup, found.diagnostics);
        }
        remark_doubtful_offset(lookup, found.diagnostics);
        if (!answer_explains) {
            remark_unread_logs(lookup, found.diagnostics);
        }
    }
    // Possibly the log is that of another run: all else hangs on it.
    std::stable_partition(found.diagnostics.begin(), found.diagnostics.end(),
                          [](const Diagnostic& remark) { return remark.code == "time_outside_logs"; });
    found.is_use_inferred =
        is_use_inferred(lookup.dump, answers.empty() ? Fit() : answers.front().fit, found.diagnostics);
}

}  // namespace opdebug::locate_stage
