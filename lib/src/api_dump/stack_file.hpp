// stack.json of msprobe.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api_dump.hpp>

namespace opdebug::api_dump {

/// Reads both forms: {call: [frame, ...]} until May 2025, since then {"0": [[call, ...], [frame, ...]], ...}.
/// `is_wanted` is asked for each call; `use` gets the frames of those. A file that ends early gives what it has whole.
/// Errors: those of reading, call_too_large, nesting_too_deep, api_dump_invalid where the JSON has another form.
Result<bool> read_stack_file(const std::string& path, const ApiReadOptions& options,
                             const std::function<bool(std::string_view)>& is_wanted,
                             const std::function<void(const std::string&, const std::vector<std::string>&)>& use);

}  // namespace opdebug::api_dump
