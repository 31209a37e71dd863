// Files of dump settings, and the rules of lib/data/doctor/settings.json for dump settings and environment variables. A
// row is about one member:
//
//   {"member": "level", "only": ["L0", "L1"]}                   a finding if `level` has another value
//   {"member": ".list", "when": {"level": ["L2"]}, "count": 1}  only at level L2; "." for a member of the section
//   {"member": "task", "when": {"task": ["structure"]}, "finding": "settings_give_no_values"}   always a finding
//
// A row applies if all conditions of "when" and none of "unless" hold. Without "finding", the tool refuses the value.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bytes/file.hpp"
#include "doctor/checks.hpp"
#include "embedded/doctor_settings_data.hpp"
#include "json/document.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::doctor {
namespace {

using nlohmann::json;

const json& rules() {
    static const json document = json_stage::parse_data(embedded::doctor_settings_files().front().text);
    return document;
}

constexpr char kOfSection = '.';  ///< before the name of a section's member
constexpr char kMark = '@';       ///< before the name of conditions that several rows share

const json& member_of(const json& object, const std::string& name) {
    static const json none;
    const auto member = object.find(name);
    return member == object.end() ? none : *member;
}

bool is_of_section(const std::string& member) {
    return member.front() == kOfSection;
}

std::string without_dot(const std::string& member) {
    return member.substr(is_of_section(member) ? 1 : 0);
}

/// At most a line. The text is UTF-8.
std::string shortened(std::string text) {
    constexpr std::size_t kMostBytes = 80;
    if (text.size() > kMostBytes) {
        std::size_t end = kMostBytes;
        while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
            --end;
        }
        text.replace(end, std::string::npos, "…");
    }
    return text;
}

/// Settings as their tool reads them: with a section, the defaults and the marks.
class View {
public:
    View(const json& table, const json& object, const json& section) : object_(object), section_(section) {
        for (const auto& value : member_of(table, "defaults").items()) {
            if (!object.contains(value.key())) {
                own_[value.key()] = value.value();
                defaulted_.push_back(value.key());
            }
        }
        for (const auto& value : member_of(table, "if_empty").items()) {
            if (!is_set(value_of(value.key()))) {
                own_[value.key()] = value.value();
            }
        }
        for (const auto& mark : member_of(table, "marks").items()) {
            own_[mark.key()] = count_holding(mark.value()) != 0;
        }
    }
    const json& value_of(const std::string& member) const {
        return own_.contains(member)   ? own_.at(member)
               : is_of_section(member) ? member_of(section_, without_dot(member))
                                       : member_of(object_, member);
    }
    /// Whether all conditions of "when" and none of "unless" hold.
    bool applies(const json& row) const {
        const json& when = member_of(row, "when");
        return count_holding(when) == when.size() && count_holding(member_of(row, "unless")) == 0;
    }
    LocalizedText shown(const std::string& member) const {
        const json& value = value_of(member);
        const std::string text = shortened(value.dump(-1, ' ', false, json::error_handler_t::replace));
        const bool is_default = std::find(defaulted_.begin(), defaulted_.end(), member) != defaulted_.end();
        return value.is_null() ? remarks::phrase("doctor_not_set")
               : is_default    ? remarks::phrase("doctor_by_default", {{"value", text}})
                               : LocalizedText{text, text};
    }
    /// The conditions of a row with their values, and the member itself.
    LocalizedText shown_members(const json& row) const {
        std::vector<LocalizedText> members;
        for (const auto& condition : member_of(row, "when").items()) {
            if (condition.key() != row.at("member") && condition.key().front() != kMark) {
                members.push_back(named(condition.key()));
            }
        }
        members.push_back(named(row.at("member")));
        return remarks::joined(members, remarks::phrase("doctor_and"));
    }

private:
    std::size_t count_holding(const json& conditions) const {
        std::size_t count = 0;
        for (const auto& condition : conditions.items()) {
            count += holds(condition.value(), value_of(condition.key())) ? 1U : 0U;
        }
        return count;
    }
    LocalizedText named(const std::string& member) const {
        return remarks::phrase("doctor_member", {{"member", without_dot(member)}, {"value", shown(member)}});
    }

    const json &object_, &section_;
    json own_ = json::object();           ///< values that are not in the file
    std::vector<std::string> defaulted_;  ///< members without a value in the file
};

/// The sections of settings: the items of a list, or one, which may be null.
std::vector<const json*> sections_of(const json& table, const json& document, const json& object) {
    static const json none;
    const json& section = member_of(table, "section");
    std::vector<const json*> sections;
    if (section.contains("each")) {
        const json& items = member_of(object, section["each"]);
        for (std::size_t i = 0; items.is_array() && i < items.size(); ++i) {
            sections.push_back(&items[i]);
        }
    } else if (section.contains("named_by")) {
        const json name = View(table, object, none).value_of(section["named_by"]);
        sections.push_back(name.is_string() ? &member_of(object, name.get<std::string>()) : &none);
    } else if (section.contains("member")) {
        sections.push_back(&member_of(document, section["member"]));
    }
    return sections.empty() ? std::vector{&none} : sections;
}

