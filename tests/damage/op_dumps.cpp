// Dumps of operators: each tensor is measured from the bytes that are there, by the rules of docs/internals/tensors.md,
// and what is missing is reported.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/tensor.hpp>

#include "every_byte.hpp"
#include "expected_container.hpp"
#include "op_dump_builder.hpp"
#include "reference_numbers.hpp"

namespace opdebug::damage {
namespace {

using namespace test;

/// docs/internals/formats.md, "Nano": GE's numbers of element types → DumpData's; what is not listed there has no
/// numbers.
std::uint64_t type_of_nano(std::uint64_t number) {
    constexpr std::uint64_t of_ge[][2] = {{0, 1}, {1, 2}, {2, 3},   {3, 7},   {4, 4},   {6, 5},  {7, 6},
                                          {8, 9}, {9, 8}, {10, 10}, {11, 12}, {12, 11}, {27, 27}};
    for (const auto& pair : of_ge) {
        if (pair[0] == number) {
            return pair[1];
        }
    }
    return 0;
}

/// NumPy's name; empty for types without numbers.
std::string dtype_of(const ExpectedContainer& file, const ExpectedTensor& tensor) {
    const std::uint64_t number = file.form == "nano" ? type_of_nano(tensor.data_type) : tensor.data_type;
    for (const NamedType& type : types_with_numbers()) {
        if (type.number == number) {
            return std::string(type.dtype);
        }
    }
    return "";
}

/// The product of the dimensions; nothing when one is negative or the product does not fit.
std::optional<std::uint64_t> elements_by_shape(const ExpectedTensor& tensor) {
    if (std::find(tensor.dims.begin(), tensor.dims.end(), 0U) != tensor.dims.end() ||
        (tensor.dims.empty() && tensor.size == 0)) {
        return 0;
    }
    std::uint64_t product = 1;
    for (const std::uint64_t dim : tensor.dims) {
        if (dim > std::numeric_limits<std::uint64_t>::max() / 2 ||
            product > std::numeric_limits<std::uint64_t>::max() / dim) {
            return std::nullopt;
        }
        product *= dim;
    }
    return product;
}

/// The writer leaves out tensors without a device address while others have one: reported by the length of the file.
std::vector<bool> skipped_tensors(const ExpectedContainer& file, std::vector<ExpectedTensor>& tensors,
                                  std::uint64_t file_size) {
    std::vector<bool> skipped(tensors.size(), false);
    const bool any_address =
        std::any_of(tensors.begin(), tensors.end(), [](const ExpectedTensor& tensor) { return tensor.has_address; });
    std::uint64_t left_out = 0, position = file.data_begin;
    for (const ExpectedTensor& tensor : tensors) {
        left_out += tensor.has_address ? 0 : tensor.size;
    }
    // Sums that leave 64 bits are not tried here: such a file is too short anyhow.
    if (file.end <= file_size || !any_address || !file.fault.empty() || file.end - left_out > file_size) {
        return skipped;
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        skipped[i] = !tensors[i].has_address && tensors[i].size != 0;
        tensors[i].offset = position;
        position += skipped[i] ? 0 : tensors[i].size;
    }
    return skipped;
}

struct Numbers {
    std::uint64_t elements;
    bool missing;    ///< of those that the shape or the size promises
    bool byte_each;  ///< small elements with a byte each
};

Numbers numbers_of(const ExpectedTensor& tensor, const std::string& dtype, std::uint64_t there) {
    const auto by_shape = elements_by_shape(tensor);
    const unsigned bits = reference_bits(dtype);
    const bool byte_each = bits < 8 && by_shape == tensor.size;
    const auto elements_in = [&](std::uint64_t bytes) {
        __extension__ using Wide = unsigned __int128;
        const Wide elements = Wide{bytes} * 8 / (byte_each ? 8 : bits);
        constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
        return elements > most ? most : static_cast<std::uint64_t>(elements);
    };
    const std::uint64_t by_size = elements_in(tensor.size);
    const std::uint64_t declared = std::min(by_shape.value_or(by_size), by_size);
    const std::uint64_t elements = std::min(declared, elements_in(there));
    return {elements, by_shape.value_or(0) > by_size || elements < declared, byte_each};
}

std::string counts(std::uint64_t elements, bool missing, const std::string& statistics) {
    return fmt::format("elements {} missing {}{}", elements, missing, statistics);
}

template <class Statistics, class ToNumber>
std::string statistics_text(const Statistics& statistics, ToNumber number) {
    return fmt::format(" max {} min {} nan {} inf {} {} saturated {} subnormal {} zero {}", number(statistics.max),
                       number(statistics.min), statistics.nan, statistics.pos_inf, statistics.neg_inf,
                       statistics.saturated, statistics.subnormal, statistics.zero);
}

std::string expected_tensor(const ExpectedTensor& tensor, const std::string& dtype, bool skipped, const Buffer& bytes) {
    const std::uint64_t there =
        skipped ? 0
                : std::min<std::uint64_t>(tensor.size, bytes.size() > tensor.offset ? bytes.size() - tensor.offset : 0);
    const std::string place = fmt::format("[{}] at {} size {} ", fmt::join(tensor.dims, ","), tensor.offset, there);
    if (dtype.empty() || skipped) {
        return place + (skipped ? "skipped" : "no numbers");
    }
    const Numbers numbers = numbers_of(tensor, dtype, there);
    if (numbers.byte_each) {
        return place + counts(numbers.elements, numbers.missing, " a byte each");
    }
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(there == 0 ? 0 : tensor.offset);
    const Buffer data(first, first + static_cast<std::ptrdiff_t>(there));
    const auto number = [](const std::optional<long double>& value) {
        return value ? fmt::format("{:.17g}", *value == 0 ? 0 : *value) : std::string("-");  // 0 never has a sign
    };
    return place + counts(numbers.elements, numbers.missing,
                          statistics_text(reference_statistics(dtype, data, numbers.elements), number));
}

std::string expected_op_dump(const Buffer& bytes) {
    const ExpectedContainer file = expected_container(bytes);
    if (!file.fault.empty() && file.fault != "size_overflow") {
        return fmt::format("error {}\n", file.fault);
    }
    std::vector<ExpectedTensor> tensors = file.inputs;
    tensors.insert(tensors.end(), file.outputs.begin(), file.outputs.end());
    const std::vector<bool> skipped = skipped_tensors(file, tensors, bytes.size());
    std::string text = file.form + (file.ends_in_damage ? " ends in damage\n" : "\n");
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        text += fmt::format("{} {}\n", i < file.inputs.size() ? "input" : "output",
                            expected_tensor(tensors[i], dtype_of(file, tensors[i]), skipped[i], bytes));
    }
    return text;
}

bool has_error(const std::vector<Diagnostic>& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [](const Diagnostic& item) { return item.severity == Severity::error; });
}

