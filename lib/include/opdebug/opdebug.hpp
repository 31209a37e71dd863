// Everything of the library. Include single headers where that is enough.
#pragma once

#include <opdebug/api_culprits.hpp>
#include <opdebug/api_dump.hpp>
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
#include <opdebug/record.hpp>
#include <opdebug/report.hpp>
#include <opdebug/result.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/scan_report.hpp>
#include <opdebug/status.hpp>
#include <opdebug/task_map.hpp>
#include <opdebug/tensor.hpp>
#include <opdebug/tree.hpp>
#include <opdebug/version.hpp>
#include <opdebug/watch.hpp>
