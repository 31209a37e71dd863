// statistic.csv of MindSpore and msprobe, and CANN's statistics of a single operator.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <opdebug/api_dump.hpp>

namespace opdebug::api_dump {

/// Whether a first line is the header of one of the dialects.
bool is_statistic_header(std::string_view line);

/// As read_api_dump(); step, rank and process are left to the caller.
Result<ApiFile> read_statistic_csv(const std::string& path, const ApiReadOptions& options,
                                   const std::function<void(ApiEntry&&)>& use);

}  // namespace opdebug::api_dump
