// Reading of an API dump whose form is known already.
#pragma once

#include <functional>
#include <string>

#include <opdebug/api_dump.hpp>

namespace opdebug::api_dump {

/// As read_api_dump(), but takes the file for what it was found to be: it is opened once.
Result<ApiFile> read_as(ApiSource source, const std::string& path, const ApiReadOptions& options,
                        const std::function<void(ApiEntry&&)>& use);

}  // namespace opdebug::api_dump
