// The tensors of an operator → where its bad values come from.
#include <opdebug/origin.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "origin/bad_values.hpp"
#include "tensor/element_type.hpp"

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

/// What the tensors of one kind say.
struct Findings {
    std::vector<BadValues> bad;
    std::vector<std::string> unmeasured;  ///< "input 1"
    bool any = false;
};

void add_finding(const DumpedTensor& tensor, Findings& findings) {
    findings.any = true;
    const ElementType* const type = tensor_stage::element_type(tensor.dtype);
    // Strings and resources carry no bad numbers; of unknown types nobody knows.
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
    if (dump.tensors_missing) {  // also bad inputs, perhaps
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
