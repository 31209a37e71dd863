// One line of a .pkl of ptdbg_ascend: a JSON array with the statistics of a tensor, or a call stack.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api_dump.hpp>

namespace opdebug::api_dump {

struct PtdbgLine {
    std::string call;  ///< "Functional_linear_145_backward"; a "pre_forward" is a forward
    std::optional<ApiValue> value;
    std::vector<std::string> frames;  ///< of a stack line
    bool is_overflow = false;         ///< flag 101: written because the call overflowed
};

/// Takes a line apart. `with_frames`: whether to keep those of a stack line. Nothing for a line of another form.
std::optional<PtdbgLine> read_ptdbg_line(std::string_view line, bool with_frames);

}  // namespace opdebug::api_dump
