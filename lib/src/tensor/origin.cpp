// Where the bad values of an operator come from.
#include <optional>

#include <fmt/format.h>

#include <opdebug/tensor.hpp>

#include "tensor/element_type.hpp"
#include "tensor/number.hpp"

namespace opdebug {
namespace {

using tensor_stage::ElementType;
using tensor_stage::Encoding;

bool is_floating(const ElementType& type) noexcept {
    return type.encoding == Encoding::floating || type.encoding == Encoding::complex ||
           type.encoding == Encoding::hifloat8 || type.encoding == Encoding::e8m0;
}

/// "3 NaN, 2 Inf and 5 values at float16's limit".
std::string list_of(const std::vector<std::string>& parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        text += i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ";
        text += parts[i];
    }
    return text;
}

std::string limit_of(const ElementType& type) {
    switch (type.encoding) {
        case Encoding::floating:
        case Encoding::complex: return fmt::format("limit {}", tensor_stage::largest_finite(type.form));
        case Encoding::hifloat8: return "limit 32768";
        default: return "limits";
    }
}

/// What is bad in a tensor, or nothing: "input 0 holds 3 NaN of 1024 values".
std::optional<std::string> badness(const DumpedTensor& tensor, const ElementType& type) {
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
    return fmt::format("{} {} holds {}{} of {} values", to_string(tensor.kind), tensor.index, list_of(parts),
                       statistics.saturated > 0 ? "," : "", tensor.elements);
}

bool has_missing_values(const DumpedTensor& tensor) {
    for (const Diagnostic& diagnostic : tensor.diagnostics) {
        if (diagnostic.severity == Severity::error) {
            return true;
        }
    }
    return false;
}

/// What the tensors say, inputs and outputs apart.
struct Findings {
    std::vector<std::string> bad_inputs;
    std::vector<std::string> bad_outputs;
    std::vector<std::string> unmeasured_inputs;  ///< "input 1"
    bool any_input = false;
    bool any_output = false;
    bool integers_only = true;  ///< what is bad in outputs are integers at their limits
};

void add_finding(const DumpedTensor& tensor, Findings& findings) {
    const bool is_input = tensor.kind == TensorKind::input;
    (is_input ? findings.any_input : findings.any_output) = true;
    const ElementType* const type = tensor_stage::element_type(tensor.dtype);
    if (type == nullptr || !tensor.statistics) {
        // Strings and resources carry no bad numbers; of unknown types nobody knows.
        if (is_input && type == nullptr) {
            findings.unmeasured_inputs.push_back(fmt::format("input {}", tensor.index));
        }
        return;
    }
    if (is_input && !is_floating(*type)) {
        return;
    }
    const std::optional<std::string> bad = badness(tensor, *type);
    if (bad && is_input) {
        findings.bad_inputs.push_back(*bad);
    } else if (bad) {
        findings.bad_outputs.push_back(*bad);
        findings.integers_only = findings.integers_only && !is_floating(*type);
    } else if (is_input && has_missing_values(tensor)) {
        findings.unmeasured_inputs.push_back(fmt::format("input {}", tensor.index));
    }
}

std::string joined(const std::vector<std::string>& sentences) {
    return fmt::format("{}", fmt::join(sentences, ", "));
}

Origin without_bad_input(const OpDump& dump, const Findings& findings) {
    if (!findings.any_input) {
        return {OriginVerdict::not_visible, findings.bad_outputs.empty()
                                                ? "the dump holds no inputs, and its outputs are clean"
                                                : fmt::format("the dump holds no inputs (only outputs were dumped); {}",
                                                              joined(findings.bad_outputs))};
    }
    if (!findings.unmeasured_inputs.empty()) {
        const std::string unmeasured =
            fmt::format("{} could not be measured as a whole", list_of(findings.unmeasured_inputs));
        return {OriginVerdict::not_visible, findings.bad_outputs.empty()
                                                ? unmeasured
                                                : fmt::format("{}; {}", unmeasured, joined(findings.bad_outputs))};
    }
    if (findings.bad_outputs.empty()) {
        return {OriginVerdict::not_visible, !findings.any_output ? "inputs are clean; the dump holds no outputs"
                                            : !dump.complete()   ? "inputs and what is there of the outputs are clean"
                                                                 : "inputs and outputs are clean"};
    }
    return {OriginVerdict::born_here,
            fmt::format("inputs are clean; {}{}", joined(findings.bad_outputs),
                        findings.integers_only ? " (integers at the ends of their range may be meant so)" : "")};
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
    Findings findings;
    for (const DumpedTensor& tensor : dump.tensors) {
        add_finding(tensor, findings);
    }
    if (!findings.bad_inputs.empty()) {
        return {OriginVerdict::inherited, joined(findings.bad_inputs)};
    }
    return without_bad_input(dump, findings);
}

}  // namespace opdebug
