// Parsers of the three formats; names of element types, and numbers, as the tools write them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>
#include <opdebug/result.hpp>

#include "json/cursor.hpp"

namespace opdebug::api_dump {

using json_stage::JsonScalar;

/// NumPy's name if it has the type: "torch.float16", MindSpore's "Float16" and CANN's "DT_FLOAT16" are "float16".
/// Otherwise "bfloat16", or the tool's own name without its prefix ("torch_npu.HiFloat8Tensor" is "HiFloat8Tensor").
std::string element_name(std::string_view written);

/// A number, or one of the words nan, inf, infinity in any case and with a sign, with optional blanks and tabs around
/// it. An integer beyond the range of double is the largest finite double, not infinity. Empty for other texts.
std::optional<double> number_in(std::string_view text) noexcept;

/// The number of a member, possibly quoted. true and false are 1 and 0.
std::optional<double> number_of(const JsonScalar& member) noexcept;

std::optional<std::int64_t> integer_of(const JsonScalar& member) noexcept;

/// See read_api_dump(). The caller sets step, rank and process.
Result<ApiFile> read_msprobe_file(const std::string& path, const ApiReadOptions& options,
                                  const std::function<void(ApiEntry&&)>& use);

/// Whether msprobe writes this key next to "data".
inline bool is_msprobe_key(std::string_view key) noexcept {
    return key == "task" || key == "level" || key == "framework" || key == "dump_data_dir" || key == "data_path";
}

/// A warning with the first record of dump_error_info.log in the folder of `dump`. Empty if there is no such file, if
/// it is unreadable, or without a record.
std::optional<Diagnostic> collection_failures(const std::string& dump);

/// The slice setting in config.json next to a dump or above it. Empty without such a file or member. dump.json does not
/// contain it.
std::optional<Diagnostic> sliced_values(const std::string& dump);

/// See read_api_dump(). The caller sets step, rank and process.
Result<ApiFile> read_ptdbg_file(const std::string& path, const ApiReadOptions& options,
                                const std::function<void(ApiEntry&&)>& use);

/// The stack lines of a file: `use` receives the name of each call and its frames.
Result<bool> read_ptdbg_stacks(const std::string& path, const ApiReadOptions& options,
                               const std::function<void(std::string&&, std::vector<std::string>&&)>& use);

struct PtdbgLine {
    std::string call;  ///< "Functional_linear_145_backward"; a "pre_forward" is a forward
    std::optional<ApiValue> value;
    std::vector<std::string> frames;  ///< frames of a stack line
    bool is_overflow = false;         ///< flag 101: written because the call overflowed
};

/// Parses a line. `with_frames`: keep the frames of a stack line. Empty for a line of another format.
std::optional<PtdbgLine> read_ptdbg_line(std::string_view line, bool with_frames);

/// Whether a first line is the header of one of the dialects.
bool is_statistic_header(std::string_view line);

/// See read_api_dump(). The caller sets step, rank and process.
Result<ApiFile> read_statistic_csv(const std::string& path, const ApiReadOptions& options,
                                   const std::function<void(ApiEntry&&)>& use);

}  // namespace opdebug::api_dump
