// Files of dump settings: acl.json of CANN, and MindSpore's. For msprobe's see msprobe_settings.cpp.
#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bytes/file.hpp"
#include "doctor/checks.hpp"
#include "json/document.hpp"

namespace opdebug::doctor {
namespace {

using nlohmann::json;

/// The member as text; "not set" if it is missing.
std::string shown(const json& object, const char* name) {
    const auto member = object.find(name);
    if (member == object.end()) {
        return "not set";
    }
    return member->is_string() ? "\"" + member->get<std::string>() + "\"" : member->dump();
}

bool is(const json& object, const char* name, std::string_view value) {
    const auto member = object.find(name);
    return member != object.end() && member->is_string() && member->get_ref<const std::string&>() == value;
}

bool has_items(const json& object, const char* name) {
    const auto member = object.find(name);
    return member != object.end() && member->is_array() && !member->empty();
}

bool has_text(const json& object, const char* name) {
    const auto member = object.find(name);
    return member != object.end() && member->is_string() && !member->get_ref<const std::string&>().empty();
}

/// Whether an entry of dump_list meets the condition.
template <typename Entry>
bool any_entry(const json& dump, Entry is_such) {
    const auto list = dump.find("dump_list");
    return list != dump.end() && list->is_array() && std::any_of(list->begin(), list->end(), [&](const json& entry) {
               return entry.is_object() && is_such(entry);
           });
}

void check_path(const std::string& file, const json& object, const char* member, Findings& findings) {
    const auto path = object.find(member);
    if (path == object.end() || !path->is_string() || path->get_ref<const std::string&>().empty()) {
        findings.add("dump_path_missing", file, {{"member", member}});
        return;
    }
    const std::string value = path->get<std::string>();
    if (value.front() != '/') {
        findings.add("dump_path_relative", file, {{"member", member}, {"value", value}});
        return;
    }
    check_room(value, findings);
}

constexpr const char* kOverflowAlone =
    "dump_debug \"on\" alone, without dump_list and dump_op_switch; data dump in a separate run";
constexpr const char* kWatchAlone =
    "dump_scene \"watcher\" with dump_mode \"output\", and layer and watcher_nodes in each entry of dump_list";

/// Reports a setting that CANN rejects in combination with others.
void exclude(const std::string& file, const std::string& members, const char* wanted, Findings& findings) {
    findings.add("dumps_exclude_each_other", file, {{"members", members}, {"wanted", wanted}});
}

/// dump_scene "watcher" finds memory that other operators overwrite. It excludes all other dumps.
void check_watch(const std::string& file, const json& dump, Findings& findings) {
    findings.add("watch_mode", file);
    for (const char* member : {"dump_debug", "dump_op_switch"}) {
        if (is(dump, member, "on")) {
            exclude(file, fmt::format("dump_scene \"watcher\" and {} \"on\"", member), kWatchAlone, findings);
        }
    }
    if (dump.contains("dump_mode") && !is(dump, "dump_mode", "output")) {
        exclude(file, fmt::format("dump_scene \"watcher\" and dump_mode {}", shown(dump, "dump_mode")), kWatchAlone,
                findings);
    }
    for (const char* member : {"dump_level", "dump_data", "dump_kernel_data", "dump_step", "dump_stats"}) {
        if (dump.contains(member)) {
            exclude(file, fmt::format("dump_scene \"watcher\" and {}", member), kWatchAlone, findings);
        }
    }
    if (any_entry(dump, [](const json& entry) { return has_text(entry, "model_name"); })) {
        exclude(file, "dump_scene \"watcher\" and model_name in dump_list", kWatchAlone, findings);
    }
    const auto has_nodes = [](const json& entry) { return has_items(entry, "watcher_nodes"); };
    if (!any_entry(dump, has_nodes) || any_entry(dump, std::not_fn(has_nodes))) {
        findings.add("settings_refused", file,
                     {{"reader", "CANN"},
                      {"reason", "dump_scene \"watcher\" needs watcher_nodes in each entry of dump_list"},
                      {"wanted", kWatchAlone}});
    }
}

void check_overflow_dump(const std::string& file, const json& dump, Findings& findings) {
    if (is(dump, "dump_debug", "on")) {
        std::string members;
        members += has_items(dump, "dump_list") ? " and dump_list" : "";
        members += is(dump, "dump_op_switch", "on") ? " and dump_op_switch \"on\"" : "";
        members += has_text(dump, "dump_scene") ? " and dump_scene " + shown(dump, "dump_scene") : "";
        if (!members.empty()) {
            exclude(file, "dump_debug \"on\"" + members, kOverflowAlone, findings);
        }
        findings.add("offline_model_needs_status_check", file);
        findings.add("no_overflow_file_on_950", file);
        return;
    }
    findings.add(
        "overflow_dump_off", file,
        {{"member", "dump_debug"}, {"value", shown(dump, "dump_debug")}, {"wanted", "\"dump_debug\": \"on\""}});
    if (has_text(dump, "dump_scene") && is(dump, "dump_op_switch", "on")) {
        exclude(file, "dump_scene " + shown(dump, "dump_scene") + " and dump_op_switch \"on\"", kOverflowAlone,
                findings);
    }
    if (any_entry(dump, [](const json& entry) { return has_items(entry, "watcher_nodes"); })) {
        exclude(file, "watcher_nodes and a dump_scene other than \"watcher\"", kWatchAlone, findings);
    }
}

/// acl.json: "dump" with dump_path, dump_debug, dump_list, dump_op_switch, dump_scene.
void check_acl(const std::string& file, const json& dump, Findings& findings) {
    if (is(dump, "dump_scene", "watcher")) {
        check_watch(file, dump, findings);
    } else {
        check_overflow_dump(file, dump, findings);
    }
    // Exception dumps need no path.
    const bool is_exception_scene = has_text(dump, "dump_scene") && !is(dump, "dump_scene", "watcher");
    if (!is_exception_scene || dump.contains("dump_path")) {
        check_path(file, dump, "dump_path", findings);
    }
}

void check_mindspore(const std::string& file, const json& common, Findings& findings) {
    const auto mode = common.find("op_debug_mode");
    const bool known = mode != common.end() && mode->is_number_unsigned();
    const std::uint64_t number = known ? mode->get<std::uint64_t>() : 0;
    if (number == 0 || number > 3) {
        findings.add("overflow_dump_off", file,
                     {{"member", "op_debug_mode"},
                      {"value", shown(common, "op_debug_mode")},
                      {"wanted", "\"op_debug_mode\": 3"}});
    } else if (number != 3) {
        findings.add(
            "overflow_dump_partial", file,
            {{"value", std::to_string(number)}, {"covered", number == 1 ? "the AI Core" : "atomic additions"}});
    }
    check_path(file, common, "path", findings);
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
    const auto dump = document.find("dump"), common = document.find("common_dump_settings");
    if (dump != document.end() && dump->is_object()) {
        check_acl(file, *dump, findings);
    } else if (common != document.end() && common->is_object()) {
        check_mindspore(file, *common, findings);
    } else if (is_msprobe(document)) {
        check_msprobe(file, document, findings);
        check_path(file, document, "dump_path", findings);
    } else {
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

}  // namespace opdebug::doctor
