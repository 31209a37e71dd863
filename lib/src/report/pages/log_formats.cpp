// Log formats as pages for people and as documents in the form of their definition files; lines that a definition
// reads.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/report.hpp>

#include "bytes/counted.hpp"
#include "report/json/json_parts.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

/// In a definition file empty members are left out.
template <class Value>
void write_unless_empty(const char* name, const Value& value, JsonWriter& json) {
    if (!value.empty()) {
        json.member(name, value);
    }
}

void write_flag(const char* name, bool value, JsonWriter& json) {
    if (value) {
        json.member(name, true);
    }
}

/// Members of an object by their names, which the definition file gives.
template <class Members>
void write_named(const char* name, const Members& members, JsonWriter& json) {
    if (members.empty()) {
        return;
    }
    json.begin_object(name);
    for (const auto& [member, value] : members) {
        json.member(member, value);
    }
    json.end_object();
}

}  // namespace

static void write_members(const LogFormatInfo& format, JsonWriter& json) {
    json.member("id", format.id);
    json.member("states", format.states);
    write_unless_empty("else_states", format.else_states, json);
    json.member("log", format.log);
    json.member("modules", format.modules);
    write_unless_empty("functions", format.functions, json);
    write_unless_empty("literal", format.literal, json);
    if (format.patterns.size() == 1) {
        json.member("pattern", format.patterns.front());
    } else {
        json.member("patterns", format.patterns);
    }
    write_named("ignore", format.ignore, json);
    write_flag("cut_lines", format.cut_lines, json);
    write_flag("fallback", format.fallback, json);
    write_named("constants", format.constants, json);
    write_flag("task_id_provisional", format.task_id_provisional, json);
    write_unless_empty("remembers", format.remembers, json);
    write_flag("once", format.once, json);
    write_unless_empty("forgets", format.forgets, json);
    write_unless_empty("completed_by", format.completed_by, json);
    json.member("samples", format.samples);
    if (!format.catalogue.empty() || !format.versions.empty() || !format.source.empty()) {
        json.begin_object("about");
        write_unless_empty("catalogue", format.catalogue, json);
        write_unless_empty("versions", format.versions, json);
        write_unless_empty("source", format.source, json);
        json.end_object();
    }
}

static void write_members(const LogFormatCheck& check, JsonWriter& json) {
    const bool sound = check.result.ok();
    json.member("file", check.file);
    json.member("sound", sound);
    json.member("formats", sound ? std::optional(check.result->formats) : std::nullopt);
    json.member("samples", sound ? std::optional(check.result->samples) : std::nullopt);
    if (sound) {
        json.null_member("error");
        return;
    }
    const Error& error = check.result.error();
    json.begin_object("error");
    json.member("code", error.code);
    json.member("message", error.message);
    json.member("file", error.file);
    json.member("offset", error.offset);
    json.end_object();
}

static void write_members(const TriedLine& line, JsonWriter& json) {
    json.member("line", line.number);
    json.member("format", line.format);
    if (line.reason.empty()) {
        json.member("states", line.states);
        json.begin_object("captures");
        for (const auto& [capture, value] : line.captures) {
            json.member(capture, value);
        }
        json.end_object();
    } else {
        json.member("reason", line.reason);
    }
    json.member("text", line.text);
}

std::string format_trial_to_json(const NamedText& file, const std::string& log, const LogFormatTrial& trial,
                                 const ReportOptions& options) {
    return JsonWriter::document("opdebug.format_trial/1", options, [&](JsonWriter& json) {
        json.member("file", file.name);
        json.member("log", log);
        json.member("lines", trial.lines);
        json.member("read", trial.read);
        json.member("not_read", trial.not_read);
    });
}

std::string format_trial_to_text(const std::string& log, const LogFormatTrial& trial) {
    std::string text;
    for (const TriedLine& line : trial.read) {
        std::string captures;
        for (const auto& [name, value] : line.captures) {
            captures += fmt::format(" {}={}", name, value);
        }
        text += printable(fmt::format("{}:{}: {} ({}){}", log, line.number, line.format, line.states, captures)) + "\n";
    }
    for (const TriedLine& line : trial.not_read) {
        text += printable(fmt::format("{}:{}: not read by {}: {}", log, line.number, line.format, line.reason)) +
                "\n  " + printable(line.text) + "\n";
    }
    return text + fmt::format("{}: {} read, {} with a literal not read\n", bytes::counted(trial.lines, "line"),
                              trial.read.size(), trial.not_read.size());
}

}  // namespace opdebug::report

