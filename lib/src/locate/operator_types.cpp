#include "locate/operator_types.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "embedded/operator_types_data.hpp"
#include "json/data_file.hpp"
#include "json/node.hpp"

namespace opdebug::locate_stage {
namespace {

constexpr std::string_view kSchema = "opdebug.operator_types/2";

char lower_case(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// By their spelling in lower case.
using Types = std::map<std::string, std::set<std::string>, std::less<>>;

Types read_types(const nlohmann::json& document, json_stage::Fault& fault) {
    const json_stage::Node root(document, "", fault);
    root.only({"schema", "lists"});
    if (root.member("schema").text() != kSchema) {
        root.member("schema").report("the schema is another one", fmt::format("write \"{}\"", kSchema));
    }
    Types types;
    for (const json_stage::Node& list : root.member("lists").some_items()) {
        list.only({"source", "types"});
        static_cast<void>(list.member("source").text());
        for (const json_stage::Node& item : list.member("types").some_items()) {
            const std::string type = item.text();
            std::string lower = type;
            std::transform(lower.begin(), lower.end(), lower.begin(), lower_case);
            types[lower].insert(type);
        }
    }
    return types;
}

Types embedded_types() {
    Types all;
    for (const embedded::File& file : embedded::operator_types_files()) {
        // The file is part of the library and checked by its tests.
        if (auto types = json_stage::read_data_file(std::string(file.name), std::string(file.text), read_types)) {
            all.merge(*types);
        }
    }
    return all;
}

}  // namespace

std::optional<std::string> type_in_lower_case(std::string_view lower) {
    static const Types types = embedded_types();
    const auto found = types.find(lower);
    return found != types.end() && found->second.size() == 1 ? std::optional(*found->second.begin()) : std::nullopt;
}

}  // namespace opdebug::locate_stage
