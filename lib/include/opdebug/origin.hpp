// Origin of a bad value: born in the overflowed operator, or inherited from its inputs, according to the operator dump.
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

/// Origin of the bad values of an overflowed operator.
enum class OriginVerdict { born_here, inherited, not_visible };

/// "born_here", "inherited" or "not_visible". Static storage.
OPDEBUG_API std::string_view to_string(OriginVerdict verdict) noexcept;

/// A verdict with its reason and limitations.
struct Origin {
    OriginVerdict verdict = OriginVerdict::not_visible;
    std::string because;         ///< an English sentence with tensors and numbers
    bool bad_input = false;      ///< an input contains a bad value
    bool bad_output = false;     ///< an output contains one; possible with not_visible if inputs are missing
    bool integers_only = false;  ///< all bad values are integers at the ends of their range; they may be intended
    /// inherited, but the only bad inputs are -Inf or the negative limit, as in attention masks. The bad value may be
    /// born here.
    bool mask_possible = false;
    /// Inputs or outputs are missing, or were not measured completely.
    bool values_unseen = false;
};

/// Decides where the bad values come from. inherited: an input contains NaN, Inf or saturated values. born_here: all
/// inputs are clean and an output is not. not_visible: all are clean, or inputs are missing or not measured. Integer
/// inputs, and integer outputs of 8 bits or less, do not count, because values at their limits are often intended.
/// Thread-safe.
OPDEBUG_API Origin origin_of(const OpDump& dump);

/// Facts of the operator dump about an overflow: its tensors and the verdict.
struct TensorEvidence {
    std::optional<OpDump> op_dump;  ///< empty: there is none, or it cannot be measured
    std::optional<Origin> origin;   ///< present if op_dump is
    /// Reasons for missing results, and remarks on the dump; error: values are missing. Remarks on single tensors are
    /// in the tensors.
    std::vector<Diagnostic> diagnostics;
    bool interrupted = false;  ///< `stop` ended the measurement

    /// False if a dump exists that could not be measured completely: a diagnostic here or of a tensor has severity
    /// error.
    OPDEBUG_API bool complete() const noexcept;
};

/// Measures location.op_dump, in pieces. `stop` is called from time to time; true stops. Never fails: `diagnostics`
/// contains the reasons. Thread-safe.
OPDEBUG_API TensorEvidence measure_operator(const Location& location, const std::function<bool()>& stop = {},
                                            const Limits& limits = {});

}  // namespace v0
}  // namespace opdebug
