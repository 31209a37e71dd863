// Reading of an API dump whose form is known already.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <opdebug/api_dump.hpp>

namespace opdebug::api_dump {

/// As read_api_dump(), but takes the file for what it was found to be: it is opened once.
Result<ApiFile> read_as(ApiSource source, const std::string& path, const ApiReadOptions& options,
                        const std::function<void(ApiEntry&&)>& use);

/// As api_source_of(), but the name of the file decides nothing.
Result<std::optional<ApiSource>> source_by_content(const std::string& path);

}  // namespace opdebug::api_dump
