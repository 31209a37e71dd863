#include "locate/model_facts.hpp"

#include <algorithm>

namespace opdebug::locate_stage {

using logs::FactKind;
using logs::StoredFact;

const StoredFact* ModelFacts::nearest(FactKind kind, const Condition& condition) const {
    const StoredFact* nearest = nullptr;
    for (const StoredFact& fact : process_.facts) {
        if (fact.fact.kind == kind && condition(fact) && (nearest == nullptr || distance(fact) < distance(*nearest)) &&
            !is_of_other_model(fact)) {
            nearest = &fact;
        }
    }
    return nearest;
}

std::uint64_t ModelFacts::distance(const StoredFact& fact) const {
    return static_cast<std::uint64_t>(std::max(fact.time_us, time_us_)) -
           static_cast<std::uint64_t>(std::min(fact.time_us, time_us_));
}

bool ModelFacts::is_of_other_model(const StoredFact& fact) const {
    const std::int64_t begin = std::min(fact.time_us, time_us_);
    const std::int64_t end = std::max(fact.time_us, time_us_);
    const auto ends_between = [&](const StoredFact& other) {
        const bool same_id = (other.fact.model_id && other.fact.model_id == fact.fact.model_id) ||
                             (other.fact.ge_model_id && other.fact.ge_model_id == fact.fact.ge_model_id);
        return other.fact.kind == FactKind::model_end && same_id && other.time_us > begin && other.time_us <= end;
    };
    const bool is_of_other_run = std::any_of(process_.run_begins.begin(), process_.run_begins.end(),
                                             [begin, end](std::int64_t run) { return run > begin && run <= end; });
    return is_of_other_run || std::any_of(process_.facts.begin(), process_.facts.end(), ends_between);
}

}  // namespace opdebug::locate_stage
