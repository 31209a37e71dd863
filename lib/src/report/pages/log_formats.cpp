// Log formats as pages for people and as documents in the form of their definition files; lines that a definition
// reads.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>

#include "bytes/counted.hpp"
#include "report/json/json_parts.hpp"
#include "report/text/joined_lists.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
static void write_members(const LogFormatInfo& format, JsonWriter& json) {
    const auto write = [&json](const char* name, const auto& value) {
        if (value != std::remove_cvref_t<decltype(value)>()) {  // files leave out empty members
            json.member(name, value);
        }
    };
    json.member("id", format.id);
    write("states", format.states);
    write("else_states", format.else_states);
    write("log", format.log);
    write("modules", format.modules);
    write("functions", format.functions);
    write("literal", format.literal);
    format.patterns.size() == 1 ? json.member("pattern", format.patterns.front())
                                : json.member("patterns", format.patterns);
    write("ignore", format.ignore);
    write("cut_lines", format.cut_lines);
    write("fallback", format.fallback);
    write("constants", format.constants);
    write("task_id_provisional", format.task_id_provisional);
    write("remembers", format.remembers);
    write("once", format.once);
    write("forgets", format.forgets);
    write("completed_by", format.completed_by);
    json.member("samples", format.samples);
    if (!format.catalogue.empty() || !format.versions.empty() || !format.source.empty()) {
        json.member("about", [&] {
            write("catalogue", format.catalogue);
            write("versions", format.versions);
            write("source", format.source);
        });
    }
}

static void write_members(const LogFormatCheck& check, JsonWriter& json) {
    const bool sound = check.result.ok();
    json.member("file", check.file);
    json.member("sound", sound);
    json.member("formats", sound ? std::optional(check.result->formats) : std::nullopt);
    json.member("samples", sound ? std::optional(check.result->samples) : std::nullopt);
    const auto write_error = [&] {
        const Error& error = check.result.error();
        json.member("code", error.code);
        json.member("message", error.message);
        json.member("file", error.file);
        json.member("offset", error.offset);
    };
    sound ? json.null_member("error") : json.member("error", write_error);
}

static void write_members(const TriedLine& line, JsonWriter& json) {
    json.member("line", line.number);
    json.member("format", line.format);
    if (line.reason.empty()) {
        json.member("states", line.states);
        json.member("captures", line.captures);
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

namespace {

using nlohmann::ordered_json;

std::string shown(const ordered_json& value) {
    return value.is_array() ? joined(value, ", ", shown) : value.is_string() ? value.get<std::string>() : value.dump();
}

void add_rows(const std::string& name, const ordered_json& value, std::string& text) {
    if (value.is_object()) {
        for (const auto& [member, one] : value.items()) {
            name == "about" ? add_rows(member, one, text) : add_rows(name, member + ": " + shown(one), text);
        }
    } else if (value.is_array() && (name == "patterns" || name == "samples")) {
        for (const ordered_json& one : value) {
            add_rows(name, one.get<std::string>(), text);
        }
    } else {
        text += fmt::format("  {:<20} {}\n", name, printable(shown(value)));
    }
}

}  // namespace
}  // namespace opdebug::report

std::string opdebug::log_formats_to_text(const std::vector<LogFormatInfo>& formats, const ReportOptions& options) {
    constexpr std::size_t kModulesColumns = 16;
    const auto row_of = [](const LogFormatInfo& format) {
        const std::string modules = fmt::format("{}", fmt::join(format.modules, ", "));
        return report::TextRow{{printable(format.id), printable(format.catalogue), printable(format.states),
                                report::shorten_end(printable(modules), kModulesColumns), printable(format.versions)},
                               {}};
    };
    return report::text_table({{""}, {""}, {""}, {""}, {"", false, report::shorten_end}},
                              report::mapped(formats, row_of), options.columns)
        .rows;
}

std::string opdebug::log_format_to_text(const LogFormatInfo& format, const ReportOptions& options) {
    report::JsonWriter json;
    json.value(format);
    std::string text;
    const report::ordered_json members = report::ordered_json::parse(json.text());
    for (const auto& [name, value] : members.items()) {
        report::add_rows(name, value, text);
    }
    if (!format.file.empty()) {
        report::add_rows("file", format.file, text);
    }
    return report::fitted(text, options.columns);
}

std::string opdebug::log_format_check_to_text(const LogFormatCheck& check) {
    if (check.result) {
        return printable(fmt::format("{}: {}, {}: sound", check.file, bytes::counted(check.result->formats, "format"),
                                     bytes::counted(check.result->samples, "sample"))) +
               "\n";
    }
    return printable(to_string(check.result.error())) + "\n";
}

std::string opdebug::log_formats_to_json(const std::vector<LogFormatInfo>& formats, const ReportOptions& options) {
    return report::JsonWriter::document("opdebug.log_formats/2", options,
                                        [&](report::JsonWriter& json) { json.member("formats", formats); });
}

std::string opdebug::log_format_checks_to_json(const std::vector<LogFormatCheck>& checks,
                                               const ReportOptions& options) {
    report::JsonWriter json(options);
    json.value(checks);
    return json.take();
}