/// Adds the finding of a row, if there is one. Returns whether there is.
bool check_row(const json& row, const json& table, const View& view, const std::string& path, Findings& findings) {
    const std::string member = row.at("member");
    if (!view.applies(row)) {
        return false;
    }
    std::optional<LocalizedText> wanted = unmet_need(row, without_dot(member), view.value_of(member));
    if (!wanted) {
        return false;
    }
    if (row.contains("wanted")) {
        wanted = LocalizedText{row["wanted"].at("en"), row["wanted"].at("zh")};
    }
    const std::string code = row.value("finding", "settings_refused"), severity = row.value("severity", "");
    findings.add(code, path,
                 {{"reader", table.at("reader").get<std::string>()},
                  {"member", without_dot(member)},
                  {"value", view.shown(member)},
                  {"members", view.shown_members(row)},
                  {"wanted", *wanted}},
                 severity == "warning" ? std::optional(Severity::warning) : std::nullopt);
    return true;
}

/// Whether the result of a row depends on the section.
bool is_about_section(const json& row) {
    const auto has_such_key = [&row](const char* conditions) {
        const json& object = member_of(row, conditions);
        return object.is_object() && !object.empty() && is_of_section(object.begin().key());
    };
    return is_of_section(row.at("member")) || has_such_key("when") || has_such_key("unless");
}

/// The members that the rows are about. Older versions have some of them in another object.
json members_of(const json& table, const json& document) {
    json object = table.contains("inside") ? member_of(document, table["inside"]) : document;
    const json& older = member_of(document, table.value("older", ""));
    if (object.is_object() && older.is_object()) {
        object.insert(older.begin(), older.end());  // does not replace members
    }
    return object;
}

/// Members that no row is about, if the table lists all.
void check_names(const json& table, const json& object, const std::string& path, Findings& findings) {
    if (!table.value("lists_all", false)) {
        return;
    }
    const json& rows = table.at("rows");
    for (const auto& item : object.items()) {
        const std::string& name = item.key();
        if (std::none_of(rows.begin(), rows.end(), [&name](const json& row) { return row.at("member") == name; })) {
            findings.add("member_unknown", path,
                         {{"reader", table.at("reader").get<std::string>()}, {"member", shortened(name)}});
        }
    }
}

void check_rules(const json& table, const json& document, const std::string& path, Findings& findings) {
    const json object = members_of(table, document);
    std::vector<View> views;
    for (const json* const section : sections_of(table, document, object)) {
        views.emplace_back(table, object, *section);
    }
    for (const json& row : table.at("rows")) {
        const std::size_t count = is_about_section(row) ? views.size() : 1;
        for (std::size_t i = 0; i < count && !check_row(row, table, views[i], path, findings); ++i) {
        }
    }
    check_names(table, object, path, findings);
    const json& folder = member_of(object, table.value("path", ""));
    if (folder.is_string() && folder.get_ref<const std::string&>().starts_with('/')) {
        check_room(folder, findings);
    }
}

/// Checks the members of dump settings, and whether their dump path is writable. False: no known tool reads them.
bool check_members(const json& document, const std::string& path, Findings& findings) {
    const json& tables = rules().at("tables");
    const auto table = std::find_if(tables.begin(), tables.end(), [&document](const json& one) {
        const json any = one.value("any", json::array());
        return member_of(document, one.value("inside", "")).is_object() ||
               std::any_of(any.begin(), any.end(),
                           [&document](const std::string& member) { return document.contains(member); });
    });
    if (table != tables.end()) {
        check_rules(*table, document, path, findings);
    }
    return table != tables.end();
}

/// Checks the content of the file.
void check_content(const std::string& file, const bytes::FileReader& reader, const Limits& limits, Findings& findings) {
    const auto unreadable = [&](const std::string& reason, const std::string& remedy = {}) {
        findings.add("settings_unreadable", file, {{"reason", reason}, {"remedy", remedy}});
    };
    if (reader.size() > limits.definition_bytes) {
        unreadable(fmt::format("it has {} bytes, but at most {} are read", reader.size(), limits.definition_bytes));
        return;
    }
    const auto bytes = reader.read_at(0, static_cast<std::size_t>(reader.size()));
    if (!bytes) {
        unreadable(bytes.error().message);
        return;
    }
    json_stage::Fault fault;
    const json document = json_stage::parse_document(std::string(bytes->begin(), bytes->end()), fault, nullptr, limits);
    if (fault.found() || !document.is_object()) {
        fault.found() ? unreadable(fault.reason, fault.remedy) : unreadable("it is not a JSON object");
        return;
    }
    if (!check_members(document, file, findings)) {
        findings.add("settings_unknown", file);
    }
}

}  // namespace

bool check_settings(const std::string& file, const Limits& limits, Findings& findings) {
    const Result<bytes::FileReader> reader = bytes::FileReader::open(file);
    if (!reader) {
        const bool is_there = reader.error().code != ErrorCode::file_not_found;
        is_there ? findings.add("path_unreadable", file, {{"reason", reader.error().message}})
                 : findings.add("path_missing", file);
        return is_there;
    }
    const std::size_t faults = findings.faults();
    check_content(file, *reader, limits, findings);
    if (findings.faults() == faults) {
        findings.pass("settings", file);
    }
    return true;
}

void check_variables(const Environment& environment, Findings& findings) {
    json variables = json::object();
    for (const auto& [name, value] : environment) {
        variables[name] = value.empty() ? json() : json(value);
    }
    check_rules(rules().at("environment"), variables, "", findings);
}

std::vector<std::string> settings_variables() {
    return rules().at("settings_variables");
}

std::vector<std::string> variables_with_rules() {
    std::vector<std::string> names = settings_variables();
    for (const json& row : rules().at("environment").at("rows")) {
        names.push_back(row.at("member"));
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

}  // namespace opdebug::doctor
