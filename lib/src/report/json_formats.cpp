// Log formats as JSON: the form of the definition files, so that what is shown can be copied and used.
#include "report/json_text.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using report::Json;

/// In a definition file members that say nothing are left out.
template <class Value>
void add_unless_empty(Json& entry, const char* name, const Value& value) {
    if (!value.empty()) {
        entry[name] = value;
    }
}

void add_flag(Json& entry, const char* name, bool value) {
    if (value) {
        entry[name] = true;
    }
}

Json entry_of(const LogFormatInfo& format) {
    Json entry{{"id", format.id},
               {"catalogue", format.catalogue},
               {"states", format.states},
               {"log", format.log},
               {"modules", format.modules}};
    add_unless_empty(entry, "functions", format.functions);
    entry["literal"] = format.literal;
    entry["pattern"] = format.pattern;
    for (const auto& [member, values] : format.ignore) {
        entry["ignore"][member] = values;
    }
    add_flag(entry, "cut_lines", format.cut_lines);
    for (const auto& [member, value] : format.constants) {
        entry["constants"][member] = value;
    }
    add_flag(entry, "task_id_provisional", format.task_id_provisional);
    add_unless_empty(entry, "remembers", format.remembers);
    add_flag(entry, "once", format.once);
    add_unless_empty(entry, "forgets", format.forgets);
    add_unless_empty(entry, "completed_by", format.completed_by);
    entry["versions"] = format.versions;
    entry["source"] = format.source;
    entry["samples"] = format.samples;
    return entry;
}

}  // namespace

std::string log_formats_to_json(const std::vector<LogFormatInfo>& formats, const ReportOptions& options) {
    Json list = Json::array();
    for (const LogFormatInfo& format : formats) {
        list.push_back(entry_of(format));
    }
    return report::write(Json{{"schema", "opdebug.log_formats/1"}, {"formats", std::move(list)}}, options);
}

std::string log_format_checks_to_json(const std::vector<LogFormatCheck>& checks, const ReportOptions& options) {
    Json list = Json::array();
    for (const LogFormatCheck& check : checks) {
        const Error* error = check.result ? nullptr : &check.result.error();
        list.push_back({{"file", check.file},
                        {"sound", error == nullptr},
                        {"formats", error == nullptr ? Json(check.result->formats) : Json(nullptr)},
                        {"samples", error == nullptr ? Json(check.result->samples) : Json(nullptr)},
                        {"error", error == nullptr ? Json(nullptr)
                                                   : Json{{"code", to_string(error->code)},
                                                          {"message", error->message},
                                                          {"file", error->file},
                                                          {"offset", report::value_or_null(error->offset)}}}});
    }
    return report::write(list, options);
}

}  // namespace v0
}  // namespace opdebug
