#include "locate/cut_names.hpp"

#include <algorithm>
#include <iterator>

namespace opdebug::locate_stage {
namespace {

using logs::Fact;
using logs::FactKind;
using logs::StoredFact;

/// In the lines that have both, the type stands behind the name: then the type was cut.
bool has_cut_operator(const Fact& fact) noexcept {
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

/// Lines with more text before the name lose more of it. Where names differ behind `name` it may be either.
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

std::string_view FullNames::operator_of(const Fact& fact) const {
    const std::string_view name = fact.operator_name;
    if (!has_cut_operator(fact)) {
        return name;
    }
    const auto full = names_.lower_bound(name);
    const bool is_one = full != names_.end() && full->starts_with(name) &&
                        (std::next(full) == names_.end() || !std::next(full)->starts_with(name));
    return is_one ? *full : longest_cut(name);
}

void FullNames::remark(const std::vector<const StoredFact*>& facts, std::vector<Diagnostic>& diagnostics) const {
    const bool is_cut = std::any_of(facts.begin(), facts.end(), [this](const StoredFact* stored) {
        const Fact& fact = stored->fact;
        return fact.name_cut && (!has_cut_operator(fact) || names_.count(operator_of(fact)) == 0);
    });
    if (is_cut) {
        diagnostics.push_back(
            {Severity::warning, "name_truncated",
             "a line that names the operator or kernel was cut inside the name, at its length limit or "
             "where its file ends: the name shown may go on"});
    }
}

}  // namespace opdebug::locate_stage
