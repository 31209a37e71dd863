// Where a bad value comes from: whether it was born in the operator that overflowed or came in through its inputs, by
// the operator's own dump.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/limits.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/result.hpp>
#include <opdebug/tensor.hpp>

namespace opdebug {
inline namespace v0 {

/// Where the bad values of an operator that overflowed come from.
enum class OriginVerdict { born_here, inherited, not_visible };

/// "born_here", "inherited" or "not_visible". Static storage.
OPDEBUG_API std::string_view to_string(OriginVerdict verdict) noexcept;

/// A verdict with its reason, and what makes it less sure.
struct Origin {
    OriginVerdict verdict = OriginVerdict::not_visible;
    std::string because;      ///< an English sentence with the tensors and numbers behind it
    bool bad_input = false;   ///< an input shows a bad value
    bool bad_output = false;  ///< an output does; also where the verdict is not_visible, because inputs were not seen
    bool integers_only = false;  ///< all that is bad are integers at the ends of their range, which may be meant so
    /// inherited, but all that is bad in the inputs is -Inf or the negative limit, as attention masks are filled: the
    /// bad value may have been born here all the same.
    bool mask_possible = false;
    /// Inputs or outputs are missing in the dump, or could not be measured as a whole: what is not shown may be there.
    bool values_unseen = false;
};

/// inherited: an input already holds NaN, Inf or saturated values. born_here: all inputs are clean and an output is
/// not. not_visible: all are clean, or inputs are missing from the dump or could not be measured, so that neither can
/// be said. Integer inputs do not count, for at their limits they are often meant so, nor do integer outputs of 8 bits
/// and less. Thread-safe.
OPDEBUG_API Origin origin_of(const OpDump& dump);

/// What the operator's own dump adds to an overflow: its tensors, and the verdict on them.
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
