// What each match in the logs says of operator and model, ranked.
#pragma once

#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/task_search.hpp"

namespace opdebug::locate_stage {

/// What one match says; kept together, so that one process's operator never gets another's model.
struct MatchAnswer {
    const TaskMatch* match = nullptr;
    std::vector<OperatorAnswer> operators;
    std::optional<LocatedModel> model;
    std::vector<Diagnostic> diagnostics;
    bool is_explained = false;      ///< no operator, and a remark says what the task is instead
    bool reports_overflow = false;  ///< the log of the process does, near the dump; looked for where several fit
    int name_device_fit = 0;        ///< likewise: points by the device in the dump's name

    /// Who tells of this very overflow comes first, for a name is worth nothing in the wrong process. Then who needs no
    /// doubtful zone and is no later run, perhaps; exact names, kernels and types; ids that are not sure come after the
    /// others. Matches that name nothing come behind these, and runs that may have been over behind all.
    std::tuple<int, bool, bool, int> rank_without_hint() const {
        const int named = operators.empty()                                    ? 3
                          : operators.front().confidence == Confidence::exact  ? 0
                          : operators.front().confidence == Confidence::kernel ? 1
                                                                               : 2;
        return {(named == 3 ? 1 : 0) + (match->is_of_earlier_run ? 2 : 0), !reports_overflow, match->is_doubtful,
                static_cast<int>(match->number) * 4 + named};
    }
    /// Of those that are alike, the one that fits the name of the dump.
    std::pair<std::tuple<int, bool, bool, int>, int> rank() const { return {rank_without_hint(), -name_device_fit}; }
    bool is_unconfirmed() const { return match->number == TaskNumber::unconfirmed; }
};

/// The answers of all matches, best first. Those that rest on unsure ids or on lines without a time are left out where
/// others tell what the task is.
std::vector<MatchAnswer> answers_of(const TaskSearch& search, const Dump& dump, const TaskQuery& query,
                                    const TaskMap::Contents& map, const LocateOptions& options);

}  // namespace opdebug::locate_stage
