#include "api_dump/call_name.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include "tree/name.hpp"

namespace opdebug::api_dump {
namespace {

constexpr std::string_view kParametersGrad = "parameters_grad";

// Prefixes of ptdbg_ascend's hooks (source: its wrap_*.py). All other names are modules.
constexpr std::string_view kPtdbgPrefixes[] = {"Functional", "Tensor", "Torch", "NPU", "VF", "Aten", "Distributed"};

std::optional<ApiPhase> phase_of(std::string_view word) {
    return word == "forward"    ? std::optional<ApiPhase>(ApiPhase::forward)
           : word == "backward" ? std::optional<ApiPhase>(ApiPhase::backward)
                                : std::nullopt;
}

/// {api}{separator}{count}{separator}{forward|backward}
bool read_api_name(ApiEntry& entry, char separator) {
    const NameParts last = split_last(entry.name, separator);
    const NameParts before = split_last(last.front, separator);
    const auto phase = phase_of(last.back);
    const auto count = tree::parse_number(before.back);
    if (!phase || !count || before.front.empty()) {
        return false;
    }
    entry.phase = *phase;
    entry.count = count;
    entry.api = before.front;
    return true;
}

/// {path}.{Class}.{forward|backward}.{count}, {path}.{Class}.parameters_grad[.{count}]
bool read_module_name(ApiEntry& entry) {
    NameParts last = split_last(entry.name, '.');
    const auto count = tree::parse_number(last.back);
    if (count) {
        last = split_last(last.front, '.');
    }
    const auto phase = phase_of(last.back);
    const bool is_grad = last.back == kParametersGrad;
    if (last.front.empty() || (!is_grad && (!phase || !count))) {
        return false;
    }
    entry.phase = is_grad ? ApiPhase::parameters_grad : *phase;
    entry.count = count;
    entry.api = last.front;
    entry.is_module = true;
    entry.placed_early = is_grad && !count;
    return true;
}

/// {variable}[_grad].{count}.debug
bool read_debug_name(ApiEntry& entry) {
    const NameParts last = split_last(entry.name, '.');
    if (last.back != "debug" || last.front.empty()) {
        return false;
    }
    const NameParts before = split_last(last.front, '.');
    entry.phase = ApiPhase::debug;
    entry.count = tree::parse_number(before.back);
    entry.api = entry.count ? before.front : last.front;
    return true;
}

}  // namespace

NameParts split_last(std::string_view name, char separator) {
    const std::size_t at = name.rfind(separator);
    return at == std::string_view::npos ? NameParts{{}, name} : NameParts{name.substr(0, at), name.substr(at + 1)};
}

void read_call_name(ApiEntry& entry) {
    if (!read_api_name(entry, '.') && !read_module_name(entry) && !read_debug_name(entry)) {
        entry.api = entry.name;
    }
}

void read_ptdbg_name(ApiEntry& entry) {
    // A module's path may contain both dots and underscores.
    const char separator = read_api_name(entry, '.') ? '.' : '_';
    if (separator == '_' && !read_api_name(entry, '_')) {
        entry.api = entry.name;
        return;
    }
    const std::string_view api = entry.api;
    const std::size_t prefix = api.find(separator);
    entry.is_module = prefix == std::string::npos || std::find(std::begin(kPtdbgPrefixes), std::end(kPtdbgPrefixes),
                                                               api.substr(0, prefix)) == std::end(kPtdbgPrefixes);
    if (!entry.is_module) {
        entry.api[prefix] = '.';
    }
}

bool is_measured_late(const ApiEntry& entry) {
    return entry.phase == ApiPhase::forward && !entry.api.starts_with("Distributed.");
}

std::string forward_name(std::string_view name) {
    constexpr std::string_view kBackward = "backward";
    const NameParts last = split_last(name, '.');
    const bool is_numbered = tree::is_decimal(last.back);  // a module's
    const NameParts phase = is_numbered ? split_last(last.front, '.') : last;
    if (phase.back == kParametersGrad) {  // its number counts gradients over all steps, not calls of the module
        return std::string(phase.front) + ".forward.0";
    }
    if (is_numbered) {
        const bool has_forward = phase.back == kBackward;
        return has_forward ? std::string(phase.front) + ".forward." + std::string(last.back) : std::string();
    }
    if (name.size() <= kBackward.size() || !name.ends_with(kBackward)) {
        return {};
    }
    return std::string(name.substr(0, name.size() - kBackward.size())) + "forward";
}

}  // namespace opdebug::api_dump
