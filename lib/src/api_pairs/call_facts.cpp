// The rules on calls, and the calls of one side.
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "api_culprits/judge_call.hpp"
#include "api_culprits/known_apis.hpp"
#include "api_pairs/units.hpp"
#include "bytes/hash_factors.hpp"
#include "embedded/pair_rules_data.hpp"
#include "json/document.hpp"
#include "tree/name.hpp"

namespace opdebug::api_pairs {
namespace {

/// A module without parameters may still have weights that differ: those of its children, or not dumped.
bool shows_weights(const ApiEntry& call) {
    return !call.is_module || call.phase != ApiPhase::forward ||
           std::any_of(call.values.begin(), call.values.end(),
                       [](const ApiValue& value) { return value.kind == ApiValueKind::parameter; });
}

/// An argument that makes an API random unless it has the value `off`.
struct RandomArgument {
    std::string api, keyword, position;
    double off = 0;
};

struct PairRules {
    std::map<std::string, double, std::less<>> numbers;
    api_culprits::Names random_apis, cancelling_apis;
    std::vector<RandomArgument> random_arguments;
    /// Modules of two frameworks that have the same functions under the same names.
    std::vector<std::pair<std::string, std::string>> same_modules;
    api_culprits::Names wrappers;  ///< parts of a module's path that a wrapper adds
};

const PairRules& pair_rules() {
    static const PairRules rules = [] {
        const auto document = json_stage::parse_data(embedded::pair_rules_files().front().text);
        PairRules read{document.at("rules"),        document.at("random_apis"), document.at("cancelling_apis"), {},
                       document.at("same_modules"), document.at("wrappers")};
        for (const auto& argument : document.at("random_arguments")) {
            read.random_arguments.push_back({argument.at("api"), argument.at("keyword"), argument.at("position"),
                                             argument.at("off").get<double>()});
        }
        return read;
    }();
    return rules;
}

}  // namespace

SideCall side_call(const api_culprits::Call& judged, ApiEntry&& entry, std::size_t file) {
    SideCall call;
    call.states.assign(judged.states.begin(), judged.states.end());
    call.shapes = std::hash<std::string_view>{}(entry.api);
    for (std::size_t i = 0; i < entry.values.size(); ++i) {
        const ApiValue& value = entry.values[i];
        bytes::mix(static_cast<std::uint64_t>(value.kind), call.shapes);
        bytes::mix(value.shape.size(), call.shapes);
        for (const std::uint64_t dimension : value.shape) {
            bytes::mix(dimension + 3, call.shapes);
        }
        call.is_evidence.push_back(value.kind == ApiValueKind::output
                                       ? !judged.api.is_no_result(value)
                                       : !judged.api.is_not_read(value) && !api_culprits::is_received_into(judged, i));
    }
    call.file = file;
    call.rounded = judged.rounded;
    call.has_known_inputs =
        entry.inputs_dumped && shows_weights(entry) && !(entry.inputs_after_call && judged.api.writes_first);
    call.may_break_by_values = (entry.phase == ApiPhase::forward || entry.phase == ApiPhase::backward) &&
                               judged.api.communication == nullptr && !judged.api.leaves_memory;
    call.entry = std::move(entry);
    return call;
}

double rule(std::string_view name) {
    return pair_rules().numbers.find(name)->second;
}

bool is_random(const ApiEntry& call) {
    const std::string_view function = api_culprits::function_of(call.api);
    const auto is_on = [&](const RandomArgument& argument) {
        return argument.api == function &&
               std::any_of(call.values.begin(), call.values.end(), [&argument](const ApiValue& value) {
                   return value.is_scalar && (value.index == argument.keyword || value.index == argument.position) &&
                          value.max && *value.max != argument.off;
               });
    };
    const std::vector<RandomArgument>& arguments = pair_rules().random_arguments;
    return pair_rules().random_apis.contains(function) || std::any_of(arguments.begin(), arguments.end(), is_on);
}

bool may_cancel(std::string_view api) {
    return pair_rules().cancelling_apis.contains(api_culprits::function_of(api));
}

std::string common_name(std::string_view api, bool is_module) {
    if (!is_module) {
        const std::string_view module = api.substr(0, api.find('.'));
        for (const auto& [one, other] : pair_rules().same_modules) {
            if (module == one) {
                return other + std::string(api.substr(module.size()));
            }
        }
        return std::string(api);
    }
    // "Module.{index of the model}.{path}.{Class}": wrappers of the whole model come first, others have reserved names.
    std::string name;
    bool is_front = true;
    for (std::size_t begin = 0; begin < api.size();) {
        const std::size_t end = std::min(api.find('.', begin), api.size());
        const std::string_view part = api.substr(begin, end - begin);
        const bool is_wrapper = begin != 0 && pair_rules().wrappers.contains(part) && (is_front || part.front() == '_');
        is_front = begin == 0 || (is_front && (is_wrapper || tree::is_decimal(part)));
        if (!is_wrapper) {
            name.append(name.empty() ? "" : ".").append(part);
        }
        begin = end + 1;
    }
    return name;
}

}  // namespace opdebug::api_pairs
