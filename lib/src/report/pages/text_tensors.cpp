// The dump of an operator as a page for people.
#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "report/pages/text_tensor.hpp"
#include "report/text/labels.hpp"
#include "report/text/text_time.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

std::string title(const OpDump& dump, const report::Labels& labels) {
    return fmt::format("{} ({})\n", dump.op_name.empty() ? "?" : printable(dump.op_name),
                       dump.op_type.empty() ? std::string(labels.type_unknown) : printable(dump.op_type));
}

std::string remarks(const OpDump& dump, const report::Labels& labels) {
    std::string text;
    for (const Diagnostic& remark : dump.diagnostics) {
        text += fmt::format("  {} [{}] {}\n", report::severity_label(remark.severity, labels), remark.code,
                            printable(remark.message));
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
    const std::string table = report::tensors_table(dump.tensors, options.language);
    text += "\n" + (table.empty() ? fmt::format("  {}\n", labels.no_tensors) : table);
    text += fmt::format("\n  {}  {}\n", labels.file, printable(dump.file));
    if (dump.task_id) {
        const std::string stream = dump.stream_id ? fmt::format(", stream_id {}", *dump.stream_id) : std::string();
        text += fmt::format("  {}  task_id {}{}\n", labels.task, *dump.task_id, stream);
    }
    if (dump.timestamp_us) {
        text += fmt::format("  {}  {}\n", labels.time, report::show_time(*dump.timestamp_us));
    }
    return text + remarks(dump, labels);
}

}  // namespace v0
}  // namespace opdebug
