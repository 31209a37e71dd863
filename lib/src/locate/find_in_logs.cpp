#include "locate/answers.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "locate/candidates.hpp"
#include "locate/operator_lines.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

/// Adds why the logs name no operator. That is no doubt about an operator whose own dump names it.
void add_reasons(Diagnostics reasons, RecordResult& result) {
    for (Diagnostic& reason : reasons) {
        reason.severity = result.has_exact_dump ? Severity::info : reason.severity;
        result.diagnostics.push_back(std::move(reason));
    }
}

/// Whether two uses mean one model; a missing value does not differ.
bool is_one_model(const std::optional<LocatedModel>& a, const std::optional<LocatedModel>& b) {
    const auto differ = [](const auto& x, const auto& y) { return x && y && *x != *y; };
    return !a || !b ||
           !(differ(a->name, b->name) || differ(a->runtime_id, b->runtime_id) || differ(a->ge_id, b->ge_id));
}

/// The operators of all possible uses, best first; model and remarks belong to the use that gave the best one.
/// `search`: ranked, with at least one candidate.
void take_answers(TaskSearch& search, const Lookup& lookup, RecordResult& result) {
    std::vector<Candidate>& candidates = search.candidates;
    Candidate& best = candidates.front();
    if (!search.of_device.empty()) {
        result.operators = std::move(search.of_device);
        const auto& facts = best.use.facts;
        lookup.remark(result.diagnostics, "sources_disagree.device_line",
                      {{"operator", result.operators.front().name.value_or("?")},
                       {"line", facts.empty() ? std::string() : lookup.at(*facts.front())}});
        return;
    }
    // Without an operator only the device shows whose model it is.
    const bool is_only_device =
        lookup.index().host_processes().size() == 1 && lookup.index().devices(*best.process).size() < 2;
    const bool is_of_device = best.fit.device == Agreement::agrees || is_only_device;
    const bool is_unnamed = best.operators.empty();
    if (!is_unnamed || (is_of_device && (best.fit.is_at_best_offset || !best.time_us))) {
        result.model = best.model;
    }
    if (best.fit.has_lines) {
        remark_device(best, lookup, result.diagnostics);
    }
    DistinctAnswers operators(result.operators);
    for (Candidate& candidate : candidates) {
        for (OperatorAnswer& named : candidate.operators) {
            operators.add(named);
        }
    }
    const bool has_another_model = std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& candidate) {
        const bool is_folders =  // the dump's folder has the number of the best one's model, and not of this one's
            best.fit.model_number == Agreement::agrees && candidate.fit.model_number > Agreement::unknown;
        return !is_folders && !is_one_model(best.model, candidate.model) &&
               (is_unnamed ? candidate.is_tied : !candidate.operators.empty());
    });
    if (has_another_model && is_unnamed && result.model) {
        result.model.reset();
        lookup.remark(result.diagnostics, "model_ambiguous");
    } else if (has_another_model && result.operators.size() > 1) {
        result.model.reset();  // whose it is, is as open as the operator
        result.is_model_open = true;
    }
    remark_numbers(candidates, result.operators, lookup, result.diagnostics);
    std::move(best.diagnostics.begin(), best.diagnostics.end(), std::back_inserter(result.diagnostics));
}

/// Where the ids have several uses: the possible ones in their order, then the others, each with its row.
std::vector<ComparedUse> compared_uses(const TaskSearch& search, const Lookup& lookup) {
    constexpr std::size_t kMost = 32;
    std::vector<ComparedUse> uses;
    const auto add = [&](const std::vector<Candidate>& candidates, bool is_possible) {
        for (const Candidate& candidate : candidates) {
            if (!candidate.fit.has_lines || uses.size() == kMost) {
                continue;
            }
            const logs::LogPlace& line = candidate.use.facts.front()->place;
            ComparedUse& use = uses.emplace_back();
            use.process = candidate.process->pid;
            use.device = candidate.device;
            use.file = lookup.map.files[line.file];
            use.line = line.line;
            use.row = candidate.row;
            use.is_possible = is_possible;
            if (!candidate.operators.empty()) {
                const OperatorAnswer& best = candidate.operators.front();
                use.name = best.name.value_or(best.kernel.value_or(""));
            }
            for (const auto& [fact, finding] : facts_of(candidate.fit)) {
                use.facts.emplace_back(fact, finding);
            }
        }
    };
    add(search.candidates, true);
    add(search.excluded, false);
    return uses.size() < 2 ? std::vector<ComparedUse>() : uses;
}

}  // namespace

void find_in_logs(const Lookup& lookup, RecordResult& result) {
    TaskSearch search = search_task(lookup);
    rank(lookup, search);
    const std::vector<Candidate>& candidates = search.candidates;
    const bool is_explained_task = std::any_of(candidates.begin(), candidates.end(),
                                               [](const Candidate& candidate) { return candidate.is_explained; });
    bool explained = !search.reasons.empty() || is_explained_task;
    if (!candidates.empty()) {
        take_answers(search, lookup, result);
    }
    std::vector<Diagnostic> failures;
    if (!search.has_lines()) {
        const std::size_t remarks_before = result.diagnostics.size();
        if (result.operators.empty()) {
            find_in_device_logs(search, lookup, result);
        }
        Diagnostics reasons;
        if (result.operators.empty()) {
            explain_excluded(search, lookup, reasons);
        }
        add_reasons(std::move(reasons), result);
        explained = explained || result.diagnostics.size() != remarks_before;
        explained = remark_failure_alone(lookup, failures) || explained;
    }
    // The address of the kernel's code finds the operator where the ids do not, and is compared where they do.
    if (result.operators.empty() && !explained) {
        find_by_address(lookup, result);
    } else if (!candidates.empty() && !result.operators.empty()) {
        check_address(candidates.front(), lookup, result);
    }
    if (result.operators.empty() && !explained) {
        Diagnostics reasons;
        explain_task_not_in_logs(lookup, reasons);
        add_reasons(std::move(reasons), result);
    }
    std::move(failures.begin(), failures.end(), std::back_inserter(result.diagnostics));
    result.utc_offset_minutes = search.utc_offset_minutes;
    result.uses = compared_uses(search, lookup);
    const logs::Process* const process = candidates.empty() ? nullptr : candidates.front().process;
    explain_model(process, lookup, result);
    remark_overflow_line(process, lookup, result.diagnostics);
    remark_given_offset(lookup, result.diagnostics);
    remark_bad_lines(result, lookup, result.diagnostics);
    add_reasons(std::move(search.reasons), result);
    std::move(search.diagnostics.begin(), search.diagnostics.end(), std::back_inserter(result.diagnostics));
    if (result.operators.empty()) {
        if (has_remark(result.diagnostics, "kernel_unnamed")) {  // GE's lines may have named the node
            explain_missing_module(lookup, result.diagnostics);
        }
        if (!is_explained_task) {
            remark_unread_logs(lookup, result.diagnostics);
        }
    }
    // Possibly the log is that of another run: all else hangs on it.
    std::stable_partition(result.diagnostics.begin(), result.diagnostics.end(),
                          [](const Diagnostic& remark) { return remark.code == "time_outside_logs"; });
    result.is_use_inferred =
        result.is_use_inferred ||
        is_use_inferred(lookup.dump, candidates.empty() ? Fit() : candidates.front().fit, result.diagnostics);
}

}  // namespace opdebug::locate_stage
