// opdebug formats: which log lines are understood, and whether definitions of one's own are sound.
#include <algorithm>
#include <cctype>
#include <iterator>

#include <fmt/format.h>

#include <opdebug/log_formats.hpp>
#include <opdebug/report.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "exit_status.hpp"
#include "limit_option.hpp"
#include "log_options.hpp"
#include "output.hpp"
#include "report_options.hpp"

namespace opdebug::tool {
namespace {

constexpr const char* kUsageLine = "opdebug formats [list | show NAME | check FILE...] [options]";

struct Request {
    std::string action = "list";
    std::vector<std::string> names;  ///< of show and check
    bool json = false;
    std::vector<NamedText> files;  ///< of --log-formats
    std::optional<std::string> output;
    ReportOptions report;
    Limits limits;
};

/// Reads what is asked for; a message when the usage is wrong.
std::optional<std::string> read_request(const ParsedArguments& arguments, Request& request) {
    const std::vector<std::string>& words = arguments.positionals;
    if (!words.empty()) {
        request.action = words.front();
        request.names.assign(words.begin() + 1, words.end());
    }
    const std::string form = arguments.has("format") ? arguments.text("format") : "text";
    request.json = form == "json";
    if (request.action == "list" && !request.names.empty()) {
        return "list takes no names; for one definition: show " + request.names.front();
    }
    if (request.action == "show" && request.names.size() != 1) {
        return "show takes one name: an id or a catalogue mark of 'opdebug formats list'";
    }
    if (request.action == "check" && request.names.empty()) {
        return "check takes the files to be checked";
    }
    if (request.action != "list" && request.action != "show" && request.action != "check") {
        return "list, show or check was expected, not '" + request.action + "'";
    }
    request.output = output_path(arguments);
    read_language(arguments, request.report);
    if (auto message = read_limit_option(arguments, request.limits)) {
        return message;
    }
    return read_log_formats(arguments, request.limits, request.files);
}

std::string joined(const std::vector<std::string>& items) {
    return fmt::format("{}", fmt::join(items, ", "));
}

std::string list_text(const std::vector<LogFormatInfo>& formats) {
    std::size_t widths[4] = {};
    const auto columns_of = [](const LogFormatInfo& format) {
        return std::vector<std::string>{format.id, format.catalogue, format.states, joined(format.modules)};
    };
    for (const LogFormatInfo& format : formats) {
        const std::vector<std::string> columns = columns_of(format);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            widths[i] = std::max(widths[i], printable(columns[i]).size());
        }
    }
    std::string text;
    for (const LogFormatInfo& format : formats) {
        const std::vector<std::string> columns = columns_of(format);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            text += fmt::format("{:<{}}  ", printable(columns[i]), widths[i]);
        }
        text += printable(format.versions) + "\n";
    }
    return text;
}

void add_row(std::string& text, const char* name, const std::string& value) {
    if (!value.empty()) {
        text += fmt::format("  {:<20} {}\n", name, printable(value));
    }
}

std::string definition_text(const LogFormatInfo& format) {
    std::string text = printable(format.id) + "\n";
    add_row(text, "catalogue", format.catalogue);
    add_row(text, "states", format.states);
    add_row(text, "log", format.log);
    add_row(text, "modules", joined(format.modules));
    add_row(text, "functions", joined(format.functions));
    add_row(text, "literal", format.literal);
    add_row(text, "pattern", format.pattern);
    for (const auto& [member, values] : format.ignore) {
        add_row(text, "ignore", member + ": " + joined(values));
    }
    add_row(text, "cut_lines", format.cut_lines ? "true" : "");
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
    return text;
}

int write(const Request& request, const std::string& text, int exit_status) {
    const int written = show_result(request.output, text);
    return written == kEverythingHandled ? exit_status : written;
}

int list(const Request& request, const std::vector<LogFormatInfo>& formats) {
    return write(request, request.json ? log_formats_to_json(formats, request.report) + "\n" : list_text(formats),
                 kEverythingHandled);
}

/// Marks may be ranges: "L4-L10" is the mark of L7 as well. Letters count in either case.
bool has_mark(const LogFormatInfo& format, const std::string& name) {
    const auto number_of = [](std::string_view mark) -> std::pair<int, std::uint64_t> {
        const auto number = mark.empty() ? std::nullopt : parse_count(std::string(mark.substr(1)));
        return number ? std::pair(std::toupper(static_cast<unsigned char>(mark[0])), *number)
                      : std::pair(0, std::uint64_t{0});
    };
    const std::string& mark = format.catalogue;
    const std::size_t dash = mark.find('-');
    const auto asked = number_of(name);
    const auto first = number_of(mark.substr(0, dash));
    const auto last = dash == std::string::npos ? first : number_of(mark.substr(dash + 1));
    return mark == name || (asked.first != 0 && asked.first == first.first && first.first == last.first &&
                            first.second <= asked.second && asked.second <= last.second);
}

