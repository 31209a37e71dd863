#include "api_culprits/known_apis.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "embedded/known_apis_data.hpp"

namespace opdebug::api_culprits {
namespace {

using nlohmann::json;

using Texts = std::vector<std::string>;

/// The list of a trait. Prefixes of APIs that return unwritten memory are no names, so they have another list.
KnownApis::Names& names_of(const std::string& trait, KnownApis& known) {
    static const std::map<std::string, KnownApis::Names KnownApis::*> lists{
        {"makes_masks", &KnownApis::makes_masks},
        {"takes_masked_values", &KnownApis::takes_masked_values},
        {"takes_logarithm", &KnownApis::takes_logarithm},
        {"first_argument_not_read", &KnownApis::first_argument_not_read},
        {"writes_first_argument", &KnownApis::writes_first_argument}};
    return known.*lists.at(trait);
}

Flow flow_of(const std::string& word) {
    static const std::map<std::string, Flow> flows{{"everyone", Flow::everyone}, {"from_root", Flow::from_root},
                                                   {"to_root", Flow::to_root},   {"send", Flow::send},
                                                   {"receive", Flow::receive},   {"batch", Flow::batch}};
    return flows.at(word);
}

/// The calls by their names: the prefixes with the APIs of each row.
KnownApis::Calls calls_of(const json& rows) {
    KnownApis::Calls calls;
    for (const json& row : rows) {
        const bool has_namespaces = row.contains("namespaces");
        CommunicationApi call;
        call.flow = flow_of(row.at("flow"));
        call.received_position = row.value("received_position", "");
        call.received_keyword = row.value("received_keyword", "");
        call.partner_position = row.value("partner_position", "");
        call.partner_keyword = row.value("partner_keyword", "");
        call.partner_0_by_default = row.value("partner_0_by_default", false);
        call.received_off_root = row.value("received_off_root", false);
        call.sums = row.value("sums", false);
        call.lists_ranks = row.value("lists_ranks", false);
        call.computes = row.value("computes", false);
        call.waits = row.value("waits", false);
        call.without_group = !has_namespaces || row.value("without_group", false);
        for (const std::string& space : has_namespaces ? row.at("namespaces").get<Texts>() : Texts{""}) {
            for (const std::string& api : row.at("apis").get<Texts>()) {
                call.name = space.empty() ? api : fmt::format("{}.{}", space, api);
                calls.emplace(call.name, call);
            }
        }
    }
    return calls;
}

KnownApis known_apis_in(const json& document) {
    KnownApis known;
    for (const json& row : document.at("traits")) {
        const auto apis = row.at("apis").get<Texts>();
        if (row.at("trait") == "begins_unwritten_memory") {
            known.begins_unwritten_memory.insert(known.begins_unwritten_memory.end(), apis.begin(), apis.end());
        } else {
            names_of(row.at("trait"), known).insert(apis.begin(), apis.end());
        }
    }
    for (const json& row : document.at("values")) {
        const auto positions = row.at("positions").get<Texts>();
        for (const std::string& api : row.at("apis").get<Texts>()) {
            (row.at("meaning") == "weight" ? known.weights : known.no_results)[api].insert(positions.begin(),
                                                                                           positions.end());
        }
    }
    known.functions_between_ranks = calls_of(document.at("functions_between_ranks"));
    known.operators_between_ranks = calls_of(document.at("operators_between_ranks"));
    return known;
}

bool holds(const KnownApis::Positions& known, std::string_view function, std::string_view position) {
    const auto api = known.find(function);
    return api != known.end() && api->second.contains(position);
}

const CommunicationApi* find_in(const KnownApis::Calls& calls, std::string_view function) {
    const auto call = calls.find(function);
    return call == calls.end() ? nullptr : &call->second;
}

}  // namespace

const KnownApis& built_in_known_apis() {
    static const KnownApis known = known_apis_in(json::parse(embedded::known_apis_files().front().text));
    return known;
}

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

bool takes_logarithm(std::string_view function) {
    return built_in_known_apis().takes_logarithm.contains(function);
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
    return holds(built_in_known_apis().no_results, function, first_of(output.index));
}

bool is_in_place(std::string_view function) {
    const bool one_underscore = function.size() > 1 && function.back() == '_' && function[function.size() - 2] != '_';
    return one_underscore || built_in_known_apis().writes_first_argument.contains(function);
}

bool is_weight_argument(std::string_view function, const ApiValue& argument) {
    const KnownApis::Positions& weights = built_in_known_apis().weights;
    if (argument.is_scalar) {
        return false;  // a number of the program, not written by an optimizer
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
