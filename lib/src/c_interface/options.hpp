// The JSON text of options → values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/limits.hpp>
#include <opdebug/result.hpp>
#include <opdebug/status.hpp>

namespace opdebug::c_interface {

/// What the options of all functions may say, with what holds where they say nothing. opdebug.h describes them.
struct Options {
    Language language = Language::english;
    bool tensors = false;
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

/// The functions that take options: each knows some of them.
enum Taker : unsigned {
    reading_logs = 1U,
    decoding = 2U,
    explaining_status = 4U,
    scanning = 8U,
    judging_api_dumps = 16U,
    finding = 32U
};

/// Reads options; NULL is none. Error: invalid_argument, which names the option, what was expected and what stands
/// there.
Result<Options> read_options(const char* text, Taker taker);

}  // namespace opdebug::c_interface
