#include "locate/task_numbers.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace opdebug::locate_stage {
namespace {

using logs::FactKind;
using logs::StoredFact;
using logs::TaskUse;

TaskNumber number_of(const StoredFact& fact) {
    return fact.fact.task_id_unconfirmed ? TaskNumber::unconfirmed
           : fact.fact.task_id_from_sn   ? TaskNumber::from_serial_number
                                         : TaskNumber::confirmed;
}

bool follows(const TaskUse& earlier, const TaskUse& later) {
    return !earlier.persistent && !later.persistent && earlier.window.span.begin == later.window.span.begin;
}

}  // namespace

std::vector<TaskUse> uses_by(TaskNumber number, const std::vector<TaskUse>& uses) {
    const auto is_its = [number](const StoredFact* fact) { return number_of(*fact) == number; };
    std::vector<TaskUse> chosen;
    for (const TaskUse& use : uses) {
        std::vector<const StoredFact*> facts;  // most lines are of one kind: for the others nothing is copied
        std::copy_if(use.facts.begin(), use.facts.end(), std::back_inserter(facts), is_its);
        if (!facts.empty()) {
            chosen.push_back({use.span, use.persistent, use.window, use.bindings, std::move(facts)});
        } else if (!chosen.empty() && follows(chosen.back(), use)) {
            chosen.back().span.end = use.span.end;
        }
    }
    return chosen;
}

std::optional<TaskNumber> only_number_of(const std::vector<TaskUse>& uses) {
    std::optional<TaskNumber> only;
    for (const TaskUse& use : uses) {
        for (const StoredFact* fact : use.facts) {
            const TaskNumber number = number_of(*fact);
            if (only && *only != number) {
                return std::nullopt;
            }
            only = number;
        }
    }
    return only;
}

bool is_report(const StoredFact& fact) noexcept {
    return fact.fact.kind == FactKind::overflow_report || fact.fact.kind == FactKind::task_fault;
}

std::vector<TaskUse> telling_uses(std::vector<TaskUse> uses) {
    const auto only_reports = [](const TaskUse& use) {
        return std::all_of(use.facts.begin(), use.facts.end(), [](const StoredFact* fact) { return is_report(*fact); });
    };
    uses.erase(std::remove_if(uses.begin(), uses.end(), only_reports), uses.end());
    return uses;
}

}  // namespace opdebug::locate_stage
