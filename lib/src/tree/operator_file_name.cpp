#include "tree/operator_file_name.hpp"

#include <algorithm>

#include "tree/dump_name.hpp"
#include "tree/number.hpp"

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
