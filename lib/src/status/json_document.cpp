// The text of a catalogue file → a JSON document, with duplicate keys refused.
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "status/json_node.hpp"

namespace opdebug::status {

nlohmann::json parse_document(const std::string& text, Fault& fault) {
    using nlohmann::json;
    // The library keeps the last of two equal keys silently; in a file written by hand that hides a mistake.
    std::vector<std::set<std::string>> open_objects;
    std::optional<std::string> twice;
    const json::parser_callback_t watch = [&](int, json::parse_event_t event, json& parsed) {
        if (event == json::parse_event_t::object_start) {
            open_objects.emplace_back();
        } else if (event == json::parse_event_t::object_end) {
            open_objects.pop_back();
        } else if (event == json::parse_event_t::key) {
            const auto& key = parsed.get_ref<const std::string&>();
            if (!open_objects.back().insert(key).second && !twice) {
                twice = key;
            }
        }
        return true;
    };
    try {
        json document = json::parse(text, watch);
        if (twice) {
            fault.report("", fmt::format("the key \"{}\" stands twice in one object", *twice), "remove one of them");
        }
        return document;
    } catch (const json::exception& problem) {
        fault.report("", fmt::format("the text is not valid JSON: {}", problem.what()), "correct the JSON syntax");
    }
    return {};
}

}  // namespace opdebug::status
