// Files of dump settings. For their members see settings_rules.cpp.
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bytes/file.hpp"
#include "doctor/checks.hpp"
#include "json/document.hpp"

namespace opdebug::doctor {
namespace {

using nlohmann::json;

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

}  // namespace opdebug::doctor
