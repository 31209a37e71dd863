// A .pkl of ptdbg_ascend: text, in spite of its name.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <opdebug/api_dump.hpp>

namespace opdebug::api_dump {

/// As read_api_dump(); step, rank and process are left to the caller.
Result<ApiFile> read_ptdbg_file(const std::string& path, const ApiReadOptions& options,
                                const std::function<void(ApiEntry&&)>& use);

/// The stack lines of a file: `use` gets the call's name and its frames.
Result<bool> read_ptdbg_stacks(const std::string& path, const ApiReadOptions& options,
                               const std::function<void(std::string&&, std::vector<std::string>&&)>& use);

}  // namespace opdebug::api_dump
