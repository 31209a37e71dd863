// The handle of logs that were read.
#pragma once

#include <opdebug/opdebug.h>
#include <opdebug/task_map.hpp>

struct opdebug_logs {
    opdebug::ReadLogs read;
};
