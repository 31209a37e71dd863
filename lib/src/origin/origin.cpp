// The tensors of an operator → where its bad values come from. Bad are NaN, Inf and values at the limit of the type.
#include <opdebug/tensor.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "tensor/element_type.hpp"

namespace opdebug::origin_stage {
namespace {

struct BadValues {
    std::string sentence;  ///< "input 0 contains 3 NaN ..."
    bool integers = false;
    bool positive = false;       ///< includes NaN, +Inf or the positive limit
    bool mask_possible = false;  ///< all are -Inf or the negative limit of a float type
};

using tensor_stage::ElementType;
using tensor_stage::Encoding;

bool is_integer(const ElementType& type) noexcept {
    return type.encoding == Encoding::boolean || type.encoding == Encoding::signed_integer ||
           type.encoding == Encoding::unsigned_integer;
}

/// The largest finite number of HiFloat8. Source: arXiv 2409.16626.
constexpr double kHifloat8Limit = 32768;

std::string limit_of(const ElementType& type) {
    switch (type.encoding) {
        case Encoding::floating:
        case Encoding::complex: return fmt::format("limit {}", largest_finite(type.form));
        case Encoding::hifloat8: return fmt::format("limit {}", kHifloat8Limit);
        default: return "limits";
    }
}

/// Whether a value at the limit of a floating-point type is positive: the largest finite value is then positive too.
bool at_positive_limit(const TensorStatistics& statistics, const ElementType& type) {
    const double* const max = statistics.max ? std::get_if<double>(&*statistics.max) : nullptr;
    if (statistics.saturated == 0 || max == nullptr) {
        return false;
    }
    switch (type.encoding) {
        case Encoding::floating:
        case Encoding::complex: return *max >= largest_finite(type.form);
        case Encoding::hifloat8: return *max >= kHifloat8Limit;
        default: return true;  // e8m0 has no negative numbers
    }
}

/// "a, b and c".
std::string list_of(const std::vector<std::string>& parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        text += i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ";
        text += parts[i];
    }
    return text;
}
/// Whether bad values of such a tensor are evidence. Integer inputs are not, because masks and indices use the ends of
/// their range. Integers of 8 bits and less are not, because quantised data use the whole range.

bool counts(TensorKind kind, const ElementType& type) noexcept {
    return !is_integer(type) || (kind == TensorKind::output && type.bits > 8);
}
/// Empty if no value is bad, or the tensor was not measured.

std::optional<BadValues> bad_values_of(const DumpedTensor& tensor, const ElementType& type) {
    if (!tensor.statistics) {
        return std::nullopt;
    }
    const TensorStatistics& statistics = *tensor.statistics;
    std::vector<std::string> parts;
    if (statistics.nan > 0) {
        parts.push_back(fmt::format("{} NaN", statistics.nan));
    }
    if (statistics.pos_inf + statistics.neg_inf > 0) {
        parts.push_back(fmt::format("{} Inf", statistics.pos_inf + statistics.neg_inf));
    }
    if (statistics.saturated > 0) {
        parts.push_back(fmt::format("{} {} at {}'s {}", statistics.saturated,
                                    statistics.saturated == 1 ? "value" : "values", type.name, limit_of(type)));
    }
    if (parts.empty()) {
        return std::nullopt;
    }
    BadValues bad;
    bad.sentence = fmt::format("{} {} holds {}{} of {}", to_string(tensor.kind), tensor.index, list_of(parts),
                               statistics.saturated > 0 ? "," : "", bytes::counted(tensor.elements, "value"));
    bad.integers = is_integer(type);
    bad.positive = statistics.nan > 0 || statistics.pos_inf > 0 || at_positive_limit(statistics, type);
    bad.mask_possible = !bad.integers && !bad.positive;
    return bad;
}

}  // namespace
}  // namespace opdebug::origin_stage

