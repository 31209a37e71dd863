// The readers of the three formats.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>
#include <opdebug/result.hpp>

namespace opdebug::api_dump {

/// As read_api_dump(); step, rank and process are left to the caller.
Result<ApiFile> read_msprobe_file(const std::string& path, const ApiReadOptions& options,
                                  const std::function<void(ApiEntry&&)>& use);

/// A warning with the first record of dump_error_info.log in the folder of `dump`. Nothing where there is no such file,
/// or none that can be read, or no record in it.
std::optional<Diagnostic> collection_failures(const std::string& dump);

/// What config.json next to a dump or above it states on slices; nothing without such a file or member. dump.json
/// itself does not show it.
std::optional<Diagnostic> sliced_values(const std::string& dump);

/// As read_api_dump(); step, rank and process are left to the caller.
Result<ApiFile> read_ptdbg_file(const std::string& path, const ApiReadOptions& options,
                                const std::function<void(ApiEntry&&)>& use);

/// The stack lines of a file: `use` gets the call's name and its frames.
Result<bool> read_ptdbg_stacks(const std::string& path, const ApiReadOptions& options,
                               const std::function<void(std::string&&, std::vector<std::string>&&)>& use);

struct PtdbgLine {
    std::string call;  ///< "Functional_linear_145_backward"; a "pre_forward" is a forward
    std::optional<ApiValue> value;
    std::vector<std::string> frames;  ///< of a stack line
    bool is_overflow = false;         ///< flag 101: written because the call overflowed
};

/// Takes a line apart. `with_frames`: whether to keep those of a stack line. Nothing for a line of another format.
std::optional<PtdbgLine> read_ptdbg_line(std::string_view line, bool with_frames);

/// Whether a first line is the header of one of the dialects.
bool is_statistic_header(std::string_view line);

/// As read_api_dump(); step, rank and process are left to the caller.
Result<ApiFile> read_statistic_csv(const std::string& path, const ApiReadOptions& options,
                                   const std::function<void(ApiEntry&&)>& use);

}  // namespace opdebug::api_dump
