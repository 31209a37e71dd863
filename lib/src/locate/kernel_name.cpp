#include "locate/kernel_name.hpp"

#include <algorithm>

namespace opdebug::locate_stage {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Length of the prefix of session, graph and model numbers: numbers (the first may be negative, or a session joined to
/// -1), each followed by '_', at least two of them.
std::size_t number_prefix(std::string_view kernel) {
    std::size_t position = 0;
    std::size_t numbers = 0;
    std::size_t end = 0;
    while (position < kernel.size()) {
        std::size_t cursor = position;
        while (cursor < kernel.size() && (is_digit(kernel[cursor]) || kernel[cursor] == '-')) {
            ++cursor;
        }
        if (cursor == position || cursor == kernel.size() || kernel[cursor] != '_' || !is_digit(kernel[cursor - 1])) {
            break;
        }
        ++numbers;
        position = cursor + 1;
        end = position;
    }
    return numbers >= 2 ? end : 0;
}

/// Where "_<32 lower-case hex digits>" begins, bounded by '_' or the end.
std::size_t find_hash(std::string_view kernel) {
    constexpr std::size_t kHashDigits = 32;
    for (std::size_t at = kernel.find('_'); at != std::string_view::npos; at = kernel.find('_', at + 1)) {
        const std::string_view digits = kernel.substr(at + 1, kHashDigits);
        const std::size_t behind = at + 1 + kHashDigits;
        if (digits.size() == kHashDigits && digits.find_first_not_of("0123456789abcdef") == std::string_view::npos &&
            (behind == kernel.size() || kernel[behind] == '_')) {
            return at;
        }
    }
    return std::string_view::npos;
}

}  // namespace

KernelName decode_kernel_name(std::string_view kernel) {
    KernelName decoded;
    if (const std::size_t hash = find_hash(kernel); hash != std::string_view::npos && hash != 0) {
        decoded.operator_type = std::string(kernel.substr(0, hash));
        return decoded;
    }
    const std::size_t prefix = number_prefix(kernel);
    if (prefix != 0 && prefix < kernel.size()) {
        decoded.node = std::string(kernel.substr(prefix));
    }
    return decoded;
}

bool kernel_is_of_node(std::string_view kernel, std::string_view node) {
    if (kernel.size() < node.size() || kernel.substr(kernel.size() - node.size()) != node) {
        return false;
    }
    const std::string_view prefix = kernel.substr(0, kernel.size() - node.size());
    return prefix.empty() ||
           (prefix.back() == '_' && prefix.find_first_not_of("0123456789-_") == std::string_view::npos);
}

}  // namespace opdebug::locate_stage
