// What the operator's own dump adds to an overflow: its tensors, and whether the bad value was born in the operator or
// came in through its inputs.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/limits.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/result.hpp>
#include <opdebug/tensor.hpp>

namespace opdebug {
inline namespace v0 {

struct TensorEvidence {
    std::optional<OpDump> op_dump;  ///< nothing when there is none, or none that can be measured
    std::optional<Origin> origin;   ///< there with op_dump
    /// Why there is nothing, and what is to be known about the dump; error: values are missing. Remarks on single
    /// tensors stand there.
    std::vector<Diagnostic> diagnostics;
    bool interrupted = false;  ///< `stop` ended the measuring: nothing can be said

    /// False when a dump is there that could not be measured wholly: a diagnostic of severity error, here or at a
    /// tensor.
    OPDEBUG_API bool complete() const noexcept;
};

/// Measures location.op_dump. Reads the whole file, in pieces. `stop` is asked now and then; true ends it early. Never
/// fails: what cannot be measured is told in `diagnostics`. Thread-safe.
OPDEBUG_API TensorEvidence measure_operator(const Location& location, const std::function<bool()>& stop = {},
                                            const Limits& limits = {});

}  // namespace v0
}  // namespace opdebug
