#include "api_culprits/known_apis.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "embedded/known_apis_data.hpp"
#include "json/data_file.hpp"
#include "json/node.hpp"

namespace opdebug::api_culprits {
namespace {

using json_stage::Node;

constexpr std::string_view kSchema = "opdebug.known_apis/1";

/// The APIs of a row, which must have a source.
std::vector<std::string> apis_of(const Node& row) {
    row.member("source").text();
    std::vector<std::string> apis;
    for (const Node& item : row.member("apis").some_items()) {
        apis.push_back(item.text());
    }
    return apis;
}

void report_twice(const Node& row, const std::string& api) {
    row.member("apis").report(api + " has another row", "put it into one of them");
}

void read_trait(const Node& row, KnownApis& known) {
    row.only({"trait", "apis", "source"});
    KnownApis::Names* const lists[] = {&known.makes_masks, &known.takes_masked_values, &known.first_argument_not_read,
                                       &known.writes_first_argument, nullptr};
    KnownApis::Names* const list =
        lists[row.member("trait").choice({"makes_masks", "takes_masked_values", "first_argument_not_read",
                                          "writes_first_argument", "begins_unwritten_memory"})];
    for (std::string& api : apis_of(row)) {
        if (list == nullptr) {
            known.begins_unwritten_memory.push_back(std::move(api));
        } else if (!list->insert(api).second) {
            report_twice(row, api);
        }
    }
}

void read_values(const Node& row, KnownApis& known) {
    row.only({"meaning", "apis", "positions", "source"});
    KnownApis::Positions& list =
        row.member("meaning").choice({"weight", "random_state"}) == 0 ? known.weights : known.random_states;
    KnownApis::Names positions;
    for (const Node& position : row.member("positions").some_items()) {
        positions.insert(position.text());
    }
    for (const std::string& api : apis_of(row)) {
        if (!list.emplace(api, positions).second) {
            report_twice(row, api);
        }
    }
}

/// The prefixes of a row's APIs: its namespaces with a dot.
std::vector<std::string> prefixes_of(const Node& row) {
    std::vector<std::string> prefixes;
    for (const Node& item : row.member("namespaces").some_items()) {
        prefixes.push_back(item.text() + ".");
    }
    return prefixes;
}

void read_calls(const Node& list, bool have_namespaces, KnownApis::Calls& calls) {
    for (const Node& row : list.some_items()) {
        row.only({"namespaces", "apis", "flow", "received_position", "received_keyword", "partner_position",
                  "partner_keyword", "partner_0_by_default", "received_off_root", "sums", "lists_ranks", "computes",
                  "waits", "without_group", "source"});
        constexpr Flow kFlows[] = {Flow::everyone, Flow::from_root, Flow::to_root,
                                   Flow::send,     Flow::receive,   Flow::batch};
        const auto text_of = [&row](std::string_view key) { return row.has(key) ? row.member(key).text() : ""; };
        const auto truth_of = [&row](std::string_view key) { return row.has(key) && row.member(key).truth(); };
        CommunicationApi call;
        call.flow = kFlows[row.member("flow").choice({"everyone", "from_root", "to_root", "send", "receive", "batch"})];
        call.received_position = text_of("received_position");
        call.received_keyword = text_of("received_keyword");
        call.partner_position = text_of("partner_position");
        call.partner_keyword = text_of("partner_keyword");
        call.partner_0_by_default = truth_of("partner_0_by_default");
        call.received_off_root = truth_of("received_off_root");
        call.sums = truth_of("sums");
        call.lists_ranks = truth_of("lists_ranks");
        call.computes = truth_of("computes");
        call.waits = truth_of("waits");
        call.without_group = !have_namespaces || truth_of("without_group");
        for (const std::string& prefix : have_namespaces ? prefixes_of(row) : std::vector<std::string>{""}) {
            for (const std::string& api : apis_of(row)) {
                call.name = prefix + api;
                if (!calls.emplace(call.name, call).second) {
                    report_twice(row, call.name);
                }
            }
        }
    }
}

KnownApis read_document(const nlohmann::json& document, json_stage::Fault& fault) {
    const Node root(document, "", fault);
    root.only({"schema", "traits", "values", "functions_between_ranks", "operators_between_ranks"});
    if (root.member("schema").text() != kSchema) {
        root.member("schema").report("the schema is another one", fmt::format("write \"{}\"", kSchema));
    }
    KnownApis known;
    for (const Node& row : root.member("traits").some_items()) {
        read_trait(row, known);
    }
    for (const Node& row : root.member("values").some_items()) {
        read_values(row, known);
    }
    read_calls(root.member("functions_between_ranks"), true, known.functions_between_ranks);
    read_calls(root.member("operators_between_ranks"), false, known.operators_between_ranks);
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

Result<KnownApis> read_known_apis(const std::string& name, const std::string& text) {
    return json_stage::read_data_file(name, text, read_document);
}

const KnownApis& built_in_known_apis() {
    static const KnownApis* const known = [] {
        const embedded::File& file = embedded::known_apis_files().front();
        // Tests of the library check this file.
        Result<KnownApis> read = read_known_apis(std::string(file.name), std::string(file.text));
        return new KnownApis(read ? std::move(*read) : KnownApis());
    }();
    return *known;
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
