// File names of dumps and of operator values → ids, kind and time.
#include "tree/name.hpp"

#include <algorithm>
#include <array>

#include <opdebug/tree.hpp>

namespace opdebug {
inline namespace v0 {
namespace {

/// Timestamps have 16 digits from 2001 to 2286; one document shows 15. Fewer than 13 digits are no microseconds of this
/// century, but a part of another file name ("libx.so.1.2"). Does not apply to names with the spelling of overflow
/// dumps.
constexpr std::size_t kFewestTimestampDigits = 13;

constexpr std::size_t kMostNumbers = 7;     ///< in the longest format
constexpr std::size_t kPlaceOfLiteral = 6;  ///< position of the word FFTSPLUS, after the fourth of seven numbers
constexpr std::size_t kPartsWithLiteral = 10;

/// Contains only views: a scan splits five names for each dump, and mostly needs the kind.
struct NameParts {
    std::string_view op_type, op_name;
    std::array<std::string_view, kMostNumbers> numbers;  ///< as text
    std::size_t count = 0;                               ///< number of numbers; names of unknown formats may have more
    bool ffts_literal = false;

    bool is_overflow_dump() const { return tree::is_overflow_spelling(op_type, op_name); }
    bool is_exception_dump() const;
};

/// Whether the number is a local time with milliseconds, YYYYMMDDhhmmssmmm, of this century. Microseconds since 1970
/// have 16 digits until 2286.
bool is_local_time(std::string_view digits) {
    return digits.size() == 17 && digits.starts_with("20");
}

/// {type}.{name}.{task}.{time}, {kernel}.{stream}.{task}.{time} or {kernel}.{stream}.{task}.{core type}.{core}.{time}.
bool NameParts::is_exception_dump() const {
    const bool has_form = count == 2 || (count == 4 && tree::is_decimal(op_name));
    return has_form && !ffts_literal && is_local_time(numbers[count - 1]) && !is_overflow_dump();
}

/// Empty if the parts after type and name are no numbers, except for the words of the format.
std::optional<NameParts> split_name(std::string_view text) {
    NameParts parts;
    std::size_t place = 0;
    for (std::size_t begin = 0; begin <= text.size(); ++place) {
        const std::size_t end = std::min(text.find('.', begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        begin = end + 1;
        if (place < 2) {
            (place == 0 ? parts.op_type : parts.op_name) = part;
        } else if (place == kPlaceOfLiteral && part == "FFTSPLUS") {
            parts.ffts_literal = true;
        } else if (!tree::is_decimal(part)) {
            return std::nullopt;
        } else if (parts.count++ < kMostNumbers) {
            parts.numbers[parts.count - 1] = part;
        }
    }
    const bool fits = place >= 3 && (!parts.ffts_literal || place == kPartsWithLiteral);
    return fits && !parts.op_type.empty() && !parts.op_name.empty() ? std::optional(parts) : std::nullopt;
}

std::optional<std::uint64_t> unless_marker(std::optional<std::uint64_t> id) {
    return id && tree::is_no_id(*id) ? std::nullopt : id;
}

/// Positions of the numbers that every format has.
struct UsualNumbers {
    std::size_t task;
    std::optional<std::size_t> stream;
    std::size_t time;
};

/// Decides by the count of numbers. Empty for undocumented formats, whose numbers have no known meaning.
std::optional<UsualNumbers> usual_numbers(const NameParts& parts) {
    switch (parts.count) {
        case 2: return UsualNumbers{0, std::nullopt, 1};  // task.timestamp, CANN of 2020
        case 3: return UsualNumbers{0, 1, 2};             // task.stream.timestamp
        case 4: return UsualNumbers{1, 2, 3};             // dump_number.task.stream.timestamp, host-side adump
        case 7:                                           // either, then [4.]context.thread.device, FFTS+
            return parts.ffts_literal ? UsualNumbers{1, 2, 3} : UsualNumbers{0, 1, 2};
        default: return std::nullopt;
    }
}

bool is_like_an_op_dump(const NameParts& parts) {
    const std::optional<UsualNumbers> usual = usual_numbers(parts);
    return usual && parts.numbers[usual->time].size() >= kFewestTimestampDigits;
}

void read_exception_dump(const NameParts& parts, DumpName& name) {
    name.is_exception_dump = true;
    name.task_id = tree::parse_number(parts.numbers[0]);
    name.local_time = parts.numbers[parts.count - 1];
    if (tree::is_decimal(parts.op_name)) {  // the stream is in the position of the name
        name.stream_id = tree::parse_number(parts.op_name);
        name.op_type.clear();
        name.op_name = parts.op_type == "exception_info" ? std::string_view() : parts.op_type;
    }
    if (parts.count == 4) {
        name.core_type = tree::parse_number(parts.numbers[1]);
        name.core_id = tree::parse_number(parts.numbers[2]);
    }
}

/// Numbers that exceed 64 bits are unknown.
void read_numbers(const NameParts& parts, const UsualNumbers& usual, DumpName& name) {
    const auto number = [&parts](std::size_t place) { return tree::parse_number(parts.numbers[place]); };
    name.dump_number = usual.task == 1 ? number(0) : std::nullopt;
    name.task_id = number(usual.task);
    name.stream_id = usual.stream ? number(*usual.stream) : std::nullopt;
    name.timestamp_us = number(usual.time);
    if (parts.count == kMostNumbers) {
        name.context_id = unless_marker(number(4));
        name.thread_id = unless_marker(number(5));
        name.device_id = number(6);
    }
}

}  // namespace

std::string_view file_name_of(std::string_view path) noexcept {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::optional<DumpName> parse_dump_name(std::string_view text) {
    const std::optional<NameParts> parts = split_name(text);
    if (!parts) {
        return std::nullopt;
    }
    std::optional<DumpName> name;
    const bool is_overflow_dump = parts->is_overflow_dump();
    if (!is_overflow_dump && !is_like_an_op_dump(*parts)) {
        return name;
    }
    name.emplace();
    name->op_type = parts->op_type;
    name->op_name = parts->op_name;
    name->is_overflow_dump = is_overflow_dump;
    name->documented_spelling = parts->op_type == "Opdebug" && parts->op_name == "Node_OpDebug";
    if (parts->is_exception_dump()) {
        read_exception_dump(*parts, *name);
    } else if (const auto usual = usual_numbers(*parts)) {
        read_numbers(*parts, *usual, *name);
    }
    return name;
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::tree {
namespace {

/// The text without its ending. Empty if it has another ending.
std::optional<std::string_view> without_ending(std::string_view text, std::string_view ending) {
    return text.ends_with(ending) ? std::optional(text.substr(0, text.size() - ending.size())) : std::nullopt;
}

/// Formats begin with an upper-case letter ("NCHW", "DefaultFormat"), types with a lower-case one. Numbers are slots,
/// or the shape that msaccucmp appends.
void read_rest(std::string_view rest, TensorFileName& name) {
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('.'), rest.size());
        const std::string_view part = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const char first = part.empty() ? '0' : part.front();
        if (first >= 'A' && first <= 'Z') {
            name.format = part;
        } else if (first >= 'a' && first <= 'z') {
            name.dtype = part;
        }
    }
}

bool is_op_dump_name(std::string_view name) {
    return names_overflow_dump(name) == false;
}

/// {dump name}.{input or output}.{index}.{rest}. TorchAir writes INPUT and OUTPUT (fx_dumper.py).
std::optional<TensorFileName> split_tensor_name(std::string_view stem) {
    constexpr std::string_view kInput = ".input.", kOutput = ".output.";
    const std::string lower = one_spelling(stem);
    const std::size_t input = lower.rfind(kInput), output = lower.rfind(kOutput);
    TensorFileName tensor;
    tensor.is_output = output != std::string::npos && (input == std::string::npos || output > input);
    const std::size_t kind = tensor.is_output ? output : input;
    if (kind == std::string::npos) {
        return std::nullopt;
    }
    tensor.dump_name = stem.substr(0, kind);
    const std::string_view rest = stem.substr(kind + (tensor.is_output ? kOutput : kInput).size());
    const std::size_t index_end = std::min(rest.find('.'), rest.size());
    const std::optional<std::uint64_t> index = parse_number(rest.substr(0, index_end));
    if (!index) {
        return std::nullopt;
    }
    tensor.index = *index;
    read_rest(rest.substr(std::min(index_end + 1, rest.size())), tensor);
    return tensor;
}

}  // namespace

std::optional<bool> names_overflow_dump(std::string_view name) {
    const std::optional<NameParts> parts = split_name(name);
    if (!parts) {
        return std::nullopt;
    }
    const bool is_overflow_dump = parts->is_overflow_dump();
    return is_overflow_dump || is_like_an_op_dump(*parts) ? std::optional(is_overflow_dump) : std::nullopt;
}

std::optional<DumpName> parse_name_of_dump(std::string_view file_name) {
    const std::optional<ConvertedName> converted = parse_converted_name(file_name);
    return parse_dump_name(converted ? converted->dump_name : file_name);
}

std::optional<std::uint64_t> task_of_op_dump(std::string_view name) {
    const std::optional<NameParts> parts = split_name(name);
    if (!parts || parts->is_overflow_dump() || parts->is_exception_dump() || !is_like_an_op_dump(*parts)) {
        return std::nullopt;
    }
    return parse_number(parts->numbers[usual_numbers(*parts)->task]);
}

std::optional<TensorFileName> parse_tensor_file_name(std::string_view name) {
    const std::optional<std::string_view> stem = without_ending(name, ".npy");
    const std::optional<TensorFileName> tensor = stem ? split_tensor_name(*stem) : std::nullopt;
    return tensor && is_op_dump_name(tensor->dump_name) ? tensor : std::nullopt;
}

TensorFileName parse_npy_name(std::string_view name) {
    const std::string_view stem = without_ending(name, ".npy").value_or(name);
    TensorFileName whole;
    whole.dump_name = stem;
    return split_tensor_name(stem).value_or(whole);
}

std::optional<std::string_view> dump_name_of_statistics(std::string_view name) {
    const std::optional<std::string_view> stem = without_ending(name, ".csv");
    return stem && is_op_dump_name(*stem) ? stem : std::nullopt;
}

bool names_operator_values(std::string_view name) {
    return name == kStatisticList || parse_tensor_file_name(name) || dump_name_of_statistics(name);
}

}  // namespace opdebug::tree
