// What one record's ids lead to, as it is collected.
#pragma once

#include <optional>
#include <vector>

#include <opdebug/locate.hpp>

namespace opdebug::locate_stage {

/// What one record's ids lead to.
struct Found {
    std::vector<OperatorAnswer> operators;  ///< best first
    std::optional<LocatedOpDump> op_dump;
    std::optional<LocatedModel> model;
    std::vector<Diagnostic> diagnostics;
};

}  // namespace opdebug::locate_stage
