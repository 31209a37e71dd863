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
    if (process == nullptr || !lookup.index().binds_models(*process)) {
        explain_model_not_in_logs(lookup, found.diagnostics);
    }
}

/// A device's log alone, where no host process that it can be of shows the task, or shows that the stream had no use.
void find_in_device_logs(const TaskSearch& search, const Lookup& lookup, Found& found) {
    std::vector<DeviceFact> device = search.device;
    const auto denies = [](const std::vector<TaskMatch>& matches, const DeviceFact& said) {
        return std::any_of(matches.begin(), matches.end(), [&](const TaskMatch& match) { return fits(said, match); });
    };
    std::erase_if(device, [&](const DeviceFact& said) {
        return denies(search.matches, said) || denies(search.without_use, said);
    });
    const bool is_of_dump = prefer_logs_of_dump(lookup, device);
    const DeviceLines facts = lines_alone(device, lookup);
    found.operators = operators_of_device(facts, lookup, found.diagnostics);
    // A table that the device wrote long before may be of an earlier model, whose end the hosts' lines do not show.
    found.is_use_inferred = !is_of_dump && !lookup.index().host_processes().empty();
    const OperatorAnswer* best = found.operators.empty() ? nullptr : &found.operators.front();
    if (best != nullptr) {
        remark_ended_device_log(device, facts, lookup, found.diagnostics);
        found.model.reset();
        add_model_of_device(facts, best, lookup, found.model);
        drop_contradicted(lookup, found.model);
    }
    if (facts.empty() && !has_remark(search.diagnostics, "task_set_up_later")) {
        explain_later_lines(device, lookup, found.diagnostics);
    }
    if (search.other_device && facts.empty()) {
        found.diagnostics.push_back(remarks::diagnose(
            "device_differs.other_log",
            {{"folder_device", *lookup.dump.path_ids.device_id}, {"log_device", *search.other_device}}));
    }
    if (best != nullptr && names_other_model(lookup.dump, found.model)) {
        remark_model_folder(nullptr, best, facts, lookup, found.diagnostics);
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
    const bool is_only_device =
        lookup.index().host_processes().size() == 1 && lookup.index().devices(*best.match->process).size() < 2;
    const bool is_of_device = best.fit.device == Agreement::agrees || is_only_device;
    const bool is_known =
        !best.operators.empty() || (is_of_device && (best.fit.is_at_best_offset || !best.match->time_us));
    found.model = is_known ? best.model : std::nullopt;
    if (!best.match->use.facts.empty()) {
        remark_device(*best.match, lookup, found.diagnostics);
    }
    DistinctAnswers operators(found.operators);
    for (MatchAnswer& answer : answers) {
        for (OperatorAnswer& named : answer.operators) {
            operators.add(named);
        }
    }
    const bool is_unnamed = best.operators.empty();
    const auto another = std::find_if(answers.begin(), answers.end(), [&](const MatchAnswer& answer) {
        return !is_one_model(best.model, answer.model) && (is_unnamed ? answer.is_tied : !answer.operators.empty());
    });
    if (another != answers.end() && is_unnamed && found.model) {
        found.model.reset();
        found.diagnostics.push_back(remarks::diagnose("model_ambiguous", {{"stream", lookup.stream()}}));
    } else if (another != answers.end() && found.operators.size() > 1) {
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
    const auto add = [&](const std::vector<MatchAnswer>& answers, bool is_possible) {
        for (std::size_t i = 0; i < answers.size() && uses.size() < kMost; ++i) {
            const MatchAnswer& answer = answers[i];
            if (answer.match->use.facts.empty()) {
                continue;
            }
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
        const TaskMatch& match = search.excluded[i].match;
        if (!match.use.facts.empty()) {
            uses.push_back(compared(match, match.fit, search.excluded[i].row, lookup));
            uses.back().is_possible = false;
        }
    }
    return uses.size() < 2 ? std::vector<ComparedUse>() : uses;
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
    }
    std::vector<Diagnostic> failures;
    if (!search.has_lines()) {
        const std::size_t remarks_before = found.diagnostics.size();
        if (found.operators.empty()) {
            find_in_device_logs(search, lookup, found);
        }
        if (found.operators.empty()) {
            explain_excluded(search, lookup, found.diagnostics);
        }
        explained = explained || found.diagnostics.size() != remarks_before;
        explained = remark_failure_alone(lookup, failures) || explained;
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
        if (!answer_explains) {
            remark_unread_logs(lookup, found.diagnostics);
        }
    }
    // Possibly the log is that of another run: all else hangs on it.
    std::stable_partition(found.diagnostics.begin(), found.diagnostics.end(),
                          [](const Diagnostic& remark) { return remark.code == "time_outside_logs"; });
    found.is_use_inferred =
        found.is_use_inferred ||
        is_use_inferred(lookup.dump, answers.empty() ? Fit() : answers.front().fit, found.diagnostics);
}

}  // namespace opdebug::locate_stage
