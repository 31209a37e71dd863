// What options mean for the library's functions.
#pragma once

#include <opdebug/opdebug.h>
#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/report.hpp>

#include "c_interface/options.hpp"

namespace opdebug::c_interface {

/// Options, and the catalogue that they name.
struct Decoding {
    Options options;
    DecodeOptions decode;
};

/// Reads options. Errors: those of read_options() and of reading a file, catalogue_invalid.
Result<Decoding> read_decoding(const char* text, Taker taker);

/// Documents on one line.
ReportOptions report_of(const Options& options);

/// `logs` may be null. The zone of the machine is not among them: it depends on the dump's time.
LocateOptions locate_of(const Options& options, const opdebug_logs* logs);

}  // namespace opdebug::c_interface
