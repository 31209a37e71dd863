// What each possible use says of operator and model, in the order of the table of ranks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/candidates.hpp"

namespace opdebug::locate_stage {

/// What one use says; kept together, so that one process's operator never gets another's model.
struct MatchAnswer {
    const TaskMatch* match = nullptr;
    Fit fit;
    std::vector<OperatorAnswer> operators;
    std::optional<LocatedModel> model;
    std::vector<Diagnostic> diagnostics;
    bool is_explained = false;  ///< no operator, and a remark says what the task is instead
    int name_device_fit = 0;    ///< points by the device in the dump's name, where no folder tells one

    std::string_view row;  ///< that left it out; of a possible one: that puts it behind the one before

    bool is_unconfirmed() const { return match->number == TaskNumber::unconfirmed; }
};

/// The answers of all possible uses, best first: those that a row which decides outdid are left out, and so are those
/// that rest on unsure ids or on lines without a time where others tell what the task is.
struct RankedAnswers {
    std::vector<MatchAnswer> answers;
    std::vector<MatchAnswer> left_out;
    std::vector<OperatorAnswer> of_device;  ///< what the device says of this very dump, where no use agrees with it
};
RankedAnswers ranked_answers(const TaskSearch& search, const Dump& dump, const TaskQuery& query,
                             const TaskMap::Contents& map, const LocateOptions& options);

}  // namespace opdebug::locate_stage
