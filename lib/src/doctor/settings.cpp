// Files of dump settings: acl.json of CANN, MindSpore's and msprobe's.
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bytes/file.hpp"
#include "doctor/checks.hpp"
#include "json/document.hpp"

namespace opdebug::doctor {
namespace {

using nlohmann::json;

/// The member's text, number or truth value as text; "not set" when it is not there.
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

/// acl.json: "dump" with dump_path, dump_debug, dump_list, dump_op_switch.
void check_acl(const std::string& file, const json& dump, Findings& findings) {
    if (!is(dump, "dump_debug", "on")) {
        findings.add(
            "overflow_dump_off", file,
            {{"member", "dump_debug"}, {"value", shown(dump, "dump_debug")}, {"wanted", "\"dump_debug\": \"on\""}});
    } else {
        std::string members;
        members += has_items(dump, "dump_list") ? "dump_debug, dump_list" : "";
        members += is(dump, "dump_op_switch", "on")
                       ? (members.empty() ? "dump_debug, dump_op_switch" : ", dump_op_switch")
                       : "";
        if (!members.empty()) {
            findings.add("dumps_exclude_each_other", file, {{"members", members}});
        }
        findings.add("offline_model_needs_status_check", file);
    }
    check_path(file, dump, "dump_path", findings);
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

void check_msprobe(const std::string& file, const json& document, Findings& findings) {
    if (is(document, "task", "overflow_check")) {
        findings.add("overflow_check_gone", file);
    }
    check_path(file, document, "dump_path", findings);
}

/// What the file holds.
void check_content(const std::string& file, const bytes::FileReader& reader, const Limits& limits, Findings& findings) {
    const auto unreadable = [&](const std::string& reason) {
        findings.add("settings_unreadable", file, {{"reason", reason}});
    };
    if (reader.size() > limits.definition_bytes) {
        unreadable(fmt::format("it has {} bytes, at most {} are read", reader.size(), limits.definition_bytes));
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
        unreadable(fault.found() ? fault.reason : "it holds no object");
        return;
    }
    const auto dump = document.find("dump"), common = document.find("common_dump_settings");
    if (dump != document.end() && dump->is_object()) {
        check_acl(file, *dump, findings);
    } else if (common != document.end() && common->is_object()) {
        check_mindspore(file, *common, findings);
    } else if (document.contains("task")) {
        check_msprobe(file, document, findings);
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
    check_content(file, *reader, limits, findings);
    return true;
}

}  // namespace opdebug::doctor
