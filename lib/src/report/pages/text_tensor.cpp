// The dump of an operator as a page for people, the table of its tensors, and how two tensors differ.
#include "report/pages/pages.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "container/shape.hpp"
#include "remarks/diagnose.hpp"
#include "report/text/code_texts.hpp"
#include "report/text/labels.hpp"
#include "report/text/numbers_and_times.hpp"
#include "report/text/numpy_text.hpp"
#include "report/text/text_table.hpp"

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

TextRow row_of(const DumpedTensor& tensor, Language language) {
    const Labels& labels = labels_in(language);
    const TensorStatistics values = tensor.statistics.value_or(TensorStatistics());
    TextRow row{
        {fmt::format("{} {}", to_string(tensor.kind), tensor.index), printable(tensor.dtype), printable(tensor.format),
         shape_of(tensor), fmt::to_string(tensor.elements), show(values.max, tensor.dtype),
         show(values.min, tensor.dtype), values.mean ? readable_mean(*values.mean, tensor.dtype) : std::string(),
         show_unless_zero(values.nan), show_unless_zero(values.pos_inf), show_unless_zero(values.neg_inf),
         show_unless_zero(values.saturated), show_unless_zero(values.subnormal), show_unless_zero(values.zero)},
        {}};
    for (const Diagnostic& remark : tensor.diagnostics) {
        row.below += fmt::format("      {} [{}] {}\n", severity_label(remark.severity, labels), remark.code,
                                 printable(remark.message_in(language)));
    }
    return row;
}

std::vector<TextColumn> columns_in(Language language) {
    if (language == Language::chinese) {
        return {{"张量"},         {"类型"},         {"格式"},           {"形状"},      {"元素数", true},
                {"最大值", true}, {"最小值", true}, {"平均值", true},   {"NaN", true}, {"+Inf", true},
                {"-Inf", true},   {"极限值", true}, {"非规格化", true}, {"零", true}};
    }
    return {{"Tensor"},     {"Type"},           {"Format"},          {"Shape"},     {"Elements", true},
            {"Max", true},  {"Min", true},      {"Mean", true},      {"NaN", true}, {"+Inf", true},
            {"-Inf", true}, {"At limit", true}, {"Subnormal", true}, {"Zero", true}};
}

}  // namespace

std::string tensors_table(const std::vector<DumpedTensor>& tensors, const ReportOptions& options) {
    if (tensors.empty()) {
        return {};
    }
    std::vector<TextRow> rows;
    rows.reserve(tensors.size());
    for (const DumpedTensor& tensor : tensors) {
        rows.push_back(row_of(tensor, options.language));
    }
    const TextTable table = text_table(columns_in(options.language), rows, options.columns);
    return fmt::format("{}{}", table.heading, fmt::join(table.rows, ""));
}

}  // namespace opdebug::report

