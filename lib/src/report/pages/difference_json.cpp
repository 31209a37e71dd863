// The document "opdebug.tensor_difference/1".
#include <opdebug/tensor.hpp>

#include "report/json/json_writer.hpp"
#include "report/pages/pages.hpp"

namespace opdebug::report {

using difference::Difference;
using difference::Lines;
using difference::Measures;
using difference::NamedTensor;

static void write_members(const NamedTensor& one, JsonWriter& json) {
    json.member("file", one.file);
    json.text_member("op_name", one.op_name);
    json.member("kind", one.tensor.kind);
    json.member("index", one.tensor.index);
    json.member("dtype", one.tensor.dtype);
    json.member("shape", one.tensor.shape);
}

static void write_members(const Lines& lines, JsonWriter& json) {
    json.member("count", lines.count);
    json.member("length", lines.length);
    json.member("whole", lines.whole);
    json.member("untouched", lines.untouched);
}

namespace {

/// Of the differing elements of both tensors.
struct DifferingBits {
    const Measures& all;
};

/// Of the offsets in the tensor. The address of the tensor is not known.
struct Alignment {
    const Measures& all;
};

}  // namespace

static void write_members(const DifferingBits& bits, JsonWriter& json) {
    json.member("one_bit", bits.all.one_bit);
    json.member("histogram", bits.all.bits);
}

static void write_members(const Alignment& alignment, JsonWriter& json) {
    const Measures& all = alignment.all;
    const std::uint64_t block = difference::rule("block_bytes"), unit = difference::rule("unit_bytes");
    const std::uint64_t begin = all.byte_of(all.first), end = all.byte_of(all.last + 1);
    json.member("begin_32", begin % block == 0);
    json.member("end_32", end % block == 0);
    json.member("begin_512", begin % unit == 0);
    json.member("end_512", end % unit == 0);
    json.member("size_2048_elements", all.span() % difference::rule("unit_elements") == 0);
}

/// All are null without a comparison.
static void write_measures(const std::optional<Measures>& measures, JsonWriter& json) {
    const Measures all = measures.value_or(Measures());
    const auto member = [&](const char* name, const auto& value, bool is_known = true) {
        measures&& is_known ? json.member(name, value) : json.null_member(name);
    };
    const bool differs = all.differ != 0;
    member("elements", all.elements);
    member("differ", all.differ);
    member("values_differ", all.values_differ);
    member("first", all.first, differs);
    member("last", all.last, differs);
    member("runs", all.runs);
    member("longest_run", all.longest_run);
    member("longest_gap", all.longest_gap);
    member("inside_share", static_cast<double>(all.differ) / static_cast<double>(all.span()), differs);
    member("nan_only_a", all.nan_only_a);
    member("inf_only_a", all.inf_only_a);
    member("nan_only_b", all.nan_only_b);
    member("inf_only_b", all.inf_only_b);
    member("bits", DifferingBits{all});
    member("alignment", Alignment{all}, differs);
    member("rows", all.rows);
    member("columns", all.columns);
    member("period", all.period);
    member("median_rel", all.median_rel);
    member("median_ulps", all.median_ulps);
    member("largest_difference", all.largest);
    member("rounding", all.rounding);
}

std::string difference_to_json(const Difference& difference, const ReportOptions& options) {
    constexpr const char* kStrengths[] = {"", "weak", "strong"};
    JsonWriter json(options);
    json.begin_object();
    json.member("schema", "opdebug.tensor_difference/1");
    json.member("a", difference.a);
    json.member("b", difference.b);
    json.member("verdict", difference.finding.verdict);
    json.text_member("strength", kStrengths[static_cast<std::size_t>(difference.finding.strength)]);
    json.member("overwrite_likely", difference.finding.is_overwrite());
    json.both("because", difference.finding.because);
    write_measures(difference.measures, json);
    json.end_object();
    return json.take();
}

}  // namespace opdebug::report