bool has_code(const std::vector<Diagnostic>& diagnostics, std::string_view code) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [code](const Diagnostic& item) { return item.code == code; });
}

std::string told_tensor(const DumpedTensor& tensor) {
    const std::string place =
        fmt::format("[{}] at {} size {} ", fmt::join(tensor.shape, ","), tensor.offset, tensor.size);
    if (!tensor.statistics) {
        return place + (has_code(tensor.diagnostics, "tensor_skipped") ? "skipped" : "no numbers");
    }
    const auto number = [](const std::optional<TensorNumber>& value) {
        return value ? std::visit([](auto v) { return fmt::format("{:.17g}", static_cast<long double>(v)); }, *value)
                     : std::string("-");
    };
    return place + counts(tensor.elements, has_error(tensor.diagnostics),
                          tensor.byte_each ? " a byte each" : statistics_text(*tensor.statistics, number));
}

std::string told_op_dump(const Result<OpDump>& dump) {
    if (!dump) {
        return fmt::format("error {}\n", to_string(dump.error().code));
    }
    const bool ends_in_damage = dump->tensors_missing && has_code(dump->diagnostics, "header_malformed");
    std::string text = std::string(to_string(dump->container)) + (ends_in_damage ? " ends in damage\n" : "\n");
    for (const DumpedTensor& tensor : dump->tensors) {
        text += fmt::format("{} {}\n", to_string(tensor.kind), told_tensor(tensor));
    }
    return text;
}

/// Values beyond the file, or sizes that nobody can have.
bool must_be_damaged(const Buffer& bytes) {
    const ExpectedContainer file = expected_container(bytes);
    return file.fault == "size_overflow" || file.ends_in_damage ||
           (file.form != "dump_data_v1" && file.end > bytes.size());
}

DumpFile sound_op_dump(bool with_addresses) {
    DumpFile dump = op_dump({tensor_of(float16_type, {2, 3}, halves({0x3C00, 0x7BFF, 0xFBFF, 0x7C00, 0x7E00, 0x0001})),
                             tensor_of(int32_type, {3}, bytes_of_numbers<std::int32_t>({-5, 77, 2147483647}))},
                            {tensor_of(float32_type, {1, 4}, bytes_of_numbers<float>({1.5F, -2.25F, 1e30F, 0.0F})),
                             tensor_of(uint8_type, {}, {0x37})});
    for (auto* tensors : {&dump.inputs, &dump.outputs}) {
        for (Tensor& tensor : *tensors) {
            if (with_addresses) {
                tensor.address = 0x124040100000;
            }
        }
    }
    return dump;
}

/// The same with GE's numbers of the element types.
DumpFile nano_op_dump() {
    DumpFile dump = sound_op_dump(true);
    dump.inputs[0].data_type = 1;
    dump.inputs[1].data_type = 3;
    dump.outputs[0].data_type = 0;
    return dump;
}

}  // namespace

void try_op_dumps(Findings& findings) {
    DumpFile small = op_dump({tensor_of(int4_type, {3}, {0x21, 0x03})}, {tensor_of(float6_e3m2_type, {4}, {1, 2, 3})});
    small.inputs.push_back(tensor_of(string_type, {1}, bytes_of("text")));
    const std::vector<std::pair<std::string, Buffer>> files{
        {"v2", build_v2(sound_op_dump(false))},    {"v2 with addresses", build_v2(sound_op_dump(true))},
        {"v1", build_v1(sound_op_dump(true))},     {"nano", build_nano(nano_op_dump())},
        {"v2 of small elements", build_v2(small)},
    };
    for (const auto& [name, sound] : files) {
        const auto at_first = measure_op_dump(Bytes(sound));
        findings.require(at_first.ok() && at_first->complete(), "the file is sound at first", name);
        findings.try_all(name, sound, [&findings](const Buffer& damaged, const Damage&) {
            const Result<OpDump> dump = measure_op_dump(Bytes(damaged));
            const std::string expected = expected_op_dump(damaged), told = told_op_dump(dump);
            findings.require(told == expected, "what is told is what the bytes say",
                             "told " + told + "but " + expected);
            if (!dump) {
                findings.require(!dump.error().offset || *dump.error().offset <= damaged.size(),
                                 "the place of an error lies in the file");
                return std::string(to_string(dump.error().code));
            }
            findings.require(!dump->complete() || !must_be_damaged(damaged), "values that are not there are told");
            return std::string(dump->complete() ? "ok" : "ok in part");
        });
    }
}

}  // namespace opdebug::damage
