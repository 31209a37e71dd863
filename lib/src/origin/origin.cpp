// The tensors of an operator → where its bad values come from. Bad are NaN, Inf and values at the limit of the type.
#include <opdebug/tensor.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "remarks/diagnose.hpp"
#include "tensor/element_type.hpp"

namespace opdebug::origin_stage {
namespace {

struct BadValues {
    LocalizedText sentence;  ///< "input 0 contains 3 NaN ..."
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

LocalizedText limit_of(const ElementType& type) {
    switch (type.encoding) {
        case Encoding::floating:
        case Encoding::complex: return remarks::phrase("origin.limit", {{"limit", largest_finite(type.form)}});
        case Encoding::hifloat8: return remarks::phrase("origin.limit", {{"limit", kHifloat8Limit}});
        default: return remarks::phrase("origin.limits");
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
LocalizedText list_of(const std::vector<LocalizedText>& parts) {
    LocalizedText text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i != 0) {
            remarks::append(remarks::phrase(i + 1 == parts.size() ? "origin.and" : "origin.comma"), text);
        }
        remarks::append(parts[i], text);
    }
    return text;
}

LocalizedText kind_of(const DumpedTensor& tensor) {
    return remarks::phrase(tensor.kind == TensorKind::input ? "origin.input" : "origin.output");
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
    std::vector<LocalizedText> parts;
    if (statistics.nan > 0) {
        parts.push_back(remarks::phrase("origin.count_nan", {{"count", statistics.nan}}));
    }
    if (statistics.pos_inf + statistics.neg_inf > 0) {
        parts.push_back(remarks::phrase("origin.count_inf", {{"count", statistics.pos_inf + statistics.neg_inf}}));
    }
    if (statistics.saturated > 0) {
        parts.push_back(
            remarks::phrase("origin.count_saturated",
                            {{"count", statistics.saturated}, {"type", type.name}, {"limit", limit_of(type)}}));
    }
    if (parts.empty()) {
        return std::nullopt;
    }
    BadValues bad;
    bad.sentence = remarks::phrase(
        statistics.saturated > 0 ? "origin.holds_at_limit" : "origin.holds",
        {{"kind", kind_of(tensor)}, {"index", tensor.index}, {"parts", list_of(parts)}, {"count", tensor.elements}});
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
using origin_stage::kind_of;
using origin_stage::list_of;
using tensor_stage::ElementType;

bool has_missing_values(const DumpedTensor& tensor) {
    return std::any_of(tensor.diagnostics.begin(), tensor.diagnostics.end(),
                       [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::error; });
}

bool is_text(const ElementType& type) {
    return type.name.starts_with("string");
}

/// Findings on the tensors of one kind.
struct Findings {
    std::vector<BadValues> bad;
    std::vector<LocalizedText> unmeasured;  ///< "input 1"
    bool any = false;
};

void add_finding(const DumpedTensor& tensor, Findings& findings) {
    findings.any = true;
    const ElementType* const type = tensor_stage::element_type(tensor.dtype);
    // Strings contain no numbers. Unknown types, and resources (which are often weights), may contain bad ones.
    const bool is_unmeasured = type == nullptr || type->encoding == tensor_stage::Encoding::none;
    const bool has_no_numbers = type != nullptr && is_unmeasured && (is_text(*type) || tensor.size == 0);
    if (has_no_numbers || (!is_unmeasured && !origin_stage::counts(tensor.kind, *type))) {
        return;
    }
    std::optional<BadValues> bad = is_unmeasured ? std::nullopt : origin_stage::bad_values_of(tensor, *type);
    if (bad) {
        findings.bad.push_back(std::move(*bad));
    } else if (is_unmeasured || has_missing_values(tensor)) {
        findings.unmeasured.push_back(
            remarks::phrase("origin.tensor", {{"kind", kind_of(tensor)}, {"index", tensor.index}}));
    }
}

LocalizedText sentences_of(const std::vector<BadValues>& bad) {
    std::vector<LocalizedText> sentences;
    sentences.reserve(bad.size());
    for (const BadValues& tensor : bad) {
        sentences.push_back(tensor.sentence);
    }
    return remarks::joined(sentences, {", ", "，"});
}

bool integers_only(const std::vector<BadValues>& bad) {
    return !bad.empty() && std::all_of(bad.begin(), bad.end(), [](const BadValues& tensor) { return tensor.integers; });
}

LocalizedText with_caveat(const std::vector<BadValues>& bad) {
    LocalizedText text = sentences_of(bad);
    if (integers_only(bad)) {
        remarks::append(remarks::phrase("origin.integers"), text);
    }
    return text;
}

LocalizedText unmeasured_sentence(const Findings& findings) {
    return remarks::phrase("origin.unmeasured", {{"tensors", list_of(findings.unmeasured)}});
}

LocalizedText outputs_of_inherited(const Findings& outputs, bool complete) {
    if (!outputs.any) {
        return remarks::phrase("origin.no_outputs");
    }
    if (!outputs.bad.empty()) {
        return sentences_of(outputs.bad);
    }
    if (!outputs.unmeasured.empty()) {
        return unmeasured_sentence(outputs);
    }
    return remarks::phrase(complete ? "origin.outputs_clean" : "origin.outputs_there_clean");
}

Origin origin_because(OriginVerdict verdict, LocalizedText because) {
    Origin origin;
    origin.verdict = verdict;
    origin.because = std::move(because.en);
    origin.because_zh = std::move(because.zh);
    return origin;
}

Origin with_bad_input(const Findings& inputs, const Findings& outputs, bool complete) {
    LocalizedText because = remarks::joined({sentences_of(inputs.bad), outputs_of_inherited(outputs, complete)},
                                            remarks::phrase("origin.part"));
    const bool mask_possible =
        std::all_of(inputs.bad.begin(), inputs.bad.end(), [](const BadValues& tensor) { return tensor.mask_possible; });
    if (mask_possible) {
        const bool new_in_outputs = std::any_of(outputs.bad.begin(), outputs.bad.end(), [](const BadValues& tensor) {
            return !tensor.integers && tensor.positive;
        });
        remarks::append(remarks::phrase(new_in_outputs ? "origin.mask_new" : "origin.mask"), because);
    }
    Origin origin = origin_because(OriginVerdict::inherited, std::move(because));
    origin.mask_possible = mask_possible;
    return origin;
}

/// The reason where the origin is not visible.
LocalizedText why_not_visible(const Findings& inputs, const Findings& outputs, const OpDump& dump) {
    const LocalizedText bad = with_caveat(outputs.bad);
    if (dump.tensors_missing) {  // bad inputs may be among them
        LocalizedText because = remarks::phrase("origin.damaged");
        remarks::append(outputs.bad.empty() ? remarks::phrase("origin.there_clean") : bad, because);
        return because;
    }
    if (!inputs.any) {
        return outputs.bad.empty() ? remarks::phrase("origin.no_inputs_clean")
                                   : remarks::phrase("origin.no_inputs", {{"bad", bad}});
    }
    if (!inputs.unmeasured.empty()) {
        const LocalizedText unmeasured = unmeasured_sentence(inputs);
        return outputs.bad.empty() ? unmeasured : remarks::joined({unmeasured, bad}, remarks::phrase("origin.part"));
    }
    return !outputs.any ? remarks::phrase("origin.inputs_clean", {{"rest", remarks::phrase("origin.no_outputs")}})
           : !outputs.unmeasured.empty()
               ? remarks::phrase("origin.inputs_clean", {{"rest", unmeasured_sentence(outputs)}})
               : remarks::phrase(dump.complete() ? "origin.all_clean" : "origin.inputs_and_part_clean");
}

Origin without_bad_input(const Findings& inputs, const Findings& outputs, const OpDump& dump) {
    const bool are_clean = !dump.tensors_missing && inputs.any && inputs.unmeasured.empty();
    return are_clean && !outputs.bad.empty()
               ? origin_because(OriginVerdict::born_here,
                                remarks::phrase("origin.inputs_clean", {{"rest", with_caveat(outputs.bad)}}))
               : origin_because(OriginVerdict::not_visible, why_not_visible(inputs, outputs, dump));
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
