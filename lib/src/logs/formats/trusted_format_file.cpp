#include "logs/formats/trusted_format_file.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "json/cursor.hpp"
#include "json/values.hpp"
#include "logs/formats/format_captures.hpp"

namespace opdebug::logs {
namespace {

using json_stage::JsonCursor;
using json_stage::JsonScalar;

constexpr std::uint64_t kMostNested = 8;  // lists of texts in the rules of a format in the list of a file: 5

bool read_text(JsonCursor& cursor, std::string& target) {
    std::string_view text;
    const bool is_one = json_stage::read_scalar(cursor, JsonScalar::Kind::text, text);
    target = text;
    return is_one;
}

bool read_texts(JsonCursor& cursor, std::vector<std::string>& target) {
    return json_stage::each_item(cursor, [&] { return read_text(cursor, target.emplace_back()); });
}

template <class Value>
bool read_name(JsonCursor& cursor, std::optional<Value> (*from)(std::string_view) noexcept, Value& target) {
    std::string_view text;
    if (!json_stage::read_scalar(cursor, JsonScalar::Kind::text, text)) {
        return false;
    }
    const std::optional<Value> value = from(text);
    target = value.value_or(target);
    return value.has_value();
}

/// In the order of their names, as they stand in a document in memory.
template <class Rule>
void sort_by_member(std::vector<Rule>& rules) {
    std::sort(rules.begin(), rules.end(), [](const Rule& a, const Rule& b) { return a.member < b.member; });
}

bool read_ignore_rules(JsonCursor& cursor, std::vector<IgnoreRule>& rules) {
    const bool are_read = json_stage::each_member(cursor, [&](std::string_view member) {
        rules.push_back({std::string(member), {}});
        return read_texts(cursor, rules.back().values);
    });
    sort_by_member(rules);
    return are_read;
}

bool read_constants(JsonCursor& cursor, std::vector<Constant>& constants) {
    const bool are_read = json_stage::each_member(cursor, [&](std::string_view member) {
        constants.push_back({std::string(member), 0});
        return json_stage::read_number(cursor, constants.back().value);
    });
    sort_by_member(constants);
    return are_read;
}

/// A member of a format in the file, and where it is kept.
template <class Value>
struct Member {
    std::string_view key;
    Value FormatDefinition::*place;
};

constexpr Member<std::string> kTexts[] = {{"id", &FormatDefinition::id},
                                          {"catalogue", &FormatDefinition::catalogue},
                                          {"literal", &FormatDefinition::literal},
                                          {"pattern", &FormatDefinition::pattern},
                                          {"versions", &FormatDefinition::versions},
                                          {"source", &FormatDefinition::source},
                                          {"remembers", &FormatDefinition::remembers},
                                          {"forgets", &FormatDefinition::forgets}};

constexpr Member<std::vector<std::string>> kLists[] = {{"modules", &FormatDefinition::modules},
                                                       {"functions", &FormatDefinition::functions},
                                                       {"samples", &FormatDefinition::samples},
                                                       {"completed_by", &FormatDefinition::completed_by}};

constexpr Member<bool> kFlags[] = {{"cut_lines", &FormatDefinition::cut_lines},
                                   {"fallback", &FormatDefinition::fallback},
                                   {"task_id_provisional", &FormatDefinition::task_id_provisional},
                                   {"once", &FormatDefinition::once}};

/// Where the format keeps it; null where it is none of these.
template <class Value, std::size_t Count>
Value* place_of(std::string_view key, const Member<Value> (&members)[Count], FormatDefinition& format) {
    const auto found = std::find_if(std::begin(members), std::end(members),
                                    [key](const Member<Value>& member) { return member.key == key; });
    return found != std::end(members) ? &(format.*found->place) : nullptr;
}

bool read_member(JsonCursor& cursor, std::string_view key, FormatDefinition& format) {
    if (std::string* const text = place_of(key, kTexts, format)) {
        return read_text(cursor, *text);
    }
    if (std::vector<std::string>* const list = place_of(key, kLists, format)) {
        return read_texts(cursor, *list);
    }
    if (bool* const flag = place_of(key, kFlags, format)) {
        return json_stage::read_truth(cursor, *flag);
    }
    return key == "states"      ? read_name(cursor, &fact_kind_from, format.states)
           : key == "log"       ? read_name(cursor, &log_kind_from, format.log)
           : key == "ignore"    ? read_ignore_rules(cursor, format.ignore)
           : key == "constants" ? read_constants(cursor, format.constants)
                                : false;
}

bool read_format(JsonCursor& cursor, FormatDefinition& format) {
    const auto member = [&](std::string_view key) { return read_member(cursor, key, format); };
    if (!json_stage::each_member(cursor, member)) {
        return false;
    }
    format.captures = named_groups(format.pattern);
    return true;
}

}  // namespace

std::optional<std::vector<FormatDefinition>> read_trusted_format_file(const NamedText& file) {
    JsonCursor cursor(file.text, kMostNested);
    std::vector<FormatDefinition> formats;
    const auto format = [&] {
        formats.emplace_back().file = file.name;
        return read_format(cursor, formats.back());
    };
    const bool is_read = json_stage::each_member(cursor, [&](std::string_view key) {
        return key == "schema" ? cursor.skip_value() : key == "formats" ? json_stage::each_item(cursor, format) : false;
    });
    return is_read ? std::optional(std::move(formats)) : std::nullopt;
}

}  // namespace opdebug::logs
