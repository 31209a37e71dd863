// The dump of an operator as a page for people, the table of its tensors, and how two tensors differ.
#include "report/pages/pages.hpp"

#include <array>
#include <string>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "container/shape.hpp"
#include "remarks/diagnose.hpp"
#include "report/text/code_texts.hpp"
#include "report/text/numpy_text.hpp"
#include "report/text/page.hpp"

namespace opdebug::report {
namespace {

/// "[2,8]"; dimensions that were not known when the operator was built as "-1 (unknown)".
std::string shape_of(const DumpedTensor& tensor) {
    std::string text;
    for (const std::uint64_t dimension : tensor.shape) {
        text += text.empty() ? "" : ",";
        text += container::is_unknown(dimension) ? fmt::format("{} (unknown)", static_cast<std::int64_t>(dimension))
                                                 : fmt::to_string(dimension);
    }
    return fmt::format("[{}]", text);
}

std::string show(const std::optional<TensorNumber>& number, const std::string& dtype) {
    return number ? readable_number(*number, dtype) : std::string();
}

std::string show_unless_zero(std::uint64_t count) {
    return count == 0 ? std::string() : fmt::to_string(count);
}

TextRow row_of(const DumpedTensor& tensor, const Page& page) {
    const TensorStatistics values = tensor.statistics.value_or(TensorStatistics());
    TextRow row{
        {fmt::format("{} {}", to_string(tensor.kind), tensor.index), printable(tensor.dtype), printable(tensor.format),
         shape_of(tensor), fmt::to_string(tensor.elements), show(values.max, tensor.dtype),
         show(values.min, tensor.dtype), values.mean ? readable_mean(*values.mean, tensor.dtype) : std::string(),
         show_unless_zero(values.nan), show_unless_zero(values.pos_inf), show_unless_zero(values.neg_inf),
         show_unless_zero(values.saturated), show_unless_zero(values.subnormal), show_unless_zero(values.zero)},
        {}};
    for (const Diagnostic& remark : tensor.diagnostics) {
        row.below += "      " + page.remark(remark);
    }
    return row;
}

/// From here on columns of numbers.
constexpr std::size_t kFirstNumber = 4;
constexpr std::array kColumns{"tensor", "type", "format",  "shape",   "elements", "max",       "min",
                              "mean",   "nan",  "pos_inf", "neg_inf", "at_limit", "subnormal", "zero"};

}  // namespace

std::string tensors_table(const std::vector<DumpedTensor>& tensors, const ReportOptions& options) {
    if (tensors.empty()) {
        return {};
    }
    const Page page{options};
    std::vector<TextRow> rows;
    rows.reserve(tensors.size());
    for (const DumpedTensor& tensor : tensors) {
        rows.push_back(row_of(tensor, page));
    }
    std::vector<TextColumn> columns;
    columns.reserve(kColumns.size());
    for (const char* name : kColumns) {
        columns.push_back({page.word(fmt::format("tensor.{}", name)), columns.size() >= kFirstNumber});
    }
    const TextTable table = text_table(columns, rows, options.columns);
    return fmt::format("{}{}", table.heading, fmt::join(table.rows, ""));
}

}  // namespace opdebug::report

namespace opdebug {
inline namespace v0 {

std::string tensors_to_text(const OpDump& dump, const ReportOptions& options) {
    const report::Page page{options};
    std::string text =
        fmt::format("{} ({})\n", dump.op_name.empty() ? "?" : printable(dump.op_name),
                    dump.op_type.empty() ? std::string(page.word("page.type_unknown")) : printable(dump.op_type));
    if (!dump.complete()) {
        text += fmt::format("{}\n", page.word("page.damaged"));
    }
    const std::string table = report::tensors_table(dump.tensors, options);
    text += "\n" + (table.empty() ? fmt::format("  {}\n", page.word("page.no_tensors")) : table);
    text += fmt::format("\n  {}  {}\n", page.word("page.file"), printable(dump.file));
    if (dump.task_id) {
        const std::string stream = dump.stream_id ? fmt::format(", stream_id {}", *dump.stream_id) : std::string();
        text += fmt::format("  {}  task_id {}{}\n", page.word("page.task"), *dump.task_id, stream);
    }
    if (dump.timestamp_us) {
        text += fmt::format("  {}  {}\n", page.word("page.time"), report::show_time(*dump.timestamp_us));
    }
    text += dump.diagnostics.empty() ? std::string() : fmt::format("\n{}\n", page.word("page.remarks"));
    for (const Diagnostic& remark : dump.diagnostics) {
        text += "  " + page.remark(remark);
    }
    return report::fitted(text, options.columns);
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::report {
namespace {

using difference::Difference;
using difference::Measures;
using difference::NamedTensor;
using difference::Strength;

/// "net/Add input 0". The file name instead of an unknown operator, and after one that both sides have.
std::string tensor_name(const std::optional<NamedTensor>& one, const std::optional<NamedTensor>& other) {
    if (!one) {
        return "-";
    }
    const std::string name = fmt::format("{} {} {}", printable(one->op_name.empty() ? one->file : one->op_name),
                                         to_string(one->tensor.kind), one->tensor.index);
    const bool is_same = other && !one->op_name.empty() && one->op_name == other->op_name;
    return is_same ? fmt::format("{}  {}", name, printable(one->file)) : name;
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
        const auto none = remarks::phrase("difference_counts_none", {{"count", all.elements}});
        return page.lines("", none.in(page.options.language), 2);
    }
    const auto counts = remarks::phrase("difference_counts", {{"differ", all.differ},
                                                              {"count", all.elements},
                                                              {"first", all.first},
                                                              {"last", all.last},
                                                              {"runs", all.runs},
                                                              {"inside", share_inside(all)}});
    const auto details =
        remarks::phrase("difference_details", {{"begin", all.byte_of(all.first)},
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
                                               {"largest", all.largest ? fmt::format("{:.3g}", *all.largest) : "-"}});
    return page.lines("", counts.in(page.options.language), 2) + page.lines("", details.in(page.options.language), 2);
}

}  // namespace

std::string difference_to_text(const Difference& difference, const ReportOptions& options) {
    const Page page{options};
    const DumpedTensor& tensor = difference.a ? difference.a->tensor : difference.b->tensor;
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
    text += page.lines("A ", tensor_name(difference.a, difference.b), 2) +
            page.lines("B ",
                       fmt::format("{}     {} {}", tensor_name(difference.b, difference.a), tensor.dtype,
                                   container::python_shape(tensor.shape)),
                       2);
    text += difference.measures ? measures_text(*difference.measures, page) : "";
    const std::vector<CodeText> codes = code_texts(options.language);
    const CodeText* const code = find_code(codes, "difference", to_string(finding.verdict));
    if (code != nullptr && !code->advice.empty()) {
        text += page.lines(fmt::format("{}{}", page.word("page.next"), colon), code->advice, 2);
    }
    return text;
}

}  // namespace opdebug::report
