// The dump of an operator as a page for people, and the table of its tensors.
#include "report/pages/tensor_pages.hpp"

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "container/shape.hpp"
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
