#include "api_culprits/known_apis.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace opdebug::api_culprits {
namespace {

bool holds(const KnownApis::Positions& known, std::string_view function, std::string_view position) {
    const auto api = known.find(function);
    return api != known.end() && api->second.contains(position);
}

const CommunicationApi* find_in(const KnownApis::Calls& calls, std::string_view function) {
    const auto call = calls.find(function);
    return call == calls.end() ? nullptr : &call->second;
}

}  // namespace

std::string_view first_of(std::string_view index) {
    return index.substr(0, index.find('.'));
}

std::string_view function_of(std::string_view api) {
    if (api.starts_with("Aten.")) {
        const std::string_view rest = api.substr(5);
        return rest.substr(0, rest.find('.'));
    }
    return api.substr(api.rfind('.') + 1);
}

bool leaves_memory_as_it_is(std::string_view function) {
    const std::vector<std::string>& begins = built_in_known_apis().begins_unwritten_memory;
    return std::any_of(begins.begin(), begins.end(),
                       [function](const std::string& begin) { return function.starts_with(begin); });
}

bool makes_masks(std::string_view function) {
    return built_in_known_apis().makes_masks.contains(function);
}

bool takes_masked_values(std::string_view function) {
    return built_in_known_apis().takes_masked_values.contains(function);
}

bool is_not_read(std::string_view function, const ApiValue& argument) {
    if (argument.kind == ApiValueKind::keyword) {
        return first_of(argument.index) == "out";
    }
    return argument.kind == ApiValueKind::input && first_of(argument.index) == "0" &&
           built_in_known_apis().first_argument_not_read.contains(function);
}

bool is_no_result(std::string_view function, const ApiValue& output) {
    return holds(built_in_known_apis().random_states, function, first_of(output.index));
}

bool is_in_place(std::string_view function) {
    const bool one_underscore = function.size() > 1 && function.back() == '_' && function[function.size() - 2] != '_';
    return one_underscore || built_in_known_apis().writes_first_argument.contains(function);
}

bool is_weight_argument(std::string_view function, const ApiValue& argument) {
    const KnownApis::Positions& weights = built_in_known_apis().weights;
    if (argument.is_scalar) {
        return false;  // a number that the program gave: no optimizer wrote it
    }
    if (argument.kind == ApiValueKind::keyword) {
        return weights.contains(function) && (argument.index == "weight" || argument.index == "bias" ||
                                              argument.index == "gamma" || argument.index == "beta");
    }
    return argument.kind == ApiValueKind::input && holds(weights, function, argument.index);
}

const CommunicationApi* communication_api(std::string_view api) {
    const KnownApis& known = built_in_known_apis();
    for (std::size_t begin = 0, dot = api.find('.'); dot != std::string_view::npos;) {
        const std::size_t next = api.find('.', dot + 1);
        if (const auto* const call = find_in(known.functions_between_ranks, api.substr(begin, next - begin))) {
            return call;
        }
        begin = dot + 1;
        dot = next;
    }
    return find_in(known.operators_between_ranks, function_of(api));
}

}  // namespace opdebug::api_culprits
