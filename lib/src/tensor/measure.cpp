// The dump of an operator: every tensor measured.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <opdebug/tensor.hpp>
#include <opdebug/tree.hpp>

#include "bytes/counted.hpp"
#include "bytes/file.hpp"
#include "container/container.hpp"
#include "container/overflow_node.hpp"
#include "container/placement.hpp"
#include "tensor/element_type.hpp"
#include "tensor/extent.hpp"
#include "tensor/pieces.hpp"
#include "tensor/tally.hpp"
#include "tree/mapping.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using tensor_stage::ElementType;
using tensor_stage::Extent;
using tensor_stage::PieceReader;

bool has_error(const std::vector<Diagnostic>& diagnostics) noexcept {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::error; });
}

void set_names(OpDump& dump, const OpDumpOptions& options, const container::Contents& contents) {
    const std::string_view file_name = options.real_name.empty() ? file_name_of(options.file) : options.real_name;
    dump.file = options.file;
    dump.op_name = contents.op_name;
    dump.container = contents.form;
    dump.timestamp_us = contents.dump_time_us;
    const std::optional<DumpName> name = parse_dump_name(file_name);
    if (!name) {
        return;
    }
    dump.op_type = name->op_type;
    dump.op_name = contents.op_name.empty() ? name->op_name : contents.op_name;
    dump.task_id = name->task_id;
    dump.stream_id = name->stream_id;
    dump.timestamp_us = name->timestamp_us ? name->timestamp_us : contents.dump_time_us;
}

/// An overflow dump is a container like others, but its bytes are a register record.
void tell_overflow_dump(OpDump& dump, const container::Contents& contents) {
    const std::optional<DumpName> name = parse_dump_name(file_name_of(dump.file));
    if (container::header_names_overflow_dump(contents) || (name && name->is_overflow_dump)) {
        dump.diagnostics.push_back({Severity::warning, "overflow_dump",
                                    "this is an overflow dump: its output is a register record, which decoding "
                                    "explains (opdebug decode), not a tensor"});
    }
}

/// What the header declares and what the file holds. A v1 file ends with its message.
void compare_with_file(OpDump& dump, const container::Contents& contents, std::uint64_t file_size) {
    if (contents.size_overflow) {
        dump.diagnostics.push_back(
            {Severity::error, std::string(to_string(contents.size_overflow->code)),
             contents.size_overflow->message + "; what lies behind that tensor is not measured"});
    } else if (contents.rest_fault) {
        dump.tensors_missing = true;
        dump.diagnostics.push_back(
            {Severity::error, std::string(to_string(contents.rest_fault->code)),
             fmt::format("{}; the message is whole up to byte {}: the tensors before it are measured, others may be "
                         "missing",
                         to_string(*contents.rest_fault), contents.end)});
    } else if (contents.end > file_size) {
        dump.diagnostics.push_back(
            {Severity::error, "tensors_beyond_file",
             fmt::format("the header declares bytes up to byte {}, the file ends at byte {}: it was cut, or the writer "
                         "left out a tensor without a device address; then the bytes of the tensors behind that one "
                         "are not theirs. Dump the operator again",
                         contents.end, file_size)});
    } else if (contents.end < file_size) {
        const std::uint64_t behind = file_size - contents.end;
        dump.diagnostics.push_back(
            {Severity::info, "bytes_behind_tensors",
             fmt::format("{} {} behind the last tensor, at byte {}: not measured. Writers append a dump of the "
                         "same name to the file",
                         bytes::counted(behind, "byte"), behind == 1 ? "follows" : "follow", contents.end)});
    }
}

Diagnostic skipped(const container::Tensor& tensor) {
    return {Severity::error, "tensor_skipped",
            fmt::format("{} is declared with {} but without a device address, and the file has no bytes for it: "
                        "the writer left it out; the other tensors are measured where they lie without it",
                        tensor_stage::name_of(tensor), bytes::counted(tensor.size, "byte"))};
}

Diagnostic without_numbers(const container::Tensor& tensor, const DumpedTensor& measured, const ElementType* type) {
    const std::string name = tensor_stage::name_of(tensor);
    if (type == nullptr) {
        return {
            Severity::warning, "element_type_unknown",
            fmt::format("{} has element type {}, which no document names; it is not measured", name, tensor.data_type)};
    }
    return {Severity::info, "element_type_without_numbers",
            fmt::format("{} has element type {}, which holds no numbers; it is not measured", name, measured.dtype)};
}

void tell_about_type(const container::Tensor& tensor, const ElementType& type, DumpedTensor& measured) {
    if (!type.declared.empty()) {
        measured.diagnostics.push_back(
            {Severity::info, "element_type_quantised",
             fmt::format("{} is declared {}; the {} that carry it are measured, without scale and offset, which the "
                         "dump does not hold",
                         tensor_stage::name_of(tensor), type.declared, type.name)});
    }
    if (type.bits < 8) {
        measured.diagnostics.push_back(
            {Severity::info, "element_order_inferred",
             fmt::format("{} has elements of {}; that the first lies in the lowest bits of its byte is inferred",
                         tensor_stage::name_of(tensor), bytes::counted(type.bits, "bit"))});
    }
}

