// The arrays of .npy files, as an operator's dump.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <opdebug/tensor.hpp>
#include <opdebug/tree.hpp>

#include "bytes/little_endian.hpp"
#include "container/shape.hpp"
#include "tensor/measure_tensor.hpp"
#include "tensor/npy_array.hpp"
#include "tree/operator_file_name.hpp"

namespace opdebug::tensor_stage {
namespace {

/// What the .npy file declares, in the words of a container. Error: header_malformed.
Result<container::Tensor> tensor_of(const NpyArray& array, const std::optional<tree::TensorFileName>& name) {
    constexpr std::uint64_t kFormatNd = 2;
    const std::optional<std::uint64_t> elements = container::elements_of_shape(array.shape);
    const auto size = elements ? bytes::checked_multiply(*elements, array.type->bits / 8) : std::nullopt;
    if (!size) {
        return Error{ErrorCode::header_malformed, "the header's shape has more elements than any file", {}, {}};
    }
    container::Tensor tensor;
    tensor.kind = name && !name->is_output ? TensorKind::input : TensorKind::output;
    tensor.index = name ? name->index : 0;
    tensor.data_type = array.type->number;
    tensor.format = kFormatNd;
    tensor.dims = array.shape;
    tensor.offset = array.data_begin;
    tensor.size = *size;
    return tensor;
}

/// Formats that others than CANN's enumeration name stay as the file's name has them.
bool is_format(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
}

}  // namespace

Result<OpDump> measure_npy(const bytes::FileReader& file, const OpDumpOptions& options) {
    const std::string_view file_name = options.real_name.empty() ? file_name_of(options.file) : options.real_name;
    const std::optional<tree::TensorFileName> name = tree::parse_tensor_file_name(file_name);
    const auto failed = [&options](Error error) {
        error.file = options.file;
        return error;
    };
    const Result<NpyArray> array = read_npy_header(file, name ? name->dtype : std::string_view(), options.limits);
    if (!array) {
        return failed(array.error());
    }
    const Result<container::Tensor> tensor = tensor_of(*array, name);
    if (!tensor) {
        return failed(tensor.error());
    }
    OpDump dump;
    dump.file = options.file;
    if (const auto dump_name = name ? parse_dump_name(name->dump_name) : std::nullopt) {
        dump.op_type = dump_name->op_type;
        dump.op_name = dump_name->op_name;
        dump.task_id = dump_name->task_id;
        dump.stream_id = dump_name->stream_id;
        dump.timestamp_us = dump_name->timestamp_us;
    }
    PieceReader reader(file);
    Result<DumpedTensor> measured = measure_tensor(*tensor, Container::dump_data_v2, reader, options);
    if (!measured) {
        return measured.error();
    }
    measured->fortran_order = array->fortran_order;
    if (name && is_format(name->format)) {
        measured->format = name->format;
    }
    if (tensor->offset + tensor->size > file.size()) {
        measured->diagnostics.push_back(
            {Severity::error, "tensors_beyond_file",
             fmt::format("the header declares bytes up to byte {}, the file ends at byte {}: it was cut",
                         tensor->offset + tensor->size, file.size())});
    }
    dump.tensors.push_back(std::move(measured).value());
    return dump;
}

}  // namespace opdebug::tensor_stage

namespace opdebug {
inline namespace v0 {

Result<OpDump> measure_npy_files(const std::vector<std::string>& files, const OpDumpOptions& options) {
    std::optional<OpDump> all;
    std::vector<Error> failures;
    for (const std::string& file : files) {
        OpDumpOptions of_file = options;
        of_file.real_name.clear();
        Result<OpDump> dump = measure_op_dump(file, of_file);
        if (!dump && dump.error().code == ErrorCode::interrupted) {
            return dump.error();
        }
        if (!dump) {
            failures.push_back(dump.error());
        } else if (!all) {
            all = std::move(dump).value();
        } else {
            std::move(dump->tensors.begin(), dump->tensors.end(), std::back_inserter(all->tensors));
        }
    }
    if (!all) {
        return failures.empty() ? Error{ErrorCode::invalid_argument, "no .npy file was given", {}, {}}
                                : failures.front();
    }
    std::stable_sort(all->tensors.begin(), all->tensors.end(), [](const DumpedTensor& a, const DumpedTensor& b) {
        return std::tie(a.kind, a.index) < std::tie(b.kind, b.index);
    });
    all->tensors_missing = !failures.empty();
    for (const Error& failure : failures) {
        all->diagnostics.push_back({Severity::error, std::string(to_string(failure.code)), to_string(failure)});
    }
    all->file = files.front();
    return *std::move(all);
}

}  // namespace v0
}  // namespace opdebug
