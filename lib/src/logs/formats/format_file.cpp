// One JSON file of log formats, read strictly.
#include "logs/formats/format_file.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <boost/regex.hpp>
#include <nlohmann/json.hpp>

#include "json/document.hpp"
#include "logs/formats/entry_reader.hpp"
#include "logs/formats/format_captures.hpp"

namespace opdebug::logs {
namespace {

using nlohmann::json;

constexpr std::string_view kSchema = "opdebug.log_formats/1";

Error file_error(const NamedText& file, const std::string& message) {
    return Error{ErrorCode::log_format_invalid, message, file.name, std::nullopt};
}

void read_members(EntryReader& reader, FormatDefinition& format) {
    reader.text("catalogue", format.catalogue);
    reader.name("states", &fact_kind_from, fact_kind_names(), format.states);
    reader.name("log", &log_kind_from, log_kind_names(), format.log);
    reader.texts("modules", format.modules);
    reader.text("literal", format.literal);
    reader.text("pattern", format.pattern);
    reader.text("versions", format.versions);
    reader.text("source", format.source);
    reader.texts("samples", format.samples);
    if (reader.has("functions")) {
        reader.texts("functions", format.functions);
    }
    if (reader.has("ignore")) {
        reader.ignore_rules();
    }
    if (reader.has("cut_lines")) {
        reader.flag("cut_lines", format.cut_lines);
    }
    if (reader.has("fallback")) {
        reader.flag("fallback", format.fallback);
    }
    if (reader.has("constants")) {
        reader.constants();
    }
    if (reader.has("task_id_provisional")) {
        reader.flag("task_id_provisional", format.task_id_provisional);
    }
    if (reader.has("remembers")) {
        reader.text("remembers", format.remembers);
    }
    if (reader.has("once")) {
        reader.flag("once", format.once);
    }
    if (reader.has("forgets")) {
        reader.text("forgets", format.forgets);
    }
    if (reader.has("completed_by")) {
        reader.texts("completed_by", format.completed_by);
    }
}

void check_known_members(const json& entry, EntryReader& reader) {
    constexpr std::string_view kKnown[] = {"id",
                                           "catalogue",
                                           "states",
                                           "log",
                                           "modules",
                                           "functions",
                                           "literal",
                                           "pattern",
                                           "ignore",
                                           "source",
                                           "versions",
                                           "samples",
                                           "task_id_provisional",
                                           "remembers",
                                           "once",
                                           "forgets",
                                           "completed_by",
                                           "cut_lines",
                                           "constants",
                                           "fallback"};
    for (const auto& item : entry.items()) {
        if (std::find(std::begin(kKnown), std::end(kKnown), item.key()) == std::end(kKnown)) {
            reader.fail(item.key(), "is not a member of a log format", "correct its spelling or remove it");
        }
    }
}

/// Before its groups are looked at: an unclosed bracket would hide some of them.
void check_pattern(EntryReader& reader, FormatDefinition& format) {
    if (format.pattern.find("(?P<") != std::string::npos) {
        reader.fail("pattern", "names a group by (?P<...>)", "write (?<...>)");
    }
    if (format.pattern.find("(?|") != std::string::npos) {
        reader.fail("pattern", "numbers the groups of alternatives anew by (?|...)", "write (?:...)");
    }
    try {
        const boost::regex checked(format.pattern, boost::regex::perl);
    } catch (const boost::regex_error& failure) {
        reader.fail("pattern", fmt::format("is no regular expression: {}", failure.what()),
                    "correct it (Boost.Regex, Perl syntax)");
    }
}

/// Captures and constants must be members of Fact, and enough for the statement.
void check_captures(EntryReader& reader, FormatDefinition& format) {
    format.captures = named_groups(format.pattern);
    const auto captured = [&](std::string_view name) {
        return std::find(format.captures.begin(), format.captures.end(), name) != format.captures.end();
    };
    const auto given = [&](std::string_view name) {
        return std::any_of(format.constants.begin(), format.constants.end(),
                           [name](const Constant& constant) { return constant.member == name; });
    };
    for (const Constant& constant : format.constants) {
        if (!is_number_member(constant.member)) {
            reader.fail("constants", fmt::format("names \"{}\", which is no number of a statement", constant.member),
                        "use a capture name of docs/log-formats.md that is a number");
        } else if (captured(constant.member)) {
            reader.fail("constants", fmt::format("gives \"{}\", which the pattern captures", constant.member),
                        "capture it or give it, not both");
        }
    }
    for (const std::string& name : format.captures) {
        if (!is_fact_member(name)) {
            reader.fail("pattern", fmt::format("captures \"{}\", which is no member of a statement", name),
                        "use a capture name of docs/log-formats.md or a group without name");
        }
    }
    // Members that the submit line or a remembered line adds need not be captured here (checked across formats).
    const bool is_completed = format.task_id_provisional || !format.completed_by.empty();
    const Requirement needed = is_completed ? Requirement{} : requirement(format.states);
    for (const std::string_view name : needed.all) {
        const bool is_in_number = name == "task_id" && captured("task_sn");  // its low half
        if (!captured(name) && !given(name) && !is_in_number) {
            reader.fail("pattern",
                        fmt::format("does not capture \"{}\", which {} needs", name, to_string(format.states)),
                        fmt::format("add (?<{}>...)", name));
        }
    }
    const auto is_there = [&](std::string_view name) { return captured(name) || given(name); };
    if (!needed.any.empty() && std::none_of(needed.any.begin(), needed.any.end(), is_there)) {
        reader.fail("pattern",
                    fmt::format("captures none of {}, of which {} needs one", fmt::join(needed.any, ", "),
                                to_string(format.states)),
                    fmt::format("add (?<{}>...)", needed.any.front()));
    }
    for (const IgnoreRule& rule : format.ignore) {
        if (!captured(rule.member)) {
            reader.fail("ignore", fmt::format("names \"{}\", which the pattern does not capture", rule.member),
                        "capture it or remove the rule");
        }
    }
}

std::optional<Error> read_entry(const NamedText& file, std::size_t index, const json& entry, FormatDefinition& format) {
    format.file = file.name;
    format.id = fmt::format("formats[{}]", index);
    EntryReader reader(entry, format);
    if (!entry.is_object()) {
        reader.fail("entry", "is not an object", "write { \"id\": ... }");
        return reader.error();
    }
    std::string id;
    reader.text("id", id);
    if (!reader.error()) {
        format.id = id;
        check_known_members(entry, reader);
        read_members(reader, format);
    }
    if (!reader.error()) {
        check_pattern(reader, format);
        check_captures(reader, format);
    }
    return reader.error();
}

Result<std::vector<FormatDefinition>> read_document(const NamedText& file, const json& document) {
    constexpr const char* kForm = R"(a file of log formats is an object with the members "schema" and "formats" only)";
    if (!document.is_object()) {
        return file_error(file, kForm);
    }
    for (const char* needed : {"schema", "formats"}) {
        if (!document.contains(needed)) {
            return file_error(file, fmt::format("the member \"{}\" is missing: {}", needed, kForm));
        }
    }
    for (const auto& item : document.items()) {
        if (item.key() != "schema" && item.key() != "formats") {
            return file_error(file, fmt::format("the member \"{}\" does not belong here: {}", item.key(), kForm));
        }
    }
    if (document["schema"] != kSchema) {
        return file_error(file, fmt::format("\"schema\" must be \"{}\"; this version reads no other", kSchema));
    }
    if (!document["formats"].is_array() || document["formats"].empty()) {
        return file_error(file, R"("formats" must be a list with at least one log format)");
    }
    std::vector<FormatDefinition> formats;
    for (const json& entry : document["formats"]) {
        FormatDefinition format;
        if (std::optional<Error> error = read_entry(file, formats.size(), entry, format)) {
            return *std::move(error);
        }
        formats.push_back(std::move(format));
    }
    return formats;
}

}  // namespace

Result<std::vector<FormatDefinition>> read_format_file(const NamedText& file, const Limits& limits) {
    try {
        json_stage::Fault fault;
        std::optional<std::uint64_t> offset;
        const json document = json_stage::parse_document(file.text, fault, &offset, limits);
        if (fault.found()) {
            Error error = file_error(file, fault.reason + "; " + fault.remedy);
            error.offset = offset;
            error.code = fault.passed_limit.value_or(error.code);
            return error;
        }
        return read_document(file, document);
    } catch (const json::exception& failure) {
        return file_error(file, fmt::format("the JSON is not usable: {}", failure.what()));
    }
}

Error format_error(const FormatDefinition& format, const std::string& member, const std::string& reason,
                   const std::string& remedy) {
    return Error{ErrorCode::log_format_invalid,
                 fmt::format("log format \"{}\": \"{}\" {}; {}", format.id, member, reason, remedy), format.file,
                 std::nullopt};
}

}  // namespace opdebug::logs
