#include "api_culprits/known_apis_file.hpp"

#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "embedded/known_apis_data.hpp"
#include "json/data_file.hpp"
#include "json/node.hpp"

namespace opdebug::api_culprits {
namespace {

using json_stage::Node;

constexpr std::string_view kSchema = "opdebug.known_apis/1";

/// The APIs of a row, whose source must be told.
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

/// What precedes the names of a row's APIs: its namespaces with a dot.
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

}  // namespace

Result<KnownApis> read_known_apis(const std::string& name, const std::string& text) {
    return json_stage::read_data_file(name, text, read_document);
}

const KnownApis& built_in_known_apis() {
    static const KnownApis* const known = [] {
        const embedded::File& file = embedded::known_apis_files().front();
        // The file is part of the library and checked by its tests.
        Result<KnownApis> read = read_known_apis(std::string(file.name), std::string(file.text));
        return new KnownApis(read ? std::move(*read) : KnownApis());
    }();
    return *known;
}

}  // namespace opdebug::api_culprits