namespace opdebug {
inline namespace v0 {
namespace {

std::string joined(const std::vector<std::string>& items) {
    return fmt::format("{}", fmt::join(items, ", "));
}

void add_row(std::string& text, const char* name, const std::string& value) {
    if (!value.empty()) {
        text += fmt::format("  {:<20} {}\n", name, printable(value));
    }
}

}  // namespace

std::string log_formats_to_text(const std::vector<LogFormatInfo>& formats, const ReportOptions& options) {
    constexpr std::size_t kModulesColumns = 16;
    std::size_t widths[4] = {};
    const auto columns_of = [](const LogFormatInfo& format) {
        return std::vector<std::string>{format.id, format.catalogue, format.states,
                                        report::shorten_end(joined(format.modules), kModulesColumns)};
    };
    for (const LogFormatInfo& format : formats) {
        const std::vector<std::string> columns = columns_of(format);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            widths[i] = std::max(widths[i], report::display_columns(printable(columns[i])));
        }
    }
    std::string text;
    for (const LogFormatInfo& format : formats) {
        const std::vector<std::string> columns = columns_of(format);
        std::string line;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            line += report::padded(printable(columns[i]), widths[i] + 2);
        }
        text += report::shorten_end(line + printable(format.versions), options.columns) + "\n";
    }
    return text;
}

std::string log_format_to_text(const LogFormatInfo& format, const ReportOptions& options) {
    std::string text = printable(format.id) + "\n";
    add_row(text, "catalogue", format.catalogue);
    add_row(text, "states", format.states);
    add_row(text, "else_states", format.else_states);
    add_row(text, "log", format.log);
    add_row(text, "modules", joined(format.modules));
    add_row(text, "functions", joined(format.functions));
    for (std::size_t i = 0; i < format.patterns.size(); ++i) {
        add_row(text, "pattern", format.patterns[i]);
        add_row(text, "literal", format.literals[i]);
    }
    for (const auto& [member, values] : format.ignore) {
        add_row(text, "ignore", member + ": " + joined(values));
    }
    add_row(text, "cut_lines", format.cut_lines ? "true" : "");
    add_row(text, "fallback", format.fallback ? "true" : "");
    for (const auto& [member, value] : format.constants) {
        add_row(text, "constants", fmt::format("{}: {}", member, value));
    }
    add_row(text, "task_id_provisional", format.task_id_provisional ? "true" : "");
    add_row(text, "remembers", format.remembers);
    add_row(text, "once", format.once ? "true" : "");
    add_row(text, "forgets", format.forgets);
    add_row(text, "completed_by", joined(format.completed_by));
    add_row(text, "versions", format.versions);
    add_row(text, "source", format.source);
    add_row(text, "file", format.file);
    for (const std::string& sample : format.samples) {
        add_row(text, "sample", sample);
    }
    return report::fitted(text, options.columns);
}

std::string log_format_check_to_text(const LogFormatCheck& check) {
    if (check.result) {
        return printable(fmt::format("{}: {}, {}: sound", check.file, bytes::counted(check.result->formats, "format"),
                                     bytes::counted(check.result->samples, "sample"))) +
               "\n";
    }
    return printable(to_string(check.result.error())) + "\n";
}

std::string log_formats_to_json(const std::vector<LogFormatInfo>& formats, const ReportOptions& options) {
    return report::JsonWriter::document("opdebug.log_formats/2", options,
                                        [&](report::JsonWriter& json) { json.member("formats", formats); });
}

std::string log_format_checks_to_json(const std::vector<LogFormatCheck>& checks, const ReportOptions& options) {
    report::JsonWriter json(options);
    json.value(checks);
    return json.take();
}

}  // namespace v0
}  // namespace opdebug
