#include "locate/kernel_name.hpp"

#include <cxxabi.h>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "embedded/operator_types_data.hpp"
#include "json/document.hpp"
#include "tree/name.hpp"

namespace opdebug::locate_stage {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Where the number that begins at `position` ends, when an '_' follows it; else `position`. The first number of a name
/// may be negative, and a session number may be joined to the -1 after it.
std::size_t number_end(std::string_view kernel, std::size_t position) {
    std::size_t end = position;
    while (end < kernel.size() && (is_digit(kernel[end]) || kernel[end] == '-')) {
        ++end;
    }
    return end > position && end < kernel.size() && kernel[end] == '_' && is_digit(kernel[end - 1]) ? end : position;
}

/// Where the node begins after session, graph and model numbers, two at least, each followed by '_'; 0: there is none.
/// Offline models have session -1, followed by the graph and mostly the model; later numbers belong to the node. Other
/// names have any count of numbers, and the node is read after the last of them.
std::size_t node_begin(std::string_view kernel) {
    constexpr std::size_t kAny = 1000;
    std::size_t begin = 0;
    std::size_t most = kAny;
    std::size_t position = 0;
    for (std::size_t numbers = 1; numbers <= most; ++numbers) {
        const std::size_t end = number_end(kernel, position);
        if (end == position) {
            break;
        }
        if (most == kAny && kernel.substr(position, end - position).ends_with("-1")) {
            most = numbers + 2;
        }
        position = end + 1;
        begin = numbers >= 2 ? position : 0;
    }
    return position == kernel.size() ? 0 : begin;  // numbers only: no node
}

/// The numbers before the node, as text: "-1", "0", "1".
std::vector<std::string_view> numbers_before(std::string_view kernel, std::optional<std::string_view> node) {
    const std::size_t end =
        node && kernel_is_of_node(kernel, *node) ? kernel.size() - node->size() : node_begin(kernel);
    std::vector<std::string_view> numbers;
    for (std::size_t position = 0; position < end;) {
        const std::size_t next = kernel.find('_', position);
        numbers.push_back(kernel.substr(position, next - position));
        position = next + 1;
    }
    return numbers;
}

/// Where "_<32 lower-case hex digits>" begins, bounded by '_' or the end.
std::size_t find_hash(std::string_view kernel) {
    constexpr std::size_t kHashDigits = 32;
    for (std::size_t at = kernel.find('_'); at != std::string_view::npos; at = kernel.find('_', at + 1)) {
        const std::string_view digits = kernel.substr(at + 1, kHashDigits);
        const std::size_t end = at + 1 + kHashDigits;
        if (digits.size() == kHashDigits && digits.find_first_not_of("0123456789abcdef") == std::string_view::npos &&
            (end == kernel.size() || kernel[end] == '_')) {
            return at;
        }
    }
    return std::string_view::npos;
}

/// Types of GE begin with a capital letter and hold no '_'; other kernels ("rms_norm_...") are named after functions.
std::optional<std::string> operator_type(std::string_view text) {
    const bool is_type =
        !text.empty() && text.front() >= 'A' && text.front() <= 'Z' && text.find('_') == std::string_view::npos;
    return is_type ? std::optional<std::string>(text) : std::nullopt;
}

bool is_hex(std::string_view text) {
    return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// "te_<type in lower case>_<hash>...": kernels of the TBE compiler.
std::optional<std::string> type_of_te_kernel(std::string_view kernel) {
    constexpr std::string_view kPrefix = "te_";
    constexpr std::size_t kShortestHash = 16;
    if (!kernel.starts_with(kPrefix)) {
        return std::nullopt;
    }
    kernel.remove_prefix(kPrefix.size());
    const std::size_t type = std::min(kernel.find('_'), kernel.size());
    std::string_view hash = kernel.substr(std::min(type + 1, kernel.size()));
    hash = hash.substr(0, hash.find('_'));
    return hash.size() >= kShortestHash && is_hex(hash) ? type_in_lower_case(kernel.substr(0, type)) : std::nullopt;
}

}  // namespace

bool is_hash(std::string_view text) {
    constexpr std::size_t kShortest = 64;
    return text.size() >= kShortest && is_hex(text);
}

KernelName decode_kernel_name(std::string_view kernel) {
    KernelName decoded;
    if (auto type = type_of_te_kernel(kernel)) {
        decoded.operator_type = std::move(type);
        return decoded;
    }
    if (const std::size_t hash = find_hash(kernel); hash != std::string_view::npos && hash != 0) {
        decoded.operator_type = operator_type(kernel.substr(0, hash));
        return decoded;
    }
    // Without a hash: "<type>_<formats and data types>_high_performance_<tiling key>"; types hold no '_'.
    for (const std::string_view mode : {"_high_performance_", "_high_precision_"}) {
        if (kernel.find(mode) != std::string_view::npos && kernel.find('_') != 0) {
            decoded.operator_type = operator_type(kernel.substr(0, kernel.find('_')));
            return decoded;
        }
    }
    if (const std::size_t begin = node_begin(kernel); begin != 0 && !is_hash(kernel.substr(begin))) {
        decoded.node = std::string(kernel.substr(begin));
    }
    return decoded;
}

std::optional<std::uint64_t> ge_model_of_kernel(std::string_view kernel, std::optional<std::string_view> node) {
    const std::vector<std::string_view> numbers = numbers_before(kernel, node);
    const bool is_offline = numbers.size() >= 3 && numbers[numbers.size() - 3].ends_with("-1");
    return is_offline ? tree::parse_number(numbers.back()) : std::nullopt;
}

std::optional<std::uint64_t> graph_of_kernel(std::string_view kernel, std::optional<std::string_view> node) {
    const std::vector<std::string_view> numbers = numbers_before(kernel, node);
    // "00_1_" of 2023 has the same form except the second zero: what its numbers mean is not known.
    const bool is_online = numbers.size() == 2 && (numbers[0] == "0" || !numbers[0].starts_with('0')) &&
                           numbers[0].find('-') == std::string_view::npos;
    return is_online ? tree::parse_number(numbers.back()) : std::nullopt;
}

std::string_view without_compiler_suffix(std::string_view kernel) {
    for (const std::string_view suffix : {"_mix_aic", "_mix_aiv", "__kernel0"}) {
        if (kernel.ends_with(suffix)) {
            kernel.remove_suffix(suffix.size());
        }
    }
    return kernel;
}

std::optional<std::string> demangled(std::string_view kernel) {
    if (!kernel.starts_with("_Z")) {
        return std::nullopt;
    }
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> function(
        abi::__cxa_demangle(std::string(without_compiler_suffix(kernel)).c_str(), nullptr, nullptr, &status),
        &std::free);
    return status == 0 && function ? std::optional<std::string>(function.get()) : std::nullopt;
}

bool kernel_is_of_node(std::string_view kernel, std::string_view node) {
    if (kernel.size() < node.size() || kernel.substr(kernel.size() - node.size()) != node) {
        return false;
    }
    const std::string_view prefix = kernel.substr(0, kernel.size() - node.size());
    return prefix.empty() ||
           (prefix.back() == '_' && prefix.find_first_not_of("0123456789-_") == std::string_view::npos);
}

namespace {

/// The known types by their spelling in lower case. The file is part of the library and checked by its tests.
std::map<std::string, std::set<std::string>, std::less<>> read_types() {
    std::map<std::string, std::set<std::string>, std::less<>> types;
    const nlohmann::json document = json_stage::parse_data(embedded::operator_types_files().front().text);
    for (const nlohmann::json& list : document.at("lists")) {
        for (const std::string type : list.at("types")) {
            std::string lower = type;
            std::transform(lower.begin(), lower.end(), lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
            types[lower].insert(type);
        }
    }
    return types;
}

}  // namespace

std::optional<std::string> type_in_lower_case(std::string_view lower) {
    static const auto types = read_types();
    const auto found = types.find(lower);
    return found != types.end() && found->second.size() == 1 ? std::optional(*found->second.begin()) : std::nullopt;
}

}  // namespace opdebug::locate_stage
