// One record's ids, looked up in the logs: operator, model, or the reason why there is none.
#pragma once

#include <optional>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/query.hpp"

namespace opdebug::locate_stage {

/// What one record's ids lead to.
struct Found {
    std::vector<OperatorAnswer> operators;  ///< best first
    std::optional<LocatedOpDump> op_dump;
    std::optional<LocatedModel> model;
    std::vector<Diagnostic> diagnostics;
};

/// Adds what the logs of `options` say; they are not null.
void find_in_logs(const Dump& dump, const TaskQuery& query, const LocateOptions& options, Found& found);

/// The same for a record without stream or task id: only the address of its kernel's code can be looked up.
void find_without_ids(const Dump& dump, const TaskQuery& query, const LocateOptions& options, Found& found);

}  // namespace opdebug::locate_stage
