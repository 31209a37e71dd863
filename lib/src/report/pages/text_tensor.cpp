// The dump of an operator as a page for people, and the table of its tensors.
#include "report/pages/pages.hpp"

#include <array>
#include <string>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "container/shape.hpp"
#include "report/text/numbers_and_times.hpp"
#include "report/text/page.hpp"

namespace opdebug::report {
namespace {

/// "[2,8]"; dimensions that were not known when the operator was built as "-1 (unknown)".
std::string shape_of(const DumpedTensor& tensor) {
    return fmt::format("[{}]", joined(tensor.shape, ",", [](std::uint64_t dimension) {
                           return container::is_unknown(dimension)
                                      ? fmt::format("{} (unknown)", static_cast<std::int64_t>(dimension))
                                      : fmt::to_string(dimension);
                       }));
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
    const auto row = [&page](const DumpedTensor& tensor) { return row_of(tensor, page); };
    std::vector<TextColumn> columns;
    columns.reserve(kColumns.size());
    for (const char* name : kColumns) {
        columns.push_back({page.word(fmt::format("tensor.{}", name)), columns.size() >= kFirstNumber});
    }
    return text_table(columns, mapped(tensors, row), options.columns).text();
}

}  // namespace opdebug::report

std::string opdebug::tensors_to_text(const OpDump& dump, const ReportOptions& options) {
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
