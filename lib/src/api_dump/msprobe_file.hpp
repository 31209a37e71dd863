// A dump.json or debug.json of msprobe, call by call.
#pragma once

#include <functional>
#include <string>

#include <opdebug/api_dump.hpp>

namespace opdebug::api_dump {

/// As read_api_dump(); step, rank and process are left to the caller.
Result<ApiFile> read_msprobe_file(const std::string& path, const ApiReadOptions& options,
                                  const std::function<void(ApiEntry&&)>& use);

}  // namespace opdebug::api_dump
