#include "locate/kernel_name.hpp"

#include <algorithm>

namespace opdebug::locate_stage {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Where the number that begins at `position` ends, when an '_' follows it; else `position`. The first number of a name
/// may be negative, and a session number may be joined to the -1 behind it.
std::size_t number_end(std::string_view kernel, std::size_t position) {
    std::size_t end = position;
    while (end < kernel.size() && (is_digit(kernel[end]) || kernel[end] == '-')) {
        ++end;
    }
    return end > position && end < kernel.size() && kernel[end] == '_' && is_digit(kernel[end - 1]) ? end : position;
}

/// Length of the prefix of session, graph and model numbers, each followed by '_'. Offline models have session -1,
/// behind which stand the graph and mostly the model: no more is taken off. Without it, as many numbers as there are.
std::size_t number_prefix(std::string_view kernel) {
    constexpr std::size_t kAny = 1000;
    std::size_t numbers = 0;
    std::size_t most = kAny;
    std::size_t position = 0;
    while (numbers < most) {
        const std::size_t end = number_end(kernel, position);
        if (end == position) {
            break;
        }
        ++numbers;
        if (most == kAny && kernel.substr(position, end - position).ends_with("-1")) {
            most = numbers + 2;
        }
        position = end + 1;
    }
    return numbers >= 2 ? position : 0;
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
    // Without a hash: "<type>_<formats and data types>_high_performance_<tiling key>"; types hold no '_'.
    for (const std::string_view mode : {"_high_performance_", "_high_precision_"}) {
        if (kernel.find(mode) != std::string_view::npos && kernel.find('_') != 0) {
            decoded.operator_type = std::string(kernel.substr(0, kernel.find('_')));
            return decoded;
        }
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
