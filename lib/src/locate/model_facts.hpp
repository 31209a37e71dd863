// The facts of a process that name or pair models: ids are reused, so the one that is valid at a time counts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "logs/task_map.hpp"

namespace opdebug::locate_stage {

/// Looks facts up around one time. Pointers lead into the process.
class ModelFacts {
public:
    using Condition = std::function<bool(const logs::StoredFact&)>;

    /// `time_us`: of the task's first line. What names a model is logged while the model is loaded.
    ModelFacts(const logs::Process& process, std::int64_t time_us) : process_(process), time_us_(time_us) {}

    /// Of the facts of a kind that satisfy a condition, the one nearest to the time. Left out: facts on a model id
    /// after whose model's end, or before whose model's end, the time lies: the id then means another model.
    const logs::StoredFact* nearest(logs::FactKind kind, const Condition& condition) const;

private:
    std::uint64_t distance(const logs::StoredFact& fact) const;
    bool is_of_other_model(const logs::StoredFact& fact) const;

    const logs::Process& process_;
    std::int64_t time_us_;
};

}  // namespace opdebug::locate_stage