namespace opdebug {
inline namespace v0 {
namespace {

std::string title(const OpDump& dump, const report::Labels& labels) {
    return fmt::format("{} ({})\n", dump.op_name.empty() ? "?" : printable(dump.op_name),
                       dump.op_type.empty() ? std::string(labels.type_unknown) : printable(dump.op_type));
}

std::string remarks(const OpDump& dump, Language language) {
    const report::Labels& labels = report::labels_in(language);
    std::string text;
    for (const Diagnostic& remark : dump.diagnostics) {
        text += fmt::format("  {} [{}] {}\n", report::severity_label(remark.severity, labels), remark.code,
                            printable(remark.message_in(language)));
    }
    return text.empty() ? text : fmt::format("\n{}\n{}", labels.remarks, text);
}

}  // namespace

std::string tensors_to_text(const OpDump& dump, const ReportOptions& options) {
    const report::Labels& labels = report::labels_in(options.language);
    std::string text = title(dump, labels);
    if (!dump.complete()) {
        text += fmt::format("{}\n", labels.damaged);
    }
    const std::string table = report::tensors_table(dump.tensors, options);
    text += "\n" + (table.empty() ? fmt::format("  {}\n", labels.no_tensors) : table);
    text += fmt::format("\n  {}  {}\n", labels.file, printable(dump.file));
    if (dump.task_id) {
        const std::string stream = dump.stream_id ? fmt::format(", stream_id {}", *dump.stream_id) : std::string();
        text += fmt::format("  {}  task_id {}{}\n", labels.task, *dump.task_id, stream);
    }
    if (dump.timestamp_us) {
        text += fmt::format("  {}  {}\n", labels.time, report::show_time(*dump.timestamp_us));
    }
    return report::fitted(text + remarks(dump, options.language), options.columns);
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

std::string_view verdict_words(difference::Verdict verdict, Language language) {
    constexpr std::pair<std::string_view, std::string_view> kWords[] = {{"identical", "相同"},
                                                                        {"not comparable", "无法比较"},
                                                                        {"bit flips", "位翻转"},
                                                                        {"region overwritten", "区域被覆盖"},
                                                                        {"rows overwritten", "行被覆盖"},
                                                                        {"columns overwritten", "列被覆盖"},
                                                                        {"periodic pattern", "周期性差异"},
                                                                        {"tail differs", "末尾不同"},
                                                                        {"noise", "数值噪声"},
                                                                        {"everything differs", "全部不同"},
                                                                        {"scattered", "零散差异"}};
    const auto& [english, chinese] = kWords[static_cast<std::size_t>(verdict)];
    return language == Language::chinese ? chinese : english;
}

/// "region overwritten (strong)"
std::string verdict_text(const difference::Finding& finding, Language language) {
    const bool chinese = language == Language::chinese;
    const std::string_view words = verdict_words(finding.verdict, language);
    if (finding.strength == Strength::none) {
        return std::string(words);
    }
    const bool is_strong = finding.strength == Strength::strong;
    return chinese ? fmt::format("{}（{}）", words, is_strong ? "强" : "弱")
                   : fmt::format("{} ({})", words, is_strong ? "strong" : "weak");
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

std::string measures_text(const Measures& all, const ReportOptions& options) {
    if (all.differ == 0) {
        const auto none = remarks::phrase("difference_counts_none", {{"count", all.elements}});
        return wrapped("", none.in(options.language), 2, options.columns);
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
    return wrapped("", counts.in(options.language), 2, options.columns) +
           wrapped("", details.in(options.language), 2, options.columns);
}

}  // namespace

std::string difference_to_text(const Difference& difference, const ReportOptions& options) {
    const bool chinese = options.language == Language::chinese;
    const Labels& labels = labels_in(options.language);
    const Style style(options);
    const DumpedTensor& tensor = difference.a ? difference.a->tensor : difference.b->tensor;
    const difference::Finding& finding = difference.finding;
    const std::string verdict = verdict_text(finding, options.language);
    std::string text = wrapped(fmt::format("{}{}", chinese ? "结论" : "Verdict", labels.colon),
                               fmt::format("{}{}{}", finding.is_overwrite() ? style.red(verdict) : style.bold(verdict),
                                           labels.colon, finding.because.in(options.language)),
                               2, options.columns);
    if (finding.is_overwrite()) {
        text += wrapped("", remarks::phrase("difference_likely").in(options.language), 2, options.columns);
    }
    text += wrapped("A ", tensor_name(difference.a, difference.b), 2, options.columns) +
            wrapped("B ",
                    fmt::format("{}     {} {}", tensor_name(difference.b, difference.a), tensor.dtype,
                                container::python_shape(tensor.shape)),
                    2, options.columns);
    text += difference.measures ? measures_text(*difference.measures, options) : "";
    const std::vector<CodeText> codes = code_texts(options.language);
    const auto code = std::find_if(codes.begin(), codes.end(), [&finding](const CodeText& one) {
        return one.kind == "difference" && one.code == to_string(finding.verdict);
    });
    if (code != codes.end() && !code->advice.empty()) {
        text += wrapped(fmt::format("{}{}", labels.next, labels.colon), code->advice, 2, options.columns);
    }
    return text;
}

}  // namespace opdebug::report
