// What options mean for the library's functions.
#pragma once

#include <memory>

#include <opdebug/opdebug.h>
#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/report.hpp>

#include "c_interface/options.hpp"

namespace opdebug::c_interface {

/// The catalogue that the options name; null: the built-in one. Errors: those of reading a file, catalogue_invalid.
Result<std::shared_ptr<const StatusCatalogue>> catalogue_of(const Options& options);

/// Documents on one line.
ReportOptions report_of(const Options& options);

/// `logs` may be null. The zone of the machine is not among them: it depends on the dump's time.
LocateOptions locate_of(const Options& options, const opdebug_logs* logs);

}  // namespace opdebug::c_interface
