// Log formats as pages for people.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/report.hpp>

#include "bytes/counted.hpp"
#include "report/text/text_table.hpp"

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

}  // namespace v0
}  // namespace opdebug
