// How two tensors differ: the document "opdebug.tensor_difference/1", and a page for people.
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <opdebug/tensor.hpp>

#include "container/shape.hpp"
#include "remarks/diagnose.hpp"
#include "report/json/json_writer.hpp"
#include "report/pages/pages.hpp"
#include "report/text/code_texts.hpp"
#include "report/text/page.hpp"

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
    member("bits", [&] {  // of the differing elements of both tensors
        json.member("one_bit", all.one_bit);
        json.member("histogram", all.bits);
    });
    const auto alignment = [&] {  // of the offsets in the tensor, whose address is not known
        const std::uint64_t block = difference::rule("block_bytes"), unit = difference::rule("unit_bytes");
        const std::uint64_t begin = all.byte_of(all.first), end = all.byte_of(all.last + 1);
        json.member("begin_32", begin % block == 0);
        json.member("end_32", end % block == 0);
        json.member("begin_512", begin % unit == 0);
        json.member("end_512", end % unit == 0);
        json.member("size_2048_elements", all.span() % difference::rule("unit_elements") == 0);
    };
    member("alignment", alignment, differs);
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
    return JsonWriter::document("opdebug.tensor_difference/1", options, [&](JsonWriter& json) {
        json.member("a", difference.a);
        json.member("b", difference.b);
        json.member("verdict", difference.finding.verdict);
        json.text_member("strength", kStrengths[static_cast<std::size_t>(difference.finding.strength)]);
        json.member("overwrite_likely", difference.finding.is_overwrite());
        json.both("because", difference.finding.because);
        write_measures(difference.measures, json);
    });
}

namespace {

using difference::Strength;

/// "net/Add input 0   float32 (4,)". The file name instead of an unknown operator, and after one that both sides have.
std::string tensor_line(const std::optional<NamedTensor>& one, const std::optional<NamedTensor>& other) {
    if (!one) {
        return "-";
    }
    const std::string name = fmt::format("{} {} {}", printable(one->op_name.empty() ? one->file : one->op_name),
                                         to_string(one->tensor.kind), one->tensor.index);
    const bool is_same = other && !one->op_name.empty() && one->op_name == other->op_name;
    return fmt::format("{}{}   {} {}", name, is_same ? "  " + printable(one->file) : std::string(), one->tensor.dtype,
                       container::python_shape(one->tensor.shape));
}

/// "region overwritten (strong)"
std::string verdict_text(const difference::Finding& finding, const Page& page) {
    const std::string_view words = page.word(fmt::format("difference_verdict.{}", to_string(finding.verdict)));
    return fmt::format("{}{}", words,
                       finding.strength == Strength::none     ? ""
                       : finding.strength == Strength::strong ? page.word("page.strong")
                                                              : page.word("page.weak_in_brackets"));
}

std::string share_inside(const Measures& all) {
    return fmt::format("{:.2f}", 100.0 * static_cast<double>(all.differ) / static_cast<double>(all.span()));
}

std::string median_text(const Measures& all) {
    std::string text = all.median_rel ? fmt::format("{:.3g}", *all.median_rel) : "-";
    if (all.median_ulps) {
        const bool is_most = *all.median_ulps == difference::kMostUlps;
        text += fmt::format(" ({}{} ulp)", is_most ? ">= " : "", *all.median_ulps);
    }
    return text;
}

std::string measures_text(const Measures& all, const Page& page) {
    if (all.differ == 0) {
        return page.lines("", page.phrase("difference_counts_none", {{"count", all.elements}}), 2);
    }
    return page.lines("",
                      page.phrase("difference_counts", {{"differ", all.differ},
                                                        {"count", all.elements},
                                                        {"first", all.first},
                                                        {"last", all.last},
                                                        {"runs", all.runs},
                                                        {"inside", share_inside(all)}}),
                      2) +
           page.lines("",
                      page.phrase("difference_details",
                                  {{"begin", all.byte_of(all.first)},
                                   {"end", all.byte_of(all.last + 1)},
                                   {"rows", all.rows.whole},
                                   {"all", all.rows.count},
                                   {"untouched", all.rows.untouched},
                                   {"nan", all.nan_only_a},
                                   {"inf", all.inf_only_a},
                                   {"nan_b", all.nan_only_b},
                                   {"inf_b", all.inf_only_b},
                                   {"bits", all.one_bit},
                                   {"median", median_text(all)},
                                   {"largest", all.largest ? fmt::format("{:.3g}", *all.largest) : "-"}}),
                      2);
}

}  // namespace

std::string difference_to_text(const Difference& difference, const ReportOptions& options) {
    const Page page{options};
    const difference::Finding& finding = difference.finding;
    const std::string verdict = verdict_text(finding, page);
    const std::string_view colon = page.word("page.colon");
    std::string text = page.lines(fmt::format("{}{}", page.word("page.verdict"), colon),
                                  fmt::format("{}{}{}", finding.is_overwrite() ? page.red(verdict) : page.bold(verdict),
                                              colon, finding.because.in(options.language)),
                                  2);
    if (finding.is_overwrite()) {
        text += page.lines("", page.word("difference_likely"), 2);
    }
    text += page.lines("A ", tensor_line(difference.a, difference.b), 2) +
            page.lines("B ", tensor_line(difference.b, difference.a), 2);
    text += difference.measures ? measures_text(*difference.measures, page) : "";
    const std::vector<CodeText> codes = code_texts(options.language);
    const CodeText* const code = find_code(codes, "difference", to_string(finding.verdict));
    if (code != nullptr && !code->advice.empty()) {
        text += page.lines(fmt::format("{}{}", page.word("page.next"), colon), code->advice, 2);
    }
    return text;
}

}  // namespace opdebug::report
