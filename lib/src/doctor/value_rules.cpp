#include "doctor/checks.hpp"

#include <algorithm>
#include <string_view>

#include <nlohmann/json.hpp>

#include "remarks/diagnose.hpp"
#include "tree/name.hpp"

namespace opdebug::doctor {
namespace {

using nlohmann::json;

bool contains(const json& words, const json& value) {
    return std::find(words.begin(), words.end(), value) != words.end();
}

template <class Condition>
bool all_texts(const json& value, Condition is_met) {
    const json values = values_of(value);
    return std::all_of(values.begin(), values.end(), [&is_met](const json& one) {
        return !one.is_string() || is_met(one.get_ref<const std::string&>());
    });
}

/// "3", "all", or "0-3|7" with ascending ranges.
bool is_ranges(std::string_view text) {
    while (!text.empty() && text != "all") {
        const std::string_view range = text.substr(0, text.find('|'));
        const std::size_t dash = std::min(range.find('-'), range.size());
        const auto first = tree::parse_number(range.substr(0, dash));
        const auto last = dash == range.size() ? first : tree::parse_number(range.substr(dash + 1));
        if (!first || !last || *first > *last) {
            return false;
        }
        text.remove_prefix(std::min(range.size() + 1, text.size()));
    }
    return true;
}

bool is_letter_or_digit(char c) {
    const char lower = tree::lower_case_of(c);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9');
}

/// What a row can need of a value, and the phrase that names the need.
struct Need {
    const char* name;
    bool (*is_met)(const json& need, const json& value);
    const char* phrase;
};

constexpr Need kNeeds[] = {
    {"type", [](const json& need, const json& value) { return value.is_null() || need == value.type_name(); },
     "doctor_needs_type"},
    {"set", [](const json&, const json& value) { return is_set(value); }, "doctor_needs_set"},
    {"unset", [](const json&, const json& value) { return !is_set(value); }, "doctor_needs_unset"},
    {"count", [](const json& need, const json& value) { return need == values_of(value).size(); },
     "doctor_needs_count"},
    {"only",
     [](const json& need, const json& value) {
         const json values = values_of(is_set(value) ? value : json());
         return std::all_of(values.begin(), values.end(), [&need](const json& one) { return contains(need, one); });
     },
     "doctor_needs_only"},
    {"none",
     [](const json& need, const json& value) {
         const json values = values_of(value);
         return std::none_of(values.begin(), values.end(), [&need](const json& one) { return contains(need, one); });
     },
     "doctor_needs_none"},
    {"any",
     [](const json& need, const json& value) {
         const json values = values_of(value);
         return std::any_of(need.begin(), need.end(), [&values](const json& one) { return contains(values, one); });
     },
     "doctor_needs_any"},
    {"all",
     [](const json& need, const json& value) {
         const json values = values_of(value);
         return std::all_of(need.begin(), need.end(), [&values](const json& one) { return contains(values, one); });
     },
     "doctor_needs_all"},
    {"ranges",
     [](const json&, const json& value) {
         const json values = values_of(value);
         return std::all_of(values.begin(), values.end(), [](const json& one) {
             return one.is_string() ? is_ranges(one.get_ref<const std::string&>()) : one.is_number_unsigned();
         });
     },
     "doctor_needs_ranges"},
    {"begins",
     [](const json& need, const json& value) {
         return all_texts(value, [&need](const std::string& text) {
             return text.empty() || text.starts_with(need.get_ref<const std::string&>());
         });
     },
     "doctor_needs_absolute"},
    {"characters",
     [](const json& need, const json& value) {
         return all_texts(value, [&need](const std::string& text) {
             return std::all_of(text.begin(), text.end(), [&need](char c) {
                 return is_letter_or_digit(c) || need.get_ref<const std::string&>().find(c) != std::string::npos;
             });
         });
     },
     "doctor_needs_characters"}};

/// The words that a need lists, for a person.
std::string words_of(const json& need) {
    if (need.is_string()) {
        return need.get<std::string>();
    }
    std::string words;
    for (const json& word : values_of(need)) {
        words += (words.empty() ? "" : ", ") + word.dump();
    }
    return words;
}

}  // namespace

json values_of(const json& value) {
    return value.is_null() ? json::array() : value.is_array() ? value : json::array({value});
}

bool is_set(const json& value) {
    if (const auto* const text = value.get_ptr<const std::string*>()) {
        return !text->empty();
    }
    return !value.is_null() && value != false && value != 0 && (!value.is_structured() || !value.empty());
}

bool holds(const json& condition, const json& value) {
    if (condition.is_string()) {
        return is_set(value) && (condition == "set" || value.is_array());
    }
    const json values = values_of(value);
    return std::any_of(values.begin(), values.end(), [&condition](const json& one) {
        const json parts = condition.is_array() ? json::array() : condition.at("contains");
        return contains(condition, one) || std::any_of(parts.begin(), parts.end(), [&one](const std::string& part) {
                   return one.is_string() && one.get_ref<const std::string&>().find(part) != std::string::npos;
               });
    });
}

std::optional<LocalizedText> unmet_need(const json& row, const std::string& member, const json& value) {
    bool has_need = false;
    for (const Need& need : kNeeds) {
        const auto wanted = row.find(need.name);
        if (wanted == row.end()) {
            continue;
        }
        has_need = true;
        if (!need.is_met(*wanted, value)) {
            return remarks::phrase(need.phrase, {{"member", member}, {"words", words_of(*wanted)}});
        }
    }
    return has_need ? std::nullopt : std::optional<LocalizedText>(LocalizedText());
}

}  // namespace opdebug::doctor
