// One table lists the members of an entry. Reading stops at the first fault, which is the error of the entry.
#include "logs/formats/format_file.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "json/values.hpp"
#include "logs/formats/format_pattern.hpp"

namespace opdebug::logs {
namespace {

using json_stage::JsonCursor;
using json_stage::JsonScalar;

/// A member of an entry and where its value goes.
template <class Value>
struct EntryMember {
    std::string_view key;
    Value FormatDefinition::*place;
};

constexpr EntryMember<std::string> kTextMembers[] = {{"id", &FormatDefinition::id},
                                                     {"literal", &FormatDefinition::literal},
                                                     {"pattern", &FormatDefinition::pattern},
                                                     {"remembers", &FormatDefinition::remembers},
                                                     {"forgets", &FormatDefinition::forgets},
                                                     {"catalogue", &FormatDefinition::catalogue},
                                                     {"versions", &FormatDefinition::versions},
                                                     {"source", &FormatDefinition::source}};
constexpr EntryMember<std::vector<std::string>> kListMembers[] = {{"modules", &FormatDefinition::modules},
                                                                  {"functions", &FormatDefinition::functions},
                                                                  {"samples", &FormatDefinition::samples},
                                                                  {"completed_by", &FormatDefinition::completed_by}};
constexpr EntryMember<bool> kFlagMembers[] = {{"cut_lines", &FormatDefinition::cut_lines},
                                              {"fallback", &FormatDefinition::fallback},
                                              {"task_id_provisional", &FormatDefinition::task_id_provisional},
                                              {"once", &FormatDefinition::once}};
constexpr std::string_view kAbout[] = {"catalogue", "versions", "source"};

/// Where the member's value goes; null for members of another kind.
template <class Value, std::size_t Count>
Value* place_of(std::string_view key, const EntryMember<Value> (&members)[Count], FormatDefinition& format) {
    const auto member = std::find_if(std::begin(members), std::end(members),
                                     [key](const EntryMember<Value>& known) { return known.key == key; });
    return member != std::end(members) ? &(format.*member->place) : nullptr;
}

bool read_text(JsonCursor& cursor, std::string& target) {
    std::string_view text;
    const bool is_one = json_stage::read_scalar(cursor, JsonScalar::Kind::text, text);
    target = text;
    return is_one;
}

bool read_texts(JsonCursor& cursor, std::vector<std::string>& target) {
    return json_stage::each_item(cursor, [&] { return read_text(cursor, target.emplace_back()); }) && !target.empty();
}

/// In the order of their names, however the file orders them.
template <class Rule>
void sort_by_member(std::vector<Rule>& rules) {
    std::sort(rules.begin(), rules.end(), [](const Rule& a, const Rule& b) { return a.member < b.member; });
}

class FormatEntryReader {
public:
    FormatEntryReader(JsonCursor& cursor, FormatDefinition format) : cursor_(cursor), format_(std::move(format)) {}

    std::optional<Error> read(std::vector<FormatDefinition>& formats) {
        char next = 0;
        if (!cursor_.peek(next) || next != '{') {
            fail("entry", "is not an object", "write { \"id\": ... }");
        } else if (!json_stage::each_member(cursor_, [this](std::string_view key) { return read_member(key); })) {
            fail("entry", "is not an object", "write { \"id\": ... }");
        }
        require_members();
        if (!error_) {
            add_definitions(formats);
        }
        return error_;
    }

private:
    bool fail(std::string_view member, const std::string& reason, const std::string& remedy) {
        if (!error_) {
            error_ = format_error(format_, std::string(member), reason, remedy);
        }
        return false;
    }

    bool read_member(std::string_view key) {
        keys_.emplace_back(key);
        if (std::string* const text = place_of(key, kTextMembers, format_)) {
            return read_text_member(key, *text);
        }
        if (std::vector<std::string>* const list = place_of(key, kListMembers, format_)) {
            return read_list_member(key, *list);
        }
        if (bool* const flag = place_of(key, kFlagMembers, format_)) {
            return json_stage::read_truth(cursor_, *flag) ||
                   fail(key, "is neither true nor false", "write true or leave the member out");
        }
        return key == "states" ? read_name(key, &fact_kind_from, fact_kind_names(), format_.states)
               : key == "else_states"
                   ? read_name(key, &fact_kind_from, fact_kind_names(), format_.else_states.emplace())
               : key == "log"       ? read_name(key, &log_kind_from, log_kind_names(), format_.log)
               : key == "patterns"  ? read_list_member(key, patterns_)
               : key == "about"     ? read_about()
               : key == "ignore"    ? read_ignore_rules()
               : key == "constants" ? read_constants()
                                    : fail(key, "is not a member of a log format", "correct its spelling or remove it");
    }