namespace opdebug {
inline namespace v0 {
namespace {

using origin_stage::BadValues;
using origin_stage::list_of;
using tensor_stage::ElementType;

bool has_missing_values(const DumpedTensor& tensor) {
    return std::any_of(tensor.diagnostics.begin(), tensor.diagnostics.end(),
                       [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::error; });
}

/// Findings on the tensors of one kind.
struct Findings {
    std::vector<BadValues> bad;
    std::vector<std::string> unmeasured;  ///< "input 1"
    bool any = false;
};

void add_finding(const DumpedTensor& tensor, Findings& findings) {
    findings.any = true;
    const ElementType* const type = tensor_stage::element_type(tensor.dtype);
    // Strings and resources contain no numbers. Unknown types may contain bad ones.
    const bool counts =
        type == nullptr || (type->encoding != tensor_stage::Encoding::none && origin_stage::counts(tensor.kind, *type));
    if (!counts) {
        return;
    }
    std::optional<BadValues> bad = type != nullptr ? origin_stage::bad_values_of(tensor, *type) : std::nullopt;
    if (bad) {
        findings.bad.push_back(std::move(*bad));
    } else if (type == nullptr || has_missing_values(tensor)) {
        findings.unmeasured.push_back(fmt::format("{} {}", to_string(tensor.kind), tensor.index));
    }
}

std::string sentences_of(const std::vector<BadValues>& bad) {
    std::string text;
    for (const BadValues& tensor : bad) {
        text += (text.empty() ? "" : ", ") + tensor.sentence;
    }
    return text;
}

bool integers_only(const std::vector<BadValues>& bad) {
    return !bad.empty() && std::all_of(bad.begin(), bad.end(), [](const BadValues& tensor) { return tensor.integers; });
}

constexpr const char* kIntegersCaveat = " (integers at the ends of their range may be meant so)";

std::string with_caveat(const std::vector<BadValues>& bad) {
    return sentences_of(bad) + (integers_only(bad) ? kIntegersCaveat : "");
}

std::string unmeasured_sentence(const Findings& findings) {
    return fmt::format("{} could not be measured as a whole", list_of(findings.unmeasured));
}

std::string outputs_of_inherited(const Findings& outputs, bool complete) {
    if (!outputs.any) {
        return "the dump holds no outputs";
    }
    if (!outputs.bad.empty()) {
        return sentences_of(outputs.bad);
    }
    if (!outputs.unmeasured.empty()) {
        return unmeasured_sentence(outputs);
    }
    return complete ? "the outputs are clean" : "what is there of the outputs is clean";
}

Origin with_bad_input(const Findings& inputs, const Findings& outputs, bool complete) {
    Origin origin;
    origin.verdict = OriginVerdict::inherited;
    origin.because = fmt::format("{}; {}", sentences_of(inputs.bad), outputs_of_inherited(outputs, complete));
    origin.mask_possible =
        std::all_of(inputs.bad.begin(), inputs.bad.end(), [](const BadValues& tensor) { return tensor.mask_possible; });
    if (origin.mask_possible) {
        const bool new_in_outputs = std::any_of(outputs.bad.begin(), outputs.bad.end(), [](const BadValues& tensor) {
            return !tensor.integers && tensor.positive;
        });
        origin.because += " (attention masks are filled with -Inf or the negative limit on purpose";
        origin.because += new_in_outputs ? ", and no measured input holds the NaN, +Inf or positive limit of the "
                                           "outputs: it may well have been born here)"
                                         : ": if this is one, the bad value may have been born here)";
    }
    return origin;
}

Origin without_bad_input(const Findings& inputs, const Findings& outputs, const OpDump& dump) {
    const bool complete = dump.complete();
    const std::string bad = with_caveat(outputs.bad);
    Origin origin;
    if (dump.tensors_missing) {  // bad inputs may be among them
        origin.because = "the dump is damaged, inputs may be missing; ";
        origin.because += bad.empty() ? "what is there is clean" : bad;
    } else if (!inputs.any) {
        origin.because = bad.empty() ? "the dump holds no inputs, and its outputs are clean"
                                     : fmt::format("the dump holds no inputs (only outputs were dumped); {}", bad);
    } else if (!inputs.unmeasured.empty()) {
        const std::string unmeasured = unmeasured_sentence(inputs);
        origin.because = bad.empty() ? unmeasured : fmt::format("{}; {}", unmeasured, bad);
    } else if (bad.empty()) {
        origin.because = !outputs.any                  ? "inputs are clean; the dump holds no outputs"
                         : !outputs.unmeasured.empty() ? "inputs are clean; " + unmeasured_sentence(outputs)
                         : !complete                   ? "inputs and what is there of the outputs are clean"
                                                       : "inputs and outputs are clean";
    } else {
        origin.verdict = OriginVerdict::born_here;
        origin.because = fmt::format("inputs are clean; {}", bad);
    }
    return origin;
}

}  // namespace

std::string_view to_string(OriginVerdict verdict) noexcept {
    switch (verdict) {
        case OriginVerdict::born_here: return "born_here";
        case OriginVerdict::inherited: return "inherited";
        case OriginVerdict::not_visible: return "not_visible";
    }
    return "unknown";
}

Origin origin_of(const OpDump& dump) {
    Findings inputs, outputs;
    for (const DumpedTensor& tensor : dump.tensors) {
        add_finding(tensor, tensor.kind == TensorKind::input ? inputs : outputs);
    }
    const bool complete = dump.complete();
    Origin origin =
        inputs.bad.empty() ? without_bad_input(inputs, outputs, dump) : with_bad_input(inputs, outputs, complete);
    origin.bad_input = !inputs.bad.empty();
    origin.bad_output = !outputs.bad.empty();
    origin.integers_only = inputs.bad.empty() && integers_only(outputs.bad);
    origin.values_unseen =
        !inputs.any || !outputs.any || !inputs.unmeasured.empty() || !outputs.unmeasured.empty() || !complete;
    return origin;
}

}  // namespace v0
}  // namespace opdebug
