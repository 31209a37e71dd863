// The options that a caller sets → values, and what they mean for the library's functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/opdebug.h>
#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/logs.hpp>
#include <opdebug/report.hpp>
#include <opdebug/result.hpp>

struct opdebug_logs {
    opdebug::ReadLogs read;
};

namespace opdebug::c_interface {

/// The options of all functions with their defaults. opdebug.h describes them.
struct Options {
    Language language = Language::english;
    bool tensors = false;
    bool verbose = false;
    std::optional<int> utc_offset_minutes;
    bool system_time_zone = true;
    std::vector<std::string> status_catalogue;  ///< paths
    std::vector<std::string> log_formats;       ///< paths
    std::vector<std::string> wanted;            ///< paths
    std::vector<std::string> traces;            ///< paths
    unsigned threads = 0;
    bool all = false;
    std::optional<std::uint64_t> first;
    std::optional<std::uint64_t> findings_per_verdict;
    std::string temporary_folder = "/tmp";
    Limits limits;
};

/// The functions that take options: each uses some of them.
enum Taker : unsigned {
    reading_logs = 1U,
    decoding = 2U,
    explaining_status = 4U,
    scanning = 8U,
    judging_api_dumps = 16U,
    finding = 32U,
    explaining = 64U,
    measuring = 128U,
    examining = 256U,
    merging = 512U
};

/// The options of a call; NULL is none. Error: invalid_argument for an option that the function does not use.
Result<Options> options_of(const opdebug_options* given, Taker taker);

/// Options, and the catalogue that they name.
struct Decoding {
    Options options;
    DecodeOptions decode;
};

/// The same with the catalogue. Errors: those of options_of() and of reading a file, catalogue_invalid.
Result<Decoding> decoding_of(const opdebug_options* given, Taker taker);

/// Documents on one line.
ReportOptions report_of(const Options& options);

/// `logs` may be null. The zone of the machine is not among them: it depends on the dump's time.
LocateOptions locate_of(const Options& options, const opdebug_logs* logs);

/// On one line, safe for a terminal, and not longer than a message can be read: the first 200 bytes, then "..." if
/// there are more.
std::string shown(std::string_view given);

}  // namespace opdebug::c_interface

struct opdebug_options {
    opdebug::c_interface::Options values;
    std::uint32_t set = 0;  ///< a bit for each row of the table of options
};
