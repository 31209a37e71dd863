#include "api_culprits/known_apis.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "embedded/known_apis_data.hpp"
#include "json/document.hpp"

namespace opdebug::api_culprits {
namespace {

using nlohmann::json;

using Texts = std::vector<std::string>;

using CommunicationApis = ByName<CommunicationApi>;

/// The data file about APIs, by names of functions or operators.
struct KnownApis {
    ByName<KnownApi> functions;
    Texts begins_unwritten_memory;              ///< prefixes of such APIs
    CommunicationApis functions_between_ranks;  ///< by namespace and function: "Distributed.all_reduce"
    CommunicationApis operators_between_ranks;
};

bool KnownApi::*flag_of(const std::string& trait) {
    static const std::map<std::string, bool KnownApi::*> flags{
        {"makes_masks", &KnownApi::makes_masks},
        {"writes_number", &KnownApi::writes_number},
        {"takes_masked_values", &KnownApi::takes_masked_values},
        {"takes_logarithm", &KnownApi::takes_logarithm},
        {"first_argument_not_read", &KnownApi::first_is_not_read},
        {"writes_first_argument", &KnownApi::writes_first}};
    return flags.at(trait);
}

Flow flow_of(const std::string& word) {
    static const std::map<std::string, Flow> flows{{"everyone", Flow::everyone}, {"from_root", Flow::from_root},
                                                   {"to_root", Flow::to_root},   {"send", Flow::send},
                                                   {"receive", Flow::receive},   {"batch", Flow::batch}};
    return flows.at(word);
}

/// The calls by their names: the prefixes with the APIs of each row.
CommunicationApis calls_of(const json& rows) {
    CommunicationApis calls;
    for (const json& row : rows) {
        const bool has_namespaces = row.contains("namespaces");
        CommunicationApi call;
        call.flow = flow_of(row.at("flow"));
        call.received_position = row.value("received_position", "");
        call.received_keyword = row.value("received_keyword", "");
        call.partner_position = row.value("partner_position", "");
        call.partner_keyword = row.value("partner_keyword", "");
        call.tag_position = row.value("tag_position", "");
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
            continue;
        }
        for (const std::string& api : apis) {
            known.functions[api].*flag_of(row.at("trait")) = true;
        }
    }
    for (const json& row : document.at("values")) {
        const auto positions = row.at("positions").get<Texts>();
        for (const std::string& api : row.at("apis").get<Texts>()) {
            KnownApi& function = known.functions[api];
            (row.at("meaning") == "weight" ? function.weights : function.no_results)
                .insert(positions.begin(), positions.end());
        }
    }
    known.functions_between_ranks = calls_of(document.at("functions_between_ranks"));
    known.operators_between_ranks = calls_of(document.at("operators_between_ranks"));
    return known;
}

const KnownApis& known_apis() {
    static const KnownApis known = known_apis_in(json_stage::parse_data(embedded::known_apis_files().front().text));
    return known;
}

const CommunicationApi* find_in(const CommunicationApis& calls, std::string_view function) {
    const auto call = calls.find(function);
    return call == calls.end() ? nullptr : &call->second;
}

}  // namespace

KnownApi known_api(std::string_view api) {
    const std::string_view function = function_of(api);
    const auto row = known_apis().functions.find(function);
    KnownApi known = row == known_apis().functions.end() ? KnownApi() : row->second;
    known.writes_first =
        known.writes_first || (function.size() > 1 && function.ends_with('_') && !function.ends_with("__"));
    const Texts& begins = known_apis().begins_unwritten_memory;
    known.leaves_memory = std::any_of(begins.begin(), begins.end(),
                                      [function](const std::string& begin) { return function.starts_with(begin); });
    known.communication = communication_api(api);
    return known;
}

bool KnownApi::is_not_read(const ApiValue& argument) const {
    return argument.kind == ApiValueKind::keyword
               ? first_of(argument.index) == "out"
               : argument.kind == ApiValueKind::input && first_is_not_read && first_of(argument.index) == "0";
}

bool KnownApi::is_no_result(const ApiValue& output) const {
    return no_results.contains(first_of(output.index));
}

bool KnownApi::is_weight(const ApiValue& argument) const {
    if (argument.is_scalar) {
        return false;  // a number of the program, not written by an optimizer
    }
    if (argument.kind == ApiValueKind::keyword) {
        return !weights.empty() && (argument.index == "weight" || argument.index == "bias" ||
                                    argument.index == "gamma" || argument.index == "beta");
    }
    return argument.kind == ApiValueKind::input && weights.contains(argument.index);
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

const CommunicationApi* communication_api(std::string_view api) {
    const KnownApis& known = known_apis();
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
