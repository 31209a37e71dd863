// Dumps of operators. Statistics are those of the bytes at the location of the tensor. One changed byte of a tensor
// changes this tensor alone. A cut file keeps the tensors before the cut. No location changes without a diagnostic.
#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/tensor.hpp>

#include "every_byte.hpp"
#include "op_dump_builder.hpp"
#include "reference_numbers.hpp"

namespace opdebug::damage {
namespace {

using namespace test;

/// The product of the dimensions; nothing when one is negative or the product does not fit.
std::optional<std::uint64_t> elements_by_shape(const DumpedTensor& tensor) {
    if (std::find(tensor.shape.begin(), tensor.shape.end(), 0U) != tensor.shape.end() ||
        (tensor.shape.empty() && tensor.size == 0)) {
        return 0;
    }
    std::uint64_t product = 1;
    for (const std::uint64_t dim : tensor.shape) {
        if (dim > std::numeric_limits<std::uint64_t>::max() / 2 ||
            product > std::numeric_limits<std::uint64_t>::max() / dim) {
            return std::nullopt;
        }
        product *= dim;
    }
    return product;
}

bool has_code(const std::vector<Diagnostic>& diagnostics, std::string_view code) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [code](const Diagnostic& item) { return item.code == code; });
}

bool has_error(const std::vector<Diagnostic>& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [](const Diagnostic& item) { return item.severity == Severity::error; });
}

/// Diagnostics of the dump and of its tensors.
std::size_t diagnostics_of(const OpDump& dump) {
    std::size_t count = dump.diagnostics.size();
    for (const DumpedTensor& tensor : dump.tensors) {
        count += tensor.diagnostics.size();
    }
    return count;
}

template <class Statistics, class ToNumber>
std::string statistics_text(const Statistics& statistics, ToNumber number) {
    return fmt::format("max {} min {} nan {} inf {} {} saturated {} subnormal {} zero {}", number(statistics.max),
                       number(statistics.min), statistics.nan, statistics.pos_inf, statistics.neg_inf,
                       statistics.saturated, statistics.subnormal, statistics.zero);
}

std::string text_of(const TensorStatistics& statistics) {
    return statistics_text(statistics, [](const std::optional<TensorNumber>& value) {
        return value ? std::visit([](auto v) { return fmt::format("{:.17g}", static_cast<long double>(v)); }, *value)
                     : std::string("-");
    });
}

std::string text_of(const ReferenceStatistics& statistics) {
    return statistics_text(statistics, [](const std::optional<long double>& value) {
        return value ? fmt::format("{:.17g}", *value == 0 ? 0 : *value) : std::string("-");  // 0 never has a sign
    });
}

/// Everything but the diagnostics.
std::string text_of(const DumpedTensor& tensor) {
    return fmt::format("{} {} {} {} [{}] at {} size {} elements {} {}\n", to_string(tensor.kind), tensor.index,
                       tensor.dtype, tensor.format, fmt::join(tensor.shape, ","), tensor.offset, tensor.size,
                       tensor.elements,
                       !tensor.statistics ? "no numbers"
                       : tensor.byte_each ? "a byte each"
                                          : text_of(*tensor.statistics));
}

std::string text_of(const OpDump& dump) {
    std::string text;
    for (const DumpedTensor& tensor : dump.tensors) {
        text += text_of(tensor);
    }
    return text;
}

/// A sound dump, and where the bytes of its tensors are, as its builder wrote them.
struct Sound {
    Buffer bytes;
    std::vector<std::size_t> begins;
    OpDump dump;
};

Sound sound_of(const Buffer& bytes, const DumpFile& file) {
    Sound sound{bytes, {}, measure_op_dump(Bytes(bytes)).value()};
    const bool is_v1 = sound.dump.container == Container::dump_data_v1;  // the message has the outputs first
    std::vector<std::size_t> inputs, outputs;
    auto from = bytes.begin();
    const auto place = [&](const std::vector<Tensor>& tensors, std::vector<std::size_t>& begins) {
        for (const Tensor& tensor : tensors) {
            from = std::search(from, bytes.end(), tensor.data.begin(), tensor.data.end());
            begins.push_back(static_cast<std::size_t>(from - bytes.begin()));
            from += static_cast<std::ptrdiff_t>(tensor.data.size());
        }
    };
    place(is_v1 ? file.outputs : file.inputs, is_v1 ? outputs : inputs);
    place(is_v1 ? file.inputs : file.outputs, is_v1 ? inputs : outputs);
    sound.begins = inputs;
    sound.begins.insert(sound.begins.end(), outputs.begin(), outputs.end());
    return sound;
}

