// One record's ids, looked up in the logs: operator, model, or the reason why there is none.
#pragma once

#include <opdebug/locate.hpp>

#include "locate/found.hpp"
#include "locate/query.hpp"

namespace opdebug::locate_stage {

/// Adds what the logs of `options` say; they are not null.
void find_in_logs(const Dump& dump, const TaskQuery& query, const LocateOptions& options, Found& found);

}  // namespace opdebug::locate_stage
