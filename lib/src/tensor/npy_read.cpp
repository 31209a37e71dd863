// Arrays of .npy files as an operator dump. Format: NumPy's documentation, numpy.lib.format, versions 1.0 to 3.0.
#include "tensor/measure.hpp"

#include <algorithm>
#include <array>
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
#include "bytes/passed_limit.hpp"
#include "container/shape.hpp"
#include "remarks/diagnose.hpp"
#include "tree/name.hpp"

namespace opdebug::tensor_stage {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionEnd = 8;

Error malformed(std::string message) {
    return {ErrorCode::header_malformed, std::move(message), {}, kVersionEnd};
}

/// Parses the Python dictionary of a header: {'descr': '<f4', 'fortran_order': False, 'shape': (1, 8), }.
class HeaderText {
public:
    explicit HeaderText(std::string_view text) : text_(text) {}

    /// Returns false for another format; the members are undefined then.
    bool read() {
        if (!take('{')) {
            return false;
        }
        while (!take('}')) {
            std::string_view key;
            if (!read_string(key) || !take(':') || !read_value(key)) {
                return false;
            }
            if (!take(',') && !begins_with('}')) {
                return false;
            }
        }
        skip_blanks();
        return text_.empty() && has_order_ && has_shape_ && !descr.empty();
    }

    std::string_view descr;
    bool fortran_order = false;
    std::vector<std::uint64_t> shape;

private:
    void skip_blanks() { text_.remove_prefix(std::min(text_.find_first_not_of(" \n\t\r"), text_.size())); }
    bool begins_with(char c) {
        skip_blanks();
        return text_.starts_with(c);
    }
    bool take(char c) {
        const bool is_there = begins_with(c);
        text_.remove_prefix(is_there ? 1 : 0);
        return is_there;
    }
    bool take(std::string_view word) {
        skip_blanks();
        const bool is_there = text_.starts_with(word);
        text_.remove_prefix(is_there ? word.size() : 0);
        return is_there;
    }
    bool read_string(std::string_view& value) {
        const bool is_double = begins_with('"');
        const char quote = is_double ? '"' : '\'';
        if (!take(quote)) {
            return false;
        }
        const std::size_t end = text_.find(quote);
        if (end == std::string_view::npos) {
            return false;
        }
        value = text_.substr(0, end);
        text_.remove_prefix(end + 1);
        return true;
    }
    bool read_value(std::string_view key) {
        if (key == "descr") {
            return read_string(descr);
        }
        if (key == "fortran_order") {
            has_order_ = true;
            fortran_order = take("True");
            return fortran_order || take("False");
        }
        return key == "shape" && read_shape();
    }
    bool read_shape() {
        has_shape_ = true;
        if (!take('(')) {
            return false;
        }
        while (!take(')')) {
            skip_blanks();
            const std::size_t end = std::min(text_.find_first_not_of("0123456789"), text_.size());
            const std::optional<std::uint64_t> dimension = tree::parse_number(text_.substr(0, end));
            text_.remove_prefix(end);
            take('L');  // numbers that Python 2 wrote
            if (!dimension || (!take(',') && !begins_with(')'))) {
                return false;
            }
            shape.push_back(*dimension);
        }
        return true;
    }

    std::string_view text_;
    bool has_order_ = false, has_shape_ = false;
};

/// Whether the number after the kind is the element size: "<f4" has 4 bytes.
bool has_bytes(const ElementType& type, std::string_view digits) {
    return tree::parse_number(digits) == type.bits / 8 && type.bits % 8 == 0;
}

/// The type of a "descr"; null if it has no readable numbers. Types that NumPy does not have are void or unsigned
/// numbers there; `dtype` names them.
const ElementType* type_of(std::string_view descr, std::string_view dtype) {
    constexpr std::array kNames{"float32", "float16", "int8",   "uint8", "int16",   "uint16",    "int32",
                                "int64",   "uint32",  "uint64", "bool",  "float64", "complex64", "complex128"};
    if (descr.size() < 3) {
        return nullptr;
    }
    const bool has_order = descr.front() == '<' || descr.front() == '|' || descr.front() == '=';
    const ElementType* const named = element_type(dtype);
    const bool numpy_lacks_it = named != nullptr && !has_bytes(*named, named->npy.substr(2));
    if (has_order && (descr[1] == 'V' || (descr[1] == 'u' && numpy_lacks_it)) && named != nullptr &&
        has_bytes(*named, descr.substr(2))) {
        return named;
    }
    for (const char* const name : kNames) {
        const ElementType* const type = element_type(std::string_view(name));
        const bool is_byte = type->bits == 8 && descr.substr(1) == type->npy.substr(1);
        if (is_byte || descr == type->npy) {
            return type;
        }
    }
    return nullptr;
}

/// The length of the header's text: 2 bytes up to version 1, otherwise 4.
std::uint64_t length_in(const std::vector<std::uint8_t>& bytes) {
    std::uint64_t length = 0;
    for (std::size_t i = bytes.size(); i-- > kVersionEnd;) {
        length = length << 8U | bytes[i];
    }
    return length;
}

/// Converts the header of the .npy file to a tensor of a container. Error: header_malformed.
Result<container::Tensor> tensor_of(const NpyArray& array, const tree::TensorFileName& name) {
    constexpr std::uint64_t kFormatNd = 2;
    const std::optional<std::uint64_t> elements = container::elements_of_shape(array.shape);
    const auto size = elements ? bytes::checked_multiply(*elements, array.type->bits / 8) : std::nullopt;
    if (!size) {
        return Error{
            ErrorCode::header_malformed, "the shape in the header has more elements than a file can contain", {}, {}};
    }
    container::Tensor tensor;
    tensor.kind = name.is_output ? TensorKind::output : TensorKind::input;
    tensor.index = name.index;
    tensor.data_type = array.type->number;
    tensor.format = kFormatNd;
    tensor.dims = array.shape;
    tensor.offset = array.data_begin;
    tensor.size = *size;
    return tensor;
}

/// Formats outside CANN's enumeration are kept as in the file name.
bool is_format(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
}

}  // namespace