/// Statistics are those of the bytes at the location; as many elements as shape and bytes have.
void require_numbers(Findings& findings, const DumpedTensor& tensor, const Buffer& bytes) {
    findings.require(tensor.size == 0 || (tensor.offset <= bytes.size() && tensor.size <= bytes.size() - tensor.offset),
                     "a tensor lies in the file", text_of(tensor));
    if (!tensor.statistics) {
        return;
    }
    const unsigned bits = tensor.byte_each ? 8 : reference_bits(tensor.dtype);
    const std::uint64_t by_size = tensor.size * 8 / bits, by_shape = elements_by_shape(tensor).value_or(by_size);
    findings.require(tensor.elements == std::min(by_size, by_shape), "elements are those of shape and bytes",
                     text_of(tensor));
    findings.require(by_shape <= by_size || has_error(tensor.diagnostics), "missing elements are an error",
                     text_of(tensor));
    if (!tensor.byte_each) {
        const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(tensor.size == 0 ? 0 : tensor.offset);
        const Buffer data(first, first + static_cast<std::ptrdiff_t>(tensor.size));
        const std::string expected = text_of(reference_statistics(tensor.dtype, data, tensor.elements));
        findings.require(text_of(*tensor.statistics) == expected, "statistics are those of the bytes",
                         text_of(tensor) + "but " + expected);
    }
}

/// The field number or the length of a tensor, the number of the version, or the end of a number: what follows is read
/// as other fields, which are unknown and skipped.
bool is_framing(const Buffer& sound, const Buffer& damaged, std::size_t byte) {
    const auto is_number = [&](std::size_t place) {
        return sound[place] == 0x1A || sound[place] == 0x22 || sound[place] == 0x2A;
    };
    const bool is_end = ((sound[byte] ^ damaged[byte]) & 0x80U) != 0;
    return is_end || sound[byte] == 0x0A || is_number(byte) || (byte != 0 && is_number(byte - 1));
}

/// The lengths of the lists of inputs and of outputs, after magic, version and tag ("Nano").
bool is_length_of_list(const Sound& sound, std::size_t byte) {
    constexpr std::size_t kFirst = 20;
    const std::size_t inputs = sound.bytes[kFirst] | std::size_t{sound.bytes[kFirst + 1]} << 8U;
    const std::size_t second = kFirst + 4 + inputs + 4;
    return sound.dump.container == Container::nano &&
           ((byte >= kFirst && byte < kFirst + 4) || (byte >= second && byte < second + 4));
}

/// A changed byte of a tensor changes the statistics of this tensor; one of the header changes no location silently.
void require_change(Findings& findings, const Sound& sound, const OpDump& dump, const Buffer& damaged,
                    std::size_t byte) {
    const bool is_reported = diagnostics_of(dump) > diagnostics_of(sound.dump) ||
                             dump.container != sound.dump.container ||
                             (sound.dump.container != Container::nano && is_framing(sound.bytes, damaged, byte));
    findings.require(dump.tensors.size() == sound.dump.tensors.size() || is_reported, "no tensor is lost silently",
                     text_of(dump));
    bool in_data = false;
    for (std::size_t i = 0; i < sound.begins.size(); ++i) {
        const DumpedTensor& before = sound.dump.tensors[i];
        in_data = in_data || (byte >= sound.begins[i] && byte < sound.begins[i] + before.size);
    }
    for (std::size_t i = 0; i < std::min(dump.tensors.size(), sound.dump.tensors.size()); ++i) {
        const DumpedTensor &now = dump.tensors[i], &before = sound.dump.tensors[i];
        findings.require(is_reported || (now.offset == before.offset && now.size == before.size),
                         "no location changes without a diagnostic", text_of(now));
        const bool is_here = byte >= sound.begins[i] && byte < sound.begins[i] + before.size;
        findings.require(!in_data || is_here || text_of(now) == text_of(before), "other tensors are unchanged",
                         text_of(now));
        findings.require(
            !in_data || (now.dtype == before.dtype && now.shape == before.shape && now.elements == before.elements &&
                         now.diagnostics.size() == before.diagnostics.size()),
            "values do not damage a dump", text_of(now));
    }
}

