// File names of dumps and of operators' values → ids, kind and time.
#include "tree/name.hpp"

#include <algorithm>
#include <array>

#include <opdebug/tree.hpp>

namespace opdebug {
inline namespace v0 {
namespace {

/// 16 digits from 2001 to 2286; one document shows 15. Fewer than 13 are not microseconds of this century: a name of
/// any other kind of file ("libx.so.1.2"). What is spelled as an overflow dump is one, however short its time.
constexpr std::size_t kFewestTimestampDigits = 13;

constexpr std::size_t kMostNumbers = 7;     ///< of the longest form
constexpr std::size_t kPlaceOfLiteral = 6;  ///< of the word FFTSPLUS, behind the fourth of seven numbers
constexpr std::size_t kPartsWithLiteral = 10;

/// Nothing is copied and no number made: a scan takes five names apart for each dump, and mostly asks for the kind.
struct NameParts {
    std::string_view op_type, op_name;
    std::array<std::string_view, kMostNumbers> numbers;  ///< as they stand
    std::size_t count = 0;                               ///< of the numbers; names of no known form may have more
    bool ffts_literal = false;

    bool is_overflow_dump() const { return tree::is_overflow_spelling(op_type, op_name); }
};

/// Nothing when the parts behind type and name are not numbers, as far as the form allows.
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

/// Where the numbers that every form has stand among the numbers.
struct UsualNumbers {
    std::size_t task;
    std::optional<std::size_t> stream;
    std::size_t time;
};

/// By how many there are; nothing for a form that is not documented, of which no number is understood.
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

/// Numbers beyond 64 bits are not known.
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
    if (const auto usual = usual_numbers(*parts)) {
        read_numbers(*parts, *usual, *name);
    }
    return name;
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::tree {
namespace {

/// The text without its ending; nothing when it has another one.
std::optional<std::string_view> without_ending(std::string_view text, std::string_view ending) {
    return text.ends_with(ending) ? std::optional(text.substr(0, text.size() - ending.size())) : std::nullopt;
}

/// Formats begin with a capital letter ("NCHW", "DefaultFormat"), types with a small one; numbers are slots, or the
/// shape that msaccucmp appends.
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
    if (!parts || parts->is_overflow_dump() || !is_like_an_op_dump(*parts)) {
        return std::nullopt;
    }
    return parse_number(parts->numbers[usual_numbers(*parts)->task]);
}

std::optional<TensorFileName> parse_tensor_file_name(std::string_view name) {
    constexpr std::string_view kInput = ".input.", kOutput = ".output.";
    const std::optional<std::string_view> stem = without_ending(name, ".npy");
    if (!stem) {
        return std::nullopt;
    }
    const std::size_t input = stem->rfind(kInput), output = stem->rfind(kOutput);
    TensorFileName tensor;
    tensor.is_output = output != std::string_view::npos && (input == std::string_view::npos || output > input);
    const std::size_t kind = tensor.is_output ? output : input;
    if (kind == std::string_view::npos || !is_op_dump_name(stem->substr(0, kind))) {
        return std::nullopt;
    }
    tensor.dump_name = stem->substr(0, kind);
    const std::string_view rest = stem->substr(kind + (tensor.is_output ? kOutput : kInput).size());
    const std::size_t index_end = std::min(rest.find('.'), rest.size());
    const std::optional<std::uint64_t> index = parse_number(rest.substr(0, index_end));
    if (!index) {
        return std::nullopt;
    }
    tensor.index = *index;
    read_rest(rest.substr(std::min(index_end + 1, rest.size())), tensor);
    return tensor;
}

std::optional<std::string_view> dump_name_of_statistics(std::string_view name) {
    const std::optional<std::string_view> stem = without_ending(name, ".csv");
    return stem && is_op_dump_name(*stem) ? stem : std::nullopt;
}

bool names_operator_values(std::string_view name) {
    return name == kStatisticList || parse_tensor_file_name(name) || dump_name_of_statistics(name);
}

}  // namespace opdebug::tree
