// Everything of the library. Include single headers where that is enough.
//
// What holds for all functions unless they say otherwise:
// * They may be called from several threads at once, as long as no thread changes an object that another one uses.
// * What they take by const reference is only looked at during the call; what they return is the caller's.
// * Errors are values (result.hpp). Thrown are only std::bad_alloc and what the caller's own functions throw.
// * Names that end in _us are microseconds, and times in them count from 1970-01-01 UTC.
#pragma once

#include <opdebug/api_culprits.hpp>
#include <opdebug/api_dump.hpp>
#include <opdebug/api_report.hpp>
#include <opdebug/api_ties.hpp>
#include <opdebug/bytes.hpp>
#include <opdebug/chains.hpp>
#include <opdebug/container.hpp>
#include <opdebug/doctor.hpp>
#include <opdebug/dump.hpp>
#include <opdebug/limits.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/log_formats.hpp>
#include <opdebug/merge.hpp>
#include <opdebug/named_text.hpp>
#include <opdebug/origin.hpp>
#include <opdebug/overflow_summary.hpp>
#include <opdebug/prepare_logs.hpp>
#include <opdebug/record.hpp>
#include <opdebug/report.hpp>
#include <opdebug/result.hpp>
#include <opdebug/result_files.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/scan_overview.hpp>
#include <opdebug/scan_report.hpp>
#include <opdebug/status.hpp>
#include <opdebug/task_map.hpp>
#include <opdebug/tensor.hpp>
#include <opdebug/tree.hpp>
#include <opdebug/version.hpp>
#include <opdebug/watch.hpp>