/// Tensors before the cut are unchanged; the others end there or are missing.
void require_cut(Findings& findings, const Sound& sound, const OpDump& dump, std::size_t end) {
    const bool is_v1 = sound.dump.container == Container::dump_data_v1;
    findings.require(is_v1 || dump.tensors.size() == sound.dump.tensors.size(), "declared tensors are listed");
    std::size_t before = 0, unchanged = 0;
    for (std::size_t i = 0; i < sound.begins.size(); ++i) {
        const bool is_whole = sound.begins[i] + sound.dump.tensors[i].size <= end;
        before += is_whole ? 1U : 0U;
        if (is_v1) {
            continue;  // an output that is whole may have lost its declaration of size
        }
        const DumpedTensor& now = dump.tensors[i];
        unchanged += text_of(now) == text_of(sound.dump.tensors[i]) ? 1U : 0U;
        const bool is_end = now.size == (end > now.offset ? end - now.offset : 0);
        findings.require(is_whole || has_code(now.diagnostics, "tensor_skipped") ||
                             (is_end && (has_error(now.diagnostics) || !now.statistics)),
                         "a cut tensor ends at the end of the file", text_of(now));
    }
    const bool has_skipped = std::any_of(dump.tensors.begin(), dump.tensors.end(), [](const DumpedTensor& tensor) {
        return has_code(tensor.diagnostics, "tensor_skipped");
    });
    findings.require(is_v1 || has_skipped || unchanged >= before, "tensors before the cut are unchanged",
                     text_of(dump));
    findings.require(before == sound.begins.size() || !dump.complete() || (is_v1 && dump.tensors.size() <= before),
                     "missing values are an error", text_of(dump));
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
    const DumpFile plain = sound_op_dump(false), addressed = sound_op_dump(true), of_nano = nano_op_dump();
    const struct {
        const char* name;
        const DumpFile& dump;
        Buffer bytes;
    } files[] = {
        {"v2", plain, build_v2(plain)},
        {"v2 with addresses", addressed, build_v2(addressed)},
        {"v1", addressed, build_v1(addressed)},
        {"nano", of_nano, build_nano(of_nano)},
        {"v2 of small elements", small, build_v2(small)},
    };
    for (const auto& file : files) {
        const Sound sound = sound_of(file.bytes, file.dump);
        findings.require(sound.dump.complete(), "the file is sound at first", file.name);
        for (std::size_t i = 0; i < sound.begins.size(); ++i) {
            findings.require(sound.dump.tensors[i].offset == sound.begins[i], "the location is that of the bytes");
        }
        findings.try_all(file.name, file.bytes, [&](const Buffer& damaged, const Damage& damage) {
            const Result<OpDump> dump = measure_op_dump(Bytes(damaged));
            if (!dump) {
                findings.require(dump.error().offset && *dump.error().offset <= damaged.size(),
                                 "an error names a byte of the file", dump.error().message);
                findings.require(damage.place < *std::max_element(sound.begins.begin(), sound.begins.end()),
                                 "values do not damage a dump", dump.error().message);
                return std::string(to_string(dump.error().code));
            }
            findings.require(damage.cut || !is_length_of_list(sound, damage.place),
                             "a list has the length of its tensors");
            for (const DumpedTensor& tensor : dump->tensors) {
                require_numbers(findings, tensor, damaged);
            }
            if (damage.cut) {
                require_cut(findings, sound, *dump, damaged.size());
            } else {
                require_change(findings, sound, *dump, damaged, damage.place);
            }
            return std::string(dump->complete() ? "ok" : "ok in part");
        });
    }
}

}  // namespace opdebug::damage
