// The lines of msaccucmp's overflow summary. Source of their form: Ascend/msprobe, msaccucmp, overflow_analyse.py.
#include <opdebug/report.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "container/shape.hpp"
#include "locate/kernel_name.hpp"
#include "report/text/joined_lists.hpp"
#include "report/text/numbers_and_times.hpp"
#include "report/text/page.hpp"

namespace opdebug::report {
namespace {

std::string status_text(const std::vector<std::uint64_t>& words) {
    return words.size() == 1 ? fmt::to_string(words.front()) : fmt::format("[{}]", fmt::join(words, ", "));
}

/// " [AI Core][TaskId:57][StreamId:563][Status:32]"
std::string record_line(const Record& record) {
    return fmt::format(" [{}][TaskId:{}][StreamId:{}][Status:{}]\n", unit_name(record.unit),
                       record.field(Field::task_id).value_or(0), record.field(Field::stream_id).value_or(0),
                       status_text(record.status.words));
}

/// " [AI Core][Causes: floating-point overflow (0x20); undocumented bits 0x1]"
std::string causes_line(const Record& record, const ReportOptions& options) {
    const Page page{options};
    std::string causes = joined(record.status.causes, "; ", [&options](const Cause& cause) {
        return fmt::format("{} ({})", printable(cause.definition->name.in(options.language)), hex(cause.bits));
    });
    causes += causes.empty() ? page.word("page.no_cause") : "";
    const std::vector<std::uint64_t>& unknown = record.status.undocumented_bits;
    if (std::any_of(unknown.begin(), unknown.end(), [](std::uint64_t bits) { return bits != 0; })) {
        causes += fmt::format("; {} {}", page.word("page.undocumented_inside"), hex_words(unknown));
    }
    return fmt::format(" [{}][Causes: {}]\n", unit_name(record.unit), causes);
}

/// What one dump of the file recorded: its overflowed units, its time, the causes.
std::string payload_lines(const DecodedPayload& payload, const Dump& dump, const ReportOptions& options) {
    std::string records, causes;
    for (const Record& record : payload.records) {
        if (record.overflow) {
            records += record_line(record);
            causes += causes_line(record, options);
        }
    }
    if (records.empty()) {
        return records;
    }
    const std::optional<std::uint64_t> time = payload.timestamp_us ? payload.timestamp_us : dump.timestamp_us;
    const std::string shown_time = time ? fmt::to_string(*time) : std::string("None");
    return fmt::format("{} [timestamp:{}]\n{}", records, shown_time, causes);
}

std::string statistics_text(const TensorStatistics& values, const std::string& dtype) {
    const auto number = [&dtype](const std::optional<TensorNumber>& value) {
        return value ? numpy_text(*value, dtype) : std::string("None");
    };
    std::string text = fmt::format(" [Max: {}] [Min: {}] [Mean: {}]", number(values.max), number(values.min),
                                   values.mean ? numpy_mean_text(*values.mean, dtype) : std::string("None"));
    const auto add = [&text](std::string_view name, std::uint64_t count) {
        text += count == 0 ? std::string() : fmt::format(" [{}: {}]", name, count);
    };
    add("NaN", values.nan);
    add("+Inf", values.pos_inf);
    add("-Inf", values.neg_inf);
    return text;
}

/// " -[Format: NCHW] [Shape: (1, 8)] [Dtype: float16] [Max: 65500.0] [Min: 0.0] [Mean: 8188.0]"
std::string tensor_line(const DumpedTensor& tensor) {
    std::string text = fmt::format(" -[Format: {}] [Shape: {}] [Dtype: {}]", printable(tensor.format),
                                   container::python_shape(tensor.shape), printable(tensor.dtype));
    if (!tensor.statistics) {
        return text + "\n";  // a type without numbers
    }
    text += statistics_text(*tensor.statistics, tensor.dtype);
    const std::optional<std::uint64_t> promised = container::elements_of_shape(tensor.shape);
    if (!tensor.shape.empty() && promised != tensor.elements) {
        text += fmt::format(" [Elements: {} of {}]", tensor.elements,
                            promised ? fmt::to_string(*promised) : "an unknown number");
    }
    return text + "\n";
}

std::string tensor_lines(const SummarizedOverflow& overflow) {
    std::string text;
    const OpDump& op_dump = *overflow.evidence.op_dump;
    for (std::size_t i = 0; i < op_dump.tensors.size(); ++i) {
        const DumpedTensor& tensor = op_dump.tensors[i];
        const bool written = i < overflow.npy_files.size() && !overflow.npy_files[i].empty();
        const std::string name =
            written ? overflow.npy_files[i]
                    : fmt::format("{}.{}.{}.npy", file_name_of(op_dump.file), to_string(tensor.kind), tensor.index);
        text += fmt::format(" {}{}\n{}", printable(name), written ? "" : " (not written)", tensor_line(tensor));
    }
    return text;
}

/// "[Add] bert/Add_17"; nothing where no dump of the operator is next to it, as msaccucmp does.
std::string operator_line(const SummarizedOverflow& overflow) {
    if (!overflow.location.op) {
        return {};
    }
    const OperatorAnswer& answer = overflow.location.op->best;
    const bool has_kernel = answer.kernel && !locate_stage::is_hash(*answer.kernel);
    const std::string name = answer.name ? *answer.name : has_kernel ? *answer.kernel : "?";
    return fmt::format("[{}] {}\n", printable(answer.type.value_or("?")), printable(name));
}

}  // namespace
}  // namespace opdebug::report

std::string opdebug::overflow_summary_to_text(const SummarizedOverflow& overflow, const ReportOptions& options) {
    const std::string rule(49, '=');
    std::string text = fmt::format("{}[{}]{}=\n", rule, overflow.number, rule);
    text += report::operator_line(overflow);
    for (const DecodedPayload& payload : overflow.dump.payloads) {
        text += report::payload_lines(payload, overflow.dump, options);
    }
    if (overflow.evidence.op_dump) {
        text += report::tensor_lines(overflow);
    } else if (overflow.location.op_dump) {
        text += fmt::format(" {} (not readable)\n", printable(file_name_of(overflow.location.op_dump->file)));
    }
    return text;
}