int show(const Request& request, const std::vector<LogFormatInfo>& formats) {
    const std::string& name = request.names.front();
    std::vector<LogFormatInfo> named;
    std::copy_if(formats.begin(), formats.end(), std::back_inserter(named),
                 [&name](const LogFormatInfo& format) { return format.id == name || has_mark(format, name); });
    if (named.empty()) {
        const std::vector<std::string> near = near_log_format_names(formats, name);
        return usage_error(kUsageLine, fmt::format("there is no log format '{}'{}", name,
                                                   near.empty() ? "; 'opdebug formats list' names all"
                                                                : "; near names: " + joined(near)));
    }
    if (request.json) {
        return write(request, log_formats_to_json(named, request.report) + "\n", kEverythingHandled);
    }
    std::string text;
    for (const LogFormatInfo& format : named) {
        text += (text.empty() ? "" : "\n") + definition_text(format);
    }
    return write(request, text, kEverythingHandled);
}

/// A path may be a folder, as for --log-formats; its files are checked one by one.
std::vector<LogFormatCheck> check_path(const std::string& path, const Request& request) {
    const Result<std::vector<NamedText>> files = read_log_format_files(path, request.limits);
    if (!files) {
        return {{path, files.error()}};
    }
    std::vector<LogFormatCheck> checks;
    checks.reserve(files->size());
    for (const NamedText& file : *files) {
        checks.push_back({file.name, check_log_format_file(file, request.files, request.limits)});
    }
    return checks;
}

std::string check_text(const LogFormatCheck& check) {
    if (check.result) {
        return printable(fmt::format("{}: {} formats, {} samples: sound", check.file, check.result->formats,
                                     check.result->samples)) +
               "\n";
    }
    return printable(to_string(check.result.error())) + "\n";
}

int check(const Request& request) {
    std::vector<LogFormatCheck> checks;
    for (const std::string& path : request.names) {
        std::vector<LogFormatCheck> further = check_path(path, request);
        std::move(further.begin(), further.end(), std::back_inserter(checks));
    }
    std::string text;
    bool sound = true, found_any = false;
    for (const LogFormatCheck& item : checks) {
        text += request.json ? "" : check_text(item);
        sound = sound && item.result.ok();
        found_any = found_any || item.result.ok() || item.result.error().code != ErrorCode::file_not_found;
    }
    return write(request, request.json ? log_format_checks_to_json(checks, request.report) + "\n" : text,
                 sound       ? kEverythingHandled
                 : found_any ? kSomethingDamaged
                             : kUsage);
}

}  // namespace

CommandLine formats_command_line() {
    CommandLine line;
    line.usage = kUsageLine;
    line.summary =
        "Definitions of the log lines that tell which operator a task runs.\n"
        "list (default): one line each; show NAME: the whole definition of an id or catalogue mark;\n"
        "check FILE...: whether each file is sound together with the built-in definitions.";
    line.actions = {
        {"list", {}}, {"show", {log_format_value("NAME")}}, {"check", {repeated(file_or_folder_value("FILE"))}}};
    line.positionals = {action_value(line)};
    line.options = {{"format", word_value("FORM", {"text", "json"}), "text (default) or json"}};
    add_log_formats_option(line);
    line.options.push_back(limit_option());
    add_report_options(line);
    return line;
}

int formats_command(const std::vector<std::string>& arguments) {
    const ParsedArguments parsed = parse_arguments(formats_command_line(), arguments);
    if (parsed.exit_status) {
        return *parsed.exit_status;
    }
    Request request;
    if (const auto message = read_request(parsed, request)) {
        return usage_error(kUsageLine, *message);
    }
    if (request.action == "check") {
        return check(request);
    }
    const Result<std::vector<LogFormatInfo>> formats = list_log_formats(request.files, request.limits);
    if (!formats) {  // checked before; only for completeness
        say(to_string(formats.error()));
        return kUsage;
    }
    return request.action == "show" ? show(request, *formats) : list(request, *formats);
}

}  // namespace opdebug::tool