    /// Messages contain the location of the entry in the file until its id is read.
    bool read_text_member(std::string_view key, std::string& target) {
        std::string text;
        if (!read_text(cursor_, text) || text.empty()) {
            return fail(key, "is not a non-empty text", fmt::format("write \"{}\": \"...\"", key));
        }
        target = text;
        return true;
    }

    bool read_list_member(std::string_view key, std::vector<std::string>& target) {
        return read_texts(cursor_, target) ||
               fail(key, "is not a non-empty list of texts", fmt::format("write \"{}\": [\"...\"]", key));
    }

    /// A text that is one of a fixed set.
    template <class Value>
    bool read_name(std::string_view key, std::optional<Value> (*from)(std::string_view) noexcept,
                   const std::string& known, Value& target) {
        std::string spelling;
        if (!read_text_member(key, spelling)) {
            return false;
        }
        const std::optional<Value> value = from(spelling);
        target = value.value_or(target);
        return value || fail(key, fmt::format("\"{}\" is not known", spelling), "use one of: " + known);
    }

    bool read_about() {
        const auto member = [this](std::string_view key) {
            if (std::find(std::begin(kAbout), std::end(kAbout), key) == std::end(kAbout)) {
                return fail(key, "is not a member of \"about\"", "correct its spelling or remove it");
            }
            return read_text_member(key, *place_of(key, kTextMembers, format_));
        };
        return json_stage::each_member(cursor_, member) ||
               fail("about", "is not an object of texts", R"(write "about": {"versions": "..."})");
    }

    bool read_ignore_rules() {
        const auto rule = [this](std::string_view member) {
            format_.ignore.push_back({std::string(member), {}});
            return read_texts(cursor_, format_.ignore.back().values);
        };
        const bool are_read = json_stage::each_member(cursor_, rule) && !format_.ignore.empty();
        sort_by_member(format_.ignore);
        return are_read ||
               fail("ignore", "is not an object of lists of texts", R"(write "ignore": {"operator_type": ["Data"]})");
    }

    bool read_constants() {
        const auto constant = [this](std::string_view member) {
            format_.constants.push_back({std::string(member), 0});
            return json_stage::read_number(cursor_, format_.constants.back().value);
        };
        const bool are_read = json_stage::each_member(cursor_, constant) && !format_.constants.empty();
        sort_by_member(format_.constants);
        return are_read ||
               fail("constants", "is not an object of whole numbers", R"(write "constants": {"task_type": 1})");
    }

    bool has(std::string_view key) const { return std::find(keys_.begin(), keys_.end(), key) != keys_.end(); }

    void require_members() {
        constexpr std::pair<std::string_view, std::string_view> kNeeded[] = {{"id", "a text"},
                                                                             {"states", "a text"},
                                                                             {"log", "a text"},
                                                                             {"modules", "a list of texts"},
                                                                             {"samples", "a list of texts"}};
        for (const auto& [key, kind] : kNeeded) {
            if (!has(key)) {
                fail(key, "is missing", fmt::format("add \"{}\", {}", key, kind));
            }
        }
        if (!has("pattern") && !has("patterns")) {
            fail("pattern", "is missing", "add \"pattern\", a text");
        }
        if (has("pattern") && has("patterns")) {
            fail("patterns", "and \"pattern\" exclude each other", "write all of them in \"patterns\"");
        }
        if (format_.else_states && format_.ignore.empty()) {
            fail("else_states", "has no lines to read", R"(add "ignore": {"kernel_name": ["", "none"]})");
        }
    }

    void add_definitions(std::vector<FormatDefinition>& formats) {
        if (has("pattern")) {
            patterns_ = {format_.pattern};
        }
        format_.has_own_literal = has("literal");
        for (const std::string& pattern : patterns_) {
            format_.pattern = pattern;
            format_.literal = format_.has_own_literal ? format_.literal : literal_of_pattern(pattern);
            format_.captures = named_groups(pattern);
            formats.push_back(format_);
            ++format_.alternative;
            if (format_.else_states) {
                FormatDefinition& of_ignored = formats.emplace_back(format_);
                of_ignored.states = *format_.else_states;
                of_ignored.of_ignored = true;
                ++format_.alternative;
            }
        }
    }

    JsonCursor& cursor_;
    FormatDefinition format_;
    std::vector<std::string> patterns_;
    std::vector<std::string> keys_;  ///< members that the entry has
    std::optional<Error> error_;
};

}  // namespace

std::optional<Error> read_format_entry(JsonCursor& cursor, FormatDefinition format,
                                       std::vector<FormatDefinition>& formats) {
    return FormatEntryReader(cursor, std::move(format)).read(formats);
}

}  // namespace opdebug::logs