/// Counts the elements. The error is interrupted; a file that cannot be read on costs the tensor only.
std::optional<Error> count_elements(const container::Tensor& tensor, const ElementType& type, const Extent& extent,
                                    PieceReader& reader, const OpDumpOptions& options, DumpedTensor& measured) {
    const std::unique_ptr<tensor_stage::Tally> tally = tensor_stage::make_tally(type, extent.bits_apart);
    bool stopped = false;
    std::uint64_t left = extent.elements;
    const std::optional<Error> error = reader.read(
        tensor.offset, tensor_stage::bytes_of_elements(extent.elements, extent.bits_apart), [&](Bytes piece) {
            stopped = options.stop && options.stop();
            if (stopped) {
                return false;
            }
            const std::uint64_t elements = std::min<std::uint64_t>(left, piece.size() * 8 / extent.bits_apart);
            tally->add(piece, elements);
            left -= elements;
            return true;
        });
    if (stopped) {
        return Error{ErrorCode::interrupted, "measuring was stopped before its end", options.file, std::nullopt};
    }
    measured.elements = extent.elements - left;
    measured.statistics = tally->statistics();
    if (error || left > 0) {
        measured.diagnostics.push_back(
            {Severity::error, "tensor_unreadable",
             fmt::format("{} of {} of {} could be read: {}", measured.elements,
                         bytes::counted(extent.elements, "element"), tensor_stage::name_of(tensor),
                         error ? fmt::format("at byte {}: {}", error->offset.value_or(tensor.offset), error->message)
                               : "the file became shorter while it was read")});
    }
    return std::nullopt;
}

Result<DumpedTensor> measure_tensor(const container::Tensor& tensor, Container form, PieceReader& reader,
                                    const OpDumpOptions& options) {
    const ElementType* const type = tensor_stage::element_type(form, tensor.data_type);
    DumpedTensor measured;
    measured.kind = tensor.kind;
    measured.index = tensor.index;
    measured.dtype = tensor_stage::type_name(form, tensor.data_type);
    measured.format = tensor_stage::format_name(tensor.format);
    measured.shape = tensor.dims;
    measured.offset = tensor.offset;
    if (tensor.skipped) {
        measured.diagnostics.push_back(skipped(tensor));
        return measured;
    }
    measured.size = tensor_stage::bytes_there(tensor, reader.size());
    if (type == nullptr || type->encoding == tensor_stage::Encoding::none) {
        measured.diagnostics.push_back(without_numbers(tensor, measured, type));
        return measured;
    }
    const Extent extent = extent_of(tensor, *type, reader.size());
    measured.diagnostics = extent.diagnostics;
    measured.byte_each = extent.bits_apart > type->bits;
    tell_about_type(tensor, *type, measured);
    if (auto error = count_elements(tensor, *type, extent, reader, options, measured)) {
        return *error;
    }
    return measured;
}

Result<OpDump> measure(Result<container::Contents> contents, PieceReader reader, const OpDumpOptions& options) {
    if (!contents) {
        Error error = contents.error();
        error.file = options.file;
        return error;
    }
    OpDump dump;
    set_names(dump, options, *contents);
    if (contents->form != Container::dump_data_v1) {
        container::mark_skipped_tensors(*contents, reader.size());
    }
    tell_overflow_dump(dump, *contents);
    compare_with_file(dump, *contents, reader.size());
    for (const std::vector<container::Tensor>* tensors : {&contents->inputs, &contents->outputs}) {
        for (const container::Tensor& tensor : *tensors) {
            Result<DumpedTensor> measured = measure_tensor(tensor, contents->form, reader, options);
            if (!measured) {
                return measured.error();
            }
            dump.tensors.push_back(std::move(measured).value());
        }
    }
    return dump;
}

}  // namespace

bool OpDump::complete() const noexcept {
    return !has_error(diagnostics) && std::none_of(tensors.begin(), tensors.end(), [](const DumpedTensor& tensor) {
        return has_error(tensor.diagnostics);
    });
}

Result<OpDump> measure_op_dump(const std::string& path, const OpDumpOptions& options) {
    const Result<bytes::FileReader> file = bytes::FileReader::open(path);
    if (!file) {
        return file.error();
    }
    OpDumpOptions named = options;
    named.file = path;
    std::optional<Error> without_name;
    if (named.real_name.empty()) {
        const Result<std::string> real_name = tree::real_name_of(path, options.limits);
        if (real_name) {
            named.real_name = *real_name;
        } else {
            without_name = real_name.error();
        }
    }
    Result<OpDump> dump = measure(container::read_container(*file, options.limits), PieceReader(*file), named);
    if (dump && without_name) {
        dump->diagnostics.push_back(tree::mapping_remark(*without_name));
    }
    return dump;
}

Result<OpDump> measure_op_dump(Bytes bytes, const OpDumpOptions& options) {
    return measure(container::read_container(bytes, bytes.size(), options.limits), PieceReader(bytes), options);
}

}  // namespace v0
}  // namespace opdebug