Result<bool> begins_as_npy(const bytes::FileReader& file) {
    const Result<std::vector<std::uint8_t>> begin = file.read_at(0, kMagic.size());
    if (!begin) {
        return begin.error();
    }
    return std::equal(begin->begin(), begin->end(), kMagic.begin(), kMagic.end(),
                      [](std::uint8_t byte, char c) { return byte == static_cast<std::uint8_t>(c); });
}

Result<NpyArray> read_npy_header(const bytes::FileReader& file, std::string_view dtype, const Limits& limits) {
    const Result<bool> is_npy = begins_as_npy(file);
    if (!is_npy) {
        return is_npy.error();
    }
    if (!*is_npy) {
        return Error{ErrorCode::not_a_dump, "not a .npy file: the NumPy magic number is missing", {}, 0};
    }
    const Result<std::vector<std::uint8_t>> version = file.read_at(0, kVersionEnd);
    const std::size_t text_begin = version && version->size() == kVersionEnd && (*version)[6] == 1 ? 10 : 12;
    const Result<std::vector<std::uint8_t>> begin = file.read_at(0, text_begin);
    if (!begin) {
        return begin.error();
    }
    const std::uint64_t length = length_in(*begin);
    if (length > limits.header_bytes) {
        return bytes::limit_error(ErrorCode::header_too_large, fmt::format("the header has {} bytes", length), limits,
                                  &Limits::header_bytes, kVersionEnd);
    }
    const Result<std::vector<std::uint8_t>> text = file.read_at(text_begin, static_cast<std::size_t>(length));
    if (!text) {
        return text.error();
    }
    if (begin->size() < text_begin || text->size() < length) {
        return Error{ErrorCode::header_truncated, "truncated: the file ends inside its header", {}, file.size()};
    }
    HeaderText header(Bytes(*text).text());
    if (!header.read()) {
        return malformed("not a .npy header: expected a dictionary with descr, fortran_order and shape");
    }
    NpyArray array{type_of(header.descr, dtype), header.fortran_order, std::move(header.shape), text_begin + length};
    if (array.type == nullptr) {
        return malformed(
            fmt::format("elements of type {} are not supported: expected plain little-endian numbers", header.descr));
    }
    return array;
}

Result<OpDump> measure_npy(const bytes::FileReader& file, const OpDumpOptions& options) {
    const std::string_view file_name = options.real_name.empty() ? file_name_of(options.file) : options.real_name;
    const tree::TensorFileName name = tree::parse_npy_name(file_name);
    const auto failed = [&options](Error error) {
        error.file = options.file;
        return error;
    };
    const Result<NpyArray> array = read_npy_header(file, name.dtype, options.limits);
    if (!array) {
        return failed(array.error());
    }
    const Result<container::Tensor> tensor = tensor_of(*array, name);
    if (!tensor) {
        return failed(tensor.error());
    }
    OpDump dump;
    dump.file = options.file;
    if (const auto dump_name = parse_dump_name(name.dump_name)) {
        set_names(dump, *dump_name);
    } else {
        dump.op_name = name.dump_name;
    }
    PieceReader reader(file);
    Result<DumpedTensor> measured = measure_tensor(*tensor, Container::dump_data_v2, reader, options);
    if (!measured) {
        return measured.error();
    }
    measured->fortran_order = array->fortran_order;
    if (is_format(name.format)) {
        measured->format = name.format;
    }
    if (tensor->offset + tensor->size > file.size()) {
        measured->diagnostics.push_back(remarks::diagnose(
            "tensors_beyond_file", {{"end", tensor->offset + tensor->size}, {"file_end", file.size()}}));
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
        all->diagnostics.push_back(remarks::diagnose(failure));
    }
    all->file = files.front();
    return *std::move(all);
}

}  // namespace v0
}  // namespace opdebug
