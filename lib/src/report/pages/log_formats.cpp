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

/// The members that a definition file and a page have in the same order. `patterns` writes those of the patterns.
template <class Visit, class Patterns>
void visit_members(const LogFormatInfo& format, const Visit& visit, const Patterns& patterns) {
    visit("states", format.states);
    visit("else_states", format.else_states);
    visit("log", format.log);
    visit("modules", format.modules);
    visit("functions", format.functions);
    patterns();
    visit("ignore", format.ignore);
    visit("cut_lines", format.cut_lines);
    visit("fallback", format.fallback);
    visit("constants", format.constants);
    visit("task_id_provisional", format.task_id_provisional);
    visit("remembers", format.remembers);
    visit("once", format.once);
    visit("forgets", format.forgets);
    visit("completed_by", format.completed_by);
}

}  // namespace

static void write_members(const LogFormatInfo& format, JsonWriter& json) {
    const auto write = [&json](const char* name, const auto& value) {
        if (value != std::remove_cvref_t<decltype(value)>()) {  // files leave out empty members
            json.member(name, value);
        }
    };
    json.member("id", format.id);
    visit_members(format, write, [&] {
        write("literal", format.literal);
        format.patterns.size() == 1 ? json.member("pattern", format.patterns.front())
                                    : json.member("patterns", format.patterns);
    });
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

void add_row(std::string& text, const char* name, const std::string& value) {
    if (!value.empty()) {
        text += fmt::format("  {:<20} {}\n", name, printable(value));
    }
}

void add_row(std::string& text, const char* name, bool value) {
    add_row(text, name, std::string(value ? "true" : ""));
}

void add_row(std::string& text, const char* name, const std::vector<std::string>& values) {
    add_row(text, name, fmt::format("{}", fmt::join(values, ", ")));
}

/// A row for each name.
template <class Value>
void add_row(std::string& text, const char* name, const std::vector<std::pair<std::string, Value>>& values) {
    for (const auto& [member, value] : values) {
        if constexpr (std::is_integral_v<Value>) {
            add_row(text, name, fmt::format("{}: {}", member, value));
        } else {
            add_row(text, name, fmt::format("{}: {}", member, fmt::join(value, ", ")));
        }
    }
}

}  // namespace
}  // namespace opdebug::report

std::string opdebug::log_formats_to_text(const std::vector<LogFormatInfo>& formats, const ReportOptions& options) {
    constexpr std::size_t kModulesColumns = 16;
    std::size_t widths[4] = {};
    const auto columns_of = [](const LogFormatInfo& format) {
        return std::vector<std::string>{
            format.id, format.catalogue, format.states,
            report::shorten_end(fmt::format("{}", fmt::join(format.modules, ", ")), kModulesColumns)};
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

std::string opdebug::log_format_to_text(const LogFormatInfo& format, const ReportOptions& options) {
    std::string text = printable(format.id) + "\n";
    const auto add = [&text](const char* name, const auto& value) { report::add_row(text, name, value); };
    add("catalogue", format.catalogue);
    report::visit_members(format, add, [&] {
        for (std::size_t i = 0; i < format.patterns.size(); ++i) {
            add("pattern", format.patterns[i]);
            add("literal", format.literals[i]);
        }
    });
    add("versions", format.versions);
    add("source", format.source);
    add("file", format.file);
    for (const std::string& sample : format.samples) {
        add("sample", sample);
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
